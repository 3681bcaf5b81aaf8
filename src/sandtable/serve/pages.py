"""The pages and what they are made of: files of the folder web/, read once, compressed once, checked by their ETag."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from sandtable.protocol.errors import Refusal
from sandtable.serve.guests import Guests
from sandtable.serve.refusals import Refused, answer, answer_refused

# A system's own table of types may call a script a text, which a browser told not to guess refuses to run.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".woff2": "font/woff2",
}
PACKED = {".png", ".woff2"}  # no compression helps these any more
PAGES = {"": "lobby.html", "t": "table.html", "m": "replay.html", "rules": "rules.html"}
SORRY = "sorry.html"
TABLE_ID = re.compile(r"[2-9A-HJKMNP-TV-Z]{5}")
GAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
REASONS = {404: ("unknown", "There is nothing here."), 405: ("method", "That cannot be done here.")}
FAULT = ("internal", "Something went wrong here. Nothing was lost; try again.")

Finder = Callable[[Request, str, str], Awaitable[bool]]  # request, "t", "m" or "rules", ID or game: is there one?


@dataclass(frozen=True)
class File:
    """One file as it is sent."""

    stamp: tuple[int, int]  # when it was changed last, and its size
    kind: str
    tag: str
    plain: bytes
    packed: bytes | None


class Shelf:
    """The files of web/ by their names. Only names found by walking through the folder exist at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, File] = {}
        self._names = self._walk()

    def _walk(self) -> dict[str, Path]:
        found = (path for path in self._folder.rglob("*") if path.suffix in TYPES and path.is_file())
        named = {path.relative_to(self._folder).as_posix(): path for path in found if not path.is_symlink()}
        return {name: path for name, path in named.items() if not any(part[0] == "." for part in name.split("/"))}

    async def get(self, name: str) -> File | None:
        path = self._names.get(name)
        if path is None:
            return None
        try:
            told = path.stat()
            file = self._files.get(name)
            if file is None or file.stamp != (told.st_mtime_ns, told.st_size):  # changed, or not yet read
                file = await asyncio.to_thread(_read, path, (told.st_mtime_ns, told.st_size))
                self._files[name] = file
        except OSError:
            return None
        return file

    async def send(self, request: Request, name: str, status: int = 200, keep: str = "no-store") -> Response:
        """A file as an answer, or 304 where the browser has it already."""
        file = await self.get(name)
        if file is None:
            raise HTTPException(404)
        accepts_packed = "gzip" in request.headers.get("accept-encoding", "")
        body, tag, headers = file.plain, f'"{file.tag}"', {"cache-control": keep}
        if file.packed is not None:
            headers["vary"] = "accept-encoding"
            if accepts_packed:
                body, tag = file.packed, f'"{file.tag}-gz"'
                headers["content-encoding"] = "gzip"
        if keep != "no-store":
            headers["etag"] = tag
            if _has(request.headers, tag):
                return Response(None, 304, headers)
        return Response(body, status, headers, media_type=file.kind)


def _has(headers: Headers, tag: str) -> bool:
    return tag in (part.strip().removeprefix("W/") for part in headers.get("if-none-match", "").split(","))


# Types and remarks are a quarter of the scripts: they stay here, for readers of the source. Lines are kept, so that a
# browser's line numbers are right; so is whatever follows a remark on its line.
COMMENTS = re.compile(rb"(?ms)/\*\*.*?\*/|^[ \t]*//[^\n]*$")


def without_comments(script: bytes) -> bytes:
    return COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


def _read(path: Path, stamp: tuple[int, int]) -> File:
    plain = path.read_bytes()
    tag = hashlib.blake2b(plain, digest_size=12).hexdigest()
    lean = without_comments(plain) if path.suffix == ".js" else plain
    packed = None if path.suffix in PACKED else gzip.compress(lean, 9, mtime=0)
    return File(stamp, TYPES[path.suffix], tag, plain, packed if packed and len(packed) < len(plain) else None)


async def anything(request: Request, page: str, name: str) -> bool:
    """A finder for whom everything that could be there is."""
    return True


def page_routes(shelf: Shelf, guests: Guests, is_there: Finder = anything) -> list[BaseRoute]:
    """The pages of people and the files they load. `is_there` may raise `Refused`: too many guesses."""

    async def page(request: Request) -> Response:
        kind = request.url.path.split("/")[1]
        name = request.path_params.get("name", "")
        if kind in ("t", "m"):
            if not TABLE_ID.fullmatch(name.upper()):
                raise HTTPException(404)
            if name != name.upper():
                return RedirectResponse(f"/{kind}/{name.upper()}", 308)
        elif kind == "rules" and not GAME.fullmatch(name):
            raise HTTPException(404)
        guests.welcome(request)
        if kind and not await is_there(request, kind, name):
            raise HTTPException(404)
        return await shelf.send(request, PAGES[kind])

    async def file(request: Request) -> Response:
        return await shelf.send(request, request.path_params["path"], keep="no-cache")  # kept, but asked for each time

    return [
        Route("/", page),
        *(Route(f"/{kind}/{{name}}", page) for kind in PAGES if kind),
        Route("/web/{path:path}", file),
    ]


def error_answers(shelf: Shelf) -> dict[type[Exception] | int, Callable[[Request, Exception], Awaitable[Response]]]:
    """Starlette's exception handlers: a page with a sentence for people, code and sentence for programs."""

    async def sorry(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        if isinstance(error, Refused):
            status = error.status
        if _wants_page(request) and await shelf.get(SORRY):
            return await shelf.send(request, SORRY, status)
        if isinstance(error, Refused):
            return await answer_refused(request, error)
        code, sentence = REASONS.get(status, FAULT if status >= 500 else ("bad", "That cannot be done here."))
        return answer(status, Refusal(code, "", sentence))

    return {HTTPException: sorry, Refused: sorry}


def _wants_page(request: Request) -> bool:
    is_file = request.url.path.startswith(("/api/", "/web/"))
    return not is_file and "text/html" in request.headers.get("accept", "")
