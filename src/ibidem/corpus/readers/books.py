"""E-books: an .epub is a zip of web pages, in the order of its spine."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ibidem.corpus.readers.document import Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.html import decode_page, parse_page
from ibidem.corpus.readers.packed import open_zip, read_member
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import describe, parse_xml

_NO_PAGES = ("image/", "audio/", "video/", "font/", "text/css", "application/pdf", "application/font")
"""How the types of files begin that are in the reading order without text of their own, such as a cover."""

_PAGES = ("application/xhtml+xml", "text/html")
"""The types of files that hold text although the reading order does not name them."""

_METADATA = {"title": "title", "creator": "author", "date": "date", "language": "language"}
"""The elements of Dublin Core that describe a book."""


def read(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an .epub, with the sections of its chapters; notes outside of the reading order come last.

    Raises:
        UnreadableError: the file is damaged or encrypted.
    """
    with open_zip(file) as archive:
        package = _package_path(archive)
        root = parse_xml(read_member(archive, package))
        if "META-INF/encryption.xml" in archive.namelist() and "META-INF/rights.xml" in archive.namelist():
            raise UnreadableError("the book is protected against copying")
        text = RunningText()
        for chapter in _spine(root, posixpath.dirname(package)):
            page = parse_page(decode_page(read_member(archive, chapter)), is_book=True)
            text.break_paragraph()
            title = page.metadata.get("title", "")
            text.begin("section", title if not page.spans else "")
            _append(text, page)
    body, spans = text.finish()
    described = (element for element in root.iter() if "purl.org" in str(element.tag))
    yield ReadDocument(body, describe(described, _METADATA), [span for span in spans if span.label])


def _append(text: RunningText, page: ReadDocument) -> None:
    """Append the text of a page with its sections."""
    position = 0
    for span in page.spans:
        text.add_verbatim(page.text[position : span.start])
        text.begin("section", span.label, span.target)
        text.add_verbatim(page.text[span.start : span.end])
        position = span.end
    text.add_verbatim(page.text[position:])


def _package_path(archive: Any) -> str:
    container = parse_xml(read_member(archive, "META-INF/container.xml"))
    for element in container.iter("{*}rootfile"):
        if element.get("full-path"):
            return str(element.get("full-path"))
    raise UnreadableError("damaged .epub: it names no package")


def _spine(root: Any, folder: str) -> Iterator[str]:
    """Paths of the chapters in reading order, then of those outside of it, such as notes.

    The table of contents is left out, and so is a page that the reading order does not name if its guide does: a cover.
    """
    items = {item.get("id"): item.get("href") for item in root.iter("{*}item") if _is_page(item)}
    references = sorted(root.iter("{*}itemref"), key=lambda reference: reference.get("linear") == "no")
    ordered = [href for reference in references if (href := items.get(reference.get("idref")))]
    outside = {item.get("href") for item in root.iter("{*}item") if item.get("media-type") in _PAGES}
    outside -= {(reference.get("href") or "").partition("#")[0] for reference in root.iter("{*}reference")}
    others = [href for href in items.values() if href in outside and href not in ordered]
    for href in [*ordered, *others]:
        yield posixpath.normpath(posixpath.join(folder, unquote(href)))


def _is_page(item: Any) -> bool:
    kind, properties = item.get("media-type") or "", item.get("properties") or ""
    return not kind.startswith(_NO_PAGES) and "nav" not in properties.split()
