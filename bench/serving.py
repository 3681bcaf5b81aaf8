"""The two servers, each as a process of its own on a free port of this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandtable.protocol.errors import SandtableError

HERE = Path(__file__).parent
BUILT = HERE.parent / "build" / "bench" / "boardgame"
RIVAL_FILES = ("package.json", "package-lock.json", ".npmrc", "server.js")
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Served:
    port: int
    pid: int

    def cpu_s(self) -> float:
        """Processor seconds of the server so far, without its workers'."""
        return _cpu_s(self.pid)

    def workers_cpu_s(self) -> float:
        """Those of the processes below it."""
        family, found, total = {self.pid}, {self.pid}, 0.0
        parents = {pid: fields for pid in _pids() if (fields := _stat(pid))}
        while found:
            found = {pid for pid, fields in parents.items() if int(fields[1]) in family and pid not in family}
            family |= found
            total += sum(_cpu_s(pid) for pid in found)
        return total


def _pids() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _stat(pid: int) -> list[str]:
    """The fields behind a process's name: its state, its parent, …; none when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu_s(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / TICKS if fields else 0.0


@contextmanager
def sandtable_server(sync_delay_ms: float = 0.0, workers: int = 1) -> Iterator[Served]:
    """Ours, with an empty data folder on the disk of this checkout and no limits worth the name."""
    home = HERE.parent / "build" / "bench"
    home.mkdir(parents=True, exist_ok=True)
    data = tempfile.mkdtemp(prefix="data-", dir=home)
    command = [sys.executable, "-m", "bench.serving", data, str(sync_delay_ms), str(workers)]
    try:
        with _process(command, HERE.parent, "Sandtable is at http://127.0.0.1:") as served:
            yield served
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def rival_server(rounds: int = 10) -> Iterator[Served]:
    """boardgame.io's, its matches in memory. `npm ci` installs it below build/ when it is not there yet."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        raise SandtableError("this bench compares with a server on Node: install node and npm first")
    BUILT.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "boardgame" / "package-lock.json").read_bytes()
    kept = BUILT / "package-lock.json"
    is_there = kept.exists() and kept.read_bytes() == lock and (BUILT / "node_modules" / "boardgame.io").is_dir()
    for name in RIVAL_FILES:
        shutil.copyfile(HERE / "boardgame" / name, BUILT / name)
    if not is_there:
        subprocess.run(["npm", "ci"], cwd=BUILT, check=True, stdout=subprocess.DEVNULL)
    with _process(["node", "server.js", str(rounds)], BUILT, "port ") as served:
        yield served


@contextmanager
def _process(command: list[str], folder: Path, announced: str) -> Iterator[Served]:
    environment = {**os.environ, "NODE_ENV": "production", "PYTHONPATH": f"{folder}{os.pathsep}{folder / 'src'}"}
    environment.pop("FLATFILE_DIR", None)  # it would turn boardgame.io's memory into files
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            for said in process.stdout:
                if said.startswith(announced):
                    yield Served(int(said[len(announced) :].strip("/\n")), process.pid)
                    break
            else:
                raise SandtableError(f"{command[0]} did not come up")
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()


def serve(data: Path, sync_delay_ms: float, workers: int) -> int:
    """What runs in our server's process: the real one, but for a player more that only burns its processor."""
    from starlette.applications import Starlette

    from sandtable.serve.app import make_app
    from sandtable.serve.config import Config
    from sandtable.serve.figures import Figures
    from sandtable.serve.machines import Machines
    from sandtable.serve.run import run
    from sandtable.store.folder import DataFolder

    def make(config: Config, folder: DataFolder) -> Starlette:
        players = {"burner": f"{HERE / 'burner.py'}:Burner"}
        return make_app(config, folder, Machines(config.workers, players=players))

    config = Config(data, port=0, limits=Figures.wide(), workers=workers, sync_delay_ms=sync_delay_ms)
    return run(config, make_app=make)


if __name__ == "__main__":
    sys.exit(serve(Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
