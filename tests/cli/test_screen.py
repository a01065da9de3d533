"""Whatever is printed to a console, no text of it steers the terminal."""

import io

import pytest
from rich.table import Table
from rich.text import Text

from ibidem.cli.screen import Screen
from ibidem.cli.terminal import printable

HOSTILE = "a\x1b]0;b\x07\x9b31m\u202ec\rd"
HARMLESS = "a\ufffd]0;b\ufffd\ufffd31m\ufffdc\ufffdd"


def table() -> Table:
    made = Table(HOSTILE, title=HOSTILE, caption=HOSTILE)
    made.add_row(HOSTILE)
    made.add_row(Text(HOSTILE, "bold"))
    return made


@pytest.mark.parametrize("printed", [HOSTILE, Text(HOSTILE, "red"), table()], ids=["string", "text", "table"])
def test_no_text_steers_the_terminal(printed: object) -> None:
    screen = Screen(printable)
    screen.file = io.StringIO()
    screen.print(printed)
    shown = screen.file.getvalue()
    assert HARMLESS.replace("\ufffd", "") in shown.replace("\ufffd", "")
    assert not set(shown) & set("\x1b\x07\x9b\u202e\r")
