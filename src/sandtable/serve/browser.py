"""The browser, where there is one with a window."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Mapping
from contextlib import suppress


def show(address: str, patience_s: float = 0.0) -> None:
    """Open the address, unless the browser would take over the terminal in which the address stands.

    Browsers may take their time. Whoever ends right after this waits that long for it.
    """
    if has_window(os.environ, sys.platform):
        thread = threading.Thread(target=_open, args=(address,), daemon=True)
        thread.start()
        thread.join(patience_s)


def _open(address: str) -> None:
    with suppress(Exception):  # the address stands in the terminal
        webbrowser.open(address)


def has_window(environment: Mapping[str, str], platform: str) -> bool:
    if environment.get("CI"):
        return False
    if environment.get("BROWSER"):
        return True
    if platform in ("win32", "darwin"):
        return not environment.get("SSH_CONNECTION")
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))
