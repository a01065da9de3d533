"""Web pages: the text that a reader sees, without scripts, navigation and other furniture of the page."""

import re
from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import Opened, ReadDocument
from ibidem.corpus.readers.encodings import decode, find_mark
from ibidem.corpus.readers.running_text import RunningText

_UNSEEN = {
    "script", "style", "noscript", "template", "svg", "math", "canvas", "iframe", "object", "head", "nav", "button",
    "select", "textarea", "input", "dialog", "audio", "video", "map", "-comment", "!doctype",
}  # fmt: skip
_FURNITURE = {"header", "footer", "aside"}
_CONTENT = {"article", "main", "section"}
_FURNITURE_ROLES = {"navigation", "banner", "contentinfo", "search", "menu", "menubar", "complementary", "dialog"}
_CONTROLS = {"navigation", "search", "menu", "menubar", "dialog"}
_PARAGRAPHS = {
    "p", "div", "section", "article", "main", "header", "footer", "aside", "h1", "h2", "h3", "h4", "h5", "h6", "ul",
    "ol", "dl", "table", "blockquote", "pre", "figure", "hr", "form", "fieldset", "address", "body", "details",
}  # fmt: skip
_LINES = {"li", "tr", "dt", "dd", "caption", "figcaption", "br", "option", "summary", "legend"}
_CELLS = {"td", "th"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""")
_AS_BROWSERS_READ = {"iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252"}


def read(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an HTML or XHTML file, with a span for each section under a heading."""
    yield parse_page(decode_page(file.read(), file.encoding))


def decode_page(data: bytes, encoding: str | None = None) -> str:
    """The page as text: by the encoding that was named, a byte order mark, the page's own word, or its bytes."""
    if encoding is None and find_mark(data) is None:
        declaration = _DECLARED.search(data[:2048])
        if declaration:
            name = declaration[1].decode().lower()
            name = _AS_BROWSERS_READ.get(name, name)
            try:
                return data.decode(name)
            except (LookupError, UnicodeDecodeError):
                pass  # the page is mistaken
    return decode(data, encoding)[0]


def parse_page(page: str, *, is_book: bool = False) -> ReadDocument:
    """The text of a page, its title, author, language and date, and its sections.

    A page of a book has no header, footer or margin of a site: there these hold headings and notes.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(page)
    tree.strip_tags(["rt", "rp", "rtc"])  # ruby: how words are read aloud
    text = RunningText()
    if tree.body is not None:
        _Walk(text, is_book=is_book).follow(tree.body)
    body, spans = text.finish()
    return ReadDocument(body, _describe(tree), spans)


class _Walk:
    """One walk through a page, in the order of its nodes; it needs no recursion, however deep they nest."""

    def __init__(self, text: RunningText, *, is_book: bool) -> None:
        self._text, self._is_book = text, is_book
        self._content = 0  # open elements in which a header belongs to the content
        self._verbatim = 0

    def follow(self, root: Any) -> None:
        """Take in ``root`` and all below it."""
        node, top = root, root.mem_id
        while True:
            is_open = self._enter(node)
            if is_open and node.child is not None:
                node = node.child
                continue
            if is_open:
                self._leave(node)
            while node.mem_id != top and node.next is None:
                node = node.parent
                self._leave(node)
            if node.mem_id == top:
                return
            node = node.next

    def _enter(self, node: Any) -> bool:
        """Take in a node; returns whether to look at its children."""
        tag = node.tag
        if tag == "-text":
            (self._text.add_verbatim if self._verbatim else self._text.add)(node.text_content or "")
            return False
        if tag in _UNSEEN or self._is_furniture(node, tag):
            return False
        self._content += tag in _CONTENT
        self._verbatim += tag == "pre"
        self._separate(tag)
        if tag in _HEADINGS:
            label = " ".join(node.text().split())
            self._text.begin("section", label, f"#{node.attributes['id']}" if node.attributes.get("id") else "")
        return True

    def _leave(self, node: Any) -> None:
        tag = node.tag
        self._content -= tag in _CONTENT
        self._verbatim -= tag == "pre"
        self._separate(tag)

    def _separate(self, tag: str) -> None:
        if tag in _PARAGRAPHS:
            self._text.break_paragraph()
        elif tag in _LINES:
            self._text.break_line()
        elif tag in _CELLS:
            self._text.add(" ")

    def _is_furniture(self, node: Any, tag: str) -> bool:
        attributes = node.attributes
        is_of_site = tag in _FURNITURE and not self._content and not self._is_book
        if not attributes:
            return is_of_site
        style = (attributes.get("style") or "").replace(" ", "").lower()
        is_hidden = (
            "hidden" in attributes or attributes.get("aria-hidden") == "true" or "display:none" in style
        ) and not (self._is_book and _is_note(attributes))
        roles = _CONTROLS if self._is_book else _FURNITURE_ROLES
        return is_hidden or attributes.get("role") in roles or is_of_site


def _is_note(attributes: Any) -> bool:
    """Whether an element of a book holds notes, which are often hidden until a reader asks for them."""
    return "note" in f"{attributes.get('epub:type')} {attributes.get('role')}"


def _describe(tree: Any) -> dict[str, Any]:
    """Metadata from the head of the page."""
    properties: dict[str, Any] = {}
    title = tree.css_first("title")
    if title is not None and title.text().strip():
        properties["title"] = " ".join(title.text().split())
    root = tree.root
    language = root.attributes.get("lang") if root is not None else None
    if language:
        properties["language"] = language
    names = {"author": "author", "date": "date", "dc.creator": "author", "article:published_time": "date"}
    for meta in tree.css("meta[content]"):
        name = meta.attributes.get("name") or meta.attributes.get("property") or ""
        key = names.get(name.lower())
        if key and meta.attributes["content"]:
            properties.setdefault(key, meta.attributes["content"].strip())
    return properties
