"""The data folder: one holder, told to whoever comes second; falls noticed; networks refused."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from sandtable.store.folder import (
    DataFolder,
    Held,
    Holder,
    default_folder,
    network_below,
    read_holder,
)
from sandtable.store.interface import Unfit
from tests.store.child import start

MOUNTS = r"""proc /proc proc rw 0 0
/dev/sda1 / ext4 rw 0 0
box:/home /home nfs4 rw 0 0
/dev/sdb1 /home/ada/local\040disk ext4 rw 0 0
//box/share /mnt/a fuse.sshfs rw 0 0
/dev/sdc1 /mnt/a ext4 rw 0 0
half a line
"""


def test_one_process_holds_a_folder_and_the_second_learns_where_it_listens(tmp_path: Path) -> None:
    with DataFolder.take(tmp_path / "data") as folder:
        with pytest.raises(Held, match=f"process {os.getpid()}") as early:
            DataFolder.take(tmp_path / "data")
        assert early.value.holder == Holder(os.getpid())
        folder.announce("http://127.0.0.1:8123/")
        with pytest.raises(Held, match=r"runs already.*at http://127\.0\.0\.1:8123/") as said:
            DataFolder.take(tmp_path / "data")
        assert said.value.holder == read_holder(tmp_path / "data") == Holder(os.getpid(), "http://127.0.0.1:8123/")
    again = DataFolder.take(tmp_path / "data")
    assert not again.was_unclean
    again.release()
    again.release()
    assert read_holder(tmp_path / "data") == Holder()


def test_another_process_is_kept_out_and_its_death_lets_go(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from sandtable.store.folder import DataFolder\n"
        "folder = DataFolder.take(pathlib.Path(sys.argv[1])); folder.announce('http://127.0.0.1:1/')\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    with start("-c", code, tmp_path) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(Held) as said:
            DataFolder.take(tmp_path)
        assert said.value.holder == Holder(child.pid, "http://127.0.0.1:1/")
        child.kill()
    with DataFolder.take(tmp_path) as folder:
        assert folder.was_unclean


def test_a_fall_is_noticed_and_an_orderly_stop_is_none(tmp_path: Path) -> None:
    DataFolder.take(tmp_path).release(in_order=False)
    with suppress(ZeroDivisionError), DataFolder.take(tmp_path) as folder:
        assert folder.was_unclean
        raise ZeroDivisionError
    with DataFolder.take(tmp_path) as folder:
        assert folder.was_unclean
    with DataFolder.take(tmp_path) as folder:
        assert not folder.was_unclean


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "address": ""}', "[" * 3_000, "\xff"])
def test_a_lock_file_half_written_names_nobody(tmp_path: Path, text: str) -> None:
    (tmp_path / "lock").write_text(text, "latin-1")
    assert read_holder(tmp_path) == Holder()


@pytest.mark.skipif(sys.platform == "win32", reason="access rights of POSIX")
def test_secrets_are_for_their_owner(tmp_path: Path) -> None:
    with DataFolder.take(tmp_path / "new" / "data") as folder:
        assert folder.path.stat().st_mode & 0o077 == 0
        assert (folder.path / "lock").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unfit, match="cannot be used"):
        DataFolder.take(tmp_path / "file")
    with pytest.raises(Unfit, match="cannot be used"):
        DataFolder.take(tmp_path / "file" / "data")


@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ada/data", "nfs4"),
        ("/home/ada/local disk/data", ""),
        ("/home", "nfs4"),
        ("/homely", ""),
        ("/mnt/a/data", ""),
        ("/", ""),
    ],
)
def test_networks_are_seen(tmp_path: Path, path: str, kind: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS, "utf-8")
    assert network_below(Path(path), mounts) == kind
    assert network_below(Path(path), tmp_path / "none") == ""


def test_a_folder_on_a_network_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.store.folder.network_below", lambda path: "nfs4")
    with pytest.raises(Unfit, match=r"lies on a network \(nfs4\)"):
        DataFolder.take(tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_the_usual_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path))
    assert default_folder() == tmp_path
    monkeypatch.delenv("SANDTABLE_DATA")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert default_folder() == tmp_path / "xdg" / "sandtable"


def test_names_of_backups_do_not_meet(tmp_path: Path) -> None:
    with DataFolder.take(tmp_path) as folder:
        names = set()
        for _ in range(5):
            name = folder.backup_name("before-version-2")
            name.write_text("")
            names.add(name)
        assert len(names) == 5
