"""Dice, geometry, digests and the kernel decorator. Knows no game."""
