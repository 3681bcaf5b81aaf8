"""Digests: of records, of files, of a list of lines."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from pathlib import Path


def digest_bytes(*parts: bytes) -> str:
    """SHA-256 of length-prefixed parts, as 12 hex digits: enough to tell books and kernels apart."""
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()[:12]


def digest_files(paths: Iterable[Path], *more: str) -> str:
    parts = [item for path in sorted(paths) for item in (path.name.encode(), path.read_bytes())]
    return digest_bytes(*parts, *(text.encode() for text in more))


def checksum(text: str) -> str:
    """CRC-32 as eight hex digits: finds slips of the pen, not fraud."""
    return f"{zlib.crc32(text.encode()):08x}"
