"""A refusal on its way out: always a code, a clause where a rule said so, and a sentence."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandtable.protocol.errors import Refusal

RETRY_AFTER_S = "2"


class Refused(Exception):
    """Raised while a request is answered; `answer_refused` turns it into the answer."""

    def __init__(self, status: int, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.status, self.refusal = status, refusal


def refused(status: int, code: str, sentence: str, clause: str = "") -> Refused:
    return Refused(status, Refusal(code, clause, sentence))


def answer(status: int, refusal: Refusal) -> Response:
    """The same for a request and, before it was accepted, for a socket."""
    body = {"code": refusal.code, "clause": refusal.clause, "say": refusal.sentence}
    headers = {"retry-after": RETRY_AFTER_S} if status in (429, 503) else None
    return JSONResponse(body, status, headers)


async def answer_refused(request: Request, error: Exception) -> Response:
    """As Starlette's handler for `Refused`."""
    assert isinstance(error, Refused)
    return answer(error.status, error.refusal)
