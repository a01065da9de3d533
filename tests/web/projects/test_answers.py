"""Answers: what they hold is what the calls give."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq

import ibidem
from ibidem.web.projects.answers import name_groups
from ibidem.web.projects.projects import Project
from ibidem.web.projects.runs import Run

from .conftest import answer_here, bring
from .samples import COPIED, ESSAYS, SOURCES, TEMPLATE


def test_the_answer_is_that_of_the_call(answered: Run) -> None:
    documents = [ibidem.Document(name, text) for name, text in (ESSAYS | SOURCES).items()]
    normalize = json.loads((answered.answer / "view.json").read_bytes())["settings"]["normalize"]
    found = ibidem.find_reuse(documents, ignore=[("class/template.txt", TEMPLATE)], normalize=normalize, quotations=5)
    columns = ["a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "evidence"]
    answer = pq.read_table(answered.answer / "reuse" / "pairs.parquet")
    assert answer.select(columns).to_pylist() == found.pairs.select(columns).to_pylist()


def test_sources_are_not_compared_with_each_other(project: Project) -> None:
    bring(
        project,
        {"sources/a.txt": COPIED.encode(), "sources/b.txt": COPIED.encode() + b" x", "c.txt": b"other words " * 30},
    )
    run = answer_here(project, "reuse")
    assert pq.read_table(run.answer / "reuse" / "pairs.parquet").num_rows == 0
    reasons = pq.read_table(run.answer / "reuse" / "left_out.parquet").column("reason").to_pylist()
    assert set(reasons) == {"series"}


def test_texts_can_be_compared_with_the_sources_only(school: Project) -> None:
    run = answer_here(school, "reuse", compare="sources")
    pairs = pq.read_table(run.answer / "reuse" / "document_pairs.parquet").to_pylist()
    assert {(row["a"], row["b"]) for row in pairs} == {("class/essay5.txt", "class/sources/book1.txt")}


def test_two_texts_are_aligned_and_compared_from_end_to_end(school: Project) -> None:
    chosen = [item.id for item in school.items() if item.name in ("class/essay3.txt", "class/essay9.txt")]
    run = answer_here(school, "align", chosen)
    view = json.loads((run.answer / "view.json").read_bytes())
    texts = [ESSAYS["class/essay3.txt"], ESSAYS["class/essay9.txt"]]
    found = ibidem.align(*texts)
    assert len(view["columns"]["a"]) == len(found) > 0
    whole = json.loads((run.answer / "comparisons.jsonl").read_bytes().splitlines()[view["whole"]])
    assert [whole[side]["text"] for side in "ab"] == texts
    [pair] = view["documentPairs"]
    assert [counts["same"] for counts in pair["counts"]] == [of.identical + of.moved for of in found.shares()[:2]]
    lines = [json.loads(line) for line in (run.answer / "align.jsonl").read_bytes().splitlines()]
    assert [(line["a_start"], line["b_end"], line["a_text"]) for line in lines] == [
        (each.a_start, each.b_end, texts[0][each.a_start : each.a_end]) for each in found
    ]
    rows = list(csv.DictReader((run.answer / "align.csv").read_text("utf-8").splitlines()))
    assert [row["a_text"] for row in rows] == [line["a_text"] for line in lines]


def test_repeated_texts_are_removed(project: Project) -> None:
    bring(
        project,
        {
            "a.txt": COPIED.encode(),
            "b.txt": COPIED.encode() + b" more",
            "c.txt": ESSAYS["class/essay1.txt"].encode(),
            "template.txt": TEMPLATE.encode(),
        },
    )
    run = answer_here(project, "dedup")
    view = json.loads((run.answer / "view.json").read_text("utf-8"))
    assert (view["subtracted"], view["notSubtracted"]) == ([], ["template.txt"])  # the page says so
    rows = (run.answer / "removed.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows] == [["removed", "same as"], ["b.txt", "a.txt"]]
    kept = (run.answer / "dedup" / "kept" / "texts.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in kept] == ["a.txt", "c.txt"]


def test_repeated_passages_are_removed_apart_from_what_a_template_says(project: Project) -> None:
    sheet = " ".join(SOURCES["class/sources/book2.txt"].split()[:80])
    files = {
        "a.txt": f"{COPIED} {sheet}",
        "b.txt": f"{ESSAYS['class/essay1.txt']} {COPIED} {sheet}",
        "template.txt": sheet,
    }
    bring(project, {name: text.encode() for name, text in files.items()})
    run = answer_here(project, "dedup", remove="passages")
    rows = list(csv.DictReader((run.answer / "removed_passages.csv").read_text("utf-8").splitlines()))
    assert [(row["document"], row["duplicate_of"]) for row in rows] == [("b.txt", "a.txt")]
    assert set(COPIED.split()) >= set(rows[0]["text"].split())
    kept = [json.loads(line) for line in (run.answer / "dedup" / "kept" / "texts.jsonl").read_text().splitlines()]
    assert kept[0]["text"] == files["a.txt"]
    assert COPIED[200:400] not in kept[1]["text"]
    assert sheet in kept[1]["text"]
    view = json.loads((run.answer / "view.json").read_bytes())
    assert view["setAside"] == {"ignored": 2}
    assert {row["b"] for row in view["leftOut"]} == {"template.txt"} == set(view["subtracted"])
    assert len(view["columns"]["a"]) == 1


def test_an_index_is_built_for_searches(school: Project, answered: Run) -> None:
    for run in (answer_here(school, "search"), answered):
        with ibidem.PassageIndex.open(run.answer / "texts.ibidem") as index:
            assert {match.document for match in index.search(COPIED[:200])} == {
                "class/essay5.txt",
                "class/sources/book1.txt",
            }


def test_what_many_share_makes_no_two_documents_partners() -> None:
    rows = [{"reason": "frequent", "a": "anna", "b": "ben"}, {"reason": "ignored", "a": "anna", "b": "sheet"}]
    named = name_groups(pa.Table.from_pylist(rows)).to_pylist()
    assert [(row["a"], row["b"]) for row in named] == [("", "ben"), ("anna", "sheet")]
