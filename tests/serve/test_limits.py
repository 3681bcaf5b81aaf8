"""Rates, counts, seconds of machines: what is too much, when it is allowed again, and that nothing grows for ever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import PlainTextResponse

from sandtable.protocol.errors import Refusal
from sandtable.serve.buckets import Bucket, Buckets
from sandtable.serve.figures import Figures, Rate
from sandtable.serve.limits import Limits, Socket, Turnstile, address_of
from tests.serve.asgi import ask


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> Limits:
    return Limits(clock=clock)


def refused(refusal: Refusal | Socket | None, code: str = "too_fast") -> bool:
    if not isinstance(refusal, Refusal):
        return False
    assert refusal.code == code
    assert refusal.sentence.endswith(".")
    return True


def test_twenty_commands_at_once_then_five_a_second(limits: Limits, clock: Clock) -> None:
    assert not any(refused(limits.command("ada", "a")) for _ in range(20))
    assert refused(limits.command("ada", "a"))
    assert not refused(limits.command("bea", "a"))  # another guest of the same house
    clock.now += 1
    assert [refused(limits.command("ada", "a")) for _ in range(6)] == [False] * 5 + [True]


def test_an_address_has_an_end_too_and_a_refusal_costs_nothing(limits: Limits, clock: Clock) -> None:
    guests = [f"guest {number}" for number in range(11)]
    allowed = sum(not refused(limits.command(guest, "a")) for guest in guests for _ in range(20))
    assert allowed == 200
    assert not refused(limits.command(guests[-1], "b"))  # its own bucket was not touched by what was refused


def test_the_sentence_says_how_long(limits: Limits) -> None:
    for _ in range(10):
        limits.missed("a")
    refusal = limits.guess("a")
    assert refusal is not None
    assert refusal.sentence == "Too many unknown IDs; wait 6 seconds."


def test_ten_wrong_ids_a_minute(limits: Limits, clock: Clock) -> None:
    tried = 0
    for _ in range(600):
        clock.now += 0.1
        if not refused(limits.guess("a")):
            limits.missed("a")
            tried += 1
    assert tried in (19, 20)  # ten at once, then ten in that minute
    assert not refused(limits.guess("b"))


def test_right_ids_cost_nothing(limits: Limits) -> None:
    assert not any(refused(limits.guess("a")) for _ in range(1_000))


def test_sockets_are_counted_until_they_close(limits: Limits) -> None:
    sockets = [limits.enter("ada", "a") for _ in range(10)]
    assert refused(limits.enter("ada", "a"), "busy")
    first = sockets[0]
    assert isinstance(first, Socket)
    first.close()
    first.close()
    assert isinstance(limits.enter("ada", "a"), Socket)
    assert refused(limits.enter("ada", "a"), "busy")


def test_fifty_sockets_an_address_and_none_is_left_in_the_counts(limits: Limits) -> None:
    sockets = [limits.enter(f"guest {number}", "a") for number in range(50)]
    assert refused(limits.enter("one more", "a"), "busy")
    for socket in sockets:
        assert isinstance(socket, Socket)
        socket.close()
    assert not limits._guest_sockets
    assert not limits._address_sockets


def test_a_socket_that_chatters_is_told_so(limits: Limits, clock: Clock) -> None:
    socket = limits.enter("ada", "a")
    assert isinstance(socket, Socket)
    assert [refused(socket.message()) for _ in range(61)] == [False] * 60 + [True]
    clock.now += 1
    assert not refused(socket.message())


def test_twenty_open_tables(limits: Limits) -> None:
    assert not refused(limits.table("ada", "a", 19))
    assert refused(limits.table("ada", "a", 20), "busy")


def test_machines_think_ten_minutes_an_hour_for_a_guest(limits: Limits, clock: Clock) -> None:
    assert not refused(limits.think("ada"))
    limits.thought("ada", 700)  # known only afterwards
    assert refused(limits.think("ada"))
    assert not refused(limits.think("bea"))
    clock.now += 601
    assert not refused(limits.think("ada"))


def test_buckets_that_are_full_again_are_forgotten(clock: Clock) -> None:
    buckets = Buckets(Rate(10, 1), clock)
    for number in range(1_000):
        clock.now += 1
        buckets.take(f"address {number}")
    assert len(buckets) <= 3


def test_a_crowd_cannot_fill_the_memory(clock: Clock) -> None:
    buckets = Buckets(Rate(10, 0.001), clock, most=100)
    for number in range(1_000):
        buckets.take(f"address {number}")
    assert len(buckets) == 100
    assert buckets.wait("address 999", 10) > 0


@given(st.lists(st.tuples(st.floats(0, 100), st.integers(1, 5)), max_size=50))
def test_never_more_than_burst_and_rate(asked: list[tuple[float, int]]) -> None:
    clock = Clock()
    bucket, began, taken = Bucket(Rate(7, 2), clock), clock.now, 0
    for pause, wished in asked:
        clock.now += pause
        if not bucket.wait(wished):
            bucket.take(wished)
            taken += wished
        assert taken <= 7 + 2 * (clock.now - began) + 1e-6


def test_wide_figures_refuse_nothing(clock: Clock) -> None:
    limits = Limits(Figures.wide(), clock)
    for _ in range(2_000):
        assert limits.command("ada", "a") is None
        assert isinstance(limits.enter("ada", "a"), Socket)
        assert limits.table("ada", "a", 1_000) is None


@pytest.mark.parametrize(
    ("client", "counted"),
    [
        (("192.168.1.7", 5), "192.168.1.7"),
        (("::ffff:192.168.1.7", 5), "192.168.1.7"),
        (("2001:db8:1:2:3:4:5:6", 5), "2001:db8:1:2::/64"),
        (("2001:db8:1:2:ffff::1", 5), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5), "fe80::/64"),
        (("evil\r\nheader", 5), "unknown"),
        (None, "unknown"),
    ],
)
def test_whom_a_connection_counts_for(client: tuple[str, int] | None, counted: str) -> None:
    assert address_of({"client": client}) == counted


def test_the_turnstile_counts_requests_but_no_pages() -> None:
    limits = Limits(Figures(address_requests=Rate(2, 0.01)), Clock())
    app = Turnstile(PlainTextResponse("here"), limits)
    assert [ask(app, "/api/tables").status for _ in range(3)] == [200, 200, 429]
    answer = ask(app, "/api/tables")
    assert answer.code == "too_fast"
    assert answer.get("retry-after")
    assert ask(app, "/ws", kind="websocket").status == 429
    assert ask(app, "/web/style/look.css").status == 200
    assert ask(app, "/api/tables", client=("192.0.2.9", 1)).status == 200
