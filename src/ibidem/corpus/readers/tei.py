"""TEI: the running text of an edition, with its pages, lines, verses, sections and milestones."""

from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import local_name, parse_xml, text_of, xml_id

_LEFT_OUT = {"teiHeader", "fw", "rdg", "del", "gap", "figDesc", "facsimile", "sourceDoc", "standOff", "xenoData"}
_CHOICES = ("corr", "reg", "expan", "seg")
_PARAGRAPHS = {
    "p", "ab", "div", "div1", "div2", "div3", "div4", "head", "lg", "sp", "list", "table", "quote", "floatingText",
    "front", "body", "back", "group", "opener", "closer", "titlePage", "docTitle", "epigraph", "trailer", "stage",
    "speaker", "argument", "castList",
}  # fmt: skip
_LINES = {"l", "item", "row", "titlePart", "byline", "dateline", "signed", "salute"}
_DIVISIONS = {"div", "div1", "div2", "div3", "div4"}


def read(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a TEI file.

    Of a ``choice``, the corrected, regularised or expanded form is read; of an ``app``, the lemma. Notes come after
    the paragraph in which they are. Running heads, deletions and the header are left out; the header gives title,
    author and date.

    Raises:
        NoTextError: the file has no text besides its header.
        UnreadableError: it is not well-formed.
    """
    root = parse_xml(file.read())
    text = RunningText()
    walk = _Walk(text)
    for element in root.iter("{*}text"):
        if local_name(element.getparent()) in ("TEI", "TEI.2", ""):
            walk.add(element)
    body, spans = text.finish()
    if not body:
        raise NoTextError("no text: a TEI file with nothing but a header or page images")
    yield ReadDocument(body, _describe(root), spans)


def read_any_xml(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an XML file of no kind that is known: all text in it, a line for each element with text.

    Raises:
        UnreadableError: it is not well-formed.
    """
    text = RunningText()
    _add_any(text, parse_xml(file.read()))
    body, spans = text.finish()
    yield ReadDocument(body, {}, spans)


def _add_any(text: RunningText, element: Any) -> None:
    """Add all text in an element, in its order; XML nests at most 256 elements, so recursion is bounded."""
    if element.text and element.text.strip():
        text.break_line()
        text.add(element.text)
    for child in element:
        if local_name(child):
            _add_any(text, child)
        if child.tail:
            text.add(f" {child.tail}")


class _Walk:
    """One walk through a text; XML nests at most 256 elements, so recursion is bounded."""

    def __init__(self, text: RunningText) -> None:
        self._text = text
        self._notes: list[Any] = []

    def add(self, element: Any) -> None:
        """Take in an element with all below it, and the notes in it after it."""
        name = local_name(element)
        before = len(self._notes)
        self._begin(element, name)
        self._text.add(element.text or "")
        for child in _children(element, name):
            self._add_child(child)
        self._end(name)
        if name in _PARAGRAPHS or name in _LINES or name == "text":
            self._place_notes(before)

    def _add_child(self, child: Any) -> None:
        name = local_name(child)
        if name == "note":
            self._notes.append(child)
        elif name and name not in _LEFT_OUT:
            self.add(child)
        tail = child.tail or ""
        self._text.add(tail.lstrip() if name == "lb" and child.get("break") == "no" else tail)

    def _place_notes(self, before: int) -> None:
        notes, self._notes = self._notes[before:], self._notes[:before]
        for note in notes:
            self._text.break_paragraph()
            self._text.add(note.text or "")
            for child in note:
                self._add_child(child)
            self._text.break_paragraph()

    def _begin(self, element: Any, name: str) -> None:
        text, label, target = self._text, element.get("n") or "", xml_id(element)
        if name in _PARAGRAPHS:
            text.break_paragraph()
        elif name in _LINES:
            text.break_line()
        if name == "pb":
            if element.get("break") != "no":
                text.add(" ")
            text.begin("page", label or (element.get("facs") or ""), target)
            text.end("line")
        elif name == "cb":
            text.begin("column", label, target)
        elif name == "lb":
            if element.get("break") == "no":
                text.join()
                text.drop_hyphen()
            else:
                text.break_line()
            text.begin("line", label, target)
        elif name == "milestone":
            text.begin(element.get("unit") or "milestone", label, target)
        elif name in _DIVISIONS:
            text.begin("section", _label_of_division(element, label), target)
        elif name in ("l", "ab", "p") and (label or target):
            text.begin("verse" if name == "l" else "paragraph", label, target)
        elif name == "cell":
            text.add(" ")

    def _end(self, name: str) -> None:
        if name in ("l", "ab", "p"):
            self._text.end("verse" if name == "l" else "paragraph")
        if name in _PARAGRAPHS:
            self._text.break_paragraph()
        elif name in _LINES:
            self._text.break_line()
        elif name == "cell":
            self._text.add(" ")


def _children(element: Any, name: str) -> list[Any]:
    """The children that are read: one of the forms of a ``choice``, the lemma of an ``app``, otherwise all."""
    children = list(element)
    if name == "choice":
        return _choose(children, _CHOICES)
    if name == "app":
        return _choose(children, ("lem",)) or [child for child in children if local_name(child) == "rdg"][:1]
    return children


def _choose(children: list[Any], names: tuple[str, ...]) -> list[Any]:
    for name in names:
        for child in children:
            if local_name(child) == name:
                return [child]
    return children[:1] if names is _CHOICES else []


def _label_of_division(element: Any, number: str) -> str:
    head = element.find("{*}head")
    title = text_of(head) if head is not None else ""
    return " ".join(part for part in (number, title) if part) or (element.get("type") or "")


def _describe(root: Any) -> dict[str, Any]:
    """Title, author, editor and date of the header."""
    properties: dict[str, Any] = {}
    statement = root.find(".//{*}titleStmt")
    for name in ("title", "author", "editor"):
        element = None if statement is None else statement.find(f"{{*}}{name}")
        if element is not None and text_of(element):
            properties[name] = text_of(element)
    for path in (".//{*}sourceDesc//{*}date", ".//{*}publicationStmt//{*}date"):
        date = root.find(path)
        if date is not None:
            value = date.get("when") or date.get("when-iso") or text_of(date)
            if value:
                properties.setdefault("date", value)
    return properties
