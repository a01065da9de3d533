"""Machine-read pages with the place of every line on them: ALTO, PAGE and hOCR."""

from collections.abc import Iterator
from typing import Any

from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument
from ibidem.corpus.readers.running_text import RunningText
from ibidem.corpus.readers.xml import local_name, parse_xml, text_of

_NO_TEXT = "no text in it: needs OCR"
_HOCR_LINES = ("ocr_line", "ocrx_line", "ocr_header", "ocr_textfloat", "ocr_caption")


def read_alto(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an ALTO file: a page or several, line by line, each with its box.

    A word that a line or page divides is whole where it begins, if the file says what it is. It says so, too, of one
    that the end of the file divides, and of the rest of one with which it begins.

    Raises:
        NoTextError: no line has a word.
        UnreadableError: it is not well-formed.
    """
    text, words = RunningText(), _AltoWords()
    for number, page in enumerate(parse_xml(file.read()).iter("{*}Page")):
        text.begin("page", page.get("PRINTED_IMG_NR") or page.get("PHYSICAL_IMG_NR") or str(number + 1), _id(page))
        line_number = 0
        for block in page.iter("{*}TextBlock"):
            text.break_paragraph()
            for line in block.iter("{*}TextLine"):
                line_number += 1
                text.break_line()
                text.begin("line", str(line_number), _alto_target(line))
                words.add_line(text, line)
        text.end("line")
        text.break_paragraph()
    rest, rest_of = words.rest
    yield _finish(text)._replace(divided=words.divided or "", rest=rest, rest_of=rest_of)


class _AltoWords:
    """Appends the words of lines; a blank comes between two although a file may not note it.

    Attributes:
        divided: the word that was written where it begins, until its end is passed.
        rest: what comes first if it is the end of a word that begins in another file, and this word.
    """

    def __init__(self) -> None:
        self.divided: str | None = None
        self.rest = ("", "")
        self._is_first = True

    def add_line(self, text: RunningText, line: Any) -> None:
        """Append the words of a line."""
        for element in line:
            name = local_name(element)
            if name == "String":
                text.add(" ")
                text.add(self._read(element))
            elif name == "SP":
                text.add(" ")
            elif name == "HYP" and self.divided is None:
                text.add_verbatim(element.get("CONTENT") or "-")

    def _read(self, word: Any) -> str:
        part, whole, content = word.get("SUBS_TYPE"), word.get("SUBS_CONTENT"), word.get("CONTENT") or ""
        is_first, self._is_first = self._is_first, False
        if part == "HypPart2" and is_first:
            self.rest = content, whole or ""
        if part == "HypPart2" and self.divided is not None and whole in (None, self.divided):
            self.divided = None
            return ""
        self.divided = whole if part == "HypPart1" and whole else None
        return self.divided or content


def _id(element: Any) -> str:
    name = element.get("ID") or element.get("id") or ""
    return f"#{name}" if name else ""


def _alto_target(line: Any) -> str:
    box = [line.get(name) for name in ("HPOS", "VPOS", "WIDTH", "HEIGHT")]
    return _target(_id(line), box if all(box) else None)


def _target(id: str, box: list[Any] | None) -> str:
    """A pointer to an element, then its box as in a media fragment: ``#line_7 xywh=10,20,300,18``."""
    return " ".join(part for part in (id, f"xywh={','.join(map(str, box))}" if box else "") if part)


def read_page(file: Opened) -> Iterator[ReadDocument]:
    """The one document of a PAGE file, in its reading order, line by line.

    Raises:
        NoTextError: no line has a word.
        UnreadableError: it is not well-formed.
    """
    text = RunningText()
    for number, page in enumerate(parse_xml(file.read()).iter("{*}Page")):
        text.begin("page", page.get("imageFilename") or str(number + 1))
        line_number = 0
        for region in _in_reading_order(page):
            text.break_paragraph()
            for line in region.findall("{*}TextLine"):
                content = _page_text(line)
                if content:
                    line_number += 1
                    text.break_line()
                    text.begin("line", str(line_number), _target(_id(line), _page_box(line)))
                    text.add(content)
            if region.find("{*}TextLine") is None:
                text.add(_page_text(region))
        text.end("line")
        text.break_paragraph()
    yield _finish(text)


def _in_reading_order(page: Any) -> list[Any]:
    regions = {region.get("id"): region for region in page.iter("{*}TextRegion")}
    order = [reference.get("regionRef") for reference in page.iter("{*}RegionRefIndexed")]
    ordered_names = [name for name in dict.fromkeys(order) if name in regions]
    return [regions[name] for name in ordered_names] + [
        region for name, region in regions.items() if name not in ordered_names
    ]


def _page_text(element: Any) -> str:
    """The first reading of a line or region."""
    readings = sorted(element.findall("{*}TextEquiv"), key=lambda text_equiv: int(text_equiv.get("index") or 0))
    for reading in readings:
        words = reading.find("{*}Unicode")
        if words is not None and words.text:
            return str(words.text)
    return " ".join(filter(None, map(_page_text, element.findall("{*}Word"))))


def _page_box(line: Any) -> list[int] | None:
    coordinates = line.find("{*}Coords")
    points = (coordinates.get("points") or "").split() if coordinates is not None else []
    try:
        pairs = [tuple(map(int, point.split(","))) for point in points]
        xs, ys = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    except (ValueError, IndexError):
        return None
    return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)] if pairs else None


def read_hocr(file: Opened) -> Iterator[ReadDocument]:
    """The one document of an hOCR file.

    Raises:
        NoTextError: no line has a word.
        UnreadableError: it is no HTML that can be parsed.
    """
    from lxml import html

    from ibidem.corpus.readers.html import decode_page

    root = html.document_fromstring(decode_page(file.read(), file.encoding).encode(), parser=_hocr_parser())
    text = RunningText()
    for number, page in enumerate(_of_class(root, "ocr_page")):
        text.begin("page", _hocr_number(page, number), _id(page))
        for line_number, line in enumerate(_of_class(page, *_HOCR_LINES), 1):
            text.break_line()
            text.begin("line", str(line_number), _target(_id(line), _hocr_box(line)))
            text.add(text_of(line))
        text.end("line")
        text.break_paragraph()
    yield _finish(text)


def _hocr_parser() -> Any:
    from lxml import html

    return html.HTMLParser(encoding="utf-8", no_network=True)


def _of_class(root: Any, *names: str) -> Iterator[Any]:
    return (element for element in root.iter() if set((element.get("class") or "").split()) & set(names))


def _property(element: Any, name: str, default: str) -> str:
    """A property of the title of an hOCR element, such as ``bbox``."""
    for part in (element.get("title") or "").split(";"):
        key, _, value = part.strip().partition(" ")
        if key == name:
            return value.strip().strip('"')
    return default


def _hocr_number(page: Any, default: int) -> str:
    """The number of a page from 1; hOCR counts from 0."""
    number = _property(page, "ppageno", str(default))
    return str(int(number) + 1) if number.isdigit() else number


def _hocr_box(line: Any) -> list[int] | None:
    try:
        left, top, right, bottom = map(int, _property(line, "bbox", "").split())
    except ValueError:
        return None
    return [left, top, right - left, bottom - top]


def _finish(text: RunningText) -> ReadDocument:
    body, spans = text.finish()
    if not body:
        raise NoTextError(_NO_TEXT)
    return ReadDocument(body, {}, spans)
