"""What every storage must do. A storage's test file says how to open one and inherits the rest.

Each test speaks to a store through the interface alone; `reopen` stands for the end of one process and another's start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.protocol import errors
from sandtable.store.interface import Closed, Conflict, Entry, Guest, Row, Seat, Store, TableRecord, Unknown

Result = TypeVar("Result")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers(-(2**63), 2**63 - 1)
SEATS = st.lists(st.builds(Seat, guest=TEXTS, player=TEXTS, seed=TEXTS), max_size=6).map(tuple)
TABLES = st.builds(
    TableRecord, id=TEXTS, game=TEXTS, rules_version=NUMBERS, scenario=TEXTS, book=TEXTS, seats=SEATS,
    created_ms=NUMBERS, start=TEXTS, map_seed=NUMBERS, machine_seed=NUMBERS, dice=TEXTS, listed=st.booleans(),
    result=TEXTS, to_act=st.lists(st.integers(0, 8)).map(tuple),
)  # fmt: skip
ROWS = st.builds(Row, seat=st.none() | st.integers(0, 8), text=TEXTS, salt=st.binary())
ENTRIES = st.builds(
    Entry, number=st.just(0), seat=st.none() | st.integers(0, 8), command_id=TEXTS,
    rows=st.lists(ROWS).map(tuple), answer=TEXTS, at_ms=NUMBERS,
)  # fmt: skip

TABLE = TableRecord(
    id="K3V9X",
    game="tactics",
    rules_version=1,
    scenario="own",
    book="standard 3f2a9c12ab34\nset draw_after 40",
    seats=(Seat("guest", "ab12", "Ada <b>‮é", "0102"), Seat("machine", "", "greedy", "03"), Seat()),
    created_ms=1_763_500_000_123,
    start="tactics 1\n  a b\n",
    map_seed=2**63 - 1,
    machine_seed=12,
    secret="00ff" * 16,
    dice="",
    host="ab12",
    listed=False,
    state="running",
    rematch="",
    to_act=(0, 1),
)
ANSWER = '{"t":"ack","id":"c","ver":1}'


def entry(number: int, seat: int | None = 0, command: str | None = None, *texts: str, at_ms: int = 0) -> Entry:
    """An action with a roll behind it, sent by a seat."""
    rows = tuple(Row(seat, text) for text in texts or ("e2-e3",)) + (Row(None, "roll 3 5", b"\x00\xff"),)
    return Entry(number, seat, f"c{number}" if command is None else command, rows, ANSWER, at_ms or 1000 + number)


def table(table_id: str, **fields: Any) -> TableRecord:
    return replace(TABLE, id=table_id, **fields)


class StoreSuite:
    """Inherit, say `open`."""

    async def open(self, place: Path) -> Store:
        raise NotImplementedError

    def run(self, place: Path, *steps: Callable[[Store], Awaitable[Result]]) -> list[Result]:
        """Each step with a store of its own, over the same contents."""

        async def each() -> list[Result]:
            results = []
            for step in steps:
                store = await self.open(place)
                try:
                    results.append(await step(store))
                finally:
                    await store.close()
            return results

        return asyncio.run(each())

    # ---- tables

    def test_a_table_reads_back_as_it_was_written(self, tmp_path: Path) -> None:
        async def write(store: Store) -> Any:
            await store.create(TABLE)
            return await store.load("K3V9X")

        assert self.run(tmp_path, write, lambda store: store.load("K3V9X")) == [(TABLE, [])] * 2

    def test_any_texts_and_numbers_read_back(self, tmp_path_factory: pytest.TempPathFactory) -> None:
        @settings(max_examples=30)
        @given(record=TABLES, first=ENTRIES)
        def check(record: TableRecord, first: Entry) -> None:
            async def write(store: Store) -> None:
                await store.create(record)
                await store.append(record.id, first)
                assert await store.load(record.id) == (record, [first])

            self.run(tmp_path_factory.mktemp("any"), write)

        check()

    def test_an_id_is_given_once(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.append("K3V9X", entry(0))
            with pytest.raises(Conflict):
                await store.create(table("K3V9X", secret="77", game="slay"))
            assert await store.load("K3V9X") == (TABLE, [entry(0)])

        self.run(tmp_path, write)

    def test_no_such_table(self, tmp_path: Path) -> None:
        async def ask(store: Store) -> None:
            await store.create(TABLE)
            for refused in (store.load("AAAAA"), store.append("AAAAA", entry(0)), store.update("AAAAA", listed=True)):
                with pytest.raises(Unknown) as said:
                    await refused
                assert isinstance(said.value, errors.Unknown)
                assert said.value.code == "unknown"
                assert "K3V9X" not in str(said.value)  # an ID is not to be had by guessing another

        self.run(tmp_path, ask)

    # ---- entries

    def test_entries_read_back_in_order(self, tmp_path: Path) -> None:
        entries = [entry(0, None, ""), *(entry(n, n % 2, f"c{n}", "e2-e3", f"takeback {n}") for n in range(1, 30))]

        async def write(store: Store) -> None:
            await store.create(TABLE)
            for each in entries:
                await store.append("K3V9X", each)

        self.run(tmp_path, write)
        assert self.run(tmp_path, lambda store: store.load("K3V9X")) == [(TABLE, entries)]

    @pytest.mark.parametrize("number", [0, 2, -1, 10**6])
    def test_only_the_next_number_is_taken(self, tmp_path: Path, number: int) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.append("K3V9X", entry(0))
            with pytest.raises(Conflict):
                await store.append("K3V9X", entry(number, 0, "new"), state="over", result="1 2 guard")
            assert await store.load("K3V9X") == (TABLE, [entry(0)])
            await store.append("K3V9X", entry(1))

        self.run(tmp_path, write)

    def test_of_many_who_take_one_number_one_gets_it(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            racing = [store.append("K3V9X", entry(0, n % 3, f"c{n}")) for n in range(20)]
            done = await asyncio.gather(*racing, return_exceptions=True)
            assert sorted(type(result).__name__ for result in done) == ["Conflict"] * 19 + ["NoneType"]
            assert (await store.load("K3V9X"))[1] == [entry(0, done.index(None) % 3, f"c{done.index(None)}")]

        self.run(tmp_path, write)

    def test_a_seat_sends_a_command_once(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.append("K3V9X", entry(0, 0, "same"))
            with pytest.raises(Conflict):
                await store.append("K3V9X", entry(1, 0, "same"), listed=True)
            assert await store.load("K3V9X") == (TABLE, [entry(0, 0, "same")])
            await store.append("K3V9X", entry(1, 1, "same"))  # another seat's own
            await store.append("K3V9X", entry(2, None, "same"))
            with pytest.raises(Conflict):
                await store.append("K3V9X", entry(3, None, "same"))
            await store.create(table("BBBBB"))
            await store.append("BBBBB", entry(0, 0, "same"))
            for number in range(3, 6):
                await store.append("K3V9X", entry(number, 0, ""))  # nobody can send these again

        self.run(tmp_path, write)

    def test_an_entry_and_what_it_changes_stand_together(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.append("K3V9X", entry(0), state="over", result="2 1 guard", opened=True, to_act=())

        self.run(tmp_path, write)
        after = replace(TABLE, state="over", result="2 1 guard", opened=True, to_act=())
        assert self.run(tmp_path, lambda store: store.load("K3V9X")) == [(after, [entry(0)])]

    def test_many_tables_at_once(self, tmp_path: Path) -> None:
        names = [f"T{n:04}" for n in range(60)]

        async def play(store: Store, name: str) -> None:
            await store.create(table(name))
            for number in range(20):
                await store.append(name, entry(number, at_ms=1))

        async def write(store: Store) -> None:
            await asyncio.gather(*(play(store, name) for name in names))

        async def read(store: Store) -> None:
            assert {head.id: head.number for head in await store.index()} == dict.fromkeys(names, 20)
            for name in names:
                assert (await store.load(name))[1] == [entry(number, at_ms=1) for number in range(20)]

        self.run(tmp_path, write, read)

    def test_what_is_handed_in_together_is_stored_in_that_order(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await asyncio.gather(*(store.append("K3V9X", entry(number)) for number in range(600)))
            assert (await store.load("K3V9X"))[1] == [entry(number) for number in range(600)]

        self.run(tmp_path, write)

    # ---- heads

    def test_what_may_change_changes(self, tmp_path: Path) -> None:
        seats = (Seat("guest", "ff", "Bo", "0a"),)

        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.update("K3V9X", seats=seats)
            await store.update("K3V9X", listed=True, state="closed", rematch="AAAAA")
            await store.update("K3V9X")

        self.run(tmp_path, write)
        after = replace(TABLE, seats=seats, listed=True, state="closed", rematch="AAAAA")
        assert self.run(tmp_path, lambda store: store.load("K3V9X")) == [(after, [])]

    @pytest.mark.parametrize("name", ["secret", "id", "number", "map_seed", "id = 'X', secret"])
    def test_nothing_else_does(self, tmp_path: Path, name: str) -> None:
        changes: Any = {name: "1"}

        async def write(store: Store) -> None:
            await store.create(TABLE)
            with pytest.raises(TypeError):
                await store.update("K3V9X", **changes)
            with pytest.raises(TypeError):
                await store.append("K3V9X", entry(0), **changes)
            assert await store.load("K3V9X") == (TABLE, [])

        self.run(tmp_path, write)

    def test_the_index_tells_all_but_the_secret(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            assert await store.index() == []
            for name, made in (("ZZZZZ", 50), ("AAAAA", 90)):
                await store.create(table(name, created_ms=made))
            await store.append("ZZZZZ", entry(0, at_ms=120), to_act=(1,))

        async def read(store: Store) -> None:
            first, second = await store.index()
            assert (first.id, first.number, first.touched_ms, first.to_act) == ("ZZZZZ", 1, 120, (1,))
            assert (second.id, second.number, second.touched_ms, second.to_act) == ("AAAAA", 0, 90, (0, 1))
            assert (second.seats, second.state, second.listed, second.host) == (TABLE.seats, "running", False, "ab12")
            assert TABLE.secret not in repr(first)

        self.run(tmp_path, write)
        self.run(tmp_path, read)

    # ---- guests

    def test_a_guest_keeps_everything_but_the_name(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            assert await store.guest("ab12") is None
            await store.save_guest(Guest("ab12", "", 5))
            await store.save_guest(Guest("ab12", "Ada", 9))

        self.run(tmp_path, write)
        assert self.run(tmp_path, lambda store: store.guest("ab12")) == [Guest("ab12", "Ada", 5)]

    # ---- the end

    def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            await store.close()
            for refused in (
                store.append("K3V9X", entry(0)), store.load("K3V9X"), store.index(), store.guest("ab12"),
                store.save_guest(Guest("ab12", "Ada", 5)), store.create(table("BBBBB")),
            ):  # fmt: skip
                with pytest.raises(Closed):
                    await refused

        self.run(tmp_path, write)

    def test_closing_stores_what_was_handed_in(self, tmp_path: Path) -> None:
        async def write(store: Store) -> None:
            await store.create(TABLE)
            waiting = [asyncio.ensure_future(store.append("K3V9X", entry(number))) for number in range(50)]
            await asyncio.sleep(0)
            await store.close()
            await asyncio.gather(*waiting)

        async def read(store: Store) -> int:
            return len((await store.load("K3V9X"))[1])

        self.run(tmp_path, write)
        assert self.run(tmp_path, read) == [50]
