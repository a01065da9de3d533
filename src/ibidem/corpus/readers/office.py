"""Text documents of word processors: .docx and .odt."""

from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.packed import open_zip, read_member
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import leave_out_ruby, local_name, parse_xml, text_of

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read_docx(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a .docx: paragraphs, tables, then footnotes and endnotes; deleted text is left out.

    Sections are those under headings, pages those at whose breaks the file says a page ended.

    Raises:
        UnreadableError: the file is damaged.
    """
    from docx import Document
    from docx.opc.exceptions import OpcError

    with open_zip(file.stream, file.largest):
        pass
    file.stream.seek(0)
    try:
        document = Document(file.stream)
        leave_out_ruby(document.element.body)
        text = RunningText()
        styles = {style.style_id: style.name or "" for style in document.styles if style.type == 1}
        _add_blocks(text, document.element.body, styles, _Pages(text, document.element.body))
        for part in document.part.package.iter_parts():
            if str(part.partname).endswith(("/footnotes.xml", "/endnotes.xml")):
                text.begin("section", "notes")
                _add_blocks(text, parse_xml(part.blob), styles, None)
        properties = document.core_properties
        values = {"title": properties.title, "author": properties.author, "date": properties.created}
    except (OpcError, KeyError, ValueError, AttributeError, TypeError) as error:
        raise UnreadableError(f"damaged .docx ({error})") from error
    body, spans = text.finish()
    yield ReadDocument(body, {name: str(value) for name, value in values.items() if value}, spans)


class _Pages:
    """Numbers the pages of a .docx by the breaks that the word processor noted; without any, nothing is known."""

    def __init__(self, text: RunningText, document: Any) -> None:
        self._text, self._number = text, 0
        if next(document.iter(f"{_WORD}lastRenderedPageBreak"), None) is not None:
            self.turn()

    def turn(self) -> None:
        """Begin the next page."""
        self._number += 1
        self._text.begin("page", str(self._number))


def _add_blocks(text: RunningText, root: Any, styles: dict[str, str], pages: _Pages | None) -> None:
    """Append all paragraphs below ``root``, those in tables and text boxes among them, each once."""
    for paragraph in root.iter(f"{_WORD}p"):
        text.break_paragraph()
        style = paragraph.find(f"{_WORD}pPr/{_WORD}pStyle")
        name = styles.get(style.get(f"{_WORD}val"), "") if style is not None else ""
        if name.lower().startswith(("heading", "title")):
            text.begin("section", _paragraph_text(paragraph))
        for piece in _pieces(paragraph):
            if piece == "\f" and pages is not None:
                pages.turn()
            elif piece == "\n":
                text.break_line()
            elif piece != "\f":
                text.add(piece)
    text.break_paragraph()


def _paragraph_text(paragraph: Any) -> str:
    return " ".join("".join(piece for piece in _pieces(paragraph) if piece != "\f").split())


def _pieces(paragraph: Any) -> Iterator[str]:
    """The text of a paragraph in pieces; ``\\f`` where a page ends and ``\\n`` where a line does."""
    for node in paragraph.iter():
        name = local_name(node)
        if name == "t" and _nearest(node, "p") is paragraph and _nearest(node, "Fallback") is None:
            yield node.text or ""
        elif name == "tab":
            yield " "
        elif name == "lastRenderedPageBreak":
            yield "\f"
        elif name in ("br", "cr"):
            yield "\n"
        elif name == "noBreakHyphen":
            yield "-"


def _nearest(node: Any, name: str) -> Any:
    """The nearest element around ``node`` with this name."""
    node = node.getparent()
    while node is not None and local_name(node) != name:
        node = node.getparent()
    return node


def read_odt(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an .odt; its sections are those under headings.

    Raises:
        UnreadableError: the file is damaged.
    """
    with open_zip(file.stream, file.largest) as archive:
        content = parse_xml(read_member(archive, "content.xml"))
        meta = parse_xml(read_member(archive, "meta.xml")) if "meta.xml" in archive.namelist() else None
    text = RunningText()
    for body in content.iter("{*}text"):
        if local_name(body.getparent()) == "body":
            _add_odt(text, body)
    out, spans = text.finish()
    yield ReadDocument(out, {} if meta is None else _describe_odt(meta), spans)


_ODT_LEFT_OUT = {"tracked-changes", "sequence-decls", "annotation", "annotation-end", "forms", "note-citation"}


def _add_odt(text: RunningText, element: Any) -> None:
    for child in element:
        name = local_name(child)
        if name in _ODT_LEFT_OUT or not name:
            text.add(child.tail or "")
            continue
        if name in ("p", "h"):
            text.break_paragraph()
        if name == "h":
            text.begin("section", text_of(child))
        if name in {"s", "tab"}:
            text.add(" ")
        elif name == "line-break":
            text.break_line()
        text.add(child.text or "")
        _add_odt(text, child)
        if name in ("p", "h"):
            text.break_paragraph()
        text.add(child.tail or "")


def _describe_odt(meta: Any) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    names = {"title": "title", "creator": "author", "initial-creator": "author", "creation-date": "date"}
    for element in meta.iter():
        key = names.get(local_name(element))
        if key and element.text:
            properties.setdefault(key, element.text.strip())
    return properties
