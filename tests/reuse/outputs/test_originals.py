"""A passage is described by its place in the original, in every table and in the formats that can point there."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ibidem import find_reuse
from ibidem.cli import main
from ibidem.corpus.writing.tables import FORMATS
from ibidem.resources import Resources
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.result import Reuse, read_reuse_table, write_reuse
from ibidem.reuse.question import Question
from tests.reuse.small_collections import find_in

from ..quotations import around, rows, words

QUOTED = words(40, 60)


def locate(text: str) -> list[list[Any]]:
    """Pages of 300 characters with lines of 100, of which each has a box."""
    pages = [[at, min(at + 300, len(text)), at // 300 + 1, "page"] for at in range(0, len(text), 300)]
    lines = [
        [at, min(at + 100, len(text)), at % 300 // 100 + 1, "line", f"#l{at // 100} xywh=0,{at},9,9"]
        for at in range(0, len(text), 100)
    ]
    return pages + lines


@pytest.fixture(scope="module")
def reuse(tmp_path_factory: pytest.TempPathFactory) -> Reuse:
    texts = {"plain": around(1, QUOTED), "scan 1": around(2, QUOTED, 90, 10), "scan 2": around(3, QUOTED)}
    documents: list[dict[str, Any]] = [{"id": name, "text": text} for name, text in texts.items()]
    for document in documents[1:]:
        document["locators"] = locate(document["text"])
    folder = tmp_path_factory.mktemp("columns")
    return find_in([documents], Question(texts=True), folder, Resources.of("64M", 1, None))


def page_and_line(row: dict[str, Any], start: int, end: int) -> str:
    pages = [start // 300 + 1, (end - 1) // 300 + 1]
    if pages[0] != pages[1]:
        return f"pages {pages[0]} to {pages[1]}"
    lines = [start % 300 // 100 + 1, (end - 1) % 300 // 100 + 1]
    return f"page {pages[0]}, " + (f"line {lines[0]}" if lines[0] == lines[1] else f"lines {lines[0]} to {lines[1]}")


def test_every_table_says_the_place_of_each_passage(reuse: Reuse) -> None:
    pairs = rows(reuse)
    assert len(pairs) == 3
    for row in pairs:
        for side in "ab":
            place = page_and_line(row, row[f"{side}_start"], row[f"{side}_end"])
            assert row[f"{side}_locator"] == (None if row[side] == "plain" else place)
    for row in rows(reuse, "passages"):
        assert (row["locator"] is None) == (row["document"] == "plain")
    assert "central_locator" in reuse.clusters.column_names


def test_without_places_there_is_no_column_for_them() -> None:
    plain = find_reuse([("a", around(1, QUOTED)), ("b", around(2, QUOTED))])
    for table in (plain.pairs, plain.passages, plain.clusters, plain.left_out):
        assert not [name for name in table.column_names if "locator" in name]


@pytest.mark.parametrize("format", FORMATS)
def test_places_are_read_back_from_each_format(reuse: Reuse, tmp_path: Path, format: str) -> None:
    write_reuse(reuse, tmp_path, format)
    for name in ("pairs", "passages", "clusters"):
        table = read_reuse_table(tmp_path, name)
        for column in [column_name for column_name in table.column_names if "locator" in column_name]:
            assert table.column(column).to_pylist() == getattr(reuse, name).column(column).to_pylist()


def test_spans_and_annotations_point_to_the_elements_of_the_original(reuse: Reuse, tmp_path: Path) -> None:
    for format in ("tei", "web-annotation"):
        export_reuse(reuse, tmp_path, format)
    spans = {
        (span.get("target") or "").partition("#")[0]: span
        for span in ElementTree.parse(tmp_path / "reuse.xml").iter("{http://www.tei-c.org/ns/1.0}span")
    }
    targets = {}
    for line in (tmp_path / "annotations.jsonl").read_text("utf-8").splitlines():
        target = json.loads(line)["target"]
        source = target["source"] if isinstance(target, dict) else target[0]["source"]
        targets[source.rpartition(":")[2]] = target
    for row in rows(reuse, "passages"):
        name = row["document"].replace(" ", "%20")
        lines = range(row["start"] // 100, (row["end"] - 1) // 100 + 1)
        if row["document"] == "plain":
            assert spans[name].get("corresp") is spans[name].get("n") is None
            assert isinstance(targets[name], dict)
            continue
        assert spans[name].get("n") == row["locator"]
        assert (spans[name].get("corresp") or "").split() == [f"{name}#l{line}" for line in lines]
        values = [column_name["selector"]["value"] for column_name in targets[name][1:]]
        assert values == [value for line in lines for value in (f"l{line}", f"xywh=0,{100 * line},9,9")]


def test_records_of_other_programs_have_the_place_of_the_passage_and_not_all_places(
    reuse: Reuse, tmp_path: Path
) -> None:
    for format in ("passim", "textpair"):
        export_reuse(reuse, tmp_path, format)
    records = {
        name: [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        for name in (
            "passim/out.json/part-00000.json",
            "passim/align.json/part-00000.json",
            "textpair/alignments.jsonl",
        )
    }
    assert not [key for lines in records.values() for line in lines for key in line if "locators" in key]
    passages, pairs, alignments = records.values()
    expected = {(row["document"], row["start"]): row["locator"] for row in rows(reuse, "passages")}
    assert {(line["id"], line["begin"]): line.get("locator") for line in passages} == expected
    sides = {(line[f"id{n}"], line[f"begin{n}"], line.get(f"locator{n}")) for line in pairs for n in ("", "2")}
    expected_places = {(row[s], row[f"{s}_start"], row[f"{s}_locator"]) for row in rows(reuse) for s in "ab"}
    assert sides == expected_places
    named = {
        (line[f"{role}_doc_id"], line.get(f"{role}_locator")) for line in alignments for role in ("source", "target")
    }
    assert named == {(id, place) for id, _, place in expected_places}


def test_pairs_cannot_carry_a_column_that_would_take_the_name(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "text": "x", "locator": 1}) + "\n")
    with pytest.raises(SystemExit) as ended:
        main(["reuse", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "out"), "--columns", "locator"])
    assert ended.value.code == 2
