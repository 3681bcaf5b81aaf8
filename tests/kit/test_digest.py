"""Digests tell things apart that look alike when they are strung together."""

from __future__ import annotations

from sandtable.kit.digest import checksum, digest_bytes, digest_files


def test_parts_are_kept_apart():
    assert digest_bytes(b"ab", b"c") != digest_bytes(b"a", b"bc") != digest_bytes(b"abc")
    assert digest_bytes(b"", b"a") != digest_bytes(b"a", b"")


def test_twelve_hex_digits_that_stay():
    """Books and machine code are known by these: another digest would disown every saved match."""
    assert digest_bytes(b"sandtable") == "3b4acb262034"
    assert digest_bytes() == "e3b0c44298fc"


def test_files_count_by_name_and_content_and_not_by_the_order_given(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    first = digest_files([one, two], "more")
    assert digest_files([two, one], "more") == first
    assert digest_files([one, two], "other") != first
    two.write_bytes(b"3")
    assert digest_files([one, two], "more") != first


def test_checksum_is_crc_32():
    assert checksum("123456789") == "cbf43926"  # the check value every CRC-32 is published with
    assert checksum("") == "00000000"
