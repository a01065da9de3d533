"""Rich Text (.rtf): its text, with the sections under headings and the pages that it names.

A page ends where the file says so, by a break, a section or a note of the word processor; without, no page is known. To
follow headings and breaks into the text, they are marked by code points that no text has, which are taken out again.
"""

import codecs
import re
from collections.abc import Iterator
from itertools import accumulate

from ibidem.corpus.readers.document import Opened, ReadDocument, Span, UnreadableError
from ibidem.corpus.readers.rtf_groups import show_text

_PAGE_MARK, _HEADING_MARK = "\ufdd0", "\ufdd1"

_CONTROL = re.compile(r"\\(?:([a-z]+)(-?[0-9]+)? ?|.)", re.DOTALL)
"""A control word and its number; any other sign behind a backslash is a part of the text or a sign of its own."""

_STYLE = re.compile(r"\{(?:\\\*)?\\s([0-9]+)\b((?:[^;{}]|\{[^{}]*\})*);\}")
_HEADING_STYLE = re.compile(r"\\outlinelevel[0-8]\b|\b(?:heading|title)\b", re.IGNORECASE)

_CHARSET = re.compile(rb"\\(mac|pca|pc)(?![a-z])")
_CHARSETS = {b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}

_PAGE_WORDS = ("page", "pagebb", "softpage")

_SECTION = re.compile(r"(?:\\[a-z]+-?[0-9]* ?|[{}\s])*")
"""What may say how a section begins: the control words before its text."""

_WITHIN_PAGE = re.compile(r"\\sbk(?:none|col)(?![a-z])")


def read_rtf(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an .rtf file, with its notes at the end, and without what is deleted or hidden.

    Raises:
        UnreadableError: it is no RTF.
    """
    from striprtf.striprtf import rtf_to_text

    data = file.read().removeprefix(codecs.BOM_UTF8)
    if not data.lstrip().startswith(b"{\\rtf"):
        raise UnreadableError("no RTF: it does not begin with {\\rtf")
    try:
        text_with_marks: str = rtf_to_text(  # type: ignore[no-untyped-call]
            _mark_places(show_text(data.decode("latin-1"))),
            encoding=file.encoding or _find_encoding(data),
            errors="replace",
        )
    except (ValueError, LookupError, IndexError) as error:
        raise UnreadableError(f"damaged RTF ({error})") from error
    # Code points above U+FFFF are two numbers in the file.
    text_with_marks = text_with_marks.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    text, pages, headings = _take_marks(text_with_marks)
    spans = [*_make_pages(text, pages), *_make_sections(text, headings)]
    yield ReadDocument(text, {}, sorted(spans, key=lambda span: (span.start, -span.end)))


def _find_encoding(data: bytes) -> str:
    """The encoding of the character set that the beginning of the file names, if no code page follows."""
    charset = _CHARSET.search(data[:256])
    return _CHARSETS[charset[1]] if charset else "cp1252"


def _mark_places(source: str) -> str:
    """The file with marks behind the breaks of pages and within headings."""
    headings = {style[1] for style in _STYLE.finditer(source) if _HEADING_STYLE.search(style[2])}

    def mark(control: re.Match[str]) -> str:
        word, number = control[1], control[2]
        if word in _PAGE_WORDS or (word == "sect" and _begins_page(source, control.end())):
            return f"\\{word} {_PAGE_MARK}"
        if (word == "s" and number in headings) or (word == "outlinelevel" and number != "9"):
            return f"\\{word}{number} {_HEADING_MARK}"
        return control[0]

    return _CONTROL.sub(mark, source)


def _begins_page(source: str, position: int) -> bool:
    """Whether the section from a position of the file on has a page of its own, as it has if nothing is said."""
    words = _SECTION.match(source, position)
    return words is None or not _WITHIN_PAGE.search(words[0])


def _take_marks(text_with_marks: str) -> tuple[str, list[int], list[int]]:
    """The text without marks, the starts of its pages, and where headings were marked."""
    parts = re.split(f"([{_PAGE_MARK}{_HEADING_MARK}])", text_with_marks)
    unmarked = "".join(parts[::2])
    text = unmarked.strip()
    before = len(unmarked) - len(unmarked.lstrip())
    ends = accumulate(len(part) for part in parts[::2])
    places = [(mark, end - before) for mark, end in zip(parts[1::2], ends, strict=False)]
    pages = [min(max(place, 0), len(text)) for mark, place in places if mark == _PAGE_MARK]
    return text, [0, *pages], [place for mark, place in places if mark == _HEADING_MARK and 0 <= place < len(text)]


def _make_pages(text: str, starts: list[int]) -> Iterator[Span]:
    """The pages that begin at ``starts``; none if there is one alone."""
    ends = [*starts[1:], len(text)]
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        if len(starts) > 1 and start < end:
            yield Span("page", str(number), start, end)


def _make_sections(text: str, marks: list[int]) -> Iterator[Span]:
    """The sections under the paragraphs that hold a mark."""
    titles = {}
    for mark in marks:
        start, end = text.rfind("\n", 0, mark) + 1, text.find("\n", mark)
        titles[start] = " ".join(text[start : end if end >= 0 else len(text)].split())
    starts = [start for start, title in titles.items() if title]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=False):
        yield Span("section", titles[start], start, end)
