"""Text documents of word processors: .docx and .odt."""

import posixpath
import zipfile
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ibidem.corpus.readers.document import Opened, ReadDocument, UnreadableError
from ibidem.corpus.readers.packed import open_zip, read_member
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import describe, local_name, parse_xml, text_of

_OFF = ("0", "false", "off")

_METADATA = {
    "title": "title",
    "creator": "author",
    "initial-creator": "author",
    "creation-date": "date",
    "created": "date",
}
"""The elements that describe a document."""


def read_docx(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a .docx, or of a template: paragraphs, tables, formulas, then footnotes and endnotes.

    Text that is deleted, hidden, or moved elsewhere is left out. Sections are those under headings, pages those at
    whose breaks the word processor says a page ended; if it says nothing, those at breaks that an author has set.

    Raises:
        UnreadableError: the file is damaged.
    """
    with open_zip(file) as archive:
        parts = _list_parts(archive, "")
        if "officeDocument" not in parts:
            raise UnreadableError("damaged .docx: it names no document")
        main = parts["officeDocument"][0]
        related = _list_parts(archive, main)
        body = parse_xml(read_member(archive, main)).find("{*}body")
        styles = [parse_xml(read_member(archive, path)) for path in related.get("styles", ())]
        notes = [
            parse_xml(read_member(archive, path))
            for kind in ("footnotes", "endnotes")
            for path in related.get(kind, ())
        ]
        properties = [parse_xml(read_member(archive, path)) for path in parts.get("core-properties", ())]
    if body is None:
        raise UnreadableError("damaged .docx: its document has no body")
    names = {
        _value(style, "styleId"): _value(style.find("{*}name"), "val")
        for root in styles
        for style in root.iter("{*}style")
        if _value(style, "type") == "paragraph"
    }
    text = RunningText()
    _mark_sections(body)
    _add_blocks(text, body, names, _Pages(text, body))
    for root in notes:
        text.begin("section", "notes")
        for note in _notes_of(root, body):
            _add_blocks(text, note, names, None)
    content, spans = text.finish()
    yield ReadDocument(content, describe((element for root in properties for element in root.iter()), _METADATA), spans)


def _list_parts(archive: zipfile.ZipFile, source: str) -> dict[str, list[str]]:
    """The paths of the parts that a part of the file, or the whole, refers to, by the kinds of the relations."""
    folder, name = posixpath.split(source)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    parts: dict[str, list[str]] = {}
    if relations not in archive.namelist():
        return parts
    for relation in parse_xml(read_member(archive, relations)).iter("{*}Relationship"):
        if relation.get("TargetMode") != "External":
            path = posixpath.normpath(posixpath.join("/", folder, relation.get("Target") or "")).lstrip("/")
            parts.setdefault((relation.get("Type") or "").rpartition("/")[2], []).append(path)
    return parts


def _value(element: Any, name: str) -> str:
    """An attribute, in whichever namespace it is: a strict .docx has others; empty if it is not there."""
    if element is None:
        return ""
    return next((value for key, value in element.items() if key.rpartition("}")[2] == name), "")


class _Pages:
    """Numbers the pages of a .docx by the breaks that the word processor noted, or else by those of its author.

    Attributes:
        mark: the piece of text that begins a page: ``"\\f"`` for a break that was noted, ``"\\v"`` for a set one.
    """

    def __init__(self, text: RunningText, document: Any) -> None:
        self._text, self._number = text, 0
        is_noted = next(document.iter("{*}lastRenderedPageBreak"), None) is not None
        self.mark = "\f" if is_noted else "\v"
        if is_noted or any(map(_is_page_break, document.iter("{*}br", "{*}pageBreakBefore"))):
            self.turn()

    def turn(self) -> None:
        """Begin the next page."""
        self._number += 1
        self._text.begin("page", str(self._number))


def _mark_sections(body: Any) -> None:
    """Write a page break behind each section whose next one begins on a new page, as it does unless it says other."""
    sections = [each for each in body.iter("{*}sectPr") if local_name(each.getparent()) in ("pPr", "body")]
    for section, following in pairwise(sections):
        if _value(following.find("{*}type"), "val") in ("", "nextPage", "oddPage", "evenPage"):
            paragraph = section.getparent().getparent()
            namespace = section.tag.partition("}")[0] + "}"
            run = paragraph.makeelement(f"{namespace}r")
            run.append(run.makeelement(f"{namespace}br", {f"{namespace}type": "page"}))
            paragraph.append(run)


def _notes_of(root: Any, body: Any) -> Iterator[Any]:
    """The notes to what is there: a word processor keeps those to text that is deleted."""
    kind = local_name(root).removesuffix("s")
    references = list(body.iter(f"{{*}}{kind}Reference"))
    gone = {_value(each, "id") for each in references if _is_gone(each.getparent())}
    there = {_value(each, "id") for each in references if not _is_gone(each.getparent())}
    return (note for note in root if _value(note, "id") not in gone - there)


def _add_blocks(text: RunningText, root: Any, styles: dict[str, str], pages: _Pages | None) -> None:
    """Append all paragraphs below ``root``, those in tables and text boxes among them, each once."""
    _leave_out_field_codes(root)
    is_joined = False
    for paragraph in root.iter("{*}p"):
        if not is_joined:
            text.break_paragraph()
        name = styles.get(_value(paragraph.find("{*}pPr/{*}pStyle"), "val"), "")
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
        is_joined = any(paragraph.find(f"{{*}}pPr/{{*}}rPr/{{*}}{mark}") is not None for mark in ("del", "moveFrom"))
    text.break_paragraph()


def _leave_out_field_codes(root: Any) -> None:
    """Empty the text that is part of the codes of fields, such as the result of a field within a code."""
    codes: list[list[Any]] = []  # of each field that is open, the text of its code; none once its result has begun
    for node in root.iter("{*}fldChar", "{*}t"):
        kind = _value(node, "fldCharType")
        if kind == "begin":
            codes.append([node])
        elif kind and codes:
            for each in codes.pop():
                each.text = None
            if kind == "separate":
                codes.append([])
        else:
            for code in filter(None, codes):
                code.append(node)


def _paragraph_text(paragraph: Any) -> str:
    return " ".join("".join(piece for piece in _pieces(paragraph) if piece not in _BREAKS).split())


_BREAKS = ("\f", "\v")


def _is_page_break(element: Any) -> bool:
    if local_name(element) == "br":
        return _value(element, "type") == "page"
    return _value(element, "val") not in _OFF


def _is_gone(run: Any) -> bool:
    """Whether a run, or a cell or row around it, is hidden, deleted, or moved elsewhere."""
    hidden = run.find("{*}rPr/{*}vanish")
    if hidden is not None and _value(hidden, "val") not in _OFF:
        return True
    return any(
        local_name(around) in ("moveFrom", "del")
        or around.find("{*}tcPr/{*}cellDel") is not None
        or around.find("{*}trPr/{*}del") is not None
        for around in run.iterancestors()
    )


def _pieces(paragraph: Any) -> Iterator[str]:
    """The text of a paragraph in pieces.

    ``\\n`` is where a line ends, ``\\f`` where the word processor noted that a page does, and ``\\v`` where an author
    ended one.
    """
    for run in paragraph.iter("{*}r", "{*}pPr"):
        if local_name(run) == "pPr":
            if any(map(_is_page_break, run.iterchildren("{*}pageBreakBefore"))):
                yield "\v"
        elif _nearest(run, "p") is paragraph and _nearest(run, "Fallback") is None and not _is_gone(run):
            yield from _pieces_of_run(run)


def _pieces_of_run(run: Any) -> Iterator[str]:
    for node in run:
        name = local_name(node)
        if name == "t":
            yield node.text or ""
        elif name in ("tab", "ptab"):
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
    """The one document of an .odt, then its notes; sections are those under headings, pages those between breaks.

    Raises:
        UnreadableError: the file is damaged.
    """
    with open_zip(file) as archive:
        content = parse_xml(read_member(archive, "content.xml"))
        properties = [parse_xml(read_member(archive, "meta.xml"))] if "meta.xml" in archive.namelist() else []
    text = RunningText()
    walk = _OdtWalk(text, content)
    for body in content.iter("{*}text"):
        if local_name(body.getparent()) == "body":
            walk.follow(body)
    walk.add_notes()
    out, spans = text.finish()
    yield ReadDocument(out, describe((element for root in properties for element in root.iter()), _METADATA), spans)


_ODT_LEFT_OUT = {"tracked-changes", "sequence-decls", "annotation", "annotation-end", "forms"}


class _OdtWalk:
    """One walk through the text of an .odt, which leaves out what is hidden and keeps the notes for the end."""

    def __init__(self, text: RunningText, content: Any) -> None:
        self._text = text
        self._notes: list[Any] = []
        self._page = 0
        styles = list(content.iter("{*}style"))
        self._hidden = {_value(style, "name") for style in styles if _find_value(style, "display") == "none"}
        self._new_page = {
            _value(style, "name")
            for style in styles
            if _find_value(style, "break-before") == "page" or _value(style, "master-page-name")
        }
        self._page_after = {_value(style, "name") for style in styles if _find_value(style, "break-after") == "page"}
        breaking = self._new_page | self._page_after
        used = {_value(each, "style-name") for each in content.iter("{*}p", "{*}h", "{*}table")}
        if not breaking.isdisjoint(used) or next(content.iter("{*}soft-page-break"), None) is not None:
            self._turn()

    def follow(self, element: Any) -> None:
        """Take in what is below an element."""
        text = self._text
        for child in element:
            name, style = local_name(child), _value(child, "style-name")
            if name in _ODT_LEFT_OUT or not name or self._is_hidden(child, style):
                text.add(child.tail or "")
                continue
            if name == "note":
                self._notes += child.iter("{*}note-body")
                text.add(child.tail or "")
                continue
            if name in ("p", "h"):
                text.break_paragraph()
            if (style in self._new_page and len(text)) or name == "soft-page-break":
                self._turn()
            if name == "h":
                text.begin("section", text_of(child))
            if name in {"s", "tab"}:
                text.add(" ")
            elif name == "line-break":
                text.break_line()
            text.add(child.text or "")
            self.follow(child)
            if name in ("p", "h"):
                text.break_paragraph()
            if style in self._page_after:
                self._turn()
            text.add(child.tail or "")

    def add_notes(self) -> None:
        """Take in the notes, in their order."""
        self._text.end("page")
        if self._notes:
            self._text.break_paragraph()
            self._text.begin("section", "notes")
        for note in self._notes:
            self.follow(note)

    def _turn(self) -> None:
        self._page += 1
        self._text.begin("page", str(self._page))

    def _is_hidden(self, element: Any, style: str) -> bool:
        return style in self._hidden or _value(element, "is-hidden") == "true" or _value(element, "display") == "none"


def _find_value(style: Any, name: str) -> str:
    """A property of a style."""
    return next((value for each in style if (value := _value(each, name))), "")
