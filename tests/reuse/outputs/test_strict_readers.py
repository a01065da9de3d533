"""Every file of a result goes through a strict reader, whatever stands in ids, texts and columns."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec
import networkx
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from ibidem.corpus.writing.tables import FORMATS, read_safe_cell
from ibidem.evaluation import read_pan
from ibidem.resources import Resources
from ibidem.reuse.outputs.exports import EXPORTS, export_reuse
from ibidem.reuse.outputs.result import TABLES, Reuse, read_reuse_table, write_reuse
from ibidem.reuse.question import Question
from ibidem.text.escapes import unescape_controls
from ibidem.text.json_values import replace_surrogates
from tests.reuse.small_collections import find_in

PASSAGE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
HOSTILE = "\0\t\n\r\x0b\x1b\x1c\x85\u2028\ufffe\uffff\"'<&>,;-\\u0%/#: é😀"

ids = st.text(st.sampled_from(HOSTILE + "ab"), min_size=1, max_size=5)
gaps = st.text(st.sampled_from(f"{HOSTILE}\ud800\udc00".replace("u0", "").replace("é", "")), min_size=1, max_size=3)
values = st.one_of(st.none(), st.booleans(), st.integers(), gaps, st.lists(gaps, max_size=2))
years = st.one_of(st.integers(1, 2000), st.none())


@st.composite
def documents(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Two to four documents that share a passage, with hostile characters between its words."""
    names = draw(st.lists(ids, min_size=2, max_size=4, unique=True))
    return [
        {
            "id": name,
            "text": draw(gaps) + "".join(f"{word} {draw(gaps)}" for word in PASSAGE.split()) + draw(gaps),
            "year": 1700 if not number else draw(years),
            draw(ids): draw(values),
        }
        for number, name in enumerate(names)
    ]


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Lines of JSON, by a reader that refuses what is not Unicode."""
    data = path.read_bytes()
    lines = data.split(b"\n")
    assert lines.pop() == b""
    return [msgspec.json.decode(line) for line in lines]


def rows_of(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    """Rows of a table of separated values, each with as many fields as the header."""
    reader = csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline=""), delimiter=delimiter, strict=True)
    header, *rows = ([read_safe_cell(cell) for cell in row] if delimiter == "," else row for row in reader)
    return [dict(zip(header, row, strict=True)) for row in rows]


def xml_of(path: Path) -> Any:
    return etree.parse(path, etree.XMLParser(resolve_entities=False, recover=False)).getroot()


def places(result: Reuse) -> set[tuple[Any, ...]]:
    return {(row["document"], row["start"], row["end"]) for row in result.passages.to_pylist()}


def check_graphml(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    xml_of(folder / "documents.graphml")
    graph = networkx.read_graphml(folder / "documents.graphml")
    assert sorted(map(unescape_controls, graph.nodes)) == sorted(texts)
    pairs = {frozenset((row["a"], row["b"])) for row in result.document_pairs.to_pylist()}
    assert {frozenset(map(unescape_controls, edge)) for edge in graph.edges} == pairs


def check_annotations(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    annotations = lines_of(folder / "annotations.jsonl")
    assert len({record["id"] for record in annotations}) == len(annotations)
    identifiers = set()
    for record in annotations:
        source = record["target"]["source"]
        assert urlsplit(source).scheme == "urn"
        assert source.isascii()
        selector = record["target"]["selector"]
        name = unquote(source.removeprefix("urn:ibidem:document:"), errors="strict")
        identifiers.add((name, selector["start"], selector["end"]))
    assert identifiers == places(result)


def check_pan(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    files = list((folder / "pan").glob("*.xml"))
    for file in files:
        xml_of(file)
    similar = [row for row in result.pairs.to_pylist() if row["kind"] == "similar"]
    pairs = {frozenset(((row["a"], row["a_start"]), (row["b"], row["b_start"]))) for row in similar}
    cases = {frozenset(((case.suspicious, case.start), (case.source, case.source_start))) for case in read_pan(folder)}
    assert len(files) == len({(row["a"], row["b"]) for row in similar})
    assert cases == pairs


SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei_stand_off.rng")))


def check_tei(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    root = xml_of(folder / "reuse.xml")
    assert SCHEMA.validate(root), SCHEMA.error_log
    identifiers = set()
    for span in root.iter("{*}span"):
        name, _, place = span.get("target").partition("#char=")
        identifiers.add((unquote(name, errors="strict"), *map(int, place.split(","))))
    assert identifiers == places(result)


def check_passim(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    passages = lines_of(folder / "passim/out.json/part-00000.json")
    assert {(row["id"], row["begin"], row["end"]) for row in passages} == places(result)
    assert all(row["text"] == texts[row["id"]][row["begin"] : row["end"]] for row in passages)
    pairs = lines_of(folder / "passim/align.json/part-00000.json")
    assert len(pairs) == result.pairs.num_rows
    for row in pairs:
        assert len(row["s1"]) == len(row["s2"])
        assert row["matches"] == sum(map(str.__eq__, row["s1"], row["s2"]))


def check_textpair(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    rows = lines_of(folder / "textpair/alignments.jsonl")
    assert len(rows) == result.pairs.num_rows == json.loads((folder / "textpair/count.json").read_text())["counts"]
    for row in rows:
        for side in ("source", "target"):
            text = texts[row[f"{side}_doc_id"]].encode()
            passage = text[row[f"{side}_start_byte"] : row[f"{side}_end_byte"]].decode()
            assert row[f"{side}_passage"] == passage


def check_kitab(result: Reuse, folder: Path, texts: dict[str, str]) -> None:
    files = list((folder / "kitab").rglob("*.csv"))
    rows = [row for file in files for row in rows_of(file, "\t")]
    # A reader that knows no quotes but the doubled ones finds as many lines.
    assert sum(len(file.read_text("utf-8").splitlines()) - 1 for file in files) == len(rows) == result.pairs.num_rows
    for row in rows:
        assert len(row["s1"]) == len(row["s2"]) == int(row["align_len"])
        assert int(row["ch_match"]) == sum(map(str.__eq__, row["s1"], row["s2"]))
        for side in "12":
            text = texts[unescape_controls(row[f"id{side}"])]
            assert int(row[f"len{side}"]) == len(text)
            passage = text[int(row[f"b{side}"]) : int(row[f"e{side}"])]
            words = text.split()[int(row[f"bw{side}"]) : int(row[f"ew{side}"])]
            assert passage.split()[1:-1] == words[1:-1]
            letters = row[f"s{side}"].replace("-", "").replace("\u2010", "-")
            assert len(letters) == len(passage)
            assert [a for a, b in zip(letters, passage, strict=True) if a != " "] == [
                b for a, b in zip(letters, passage, strict=True) if a != " "
            ]


CHECKS: dict[str, Callable[[Reuse, Path, dict[str, str]], None]] = {
    "graphml": check_graphml,
    "web-annotation": check_annotations,
    "pan": check_pan,
    "tei": check_tei,
    "passim": check_passim,
    "textpair": check_textpair,
    "kitab": check_kitab,
}


def test_every_format_has_a_strict_reader() -> None:
    assert CHECKS.keys() == EXPORTS.keys()


@settings(max_examples=60)
@given(documents(), st.booleans())
def test_a_strict_reader_takes_every_file(given: list[dict[str, Any]], dated: bool) -> None:
    question = Question(date="year" if dated else None, texts=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "columns").mkdir()
        result = find_in([given], question, folder / "columns", RESOURCES)
        assert sorted(result.documents.column("document").to_pylist()) == sorted(record["id"] for record in given)
        texts = {record["id"]: replace_surrogates(record["text"]) for record in given}
        for format, check in CHECKS.items():
            export_reuse(result, folder, format)
            check(result, folder, texts)
        for format in FORMATS:
            (folder / format).mkdir()
            write_reuse(result, folder / format, format)
            check_tables(result, folder / format, format)


def check_tables(result: Reuse, folder: Path, format: str) -> None:
    for table in TABLES:
        expected, path = getattr(result, table), folder / f"{table}.{format}"
        if format == "parquet":
            assert pq.read_table(path).equals(expected)
        elif format == "jsonl":
            assert lines_of(path) == expected.to_pylist()
        else:
            read = rows_of(path)
            assert len(read) == expected.num_rows
            for column in expected.column_names:
                if pa.types.is_string(expected.column(column).type):
                    assert [row[column] for row in read] == [cell or "" for cell in expected.column(column).to_pylist()]
    for table in ("pairs", "passages", "clusters"):
        expected, ours = getattr(result, table), read_reuse_table(folder, table)
        for column in {"a", "b", "document", "cluster", "a_text", "text", "start", "a_end"} & {*expected.column_names}:
            assert ours.column(column).to_pylist() == expected.column(column).to_pylist()


RESOURCES = Resources.of("64M", 1, None)
