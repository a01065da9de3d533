"""Folders whose files are the pages of one document."""

import gzip
import json
from pathlib import Path

import pytest

from ibidem import deduplicate_files, deduplicate_passages_of_files, find_reuse_in_files
from ibidem.corpus import read
from ibidem.corpus.inputs import Inputs
from ibidem.corpus.readers.document import ReadDocument, Span
from ibidem.corpus.readers.page_files import join_pages, page_order
from ibidem.corpus.rows import Columns
from ibidem.errors import CorpusError

from . import samples


def alto(*lines: str, page: str = "") -> bytes:
    rows = "".join(f'<TextLine ID="l{at}">{line}</TextLine>' for at, line in enumerate(lines))
    space = f"<PrintSpace><TextBlock>{rows}</TextBlock></PrintSpace>"
    return f"<alto><Layout><Page {page}>{space}</Page></Layout></alto>".encode()


def words(text: str) -> str:
    return "".join(f'<String CONTENT="{word}"/>' for word in text.split())


def part(which: int, content: str, whole: str | None = "village") -> str:
    name = f' SUBS_CONTENT="{whole}"' if whole else ""
    return f'<String CONTENT="{content}" SUBS_TYPE="HypPart{which}"{name}/>' + ("<HYP/>" if which == 1 else "")


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def read_pages(*paths: Path, **options: object) -> dict[str, str]:
    batches = list(read(paths, pages=True, **options))  # type: ignore[arg-type]
    return {id: " ".join(text.split()) for batch in batches for id, text in zip(batch.ids, batch.texts, strict=True)}


def test_pages_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    write(tmp_path, {f"book/page{number}.txt": f"of {number}".encode() for number in (10, 9, 1, 100)})
    assert read_pages(tmp_path) == {"book": "of 1 of 9 of 10 of 100"}
    names = ["a2.txt", "a10.txt", "a10r.txt", "a10v.txt", "b1.txt", "00003.txt", "a"]
    assert sorted(names, key=page_order) == ["00003.txt", "a", "a2.txt", "a10.txt", "a10r.txt", "a10v.txt", "b1.txt"]


@pytest.mark.parametrize(
    "given",
    [["lib"], ["lib/a", "lib/b"], ["lib/*/*.txt"], ["lib/a/1.txt", "lib/a/2.txt", "lib/b"], ["lib/a", "lib/b/*"]],
)
def test_each_folder_is_a_document_however_its_files_are_named(
    tmp_path: Path, given: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {f"lib/{folder}/{page}.txt": f"{folder}{page}".encode() for folder in "ab" for page in (1, 2)})
    monkeypatch.chdir(tmp_path)
    documents = read_pages(*map(Path, given))
    assert [*documents.values()] == ["a1 a2", "b1 b2"]
    assert {id.rpartition("/")[2] for id in documents} == {"a", "b"}


def test_tables_and_archives_of_a_folder_are_no_pages(tmp_path: Path) -> None:
    packed = samples.pack({"x.txt": b"packed"})
    write(
        tmp_path / "in", {"1.txt": b"one", "rows.jsonl": b'{"id":"r","text":"row"}\n', "b.zip": packed, "2.txt": b"two"}
    )
    assert read_pages(tmp_path / "in") == {"in": "one two", "b.zip/x.txt": "packed", "r": "row"}


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ([words("the"), part(1, "vil")], [part(2, "lage") + words("sea")], "the village sea"),
        ([part(1, "vil")], [part(2, "lage", None) + words("sea")], "village sea"),
        ([part(1, "vil")], [part(2, "lage", "other") + words("sea")], "village lage sea"),
        ([part(1, "vil")], [words("sea")], "village sea"),
        ([words("the")], [part(2, "lage") + words("sea")], "the lage sea"),
        ([part(1, "vil", None)], [part(2, "lage", None)], "vil- lage"),
        ([words("a"), part(1, "vil")], [part(2, "lage")], "a village"),
        ([part(1, "vil"), part(2, "lage")], [part(2, "lage")], "village lage"),
    ],
)
def test_a_word_that_two_files_share_is_whole_on_the_first(
    tmp_path: Path, first: list[str], second: list[str], text: str
) -> None:
    write(tmp_path, {"book/1.xml": alto(*first), "book/2.xml": alto(*second)})
    assert read_pages(tmp_path) == {"book": text}


def test_an_empty_page_between_the_parts_of_a_word_changes_nothing(tmp_path: Path) -> None:
    write(
        tmp_path, {"b/1.xml": alto(part(1, "vil")), "b/2.xml": alto(), "b/3.xml": alto(part(2, "lage"), words("sea"))}
    )
    assert read_pages(tmp_path) == {"b": "village sea"}


def places(folder: Path) -> list[tuple[str, str, str, str]]:
    [batch] = read(folder, pages=True)
    locators = json.loads(batch.metadata[0])["locators"]
    return [(kind, label, batch.texts[0][start:end], *target) for start, end, label, kind, *target in locators]


def test_lines_and_pages_point_into_their_files(tmp_path: Path) -> None:
    write(
        tmp_path / "b",
        {
            "p_0001.xml": alto(words("one"), part(1, "vil")),
            "p_0002.xml": alto(part(2, "lage") + words("two"), words("six")),
        },
    )
    assert places(tmp_path / "b") == [
        ("page", "1", "one\nvillage", "p_0001.xml"),
        ("line", "1", "one", "p_0001.xml#l0"),
        ("line", "2", "village", "p_0001.xml#l1"),
        ("page", "2", "two\nsix", "p_0002.xml"),
        ("line", "1", "two", "p_0002.xml#l0"),
        ("line", "2", "six", "p_0002.xml#l1"),
    ]


@pytest.mark.parametrize(
    ("files", "labels"),
    [
        (
            {
                "a.xml": alto(words("x"), page='PRINTED_IMG_NR="iv"'),
                "b.xml": alto(words("y"), page='PRINTED_IMG_NR="v"'),
            },
            ["iv", "v"],
        ),
        ({"f12r.xml": alto(words("x")), "f12v.xml": alto(words("y"))}, ["12r", "12v"]),
        ({"one.txt": b"x", "two.txt": b"y"}, ["one", "two"]),
        ({"007.txt": b"x", "008.txt.gz": gzip.compress(b"y")}, ["7", "8"]),
        ({"a1.txt": b"x", "b1.txt": b"y"}, ["a1", "b1"]),
        ({"1.hocr": samples.hocr(), "2.html": samples.hocr()}, ["1", "1", "2", "2"]),
    ],
)
def test_pages_are_called_what_tells_them_apart(tmp_path: Path, files: dict[str, bytes], labels: list[str]) -> None:
    write(tmp_path / "b", files)
    assert [label for kind, label, *_ in places(tmp_path / "b") if kind == "page"] == labels


def test_metadata_is_what_all_pages_agree_on() -> None:
    pages = [("a", ReadDocument("x", {"title": "T", "n": 1}, [])), ("b", ReadDocument("y", {"title": "T", "n": 2}, []))]
    assert join_pages(pages) == ReadDocument(
        "x\n\ny", {"title": "T"}, [Span("page", "a", 0, 1, "a"), Span("page", "b", 3, 4, "b")]
    )


def test_a_page_that_cannot_be_read_is_an_error_of_its_document(tmp_path: Path) -> None:
    write(tmp_path, {"a/1.txt": b"one", "a/2.docx": b"PK\x03\x04broken", "b/1.txt": b"two", "c/1.xml": alto()})
    with pytest.raises(CorpusError, match=r"a/2\.docx: damaged"):
        read_pages(tmp_path)
    with pytest.warns(UserWarning, match=r"left out of the input: .*a/2\.docx: damaged.*c: none of its pages"):
        assert read_pages(tmp_path, on_error="skip") == {"b": "two"}


def test_a_folder_of_pages_that_changes_is_noticed(tmp_path: Path) -> None:
    write(tmp_path, {"a/1.txt": b"one", "a/2.txt": b"two"})
    inputs = Inputs(tmp_path, Columns.of("text", "id", pages=True))
    assert [part.sources[0].name for part in inputs.cut()] == ["a"]
    (tmp_path / "a/2.txt").write_bytes(b"two, changed")
    with pytest.raises(CorpusError, match="changed while it was read"):
        inputs.require_unchanged()


TEXT = b"the tide went out before dawn and the whole village walked to the old wreck with lamps and ropes "


def write_books(folder: Path) -> Path:
    pages = {"1.txt": TEXT, "2.txt": b"nobody spoke of the storm and the cafe stayed shut until the men came home"}
    return write(folder, {f"{book}/{name}": text for book in "ab" for name, text in pages.items()})


def test_dedup_copies_the_pages_of_what_it_keeps(tmp_path: Path) -> None:
    deduplicate_files(write_books(tmp_path / "in"), tmp_path / "out", pages=True)
    [kept] = (tmp_path / "out").rglob("1.txt")
    assert kept.read_bytes() == TEXT
    assert sorted(path.name for path in kept.parent.iterdir()) == ["1.txt", "2.txt"]


def test_what_a_folder_of_pages_has_left_of_its_text_is_a_file(tmp_path: Path) -> None:
    deduplicate_passages_of_files(write_books(tmp_path / "in"), tmp_path / "out", pages=True, min_length=10)
    written = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.txt"))
    assert written == ["kept/a/1.txt", "kept/a/2.txt", "kept/b.txt"]


def test_reuse_finds_a_passage_over_two_pages(tmp_path: Path) -> None:
    whole = TEXT * 1 + b"nobody spoke of the storm and the cafe stayed shut until the men came home again"
    write(tmp_path / "in", {"a/1.txt": whole[:90], "a/2.txt": whole[90:], "b/1.txt": b"other words " + whole})
    find_reuse_in_files(tmp_path / "in", tmp_path / "out", pages=True, min_pair_length=20)
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    assert summary["documents"] == 2
    assert summary["pairs"] == 1
