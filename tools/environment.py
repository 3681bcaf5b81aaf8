"""The project's own Python environment in .venv: made from a hashed lock, repaired when stale or half made.

A stamp for each lock is written last. Where it is right, nothing is done, so the second start is quick and needs no
network. Where it is not, the environment is made anew from nothing: a half-installed package looks installed to pip.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOCKS = {"play": "requirements.lock", "test": "requirements-test.lock"}  # the second holds the first
ADDING = "adding\n"  # in place of the test stamp while the tools are being installed
BASE = getattr(sys, "_base_executable", sys.executable)  # the caller may stand inside the .venv about to be removed


class Trouble(Exception):
    """Something the person at the keyboard can mend; its text is one sentence."""


def enter(purpose: str, arguments: list[str]) -> NoReturn:
    """Go on as the environment's Python with these arguments."""
    try:
        python = ready(purpose)
    except Trouble as trouble:
        say(str(trouble))
        sys.exit(2)
    except KeyboardInterrupt:
        say("Stopped; the next start sets up again.")
        sys.exit(130)
    command = [str(python), *arguments]
    if os.name != "nt":
        os.execve(command[0], command, variables())
    sys.exit(subprocess.call(command, env=variables()))  # Windows has no exec that keeps the console


def ready(purpose: str) -> Path:
    """The environment's Python, made or repaired first where need be."""
    if not is_ready(purpose):
        with only_one():
            if not is_ready(purpose):  # another start may have made it meanwhile
                try:
                    make(purpose)
                except OSError as error:
                    raise Trouble(f"Sandtable cannot set itself up in {VENV}: {error}.") from None
    return PYTHON


def variables() -> dict[str, str]:
    """The caller's environment variables, with the project's source and without another Python's home and packages."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    return inherited | {"PYTHONPATH": str(ROOT / "src")}


def is_ready(purpose: str) -> bool:
    try:
        return base().is_file() and stamp(purpose).read_text("utf-8") == seal(purpose)
    except (OSError, ValueError):
        return False


def stamp(purpose: str) -> Path:
    return VENV / f"{purpose}.stamp"


def seal(purpose: str) -> str:
    """What a right stamp holds: the lock it was made from and the Python it was made with."""
    digest = hashlib.sha256((ROOT / LOCKS[purpose]).read_bytes()).hexdigest()
    return f"{digest}\n{os.fsencode(base())!r}\n"


def base() -> Path:
    """The Python behind the environment, which an upgrade of the system may have replaced or removed."""
    if os.name != "nt":
        return Path(os.path.realpath(PYTHON))
    lines = (VENV / "pyvenv.cfg").read_text("utf-8").splitlines()
    return next(Path(line.partition("=")[2].strip()) for line in lines if line.startswith("home")) / "python.exe"


def make(purpose: str) -> None:
    """Install what the purpose needs: into the players' environment where that is right, else from nothing."""
    if purpose == "test" and is_ready("play") and not stamp("test").exists():
        say("Adding the test tools to .venv (once) …")
    else:
        say("Setting up Sandtable in .venv (once, about a minute) …")
        create()
    if purpose == "test":
        stamp("test").write_text(ADDING, "utf-8")
    install(ROOT / LOCKS[purpose])
    for done in ("play", purpose):
        stamp(done).write_text(seal(done), "utf-8")


def create() -> None:
    if os.pathsep in str(ROOT):
        raise Trouble(f"Sandtable cannot be set up in a folder with '{os.pathsep}' in its path; move it: {ROOT}")
    remove()
    uv = shutil.which("uv")
    if uv and not run(uv, "venv", "--quiet", "--python", BASE, VENV):
        return
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise Trouble(f"This Python cannot make environments: install {package} (sudo apt install {package}), or uv.")
    words = run(BASE, "-I", "-m", "venv", "--clear", VENV)
    if words:
        raise Trouble(f"The environment {VENV} could not be made: {words}")


def remove() -> None:
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        for purpose in LOCKS:  # first: what is half removed must not look ready
            stamp(purpose).unlink(missing_ok=True)
        shutil.rmtree(VENV)


def install(lock: Path) -> None:
    """With uv where it is at hand, else (or where uv fails: no folder for its cache, an old version) with pip."""
    uv = shutil.which("uv")
    strict = ("--require-hashes", "--only-binary", ":all:", "-r", lock)
    if uv and not run(uv, "pip", "install", "--quiet", "--python", PYTHON, *strict):
        return
    pip = (PYTHON, "-I", "-m", "pip")
    if run(*pip, "--version"):  # uv makes environments without pip
        run(PYTHON, "-I", "-m", "ensurepip")
    words = run(*pip, "install", "--quiet", "--no-input", "--disable-pip-version-check", "--retries", "2", *strict)
    if words:
        raise Trouble(f"The packages could not be installed; is there a network? The installer said: {words}")


def run(*command: str | os.PathLike[str]) -> str:
    """Run in silence; the last line a failing command said, nothing when all went well."""
    hostile = ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if name not in hostile}
    try:
        done = subprocess.run(
            command,
            env=clean,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            close_fds=False,  # hands on the lock: see only_one
        )
    except OSError as error:
        return str(error)
    lines = done.stdout.decode("utf-8", "replace").split("\n")
    return ([line.strip() for line in lines if line.strip()] or ["nothing"])[-1] if done.returncode else ""


@contextlib.contextmanager
def only_one() -> Iterator[None]:
    """Hold the lock of the set-up. Installers inherit it: where a start is killed, the next waits for its orphan."""
    try:
        file = (ROOT / ".venv.lock").open("ab")
    except OSError as error:
        raise Trouble(f"Sandtable must be able to write in its folder {ROOT} ({error.strerror}).") from None
    with file:
        os.set_inheritable(file.fileno(), True)
        if not take(file.fileno(), wait=False):
            say("Another start is setting up Sandtable; waiting for it …")
            while not take(file.fileno(), wait=True):
                pass
        yield


def take(file: int, wait: bool) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(file, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # LK_LOCK gives up after 10 s
        except OSError:
            return False
    else:
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        except OSError:
            return True  # some network folders have no locks: better to go on alone than not at all
    return True


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
