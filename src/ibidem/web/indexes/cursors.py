"""Cursors: where the next page of a list begins, and the state of what is listed."""

import base64
import binascii
from typing import NamedTuple

from ibidem.web.problems import ProblemError


class Page(NamedTuple):
    """A half-open range of rows, and the cursor of the next page if there is one."""

    first: int
    last: int
    cursor: str | None


def cut_page(cursor: str | None, limit: int, total: int, state: int) -> Page:
    """The page of ``total`` rows that a cursor names; the first without one.

    Args:
        state: names the state of what is listed. A cursor of another state is refused, so that pages are never mixed.

    Raises:
        ProblemError: the cursor is none that was given, or the state is another.
    """
    first = 0 if cursor is None else min(_read(cursor, state), total)
    last = min(first + limit, total)
    return Page(first, last, _write(state, last) if last < total else None)


def _write(state: int, place: int) -> str:
    return base64.urlsafe_b64encode(f"{state}:{place}".encode()).decode("ascii")


def _read(cursor: str, state: int) -> int:
    try:
        cursor_state, place = map(int, base64.b64decode(cursor, b"-_", validate=True).split(b":"))
    except (ValueError, binascii.Error):
        raise ProblemError(422, "the cursor is none that this service gave") from None
    if cursor_state != state:
        raise ProblemError(409, "what is listed was changed since the cursor was given: ask again from the beginning")
    return max(0, place)
