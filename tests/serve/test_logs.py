"""The log keeps what is listed, in the form it is listed in, and nothing else."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.serve import logs
from sandtable.serve.logs import FIELDS, NUMBERS, end_logs, log, start_logs, told, veiled

CANARY = "kT9vQ2xWb7LmZ4rJ8sYpH3nC6dFgA1eU"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    path = start_logs(tmp_path)
    yield path
    end_logs()


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_line_is_an_object_with_what_is_listed(file: Path) -> None:
    log("refused", code="stale", status=409, route="/api/tables/{id}/cmd", method="POST", table="K3V9X", ms=3)
    (line,) = lines(file)
    assert str(line.pop("at")).endswith("Z")
    assert line == {
        "level": "info", "event": "refused", "code": "stale", "status": 409, "route": "/api/tables/{id}/cmd",
        "method": "POST", "table": "K3V9X", "ms": 3,
    }  # fmt: skip


def test_no_secret_gets_in_by_any_field(file: Path) -> None:
    for name in [*FIELDS, *NUMBERS, "token", "name", "secret", "cookie", "path", "address", "say"]:
        log("refused", **{name: CANARY})
        log("refused", **{name: CANARY.lower() * 2})
        log("refused", **{name: f"/t/{CANARY}?ticket={CANARY}"})
        log("refused", **{name: [CANARY]})
    log(CANARY, code=CANARY)
    logging.getLogger("uvicorn.error").warning("%s - %s", CANARY, CANARY)
    logging.getLogger("asyncio").error(f"Task {CANARY}")
    assert CANARY.lower() not in file.read_text("utf-8").lower()
    assert all(set(line) <= {"at", "level", "event", "from"} for line in lines(file))


def test_of_an_exception_only_class_and_places_are_kept(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def failing(name: str) -> None:
        raise KeyError(name)

    try:
        failing(CANARY)
    except KeyError as error:
        log("internal", error=error, table="K3V9X")
    (line,) = lines(file)
    assert (line["event"], line["error"], line["table"]) == ("internal", "KeyError", "K3V9X")
    assert all(str(place).startswith("test_logs.py:") for place in line["places"])  # type: ignore[attr-defined]
    said = capsys.readouterr().err
    assert said == "sandtable: internal (KeyError, K3V9X); more is in logs/sandtable.log\n"
    assert CANARY not in file.read_text("utf-8") + said


def test_the_terminal_sees_faults_once_a_second_and_no_refusals(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(20):
        log("refused", code="stale")
        log("internal", error=ValueError())
        log("proxy_unknown", is_warning=True)
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert len(lines(file)) == 60


def test_it_is_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LARGEST", 2_000)
    path = start_logs(tmp_path)
    for _ in range(1_000):
        log("refused", code="stale", status=409)
    end_logs()
    files = list(path.parent.iterdir())
    assert len(files) == logs.KEPT + 1
    assert all(one.stat().st_size <= 2_000 for one in files)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps rights in another way")
def test_only_the_owner_reads_it(file: Path) -> None:
    assert file.stat().st_mode & 0o077 == 0
    assert file.parent.stat().st_mode & 0o077 == 0


def test_addresses_are_veiled_the_same_way_within_a_run() -> None:
    assert veiled("192.168.1.7") == veiled("192.168.1.7") != veiled("192.168.1.8")
    assert FIELDS["address"].fullmatch(veiled("2001:db8::/64"))


@given(st.dictionaries(st.sampled_from([*FIELDS, *NUMBERS, "token"]), st.one_of(st.text(), st.integers(), st.binary())))
def test_whatever_is_given_what_is_told_is_short_and_listed(fields: dict[str, object]) -> None:
    record = logging.LogRecord("sandtable.serve", logging.INFO, "", 0, "refused", None, None)
    record.fields = fields
    for name, value in told(record).items():
        assert name == "event" or name in FIELDS or name in NUMBERS
        assert len(str(value)) <= 64


def test_a_full_disk_stops_nothing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (handler,) = (one for one in logging.getLogger("sandtable.serve").handlers if isinstance(one, logging.FileHandler))
    handler.stream.close()
    log("refused", code="stale")
    assert "Traceback" not in capsys.readouterr().err
