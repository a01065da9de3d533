"""Results in a notebook: what is marked, and that nothing of a text becomes markup."""

import re
from html import unescape
from html.parser import HTMLParser

from ibidem.results import Alignments, Matches
from ibidem.spans import Alignment, Match

A = "All the world's a stage, and all the men and women merely players."
B = "All the world is <b>our</b> stage & all the men and women merely players."


class Cells(HTMLParser):
    """The text of each cell, and what is marked in it."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.marked: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "td" in self._open:
            self.cells[-1] += data
        if "mark" in self._open:
            self.marked.append(data)


def cells_of(page: str) -> Cells:
    cells = Cells()
    cells.feed(page)
    assert cells._open == []
    return cells


def test_the_passages_stand_beside_each_other_with_the_changed_words_marked() -> None:
    whole = Alignment(a_start=0, a_end=len(A), b_start=0, b_end=len(B), similarity=0.75)
    shown = cells_of(Alignments([whole], a=A, b=B)._repr_html_())
    assert shown.cells == [A, B]
    assert "players" not in " ".join(shown.marked)
    assert any("our" in marked for marked in shown.marked)


def test_what_a_text_says_is_never_markup() -> None:
    evil = "<script>alert(1)</script> & \ud800"
    match = Match(
        query_name="<i>q</i>",
        query_start=0,
        query_end=len(evil),
        document="<img src=x onerror=y>",
        start=5,
        end=5 + len(evil),
        similarity=1.0,
        text=evil,
    )
    page = Matches([match], query=evil)._repr_html_()
    assert not re.search(r"<(script|img|i)\b", page)
    assert "<script>" in unescape(page)
    assert cells_of(page).cells == [evil.replace("\ud800", "\N{REPLACEMENT CHARACTER}")] * 2
    page.encode("utf-8")


def test_ten_are_shown_and_the_others_counted() -> None:
    pair = Alignment(a_start=0, a_end=3, b_start=0, b_end=3, similarity=1.0)
    page = Alignments([pair] * 12, a=A, b=B)._repr_html_()
    assert len(cells_of(page).cells) == 20
    assert "12 pairs of passages" in page
    assert "and 2 more" in page
    assert "0 matches" in Matches()._repr_html_()
