"""Compact windows: all passages of a text, grouped by the min-hash they share."""

from ibidem.sketches.windows.windows import Windows

__all__ = ["Windows"]
