"""A server as a process: how it starts, what it says, what it stands, and how it ends."""

from __future__ import annotations

import argparse
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin as PageOrigin
from websockets.typing import Subprotocol

from sandtable.cli import serve as command
from sandtable.cli.parser import Parser
from sandtable.serve import listening, patience
from sandtable.serve.browser import has_window
from sandtable.serve.config import BadConfig, Config
from sandtable.serve.listening import listen, local_address, network_addresses
from sandtable.store.folder import DataFolder, read_holder

ROOT = Path(__file__).parents[2]
SIGNALS = [signal.SIGTERM, signal.SIGINT] + ([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])
TOO_LATE_S = 3.0

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are others there")


class Server:
    """The stand-in as a process of its own."""

    def __init__(self, data: Path, *words: str, **environment: str) -> None:
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        variables = {**os.environ, "PYTHONPATH": paths, "CI": "1", **environment}
        line = [sys.executable, str(ROOT / "tests" / "serve" / "standin.py"), str(data), *words]
        self.data = data
        self.process = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=variables
        )

    def up(self) -> Server:
        """Wait for its address."""
        self.said, output = [], self.process.stdout
        assert output is not None
        for line in output:
            self.said.append(line.strip())
            if line.startswith("Sandtable is at "):
                self.address = line.split()[-1]
                self.port = int(self.address.rpartition(":")[2])
            if line.startswith("Matches are kept in "):
                return self
        raise AssertionError("".join(self.said))

    def get(self, path: str = "/") -> tuple[int, str]:
        asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            asked.request("GET", path)
            answer = asked.getresponse()
            assert answer.getheader("server") is None
            return answer.status, answer.read().decode()
        finally:
            asked.close()

    def socket(self, origin: str | None = None) -> ClientConnection:
        return connect(
            f"ws://127.0.0.1:{self.port}/ws",
            origin=PageOrigin(origin or self.address),
            subprotocols=[Subprotocol("sandtable.v1")],
            compression="deflate",
            proxy=None,
        )

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Exit code and how long it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(20)
        return code, time.monotonic() - began

    def end(self) -> str:
        """What else it said."""
        assert self.process.stdout is not None
        with self.process.stdout as output:
            said = output.read()
        self.process.wait(20)
        return said


Start = Callable[..., Server]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    servers: list[Server] = []

    def started(*words: str, **environment: str) -> Server:
        servers.append(Server(tmp_path / "data", *words, **environment))
        return servers[-1]

    yield started
    for server in servers:
        server.process.kill()
        if not server.process.stdout.closed:  # type: ignore[union-attr]
            server.end()
        server.process.wait(20)


def is_in_order(data: Path) -> bool:
    folder = DataFolder.take(data)
    folder.release()
    return not folder.was_unclean


def test_it_says_where_it_is_and_answers(start: Start) -> None:
    server = start().up()
    assert server.said == [
        f"Sandtable is at http://127.0.0.1:{server.port}",
        f"Matches are kept in {server.data}. Ctrl-C ends it.",
    ]
    assert server.get() == (200, "here")
    assert read_holder(server.data).address == server.address
    with server.socket() as socket:
        assert socket.subprotocol == "sandtable.v1"
        assert not socket.protocol.extensions  # no compression, though we offered it
        socket.send("four")
        assert socket.recv(2) == "4"
    assert server.stop() == (0, pytest.approx(0.5, abs=1.0))
    assert server.end() == "Stopped; every match is kept.\n"


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_it_in_order(start: Start, number: int) -> None:
    server = start().up()
    with server.socket() as socket:
        code, took = server.stop(number)
        assert (code, took < TOO_LATE_S) == (0, True)
        assert socket.recv(2) == '{"t":"drain","in_s":3}'
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(2)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1001
    assert (server.data / "committed").exists()
    assert is_in_order(server.data)


@pytest.mark.parametrize("words", [("stuck-hall",), ("stuck-request",), ("stuck-loop",)])
def test_whatever_hangs_it_ends_within_three_seconds(start: Start, words: tuple[str, ...]) -> None:
    server = start(*words).up()
    with socket.create_connection(("127.0.0.1", server.port)) as waiting:
        if words != ("stuck-hall",):
            waiting.sendall(f"GET /stuck HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            time.sleep(0.2)
        code, took = server.stop()
    assert took < TOO_LATE_S
    assert code == (1 if words == ("stuck-loop",) else 0)
    assert is_in_order(server.data) == (code == 0)


def test_a_second_ctrl_c_ends_it_at_once(start: Start) -> None:
    server = start("stuck-hall").up()
    server.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    code, took = server.stop(signal.SIGINT)
    assert (code, took < 0.3) == (130, True)
    assert not is_in_order(server.data)


def test_a_second_sigterm_does_not(start: Start) -> None:
    server = start().up()
    server.process.send_signal(signal.SIGTERM)
    assert server.stop()[0] == 0
    assert is_in_order(server.data)


def test_killed_it_leaves_a_sign(start: Start) -> None:
    server = start().up()
    assert server.stop(signal.SIGKILL)[0] == -signal.SIGKILL
    assert not is_in_order(server.data)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_under_nohup_it_stays(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        server = Server(tmp_path).up()
    finally:
        signal.signal(signal.SIGHUP, before)
    server.process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert server.get()[0] == 200
    assert server.stop()[0] == 0
    server.end()


def test_a_second_start_shows_the_one_that_runs(start: Start, tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    browser.chmod(0o755)
    server = start().up()
    second = start("open", BROWSER=f"{browser} %s")
    assert second.end() == f"Sandtable is running already, at {server.address}\n"
    assert second.process.returncode == 0
    until = time.monotonic() + 5
    while not opened.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert opened.read_text().strip() == server.address
    assert server.get()[0] == 200


def test_what_goes_wrong_at_the_start_is_one_sentence(start: Start) -> None:
    server = start("newer")
    assert server.end() == "refused: This folder is from a newer version.\n"


def test_a_strangers_port_is_passed_over_aloud(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        taken = stranger.getsockname()[1]
        server = start(f"port={taken}").up()
        assert server.port != taken
        assert server.said[0] == f"Port {taken} is taken by another program; Sandtable takes {server.port}."
        assert server.get()[0] == 200
        server.stop()
        server.end()
        refused = start(f"port={taken}", "origin=https://sand.example")  # a proxy would look there
        assert refused.end() == f"refused: port {taken} is taken by other programs; choose one with --port\n"


def test_hostile_frames_close_their_socket_only(start: Start) -> None:
    server = start().up()
    frames = {
        1009: [
            b"\x81\xff\x00\x00\x00\x00\x40\x00\x00\x00" + bytes(4),
            b"\x81\xfe\x40\x01" + bytes(4),
        ],  # 1 GiB, 16 KiB + 1
        1007: [b"\x81\x82" + bytes(4) + b"\xff\xfe"],
        1002: [b"\x83\x80" + bytes(4), b"\x81\x02hi", b"\xc1\x80" + bytes(4)],  # reserved, unmasked, compressed
    }
    with server.socket() as honest:
        for code, hostile in frames.items():
            for frame in hostile:
                with server.socket() as socket:
                    socket.socket.sendall(frame)
                    with pytest.raises(ConnectionClosed) as closed:
                        socket.recv(2)
                    assert closed.value.rcvd is not None
                    assert closed.value.rcvd.code == code
        with server.socket() as endless:  # fragments count together
            endless.socket.sendall(b"\x01\xfe\x20\x00" + bytes(4) + bytes(8_192))
            endless.socket.sendall((b"\x00\xfe\x20\x00" + bytes(4) + bytes(8_192)) * 2)
            with pytest.raises(ConnectionClosed):
                endless.recv(2)
        honest.send("x" * 16_384)
        assert honest.recv(2) == "16384"
    with pytest.raises(InvalidStatus) as foreign:
        server.socket("https://evil.example")
    assert foreign.value.response.status_code == 403
    server.stop()
    assert "Traceback" not in server.end()
    assert "Traceback" not in (server.data / "logs" / "sandtable.log").read_text()


def test_a_connection_that_says_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that dribbles, in its first request or after it; an honest one stays."""
    import asyncio

    import uvicorn
    from starlette.responses import PlainTextResponse

    monkeypatch.setattr(patience, "HEAD_S", 0.4)
    request = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    async def ended(port: int, *parts: bytes) -> float:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.05)
        try:
            async with asyncio.timeout(1.0):
                while await reader.read(1_000):
                    pass
        except (TimeoutError, ConnectionResetError):
            pass
        writer.close()
        return time.monotonic() - began

    async def scene() -> list[float]:
        listening_socket = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(PlainTextResponse("here"), http=patience.Impatient, log_config=None, lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listening_socket]))
        while not server.started:
            await asyncio.sleep(0.01)
        port = listening_socket.getsockname()[1]
        took = await asyncio.gather(
            ended(port), ended(port, b"GET / HT", b"TP/1"), ended(port, request, b"GET /"), ended(port, request)
        )
        server.should_exit = True
        await serving
        return took

    silent, dribbling, second, honest = asyncio.run(scene())
    assert max(silent, dribbling, second) < 0.9
    assert honest > 0.9


# ---- where it listens


def closed(config: Config) -> tuple[Config, list[int]]:
    config, sockets, taken = listen(config)
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    assert set(ports) == {config.port}
    return config, taken


def test_any_port_will_do_for_zero(tmp_path: Path) -> None:
    config, taken = closed(Config(tmp_path, port=0))
    assert config.port
    assert (config.origins, taken) == ((), [])
    assert local_address(config) == f"http://127.0.0.1:{config.port}"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 must be set up first")
def test_in_the_local_network_just_its_addresses_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "network_addresses", lambda: ["127.0.0.2", "127.0.0.3"])
    config, _ = closed(Config(tmp_path, port=0, lan=True))
    assert config.origins == (f"http://127.0.0.2:{config.port}", f"http://127.0.0.3:{config.port}")
    assert local_address(config) == f"http://127.0.0.1:{config.port}"
    monkeypatch.setattr(listening, "network_addresses", list)
    with pytest.raises(BadConfig, match="no address in a local network"):
        listen(Config(tmp_path, port=0, lan=True))


def test_addresses_of_the_network_are_private_ones() -> None:
    assert all(one.count(".") == 3 and not one.startswith("127.") for one in network_addresses())


@pytest.mark.parametrize(
    ("host", "address"),
    [("0.0.0.0", "http://127.0.0.1:80"), ("::", "http://[::1]:80"), ("192.168.1.7", "http://192.168.1.7:80")],
)
def test_the_address_to_type_here(tmp_path: Path, host: str, address: str) -> None:
    assert local_address(Config(tmp_path, host=host, port=80)) == address.removesuffix(":80")


def test_hosts_that_are_none_are_refused(tmp_path: Path) -> None:
    for host in ("192.0.2.77", "no-such-host.invalid"):
        with pytest.raises(BadConfig):
            listen(Config(tmp_path, host=host, port=0, origins=("https://sand.example",)))


def test_all_ports_taken_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "TRIES", 1)
    with socket.create_server(("127.0.0.1", 0)) as stranger, pytest.raises(BadConfig, match="taken by other programs"):
        listen(Config(tmp_path, port=stranger.getsockname()[1]))


@pytest.mark.parametrize(
    ("environment", "platform", "opens"),
    [
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "linux", False),
        ({"BROWSER": "firefox"}, "linux", True),
        ({"DISPLAY": ":0", "CI": "true"}, "linux", False),
        ({}, "darwin", True),
        ({"SSH_CONNECTION": "1"}, "darwin", False),
        ({}, "win32", True),
    ],
)
def test_a_browser_opens_where_there_is_a_window(environment: dict[str, str], platform: str, opens: bool) -> None:
    assert has_window(environment, platform) == opens


# ---- the command


def parsed(*typed: str) -> argparse.Namespace:
    parser = Parser(prog="sandtable")
    command.add(parser.add_subparsers(parser_class=Parser))
    return parser.parse_args(["serve", *typed])


def test_the_command_makes_a_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[Config, bool]] = []
    monkeypatch.setattr("sandtable.serve.run.run", lambda config, opens: seen.append((config, opens)) or 0)
    wanted = parsed(
        "--data", str(tmp_path), "--host", "::1", "--port", "0", "--origin", "https://a.example", "--origin",
        "https://b.example", "--proxy", "127.0.0.1", "--lan", "--open", "--workers", "3",
    )  # fmt: skip
    assert wanted.run(wanted) == 0
    config = Config(
        tmp_path, "::1", 0, ("https://a.example", "https://b.example"), ("127.0.0.1",), lan=True, workers=3
    )  # fmt: skip
    assert seen == [(config, True)]
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "mine"))
    wanted = parsed()
    wanted.run(wanted)
    assert seen[1] == (Config(tmp_path / "mine"), False)


@pytest.mark.parametrize(
    "typed", [["--port", "65536"], ["--port", "-1"], ["--port", "http"], ["--workers", "0"], ["--hots", "x"]]
)
def test_mistakes_are_one_sentence(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parsed(*typed)
    assert len(capsys.readouterr().err.splitlines()) == 1
