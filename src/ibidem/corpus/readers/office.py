"""Text documents of word processors: .docx and .odt."""

from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.packed import open_zip, read_member
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import leave_out_ruby, local_name, parse_xml, text_of

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def read_docx(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a .docx: paragraphs, tables, then footnotes and endnotes.

    Text that is deleted, hidden, or moved elsewhere is left out. Sections are those under headings, pages those at
    whose breaks the word processor says a page ended; if it says nothing, those at breaks that an author has set.

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
    """Numbers the pages of a .docx by the breaks that the word processor noted, or else by those of its author.

    Attributes:
        mark: the piece of text that begins a page: ``"\\f"`` for a break that was noted, ``"\\v"`` for a set one.
    """

    def __init__(self, text: RunningText, document: Any) -> None:
        self._text, self._number = text, 0
        is_noted = next(document.iter(f"{_WORD}lastRenderedPageBreak"), None) is not None
        self.mark = "\f" if is_noted else "\v"
        if is_noted or any(map(_is_page_break, document.iter(f"{_WORD}br", f"{_WORD}pageBreakBefore"))):
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
            if piece in _BREAKS:
                if pages is not None and piece == pages.mark:
                    pages.turn()
            elif piece == "\n":
                text.break_line()
            else:
                text.add(piece)
    text.break_paragraph()


def _paragraph_text(paragraph: Any) -> str:
    return " ".join("".join(piece for piece in _pieces(paragraph) if piece not in _BREAKS).split())


_BREAKS = ("\f", "\v")


def _is_page_break(element: Any) -> bool:
    if local_name(element) == "br":
        return bool(element.get(f"{_WORD}type") == "page")
    return element.get(f"{_WORD}val") not in ("0", "false", "off")


def _is_gone(run: Any) -> bool:
    """Whether a run, or a cell or row around it, is hidden, deleted, or moved elsewhere."""
    hidden = run.find(f"{_WORD}rPr/{_WORD}vanish")
    if hidden is not None and hidden.get(f"{_WORD}val") not in ("0", "false", "off"):
        return True
    return any(
        local_name(around) in ("moveFrom", "del")
        or around.find(f"{_WORD}tcPr/{_WORD}cellDel") is not None
        or around.find(f"{_WORD}trPr/{_WORD}del") is not None
        for around in run.iterancestors()
    )


def _pieces(paragraph: Any) -> Iterator[str]:
    """The text of a paragraph in pieces.

    ``\\n`` is where a line ends, ``\\f`` where the word processor noted that a page does, and ``\\v`` where an author
    ended one.
    """
    for run in paragraph.iter(f"{_WORD}r", f"{_WORD}pPr"):
        if local_name(run) == "pPr":
            if any(map(_is_page_break, run.iterchildren(f"{_WORD}pageBreakBefore"))):
                yield "\v"
        elif _nearest(run, "p") is paragraph and _nearest(run, "Fallback") is None and not _is_gone(run):
            yield from _pieces_of_run(run)


def _pieces_of_run(run: Any) -> Iterator[str]:
    for node in run:
        name = local_name(node)
        if name == "t":
            yield node.text or ""
        elif name == "tab":
            yield " "
        elif name == "lastRenderedPageBreak":
            yield "\f"
        elif name == "br" and _is_page_break(node):
            yield "\v"
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
