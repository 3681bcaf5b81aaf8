"""Machine seats: a choice always comes, whatever the player does, and nobody waits long for somebody else's."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sandtable
from sandtable.protocol.engine import Engine
from sandtable.protocol.errors import Refusal
from sandtable.protocol.position import Position
from sandtable.serve import worker
from sandtable.serve.confine import Limits
from sandtable.serve.fair import FairQueue
from sandtable.serve.machines import BUSY, GONE, Answer, Job, Machines, job_of
from sandtable.serve.slot import Slot
from sandtable.store.matches import book_text
from tests.serve import players

FILE = Path(players.__file__)
PLAYERS = {name: f"{FILE}:{name}" for name, kind in vars(players).items() if hasattr(kind, "choose")}
GAME = sandtable.game("tactics")
EQUAL = Limits(niceness=0)  # so that tests running beside this one do not starve the players
IN_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

Run = Callable[[Coroutine[Any, Any, Any]], Any]


def position() -> Position:
    dealt = GAME.deal("classic", seed=7)
    dealt.play(dealt.actions()[0])
    return dealt


def job(player: str = "greedy", *, seed: int = 5, choices: int = 0, guest: str = "ada", seconds: float = 5.0) -> Job:
    now = position()
    return job_of(
        now, book_text(now.book, GAME), now.to_act[0], player=player, seed=seed, choices=choices, table="K3V9X",
        guest=guest, seconds=seconds,
    )  # fmt: skip


def machines(workers: int = 2, limits: Limits = EQUAL, **more: Any) -> Machines:
    return Machines(workers, players=PLAYERS, limits=limits, **more)


def is_legal(text: str) -> bool:
    now = position()
    return now.why_not(text, now.to_act[0]) is None


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="module")
def pool(run: Run) -> Iterator[Machines]:
    """Processes that many tests share: each must leave them usable."""
    GAME.engine.compile()  # for the processes to find
    shared = machines()

    async def warm() -> None:
        shared.start()
        for _ in range(400):
            done, slots = shared.compiled.get(GAME.name, (0, 1))
            if done == slots:
                return
            await asyncio.sleep(0.05)

    run(warm())
    yield shared
    run(shared.close())


# ---------------------------------------------------------------- choices


def test_a_player_chooses_and_the_same_seed_and_number_choose_the_same(run: Run, pool: Machines) -> None:
    for player in ("greedy", "random", "Honest"):
        first = run(pool.choose(job(player, choices=3)))
        assert isinstance(first, Answer)
        assert is_legal(first.text)
        assert first.faults == ()
        for _ in range(4):  # whichever process it comes to
            assert run(pool.choose(job(player, choices=3))).text == first.text
    texts = {run(pool.choose(job("random", choices=number))).text for number in range(20)}
    assert len(texts) > 3


def test_a_player_is_told_what_its_seat_sees_and_nothing_of_dice_past_or_deal(run: Run, pool: Machines) -> None:
    answer = run(pool.choose(job("Told")))
    assert answer.faults == ("ValueError: dice=None rows=0 map=0",) * 2


def test_two_positions_that_look_alike_to_a_seat_make_the_same_job() -> None:
    jobs, texts = [], set()
    for placed in (1, 2):
        now = GAME.deal("opening", dice=[(5, 2)], seed=5)
        now.play("attack")
        for _ in range(3):
            now.play(now.actions(1)[placed], seat=1)
        texts.add(now.text())
        jobs.append(
            job_of(now, book_text(now.book, GAME), 0, player="greedy", seed=1, choices=0, table="K3V9X", guest="ada")
        )
    assert len(texts) == 2
    assert jobs[0] == jobs[1]
    assert set(vars(jobs[0].task("greedy", False))) == {
        "game", "book", "seats", "record", "seat", "player", "seed", "is_last"
    }  # fmt: skip


def test_other_numbers_of_the_book_reach_the_player(run: Run, pool: Machines) -> None:
    book = GAME.find_book("guard-squares").changed({"draw_after": 7}, "--set")
    now = GAME.deal("classic", seed=7, book=book)
    task = job_of(
        now, book_text(book, GAME), now.to_act[0], player="random", seed=1, choices=0, table="T", guest="g"
    ).task("random", False)  # fmt: skip
    assert worker.position_of(task).book == book


def test_what_makes_no_sense_is_refused_with_a_sentence(run: Run, pool: Machines) -> None:
    asked = job()
    cases = {
        "unknown": [replace(asked, player="nobody"), replace(asked, player=f"{FILE}:Honest")],
        "bad": [
            replace(asked, record=asked.record + b"."), replace(asked, seat=1 - asked.seat), replace(asked, game="go"),
            replace(asked, book="standard 000000000000"),
        ],
    }  # fmt: skip
    for code, jobs in cases.items():
        for wrong in jobs:
            refusal = run(pool.choose(wrong))
            assert isinstance(refusal, Refusal)
            assert refusal.code == code
            assert refusal.sentence


@pytest.mark.alone
def test_a_warm_choice_takes_milliseconds(run: Run, pool: Machines) -> None:
    async def measure() -> list[float]:
        taken = []
        for number in range(60):
            begun = time.perf_counter()
            await pool.choose(asked[number])
            taken.append(time.perf_counter() - begun)
        return sorted(taken)

    asked = [job("greedy", choices=number) for number in range(60)]
    median = min(run(measure())[30] for _ in range(3))
    assert median < 0.003


# ---------------------------------------------------------------- players that do harm


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ("Raiser", "RuntimeError: a fault of its own in two lines"),
        ("Quitter", "SystemExit: enough"),
        ("Liar", "It answered 'a1-h8': There is no piece"),
        ("Babbler", "no action"),
        ("Windbag", "no action"),
        ("Dying", "The process died (code -9)."),
        ("Leaver", "No answer within 0.4 s."),
        ("Burner", "No answer within 0.4 s."),
        ("Sleeper", "No answer within 0.4 s."),
        ("Deaf", "No answer within 0.4 s."),
    ],
)
def test_the_turn_ends_with_a_legal_action_after_two_tries(run: Run, pool: Machines, player: str, fault: str) -> None:
    answer = run(pool.choose(job(player, seconds=0.4 if "0.4" in fault else 20)))
    assert answer.is_fallback
    assert is_legal(answer.text)
    assert len(answer.faults) == 2
    assert all(fault in told for told in answer.faults), answer.faults
    assert run(pool.choose(job("greedy"))).faults == ()  # and the next one is served


@pytest.mark.alone
@pytest.mark.parametrize("player", ["Burner", "Deaf", "Dying"])
def test_the_next_try_comes_within_two_seconds(player: str) -> None:
    """Also where a single process has to be ended and started again."""

    async def play() -> float:
        own = Machines(1, players=PLAYERS)
        try:
            await own.choose(job("random"))
            begun = time.monotonic()
            await own.choose(job(player, seconds=0.5))
            return time.monotonic() - begun
        finally:
            await own.close()

    assert asyncio.run(play()) < 0.5 + 2 + 0.5


def test_a_player_gets_no_more_memory_than_it_may() -> None:
    async def play() -> None:
        own = machines(1, replace(EQUAL, memory=1 << 30))
        try:
            answer = await own.choose(job("Glutton", seconds=60))
            assert isinstance(answer, Answer)
            assert answer.is_fallback
            assert set(answer.faults) == {"MemoryError: a player does not get more."}
            assert (await own.choose(job("random"))).faults == ()  # type: ignore[union-attr]
        finally:
            await own.close()

    asyncio.run(play())


def test_a_process_lost_once_costs_a_second_try_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_TEST_MARK", str(tmp_path / "mark"))

    async def play() -> None:
        own = machines(1)
        try:
            await own.choose(job("random"))
            begun = time.monotonic()
            answer = await own.choose(job("Once"))
            assert isinstance(answer, Answer)
            assert not answer.is_fallback
            assert answer.faults == ("The process died (code -9).",)
            assert time.monotonic() - begun < 2
        finally:
            await own.close()

    asyncio.run(play())


def test_what_a_player_makes_of_its_answer_is_only_a_text(run: Run, pool: Machines) -> None:
    answer = run(pool.choose(job("Smuggler")))
    assert type(answer.text) is str
    assert answer.faults == ()


@IN_LINUX
def test_processes_are_niced_limited_and_silent(capfd: pytest.CaptureFixture[str]) -> None:
    async def play() -> str:
        own = Machines(1, players=PLAYERS)
        try:
            assert (await own.choose(job("Chatter", seconds=60))).faults == ()  # type: ignore[union-attr]
            return (await own.choose(job("Process", seconds=60))).faults[0]  # type: ignore[union-attr]
        finally:
            await own.close()

    _, _, niceness, memory = asyncio.run(play()).split()
    assert int(niceness) >= 15
    assert int(memory) == Limits().memory
    assert capfd.readouterr() == ("", "")


def test_a_process_that_had_its_share_gives_way_to_a_fresh_one() -> None:
    async def numbers(player: str, limits: Limits, times: int) -> list[str]:
        own = machines(1, limits=limits)
        try:
            pids = []
            for _ in range(times):
                pids.append((await own.choose(job("Process"))).faults[0].split()[1])  # type: ignore[union-attr]
                await own.choose(job(player))
            return pids
        finally:
            await own.close()

    # Two tries of Process and one of the other make three jobs.
    assert len(set(asyncio.run(numbers("random", replace(EQUAL, jobs=6), 4)))) == 2
    assert len(set(asyncio.run(numbers("Fat", replace(EQUAL, growth=100 << 20), 4)))) >= 2


# ---------------------------------------------------------------- who is served when


def test_the_queue_serves_payers_in_turn_and_second_tries_first() -> None:
    queue = FairQueue[str](6)
    assert all(queue.put("ada", text) for text in ("a1", "a2", "a3"))
    assert all(queue.put("bob", text) for text in ("b1", "b2"))
    assert queue.put("cyd", "c1")
    assert not queue.put("dan", "d1")
    queue.put_first("again")
    assert queue.drop("ada", "a2")
    assert queue.drop("cyd", "c1")
    assert not queue.drop("cyd", "c1")
    served = [queue.take() for _ in range(6)]
    assert served == ["again", "a1", "b1", "a3", "b2", None]
    assert len(queue) == 0
    assert not asyncio.run(queue.wait(0.01))


def test_one_guest_with_many_jobs_does_not_hold_up_another() -> None:
    async def play() -> list[str]:
        own, order = machines(1), []

        async def ask(guest: str, number: int) -> None:
            await own.choose(job("Slow" if guest == "ada" else "random", guest=guest, choices=number))
            order.append(guest)

        try:
            await own.choose(job("random"))
            many = [asyncio.create_task(ask("ada", number)) for number in range(5)]
            await asyncio.sleep(0.05)
            await ask("bob", 0)
            for task in many:
                task.cancel()
            return order
        finally:
            await own.close()

    assert asyncio.run(play()) in (["ada", "bob"], ["ada", "ada", "bob"])


def test_a_full_queue_says_so_and_serves_those_who_wait() -> None:
    async def play() -> None:
        own = machines(1, waiting=3)
        try:
            await own.choose(job("random"))
            slow = asyncio.create_task(own.choose(job("Slow")))
            await asyncio.sleep(0)
            while own.waiting:
                await asyncio.sleep(0.01)
            waiting = [asyncio.create_task(own.choose(job("random", choices=number))) for number in range(3)]
            await asyncio.sleep(0)
            assert await own.choose(job("random")) == BUSY
            assert own.waiting == 3
            assert all(isinstance(answer, Answer) for answer in await asyncio.gather(slow, *waiting))
        finally:
            await own.close()

    asyncio.run(play())


def test_who_waits_no_longer_frees_the_process(run: Run, pool: Machines) -> None:
    async def play() -> None:
        burning = [asyncio.create_task(pool.choose(job("Burner", seconds=60))) for _ in range(3)]
        await asyncio.sleep(0.3)
        for task in burning:
            task.cancel()
        begun = time.monotonic()
        answer = await pool.choose(job("random"))
        assert isinstance(answer, Answer)
        assert time.monotonic() - begun < 2
        assert pool.waiting == 0

    run(play())


@pytest.mark.alone
def test_the_loop_stays_free_while_machines_think(run: Run, pool: Machines) -> None:
    async def play() -> float:
        burning = [asyncio.create_task(pool.choose(job("Burner", seconds=0.5))) for _ in range(2)]
        longest = 0.0
        while not all(task.done() for task in burning):
            begun = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - begun)
        return longest

    assert run(play()) < 0.1


# ---------------------------------------------------------------- where nothing comes up, and the end


def test_where_no_process_comes_up_the_table_goes_on() -> None:
    async def play() -> None:
        own = machines(2, replace(EQUAL, memory=1 << 20))
        try:
            begun = time.monotonic()
            for number in range(5):
                answer = await own.choose(job("greedy", choices=number))
                assert isinstance(answer, Answer)
                assert answer.is_fallback
                assert is_legal(answer.text)
            assert time.monotonic() - begun < 5
        finally:
            await own.close()

    asyncio.run(play())


def test_where_processes_only_ever_start_the_table_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(slot: Slot) -> None:
        await asyncio.sleep(600)

    async def play() -> None:
        own = machines(2)
        answer = await own.choose(job("greedy"))
        assert isinstance(answer, Answer)
        assert answer.is_fallback
        assert own.waiting == 0
        await own.close()

    monkeypatch.setattr(Slot, "start", never)
    monkeypatch.setattr("sandtable.serve.machines.PATIENCE", 0.1)
    asyncio.run(play())


def test_a_fault_of_the_server_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        own = machines(1)
        try:
            refusal = await own.choose(job("greedy"))
            assert isinstance(refusal, Refusal)
            assert refusal.code == "internal"
            monkeypatch.undo()
            assert isinstance(await own.choose(job("greedy")), Answer)
        finally:
            await own.close()

    monkeypatch.setattr(Job, "task", lambda *_: 1 / 0)
    asyncio.run(play())


def test_where_no_process_can_be_started_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        own = machines(2)
        try:
            answer = await own.choose(job("greedy"))
            assert isinstance(answer, Answer)
            assert answer.is_fallback
        finally:
            await own.close()

    def refuse(*_: Any) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("multiprocessing.popen_spawn_posix.Popen.__init__", refuse)
    asyncio.run(play())


@IN_LINUX
def test_an_idle_process_that_was_killed_is_replaced() -> None:
    async def play() -> None:
        own = machines(1)
        try:
            pid = int((await own.choose(job("Process"))).faults[0].split()[1])  # type: ignore[union-attr]
            os.kill(pid, signal.SIGKILL)
            answer = await own.choose(job("greedy"))
            assert isinstance(answer, Answer)
            assert not answer.is_fallback
        finally:
            await own.close()

    asyncio.run(play())


@IN_LINUX
def test_closing_ends_what_runs_within_a_second_and_tells_who_waits() -> None:
    async def play() -> tuple[float, list[Any]]:
        own = machines(2)
        await own.choose(job("random"))
        asked = [asyncio.create_task(own.choose(job(player, seconds=60))) for player in ("Burner", "Deaf", "greedy")]
        await asyncio.sleep(0.5)
        begun = time.monotonic()
        await own.close()
        taken = time.monotonic() - begun
        assert await own.choose(job("random")) == GONE
        return taken, await asyncio.gather(*asked)

    before = children(os.getpid())
    taken, answers = asyncio.run(play())
    assert taken < 1
    assert answers == [GONE] * 3
    assert not wait_for_end(children(os.getpid()) - before - {tracker()}, 2)


def test_closing_what_never_started() -> None:
    asyncio.run(machines().close())


SERVER = """
import asyncio, sys
from tests.serve.test_machines import job, machines

async def main():
    own = machines(2)
    await own.choose(job("random"))
    hung = [asyncio.create_task(own.choose(job(player, seconds=600))) for player in ("Burner", "Deaf")]
    await asyncio.sleep(1)
    print("thinking", flush=True)
    await asyncio.gather(*hung)

if __name__ == "__main__":
    asyncio.run(main())
"""


@IN_LINUX
@pytest.mark.parametrize("wait", [0.0, 0.3])
def test_nothing_is_left_of_a_server_killed_with_9(tmp_path: Path, wait: float) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER, "utf-8")
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), str(root / "src")])
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        if wait:  # while its processes are still starting
            time.sleep(wait)
        else:
            assert server.stdout.readline() == b"thinking\n"
        family = children(server.pid)
        server.kill()
        server.wait()
    assert wait or len(family) >= 2
    assert not wait_for_end(family, 3)


def children(pid: int) -> set[int]:
    """Processes started by this one, and theirs."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            parents[int(folder.name)] = int(parent)
    found, added = {pid}, {pid}
    while added:
        added = {child for child, parent in parents.items() if parent in added}
        found |= added
    return found - {pid}


def wait_for_end(pids: set[int], seconds: float) -> set[int]:
    """Those that still live after so long."""
    end = time.monotonic() + seconds
    while (left := {pid for pid in pids if is_alive(pid)}) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def is_alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def tracker() -> int:
    """Python's own helper, which lives as long as this process."""
    from multiprocessing.resource_tracker import _resource_tracker

    return getattr(_resource_tracker, "_pid", None) or 0


# ---------------------------------------------------------------- a first start


@pytest.mark.alone
def test_on_the_very_first_start_greedy_answers_within_three_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is compiled yet, and a child compiles meanwhile."""
    monkeypatch.setenv("SANDTABLE_CACHE", str(tmp_path))
    engine = Engine(GAME.name, GAME.layout, GAME._slot_modules)

    async def play() -> tuple[float, float]:
        engine.compile_in_background()
        own = machines(2)
        try:
            begun = time.monotonic()
            own.start()
            answer = await own.choose(job("greedy"))
            first = time.monotonic() - begun
            assert isinstance(answer, Answer)
            assert answer.faults == ()
            longest = 0.0
            for number in range(40):
                begun = time.monotonic()
                await own.choose(job("greedy", choices=number))
                longest = max(longest, time.monotonic() - begun)
            return first, longest
        finally:
            await own.close()

    try:
        first, longest = asyncio.run(play())
    finally:
        engine.stop_background()
        if engine._child is not None:
            engine._child.wait()
    assert first < 3
    assert longest < 3
