"""Two texts as one TEI file with an apparatus, by the method of parallel segmentation.

Words that both texts have are there once. Where they differ, an ``app`` has a ``rdg`` for each text that has words
there. Words that were moved have an ``app`` at either place, whose readings point to each other. The words of a text,
in order, are all that is outside of ``app`` and inside of its own ``rdg``; white space is that of the first text.
"""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from ibidem.comparison.model import Comparison, Locator, Run
from ibidem.text.escapes import escape_controls

_TEI = "http://www.tei-c.org/ns/1.0"
_ID = "{http://www.w3.org/XML/1998/namespace}id"

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


class _Segment(NamedTuple):
    """A run with the text behind it; a moved run has a segment for either text.

    Attributes:
        place: its order: where it is in the first text, then in the second.
        start: where ``a`` begins in the first text.
        moved: the number of a moved run.
    """

    place: tuple[int, int]
    kind: str
    a: str
    b: str
    start: int
    moved: int = 0


def write_apparatus(comparison: Comparison, path: Path, *, unit: str = "", milestones: Iterable[Locator] = ()) -> None:
    """Write the comparison of two whole texts to a new file.

    Args:
        unit: what ``milestones`` are, such as ``"line"``.
        milestones: units of the first text, in order; a ``milestone`` marks the begin of each.
    """
    root = ElementTree.Element("TEI", {"xmlns": _TEI})
    _add_header(root, comparison)
    body = ElementTree.SubElement(ElementTree.SubElement(root, "text"), "body")
    writer = _Writer(ElementTree.SubElement(body, "ab"), unit, milestones)
    for segment in sorted(_segments(comparison), key=lambda each: each.place):
        writer.add(segment)
    writer.add_milestones(len(comparison.a.text) + 1)
    ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _segments(comparison: Comparison) -> Iterator[_Segment]:
    """The runs, each with the text up to the next one; what precedes the first run is a segment of its own."""
    of_a, of_b = (
        _extents(comparison.runs, "a", len(comparison.a.text)),
        _extents(comparison.runs, "b", len(comparison.b.text)),
    )
    yield _Segment((-1, -1), "equal", comparison.a.text[: of_a.first], comparison.b.text[: of_b.first], 0)
    ends = sorted((run.b_end, run.a_end) for run in comparison.runs if run.kind != "moved")
    for number, run in enumerate(comparison.runs):
        a, b = comparison.a.text[slice(*of_a.of[number])], comparison.b.text[slice(*of_b.of[number])]
        if run.kind == "moved":
            before = bisect_right(ends, (run.b_start, len(comparison.a.text)))
            place = ends[before - 1][1] if before else 0
            yield _Segment((run.a_start, run.b_start), "moved", a, "", run.a_start, number + 1)
            yield _Segment((place, run.b_start), "moved", "", b, place, number + 1)
        else:
            yield _Segment((run.a_start, run.b_start), run.kind, a, b, run.a_start)


class _Extents(NamedTuple):
    """Where the first run of a side begins, and the range of each up to the next."""

    first: int
    of: list[tuple[int, int]]


def _extents(runs: Sequence[Run], side: str, length: int) -> _Extents:
    """The ranges of runs on one side, each up to the begin of the next that has words there."""
    places = [(run.a_start, run.a_end) if side == "a" else (run.b_start, run.b_end) for run in runs]
    order = sorted(at for at, _ in {place for place in places if place[0] < place[1]})
    follows = dict(zip(order, [*order[1:], length], strict=False))
    of = [(start, follows[start]) if start < end else (start, start) for start, end in places]
    return _Extents(order[0] if order else length, of)


class _Writer:
    """Adds segments to the text of an element."""

    def __init__(self, element: ElementTree.Element, unit: str, milestones: Iterable[Locator]) -> None:
        self._element, self._unit = element, unit
        self._milestones = deque(milestones)

    def add(self, segment: _Segment) -> None:
        """Add a segment: its text where both have the same words, else an ``app``."""
        if segment.kind != "equal":
            self._add_app(segment.a, segment.b, segment.start, segment.moved)
            return
        at = segment.start
        for a, b in _cut_variants(segment.a, segment.b):
            if a.split() == b.split():
                self._add_text(a, at)
            else:
                self._add_app(a, b, at)
            at += len(a)

    def add_milestones(self, end: int) -> None:
        """Add the milestones before a place of the first text."""
        while self._milestones and self._milestones[0].start < end:
            name = escape_controls(self._milestones.popleft().label)
            ElementTree.SubElement(self._element, "milestone", {"unit": self._unit, "n": name, "ed": "#a"})

    def _add_text(self, text: str, start: int) -> None:
        """Add words that both have, with the milestones among them."""
        at = start
        while self._milestones and self._milestones[0].start < start + len(text):
            begin = max(at, self._milestones[0].start)
            _append(self._element, text[at - start : begin - start])
            self.add_milestones(begin + 1)
            at = begin
        _append(self._element, text[at - start :])

    def _add_app(self, a: str, b: str, start: int, moved: int = 0) -> None:
        """Add an ``app`` with what each text has; white space that ends the first is behind it."""
        if a:
            self.add_milestones(start + len(a.rstrip()))
        app = ElementTree.SubElement(self._element, "app", {"type": "moved"} if moved else {})
        for name, other, words in (("a", "b", a), ("b", "a", b)):
            if words.strip() or not moved:
                facts = {_ID: f"moved-{moved}-{name}", "corresp": f"#moved-{moved}-{other}"} if moved else {}
                ElementTree.SubElement(app, "rdg", {"wit": f"#{name}"} | facts).text = _clean(words.strip()) or None
        app.tail = _clean(a[len(a.rstrip()) :]) or " "


def _cut_variants(a: str, b: str) -> Iterator[tuple[str, str]]:
    """Words that count as the same, cut where they are not spelled alike."""
    if a.split() == b.split():
        yield a, b
        return
    words = _with_space(a), _with_space(b)
    bare = [[word.strip() for word in side] for side in words]
    if len(bare[0]) == len(bare[1]):
        codes = [(at, at + 1, at, at + 1) for at in range(len(bare[0]))]
    else:
        codes = [code[1:] for code in SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_opcodes()]
    for a_first, a_last, b_first, b_last in codes:
        yield "".join(words[0][a_first:a_last]), "".join(words[1][b_first:b_last])


def _with_space(text: str) -> list[str]:
    """The words of a text, each with the white space behind it; that before the first belongs to it, too."""
    parts, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        parts.append(at)
        at += len(word)
    bounds = [0, *parts[1:], len(text)] if parts else [0, len(text)]
    return [text[first:last] for first, last in pairwise(bounds)]


def _append(element: ElementTree.Element, text: str) -> None:
    """Add text behind all that an element holds."""
    text = _clean(text)
    if len(element):
        element[-1].tail = (element[-1].tail or "") + text
    else:
        element.text = (element.text or "") + text


def _clean(text: str) -> str:
    """The text with line ends as XML has them, and marks for the characters that it cannot hold."""
    return _NO_XML.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


def _add_header(root: ElementTree.Element, comparison: Comparison) -> None:
    header = ElementTree.SubElement(root, "teiHeader")
    description = ElementTree.SubElement(header, "fileDesc")
    title = ElementTree.SubElement(ElementTree.SubElement(description, "titleStmt"), "title")
    title.text = escape_controls(f"{comparison.a.document} and {comparison.b.document}")
    ElementTree.SubElement(ElementTree.SubElement(description, "publicationStmt"), "p").text = "Not published"
    witnesses = ElementTree.SubElement(ElementTree.SubElement(description, "sourceDesc"), "listWit")
    for name, side in (("a", comparison.a), ("b", comparison.b)):
        ElementTree.SubElement(witnesses, "witness", {_ID: name}).text = escape_controls(side.document)
    encoding = ElementTree.SubElement(header, "encodingDesc")
    ElementTree.SubElement(encoding, "variantEncoding", {"method": "parallel-segmentation", "location": "internal"})
