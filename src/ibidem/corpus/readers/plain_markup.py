"""Texts with light markup: Markdown, which is kept as it is, and OpenITI mARkdown, whose marks are taken out."""

import re
from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import Opened, ReadDocument, Span, UnreadableError
from ibidem.corpus.readers.encodings import decode
from ibidem.corpus.readers.running_text import RunningText

OPENITI_MARK = b"######OpenITI#"

_HEADING = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_FENCE = re.compile(r"^ {0,3}(```|~~~)")

_PAGE = re.compile(r"PageV(\d+)P(\d+[AB]?)")
_BY_PROGRAM = re.compile(r"^(?:(?:AUTO|CHECK)\b\s*)+")
"""What programs write before headings that they have found, for people to look at."""

_MARKS = re.compile(
    r"\bms[A-Z]?\d+\b"  # milestones
    r"|@[A-Z@]+\d*@?"  # tags
    r"|%~%|\[\d+\]@?|<[^>]{0,40}>|~:\w+:|#~:\w+:"
)


def read_markdown(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a Markdown file, as it is written, with a span for each section under a heading."""
    text, encoding = decode(file.read(), file.encoding)
    heads: list[tuple[int, str]] = []
    fence, position = "", 0
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (heading := _HEADING.match(line.rstrip("\r\n"))):
            heads.append((position, heading[2]))
        position += len(line)
    ends = [*(start for start, _ in heads[1:]), len(text)]
    spans = [Span("section", label, start, end) for (start, label), end in zip(heads, ends, strict=False)]
    yield ReadDocument(text, {} if encoding == "utf-8" else {"encoding": encoding}, spans)


def read_openiti(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an OpenITI file: without its header and marks, with volumes and pages.

    A mark ``PageV01P012`` ends a page, so what comes before it is page 12 of volume 1.

    Raises:
        UnreadableError: the header does not end.
    """
    raw, _ = decode(file.read(), file.encoding)
    header, mark, body = raw.partition("#META#Header#End#")
    if not mark:
        raise UnreadableError("no OpenITI text: the line #META#Header#End# is missing")
    text = RunningText()
    for page in _pages(body):
        _add_page(text, *page)
    out, spans = text.finish()
    yield ReadDocument(out, _describe_openiti(header), spans)


def _pages(body: str) -> Iterator[tuple[str, str]]:
    """The label and the text of each page."""
    position = 0
    for mark in _PAGE.finditer(body):
        yield f"{int(mark[1])}:{mark[2].lstrip('0') or '0'}", body[position : mark.start()]
        position = mark.end()
    yield "", body[position:]


def _add_page(text: RunningText, label: str, page: str) -> None:
    if label:
        text.begin("page", label)
    else:
        text.end("page")
    for line in page.splitlines():
        if line.startswith("### "):
            title = _BY_PROGRAM.sub("", _clean(line.lstrip("# |$")))
            text.break_paragraph()
            text.begin("section", title)
            text.add(title)
            text.break_paragraph()
        elif line.startswith("#") and not line.startswith(("#META", "######")):
            text.break_paragraph()
            text.add(_clean(line.lstrip("# ")))
        elif not line.startswith(("#META", "######")):
            text.add(" " + _clean(line.removeprefix("~~")))


def _clean(line: str) -> str:
    return _MARKS.sub(" ", line).strip()


def _describe_openiti(header: str) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    names = {"BookTITLE": "title", "AuthorNAME": "author", "AuthorDIED": "date"}
    for line in header.splitlines():
        key, mark, value = line.removeprefix("#META#").partition("::")
        name = names.get(key.split(".")[-1].strip())
        if mark and name and value.strip() not in ("", "NODATA", "NOCODE"):
            properties.setdefault(name, value.strip())
    return properties
