"""Each reader gives the text of a file with its places, and refuses what is damaged or hostile in one line."""

import gzip
import io
import json
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pypdf")

from ibidem.corpus import read
from ibidem.corpus.readers.document import NoTextError, Opened, ReadDocument, Span, UnreadableError
from ibidem.corpus.readers.form_feeds import find_pages
from ibidem.corpus.readers.isolation import IsolatedReader
from ibidem.corpus.readers.registry import KINDS, find_kind
from tests.corpus.readers import samples
from tests.corpus.readers.samples import FIRST, SAMPLES, SECOND


def read_all(name: str, data: bytes, **options: object) -> list[ReadDocument]:
    opened = Opened(io.BytesIO(data), name, **options)  # type: ignore[arg-type]
    return list(find_kind(name, data[:4096]).read(opened))


def spans_of(document: ReadDocument, kind: str) -> dict[str, str]:
    return {span.label: document.text[span.start : span.end] for span in document.spans if span.kind == kind}


def folded(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_gives_the_text_that_a_person_reads(name: str) -> None:
    [document] = read_all(name, SAMPLES[name]())
    text = folded(document.text)
    assert FIRST in text
    assert SECOND in text
    assert text.index(FIRST) < text.index(SECOND)
    for absent in ("alert", "Home", "Imprint", "deleted words", "running head", "ftorm", "META", "PageV", "ms0012"):
        assert absent not in text


@pytest.mark.parametrize("name", SAMPLES)
def test_spans_lie_within_the_text_in_order(name: str) -> None:
    [document] = read_all(name, SAMPLES[name]())
    assert document.spans
    assert document.spans == sorted(document.spans, key=lambda span: (span.start, -span.end))
    assert all(0 <= span.start < span.end <= len(document.text) for span in document.spans)


@pytest.mark.parametrize(
    ("name", "kind", "first", "second"),
    [
        ("letter.html", "section", "Morning", "Evening"),
        ("letter.pdf", "page", "1", "2"),
        ("letter.docx", "section", "Morning", "Evening"),
        ("letter.odt", "section", "Morning", "Evening"),
        ("letter.rtf", "section", "Morning", "Evening"),
        ("letter.rtf", "page", "1", "2"),
        ("letter.epub", "section", "Morning", "Evening"),
        ("letter.md", "section", "Morning", "Evening"),
        ("letter.tei.xml", "page", "12r", "12v"),
        ("letter.tei.xml", "section", "1 Morning", "2 Evening"),
        ("letter.alto.xml", "page", "7", "8"),
        ("letter.hocr", "page", "1", "2"),
        ("letter.page.xml", "line", "1", "2"),
        ("0001Author.Book.mARkdown", "page", "1:7", "1:8"),
    ],
)
def test_spans_hold_the_paragraphs_that_belong_to_them(name: str, kind: str, first: str, second: str) -> None:
    [document] = read_all(name, SAMPLES[name]())
    spans = spans_of(document, kind)
    assert FIRST in folded(spans[first])
    assert SECOND in folded(spans[second])
    assert SECOND not in folded(spans[first])


@pytest.mark.parametrize("name", ["letter.html", "letter.docx", "letter.epub", "letter.tei.xml", "0001.mARkdown"])
def test_title_and_author_become_metadata(name: str) -> None:
    make = samples.openiti if name == "0001.mARkdown" else SAMPLES[name]
    [document] = read_all(name, make())
    assert document.metadata["title"] == "The wreck"
    assert document.metadata["author"] == "A. Nyman"


def test_boxes_of_lines_point_to_the_page() -> None:
    [document] = read_all("a.xml", samples.alto())
    assert document.spans[1] == Span("line", "1", 0, len(FIRST[:30].rpartition(" ")[0]), "#l1 xywh=10,20,300,18")
    [document] = read_all("a.xml", samples.page_xml())
    assert document.spans[1].target == "#l0 xywh=1,2,10,5"


def test_a_word_that_a_tei_line_break_divides_is_one_word_and_notes_follow_their_paragraph() -> None:
    [document] = read_all("a.xml", samples.tei())
    assert "whole village walked" in document.text
    assert folded(document.text).index("lamps.") < folded(document.text).index("An explanation.")
    assert spans_of(document, "verse") == {"1": "first verse", "2": "second verse"}
    assert spans_of(document, "line")["2"].startswith("lage walked")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("naïve café — “so”", "utf-8-sig"), ("naïve café", "utf-16"), ("naïve café", "utf-32"), ("naïve café", "utf-8")],
)
def test_text_with_a_byte_order_mark_needs_no_encoding(text: str, encoding: str) -> None:
    [document] = read_all("a.txt", text.encode(encoding))
    assert document.text == text


def test_text_of_a_windows_machine_is_recognised_and_its_encoding_is_in_the_metadata() -> None:
    text = "Die Straße führte über die Brücke. „Grüß Gott“, sagte der Müller, und öffnete die Tür. " * 5
    [document] = read_all("a.txt", text.encode("cp1252"))
    assert document.text == text
    assert document.metadata["encoding"] == "cp1252"


def test_a_named_encoding_is_used_and_what_is_not_in_it_is_an_error_with_its_line() -> None:
    [document] = read_all("a.txt", "Ærø".encode("cp850"), encoding="cp850")
    assert document.text == "Ærø"
    with pytest.raises(UnreadableError, match="line 2, byte 5: not in ascii"):
        read_all("a.txt", b"abc\n\xff", encoding="ascii")
    with pytest.raises(UnreadableError, match="no encoding 'klingon'"):
        read_all("a.txt", b"abc", encoding="klingon")


def test_members_of_archives_are_documents_of_their_own() -> None:
    members = {"b/letter.docx": samples.docx(), "a.html": samples.html(), ".hidden": b"x", "__MACOSX/a": b"y"}
    documents = read_all("essays.zip", samples.pack(members))
    assert [document.member for document in documents] == ["a.html", "b/letter.docx"]
    inner = samples.pack({"essays.tar": samples.pack_tar(members)})
    assert [each.member for each in read_all("all.zip", inner)] == ["essays.tar/b/letter.docx", "essays.tar/a.html"]


def test_a_web_archive_gives_its_pages_with_their_addresses() -> None:
    [document] = read_all("crawl.warc", samples.warc())
    assert SECOND in folded(document.text)
    assert document.metadata["url"] == "http://example.org/wreck"
    assert document.metadata["date"].startswith("2024-05-06")


@pytest.mark.parametrize(
    ("name", "data", "cause"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("prog", b"\x7fELF\2\1", "a program"),
        ("data.bin", b"abc\0\1\2" * 50, "binary"),
        ("package-lock.json", b"{}", "a lock file"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office"),
        ("essay.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "protected by a password"),
        ("~$essay.docx", b"\x05Anna" + bytes(150), "a lock file"),
        ("essay.pages", samples.pack({"Index/Document.iwa": b"x"}), "an Apple file"),
        ("marks.xlsx", samples.pack({"[Content_Types].xml": b"<Types/>"}), "a spreadsheet"),
        ("talk.pptx", samples.pack({"[Content_Types].xml": b"<Types/>"}), "slides"),
        ("scan.pdf", samples.pdf(with_text=False), "needs OCR"),
        ("scan.xml", b"<alto><Layout><Page/></Layout></alto>", "needs OCR"),
        ("only.xml", b"<TEI><teiHeader/><text/></TEI>", "nothing but a header"),
    ],
)
def test_a_file_without_text_says_so(name: str, data: bytes, cause: str) -> None:
    with pytest.raises(NoTextError, match=cause):
        read_all(name, data)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("letter.md", "letter.html", "letter.hocr")])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.95])
def test_half_of_a_file_is_an_error_or_a_part_of_its_text(
    name: str, kept: float, tmp_path: Path, isolated: IsolatedReader
) -> None:
    data = SAMPLES[name]()
    path = tmp_path / name
    path.write_bytes(data[: int(len(data) * kept)])
    with suppress(UnreadableError):
        assert all(document.text for document in isolated.read(str(path), name, None, 1 << 30))


@pytest.fixture(scope="module")
def isolated() -> Iterator[IsolatedReader]:
    with IsolatedReader(seconds=20, memory=1 << 30) as reader:
        yield reader


def _write(path: Path, data: bytes) -> tuple[str, str]:
    path.write_bytes(data)
    return str(path), path.name


@pytest.mark.parametrize("name", SAMPLES)
def test_a_process_of_its_own_reads_the_same(name: str, tmp_path: Path, isolated: IsolatedReader) -> None:
    place = _write(tmp_path / name, SAMPLES[name]())
    assert list(isolated.read(*place, None, 1 << 30)) == read_all(name, SAMPLES[name]())


def _nest(depth: int) -> bytes:
    return samples.pack({"inner.zip": _nest(depth - 1)}) if depth else samples.pack({"a.txt": b"x"})


@cache
def _bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        with packed.open("word/document.xml", "w", force_zip64=True) as member:
            for _ in range(300):
                member.write(b" " * (1 << 20))
        packed.writestr("[Content_Types].xml", "<Types/>")
    return out.getvalue()


_LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY a "lolololololololololol">'
    + b"".join(b'<!ENTITY %c "%b">' % (98 + at, b"&%c;" % (97 + at) * 10) for at in range(10))
    + b"]><TEI><text><body><p>&k;</p></body></text></TEI>"
)
_OUTSIDE = (
    b'<?xml version="1.0"?><!DOCTYPE TEI [<!ENTITY out SYSTEM "file:///etc/passwd">]>'
    b"<TEI><text><body><p>before &out; after</p></body></text></TEI>"
)
_LOOP = samples.pdf().replace(b"/Kids [4 0 R 6 0 R]", b"/Kids [2 0 R 2 0 R]")


@pytest.mark.parametrize(
    ("name", "make", "cause"),
    [
        ("bomb.docx", _bomb, "zip bomb"),
        ("bomb.zip", _bomb, "zip bomb"),
        ("laughs.xml", lambda: _LAUGHS, "XML"),
        ("deep.xml", lambda: b"<a>" * 100_000 + b"</a>" * 100_000, "XML"),
        ("empty.docx", lambda: b"PK\3\4word/", "damaged"),
        ("loop.pdf", lambda: _LOOP, "."),
        ("deep.zip", lambda: _nest(5), "more than 3 deep"),
        ("none.warc", lambda: b"WARC/1.0\r\n\r\n", "."),
    ],
)  # fmt: skip
def test_a_hostile_file_is_an_error_in_one_line(
    name: str, make: Callable[[], bytes], cause: str, tmp_path: Path, isolated: IsolatedReader
) -> None:
    place = _write(tmp_path / name, make())
    with pytest.raises(UnreadableError, match=cause) as caught:
        list(isolated.read(*place, None, 1 << 30))
    assert "\n" not in str(caught.value).strip()


def test_nothing_outside_of_a_file_is_read(tmp_path: Path, isolated: IsolatedReader) -> None:
    place = _write(tmp_path / "outside.xml", _OUTSIDE)
    try:
        documents = list(isolated.read(*place, None, 1 << 30))
    except UnreadableError:
        return
    assert "root:" not in documents[0].text


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"<a>one <b>two <c>three</c> four</b> five <d/>six</a>", "one\ntwo\nthree four five six"),
        (b"<r><p>First <i>a <u>b</u></i> end.</p>tail</r>", "First\na\nb end. tail"),
        (b"<a>one <?pi x?>two<!-- no --> three</a>", "one two three"),
        (b"<a><b/>x<b>y</b></a>", "x\ny"),
        (b"<x>" * 250 + b"deep" + b"</x> end" * 249 + b"</x>", "deep" + 249 * " end"),
    ],
)
def test_the_text_of_any_xml_is_in_its_order(data: bytes, text: str) -> None:
    [document] = read_all("any.xml", data)
    assert document.text == text


def test_html_that_nests_thirty_thousand_times_is_read(tmp_path: Path, isolated: IsolatedReader) -> None:
    place = _write(tmp_path / "deep.html", b"<div>" * 30_000 + b"at the bottom")
    try:
        [document] = isolated.read(*place, None, 1 << 30)
    except UnreadableError:
        return
    assert document.text == "at the bottom"


def test_a_process_that_takes_too_long_is_ended_and_the_next_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "slow_reader_plugin.py"
    slow.write_text("def read(opened):\n    while True:\n        pass\n    yield\n")
    meta = tmp_path / "slow-1.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
    (meta / "entry_points.txt").write_text("[ibidem.readers]\nslow = slow_reader_plugin:read\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with IsolatedReader(seconds=1) as reader:
        with pytest.raises(UnreadableError, match="more than 1 s"):
            list(reader.read(*_write(tmp_path / "x.slow", b"abc"), None, 1 << 30))
        monkeypatch.setattr(reader, "_seconds", 240)
        [document] = reader.read(*_write(tmp_path / "x.md", b"abc"), None, 1 << 30)
        assert document.text == "abc"


def test_no_exit_waits_for_the_clock_of_a_file_whose_reading_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Timer.start

    def start_and_be_interrupted(clock: threading.Timer) -> None:
        start(clock)
        raise KeyboardInterrupt

    (tmp_path / "page.html").write_text("<p>words")
    monkeypatch.setattr(threading.Timer, "start", start_and_be_interrupted)
    with IsolatedReader() as reader, pytest.raises(KeyboardInterrupt):
        list(reader.read(str(tmp_path / "page.html"), "page.html", None, 1000))
    clocks = [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert [clock.daemon for clock in clocks] == [True]
    for clock in clocks:
        clock.cancel()


def test_every_kind_names_a_reader_that_exists() -> None:
    assert all(callable(kind.read) for kind in KINDS.values())


def test_a_folder_of_all_kinds_is_a_collection(tmp_path: Path) -> None:
    samples.write_samples(tmp_path / "letters")
    (tmp_path / "letters" / "more.zip").write_bytes(samples.pack({"inner/letter.odt": samples.odt()}))
    documents = {
        id: (text, json.loads(metadata))
        for batch in read(tmp_path / "letters")
        for id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True)
    }
    assert sorted(documents) == sorted([*SAMPLES, "more.zip/inner/letter.odt"])
    for text, metadata in documents.values():
        assert SECOND in folded(text)
        for start, end, label, kind, *target in metadata.get("locators", []):
            assert (0 <= start < end <= len(text), bool(kind)) == (True, True)
            assert isinstance(label, str)
            assert len(target) <= 1


@pytest.mark.parametrize(
    ("body", "text", "spans"),
    [
        (r"plain\par text", "plain\ntext", []),
        (r"a \\page b \'5cpage c", r"a \page b \page c", []),
        (r"one\page two", "one\n\ntwo", [("page", "1", 0, 5), ("page", "2", 5, 8)]),
        (r"one \uc1\u233\page two", "one é\n\ntwo", [("page", "1", 0, 7), ("page", "2", 7, 10)]),
        (r"{\*\hidden \page\s3 }no mark", "no mark", []),
        (r"one\sect two", "one\n\ntwo", [("page", "1", 0, 5), ("page", "2", 5, 8)]),
        (r"one{\sect}two", "one\n\ntwo", [("page", "1", 0, 5), ("page", "2", 5, 8)]),
        (r"one\sect\sectd\sbkodd\linex0 two", "one\n\ntwo", [("page", "1", 0, 5), ("page", "2", 5, 8)]),
        (r"one\sect\sectd\linex0\sbknone{\header h}two", "one\n\ntwo", []),
        (r"one\sect\sectd\sbkcol two", "one\n\ntwo", []),
        (r"\s2 no title\par\s3 A \b title\b0\par text", "no title\nA title\ntext", [("section", "A title", 9, 21)]),
        (r"\pard\s3\par\outlinelevel9 text", "text", []),
    ],
)
def test_rich_text_keeps_its_text_and_has_pages_and_sections(
    body: str, text: str, spans: list[tuple[str, str, int, int]]
) -> None:
    styles = r"{\stylesheet{\s2 Body;}{\s3\qc{\*\x y}\outlinelevel1 \u220?berschrift 2;}}"
    [document] = read_all("a.rtf", (r"{\rtf1\ansi" + styles + body + "}").encode())
    assert document.text == text
    assert [tuple(span[:4]) for span in document.spans] == spans


def make_book(spine: str, pages: dict[str, str], kinds: dict[str, str] | None = None) -> bytes:
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="{(kinds or {}).get(name, "application/xhtml+xml")}"/>'
        for name in pages
    )
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    )
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>'
    )
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "book.opf": package}
    members |= {f"{name}.xhtml": f"<html><body>{page}</body></html>" for name, page in pages.items()}
    return samples.pack({name: data.encode() for name, data in members.items()})


def test_notes_of_a_book_are_read_wherever_they_are() -> None:
    pages = {
        "one": "<header><h1>Chapter one</h1></header><p>First words.</p><aside epub:type='footnote'>A note.</aside>"
        "<footer>A colophon.</footer><div role='complementary'>A margin.</div><nav>no words</nav>",
        "notes": "<p>Notes apart.</p>",
        "two": "<p>Last words.</p>",
        "old": "<p>An old page.</p>",
        "picture": "<p>no page</p>",
    }
    spine = '<itemref idref="one"/><itemref idref="notes" linear="no"/><itemref idref="two"/><itemref idref="old"/>'
    kinds = {"old": "text/x-oeb1-document", "picture": "image/svg+xml"}
    [document] = read_all("a.epub", make_book(f'{spine}<itemref idref="picture"/>', pages, kinds))
    parts = ["Chapter one", "First words.", "A note.", "A colophon.", "A margin.", "Last words.", "An old page."]
    places = [document.text.index(part) for part in [*parts, "Notes apart."]]
    assert places == sorted(places)
    assert "no words" not in document.text
    assert "no page" not in document.text


@pytest.mark.parametrize(
    "note",
    [
        "<aside epub:type='footnote' hidden='hidden'>A note.</aside>",
        "<aside epub:type='footnote' style='display: none'>A note.</aside>",
        "<section role='doc-endnotes' hidden=''><p>A note.</p></section>",
        "<div epub:type='rearnote' aria-hidden='true'>A note.</div>",
        "<li role='doc-footnote'>A note.</li>",
    ],
)
def test_notes_of_a_book_that_are_hidden_until_asked_for_are_read(note: str) -> None:
    page = f"<p>First words.</p>{note}<p hidden='hidden'>no words</p>"
    [document] = read_all("a.epub", make_book('<itemref idref="one"/>', {"one": page}, {}))
    assert document.text.split() == ["First", "words.", "A", "note."]


def test_pages_of_a_book_outside_of_its_reading_order_come_last() -> None:
    pages = {"notes": "<p>Notes apart.</p>", "one": "<p>First words.</p>", "style": "<p>no page</p>"}
    [document] = read_all("a.epub", make_book('<itemref idref="one"/>', pages, {"style": "text/css"}))
    assert folded(document.text) == "First words. Notes apart."


def test_a_reader_works_within_a_lower_bound_of_memory_than_its_own(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    (tmp_path / "a.html").write_bytes(samples.html())
    program = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from ibidem.corpus.readers.form_feeds import find_pages
from ibidem.corpus.readers.isolation import IsolatedReader
with IsolatedReader() as reader:
    [document] = reader.read({str(tmp_path / "a.html")!r}, "a.html", None, 1 << 20)
print(len(document.text) > 100)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def make_docx(body: str) -> bytes:
    """A Word file with this body, in which ``w:`` names elements."""
    data = io.BytesIO(samples.docx())
    out = io.BytesIO()
    with zipfile.ZipFile(data) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "word/document.xml":
                content = f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'.encode()
            new.writestr(name, content)
    return out.getvalue()


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    "body",
    [
        f"<w:p>{run('kept')}<w:moveFrom>{run('gone')}</w:moveFrom></w:p>",
        f"<w:p>{run('kept')}<w:del>{run('gone')}</w:del></w:p>",
        f"<w:p>{run('kept')}{run('gone', '<w:vanish/>')}</w:p>",
        f"<w:p><w:ins><w:del>{run('gone')}</w:del></w:ins><w:moveTo>{run('kept')}</w:moveTo></w:p>",
        f"<w:tbl><w:tr><w:tc><w:tcPr><w:cellDel/></w:tcPr><w:p>{run('gone')}</w:p></w:tc>"
        f"<w:tc><w:p>{run('kept')}</w:p></w:tc></w:tr></w:tbl>",
        f"<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p>{run('gone')}</w:p></w:tc></w:tr></w:tbl>"
        f"<w:p>{run('kept', '<w:vanish w:val=' + chr(34) + '0' + chr(34) + '/>')}</w:p>",
    ],
)
def test_what_is_no_longer_there_in_a_word_file_is_not_read(body: str) -> None:
    [document] = read_all("a.docx", make_docx(body))
    assert folded(document.text) == "kept"


SET, NOTED = '<w:r><w:br w:type="page"/></w:r>', "<w:r><w:lastRenderedPageBreak/></w:r>"


@pytest.mark.parametrize(
    ("body", "pages"),
    [
        (f"<w:p>{run('one')}{SET}{run('two')}</w:p>", {"1": "one", "2": "two"}),
        (
            f"<w:p>{run('one')}</w:p><w:p><w:pPr><w:pageBreakBefore/></w:pPr>{run('two')}</w:p>",
            {"1": "one", "2": "two"},
        ),
        (f"<w:p>{run('one')}{SET}</w:p><w:p>{NOTED}{run('two')}</w:p>", {"1": "one", "2": "two"}),
        (f"<w:p>{run('one')}<w:r><w:br/></w:r>{run('more')}</w:p>", {}),
        (f"<w:p>{run('one')}{SET}{SET}{run('three')}</w:p>", {"1": "one", "3": "three"}),
        (
            f"<w:p><w:pPr><w:sectPr/></w:pPr>{run('one')}</w:p><w:p>{run('two')}</w:p><w:sectPr/>",
            {"1": "one", "2": "two"},
        ),
        (
            f"<w:p><w:pPr><w:sectPr/></w:pPr>{run('one')}</w:p><w:p>{run('two')}</w:p>"
            '<w:sectPr><w:type w:val="continuous"/></w:sectPr>',
            {},
        ),
    ],
)
def test_breaks_that_an_author_has_set_are_pages_unless_the_program_has_noted_them(
    body: str, pages: dict[str, str]
) -> None:
    [document] = read_all("a.docx", make_docx(body))
    assert {label: folded(text) for label, text in spans_of(document, "page").items()} == pages


def field(code: str, result: str) -> str:
    begin, separate, end = (f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end"))
    return f"{begin}<w:r><w:instrText>IF</w:instrText></w:r>{code}{separate}{result}{end}"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (f"<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{run('vil')}</w:p><w:p>{run('lage')}</w:p>", "village"),
        (
            f"<w:p>{run('one')}</w:p><w:p><w:pPr><w:rPr><w:moveFrom/></w:rPr></w:pPr><w:moveFrom>{run('gone')}"
            f"</w:moveFrom></w:p><w:p>{run('two')}</w:p>",
            "one two",
        ),
        (f"<w:p>{field(field('', run('inner')), run('result'))}{run(' end')}</w:p>", "result end"),
        (
            f"<w:p>{field('', run('one') + field('', run(' two')) + run(' three'))}{run(' end')}</w:p>",
            "one two three end",
        ),
        (
            f"<w:p>{run('kept ')}<w:r><w:fldChar w:fldCharType='begin'/></w:r>{run('never ended')}</w:p>",
            "kept never ended",
        ),
        (f"<w:p>{run('let ')}<m:oMath xmlns:m='m'><m:r><m:t>x=2</m:t></m:r></m:oMath>{run(' be')}</w:p>", "let x=2 be"),
        (f"<w:sdt><w:sdtContent><w:p><w:smartTag>{run('one')}</w:smartTag></w:p></w:sdtContent></w:sdt>", "one"),
    ],
)
def test_what_a_reader_of_a_word_file_sees_is_its_text(body: str, text: str) -> None:
    [document] = read_all("a.docx", make_docx(body))
    assert folded(document.text) == text


STRICT = {
    WORD: "http://purl.oclc.org/ooxml/wordprocessingml/main",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": (
        "http://purl.oclc.org/ooxml/officeDocument/relationships"
    ),
}


@pytest.mark.parametrize(
    "changes",
    [
        STRICT,
        {"wordprocessingml.document.main+xml": "ms-word.document.macroEnabled.main+xml"},
        {"wordprocessingml.document.main+xml": "wordprocessingml.template.main+xml"},
    ],
)
def test_strict_files_and_those_with_macros_are_word_files(changes: dict[str, str]) -> None:
    with zipfile.ZipFile(io.BytesIO(samples.docx())) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    for old, new in changes.items():
        members = {name: data.replace(old.encode(), new.encode()) for name, data in members.items()}
    [document] = read_all("a.docx", samples.pack(members))
    [plain] = read_all("a.docx", samples.docx())
    assert document == plain


def test_a_note_to_deleted_text_is_not_read() -> None:
    def note(id: int) -> str:
        return f'<w:footnote w:id="{id}"><w:p>{run(f"note{id}")}</w:p></w:footnote>'

    def refer(id: int) -> str:
        return f'<w:r><w:footnoteReference w:id="{id}"/></w:r>'

    data = make_docx(f"<w:p>{run('one')}{refer(1)}<w:del>{refer(2)}</w:del></w:p>")
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    relations = "word/_rels/document.xml.rels"
    relation = '<Relationship Id="n" Type="http://x/footnotes" Target="/word/footnotes.xml"/></Relationships>'
    members[relations] = members[relations].replace(b"</Relationships>", relation.encode())
    members["word/footnotes.xml"] = f'<w:footnotes xmlns:w="{WORD}">{note(1)}{note(2)}</w:footnotes>'.encode()
    [document] = read_all("a.docx", samples.pack(members))
    assert folded(document.text) == "one note1"


def odt(body: str, styles: str = "") -> ReadDocument:
    namespaces = " ".join(f'xmlns:{name}="{name}"' for name in ("office", "style", "fo", "draw", "text"))
    content = (
        f"<office:document-content {namespaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    members = {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": content.encode()}
    [document] = read_all("a.odt", samples.pack(members))
    return document


NOTE = (
    "<text:note><text:note-citation>1</text:note-citation>"
    "<text:note-body><text:p>{}</text:p></text:note-body></text:note>"
)
HIDDEN = '<style:style style:name="T"><style:text-properties text:display="none"/></style:style>'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            f"<text:p>One word{NOTE.format('A note.')} more.</text:p><text:p>End.</text:p>",
            "One word more. End. A note.",
        ),
        (f"<text:p>One{NOTE.format('A.')}{NOTE.format('B.')}.</text:p>", "One. A. B."),
        ('<text:p>kept<text:span text:style-name="T"> gone</text:span> too</text:p>', "kept too"),
        ('<text:p>kept <text:hidden-text text:is-hidden="true">gone</text:hidden-text>too</text:p>', "kept too"),
        ('<text:section text:display="none"><text:p>gone</text:p></text:section><text:p>kept</text:p>', "kept"),
        ("<text:p>a<draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame> b</text:p>", "a Box b"),
    ],
)
def test_notes_of_an_odt_come_last_and_what_is_hidden_is_not_read(body: str, text: str) -> None:
    assert folded(odt(body, HIDDEN).text) == text


@pytest.mark.parametrize(
    ("body", "style", "pages"),
    [
        ("<text:p>one<text:soft-page-break/> two</text:p>", "", {"1": "one", "2": "two"}),
        (
            '<text:p>one</text:p><text:p text:style-name="P">two</text:p>',
            'fo:break-before="page"',
            {"1": "one", "2": "two"},
        ),
        (
            '<text:p text:style-name="P">one</text:p><text:p>two</text:p>',
            'fo:break-after="page"',
            {"1": "one", "2": "two"},
        ),
        ('<text:p text:style-name="P">one</text:p><text:p>two</text:p>', 'fo:break-before="page"', {"1": "one two"}),
        ('<text:p>one</text:p><text:p text:style-name="P">two</text:p>', 'fo:break-before="column"', {}),
        (
            f"<text:p>one{NOTE.format('N.')}<text:soft-page-break/> two</text:p>",
            "",
            {"1": "one", "2": "two"},
        ),
    ],
)
def test_breaks_of_an_odt_are_pages(body: str, style: str, pages: dict[str, str]) -> None:
    styles = f'<style:style style:name="P"><style:paragraph-properties {style}/></style:style>'
    assert {label: folded(text) for label, text in spans_of(odt(body, styles), "page").items()} == pages


def rtf(body: str) -> str:
    [document] = read_all("a.rtf", (r"{\rtf1\ansi{\fonttbl{\f0 Times;}}" + body + "}").encode("latin-1"))
    return folded(document.text)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"One word{\footnote\pard\plain{\super\chftn} A note.} more.\par End.", "One word more. End. A note."),
        (r"One{\*\footnote\ftnalt An end note: \'e6\u233?.} more.", "One more. An end note: æé."),
        (r"One{\footnote A.}{\footnote B{\b old}.} more.", "One more. A. Bold."),
        (r"One {\deleted gone \'e6\u233?}two\deleted  gone\deleted0  three", "One two three"),
        (r"One {\v hidden}\v  hidden\v0  two {\v hidden\plain  seen}", "One two seen"),
        (r"One {\b\v0  bold}", "One bold"),
        (
            r"Before{\shp{\*\shpinst\shpleft0{\sp{\sn x}{\sv 1}}{\shptxt A box.\par}}{\shprslt A box.}}\par After",
            "Before A box. After",
        ),
        (r"Before{\*\do\dobxcolumn{\dptxbx{\dptxbxtext old}}} After", "Before After"),
        (r"a{\pict\bin3 }}}}b", "ab"),
        (r"\{kept\} {\*\generator x;}and \~ all", "{kept} and all"),
        (r"One {\mvf\mvauth1 moved }{\mvt moved}", "One moved"),
        (r"{\upr{Cafe}{\*\ud{Caf\u233?}}} open", "Café open"),
        (r"\u-10179?\u-8704? \u8364?", "\U0001f600 €"),
    ],
)
def test_notes_boxes_and_states_of_rtf(body: str, text: str) -> None:
    assert rtf(body) == text


@pytest.mark.parametrize(
    ("head", "text"),
    [("mac", "Café"), (r"pc", "Café"), (r"pca", "Café"), (r"ansi", "Café"), (r"mac\ansicpg1252", "Café")],
)
def test_the_character_set_of_rtf_is_the_one_that_it_names(head: str, text: str) -> None:
    encoding = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}.get(head, "cp1252")
    data = rb"{\rtf1\%b{\fonttbl{\f0 Times;}}Caf\'%02x}" % (head.encode(), "é".encode(encoding)[0])
    [document] = read_all("a.rtf", data)
    assert document.text == text


def test_a_text_box_comes_once() -> None:
    shape = r"{\shp{\*\shpinst{\shptxt Box}}{\shprslt{\*\do Box}}}"
    assert rtf(f"One{shape} two{shape} three").split() == ["One", "Box", "two", "Box", "three"]


@given(text=st.text(st.sampled_from("Aæ\f\n 漢"), max_size=20))
def test_form_feeds_end_the_pages_of_plain_text(text: str) -> None:
    pages = find_pages(text.encode())
    parts = text.split("\f")
    expected = {str(number): part for number, part in enumerate(parts, 1) if part.strip()} if len(parts) > 1 else {}
    assert {page.label: text[page.start : page.end] for page in pages} == expected


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
@pytest.mark.filterwarnings("ignore:.*read as")
def test_pages_of_plain_text_are_places(tmp_path: Path, encoding: str, name: str) -> None:
    text = f"{FIRST}\f{SECOND}\n\f"
    content = text.encode(encoding)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    [batch] = read(tmp_path / name)
    places = json.loads(batch.metadata[0])["locators"]
    assert [(label, kind, batch.texts[0][start:end].strip()) for start, end, label, kind in places] == [
        ("1", "page", FIRST),
        ("2", "page", SECOND),
    ]


def alto(*lines: str) -> str:
    blocks = "".join(f"<Page><TextBlock><TextLine>{line}</TextLine></TextBlock></Page>" for line in lines)
    [document] = read_all("a.xml", f'<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#">{blocks}</alto>'.encode())
    return folded(document.text)


ONE = '<String CONTENT="vil" SUBS_TYPE="HypPart1" SUBS_CONTENT="village"/><HYP CONTENT="-"/>'
TWO = '<String CONTENT="lage" SUBS_TYPE="HypPart2" SUBS_CONTENT="village"/>'


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (['<String CONTENT="two"/><String CONTENT="words"/>'], "two words"),
        (['<String CONTENT="two"/><SP/><String CONTENT="words"/>'], "two words"),
        ([f'<String CONTENT="the"/>{ONE}', f'{TWO}<String CONTENT="sea"/>'], "the village sea"),
        ([ONE, '<String CONTENT="margin"/>', TWO], "village margin lage"),
        ([TWO, '<String CONTENT="sea"/>'], "lage sea"),
        ([ONE, f"{ONE}", TWO], "village village"),
        (['<String CONTENT="vil"/><HYP CONTENT="-"/>', '<String CONTENT="lage"/>'], "vil- lage"),
    ],
)
def test_words_of_alto_are_apart_and_whole(lines: list[str], text: str) -> None:
    assert alto(*lines) == text


@pytest.mark.parametrize("mark", ["AUTO", "CHECK", "AUTO CHECK"])
def test_what_programs_write_before_headings_of_openiti_is_no_title(mark: str) -> None:
    data = f"######OpenITI#\n#META#Header#End#\n### | {mark} Morning\n# AUTO stays here\n### || AUTOMATA\n# text\n"
    [document] = read_all("a.mARkdown", data.encode())
    assert [span.label for span in document.spans if span.kind == "section"] == ["Morning", "AUTOMATA"]
    assert folded(document.text) == "Morning AUTO stays here AUTOMATA text"


def text_of_pdf(content: str) -> str:
    plain = samples.pdf(["x"])
    old = b"BT /F1 12 Tf 40 700 Td (x) Tj ET"
    data = plain.replace(b"<< /Length %d >>" % len(old), b"<< /Length %d >>" % len(content)).replace(
        old, content.encode()
    )
    [document] = read_all("a.pdf", data)
    return folded(document.text)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("BT /F1 12 Tf 40 700 Td (Bold) Tj ET BT /F1 12 Tf 40.3 700 Td (Bold) Tj ET", "Bold"),
        ("BT /F1 12 Tf 40 700 Td (Bold) Tj 0.3 0 Td (Bold) Tj 0 0.3 Td (Bold) Tj ET", "Bold"),
        (
            "BT /F1 12 Tf 1 0 0 1 40 700 Tm (B) Tj 1 0 0 1 40.3 700 Tm (B) Tj 1 0 0 1 48 700 Tm (old) Tj "
            "1 0 0 1 48.3 700 Tm (old) Tj ET",
            "Bold",
        ),
        ("BT /F1 12 Tf 40 700 Td [(Bo) -20 (ld)] TJ 0.2 0 Td [(Bo) -20 (ld)] TJ ET", "Bold"),
        ("q 1 0 0 1 40 700 cm BT /F1 12 Tf (Bold) Tj ET Q q 1 0 0 1 40.4 700 cm BT /F1 12 Tf (Bold) Tj ET Q", "Bold"),
        ("BT /F1 12 Tf 40 700 Td (B) Tj (old) Tj ET BT /F1 12 Tf 40.3 700 Td (B) Tj (old) Tj ET", "Bold"),
        ("BT /F1 12 Tf 40 700 Td (no no) Tj 0 -14 Td (no no) Tj ET", "no no no no"),
        ("BT /F1 12 Tf 40 700 Td (l) Tj 3 0 Td (l) Tj ET", "ll"),
        ("BT /F1 12 Tf 40 700 Td (ha) Tj (ha) Tj ET", "haha"),
    ],
)
def test_what_a_pdf_draws_twice_to_look_bold_is_there_once(content: str, text: str) -> None:
    assert text_of_pdf(content).replace(" ", "") == text.replace(" ", "")
