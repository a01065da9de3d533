"""Ruby, how words are read aloud, is no part of a text: a file with it and one without are the same document."""

import io

import pytest

pytest.importorskip("pypdf")

from ibidem.corpus.readers.document import Opened
from ibidem.corpus.readers.registry import find_kind
from tests.corpus.readers import samples

TEXT = "吾輩は猫である。"
HTML = "<ruby>吾輩<rp>(</rp><rt>わがはい</rt><rp>)</rp></ruby>は<ruby>猫<rt>ねこ</ruby>である。"
ONE_BY_ONE = "<ruby>吾<rt>わが<rb>輩<rt>はい</ruby>は<RUBY>猫<RT>ねこ</RT></RUBY>である。"
OF_TWO_SIDES = "<ruby>吾輩<rtc><rt>わがはい</rt></rtc><rtc><rt>wagahai</rt></rtc></ruby>は猫である。"
XML = "<ruby><rb>吾輩</rb><rt>わがはい</rt></ruby>は<ruby><rb>猫</rb><rp>(</rp><rt>ねこ</rt><rp>)</rp></ruby>である。"
ODF = (
    "<text:ruby><text:ruby-base>吾輩</text:ruby-base><text:ruby-text>わがはい</text:ruby-text></text:ruby>は猫である。"
)
OOXML = (
    '<w:r xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:ruby><w:rubyPr/>'
    "<w:rt><w:r><w:t>わがはい</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>吾輩</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)


def _page(text: str) -> bytes:
    return f"<html><meta charset=utf-8><body><h1>{text}</h1><p>{text}</p></body></html>".encode()


def _docx(style: str) -> bytes:
    from docx import Document
    from docx.oxml import parse_xml

    document = Document()
    for name in (style, "Normal"):
        paragraph = document.add_paragraph(style=name)
        paragraph._p.append(parse_xml(OOXML))
        paragraph.add_run("は猫である。")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _odt() -> bytes:
    content = f"""<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
    xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text>
    <text:h>{ODF}</text:h><text:p>{ODF}</text:p></office:text></office:body></office:document-content>"""
    return samples.pack({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": content.encode()})


def _epub() -> bytes:
    container = '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>'
    package = """<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>
    <spine><itemref idref="a"/></spine></package>"""
    members = {"META-INF/container.xml": container.encode(), "book.opf": package.encode(), "a.xhtml": _page(HTML)}
    return samples.pack({"mimetype": b"application/epub+zip", **members})


def _tei() -> bytes:
    body = f"<text><body><div><head>{XML}</head><p>{XML}</p></div></body></text>"
    return f'<TEI xmlns="http://www.tei-c.org/ns/1.0">{body}</TEI>'.encode()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        *((f"{number}.html", _page(text)) for number, text in enumerate((HTML, ONE_BY_ONE, OF_TWO_SIDES))),
        ("book.tei.xml", _tei()),
        ("article.xml", f"<article><title>{XML}</title><p>{XML}</p></article>".encode()),
        ("heading.docx", _docx("Heading 1")),
        ("book.odt", _odt()),
        ("book.epub", _epub()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_how_a_word_is_read_is_left_out_of_text_and_headings(name: str, data: bytes) -> None:
    [document] = find_kind(name, data[:4096]).read(Opened(io.BytesIO(data), name))
    assert document.text.replace("\n", "").count(TEXT) >= 2
    everything = document.text + "".join(span.label for span in document.spans)
    assert not {*"わがねこ(wag"} & {*everything.replace("である", "")}
