"""Answers: what they hold is what the calls give."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import ibidem
from ibidem.app.answering import join_metadata
from ibidem.app.projects import Project
from ibidem.app.runs import Run
from ibidem.errors import CorpusError
from ibidem.service.problems import ProblemError

from .conftest import answer_here, bring
from .samples import COPIED, ESSAYS, PLANTED, SOURCES, TEMPLATE


def test_the_planted_pairs_are_found_and_the_template_is_not(answered: Run) -> None:
    pairs = pq.read_table(answered.answer / "reuse" / "document_pairs.parquet").to_pylist()
    assert {tuple(sorted((row["a"], row["b"]))) for row in pairs} == PLANTED
    view = json.loads((answered.answer / "view.json").read_bytes())
    assert view["subtracted"] == ["class/template.txt"]
    assert view["setAside"] == {"ignored": len(ESSAYS)}
    assert all(pair["longest"] >= 85 for pair in view["documentPairs"])


def test_the_answer_is_that_of_the_call(answered: Run) -> None:
    documents = [ibidem.Document(name, text) for name, text in (ESSAYS | SOURCES).items()]
    normalize = json.loads((answered.answer / "view.json").read_bytes())["settings"]["normalize"]
    found = ibidem.find_reuse(documents, ignore=[("class/template.txt", TEMPLATE)], normalize=normalize)
    columns = ["a", "a_start", "a_end", "b", "b_start", "b_end", "similarity", "evidence"]
    answer = pq.read_table(answered.answer / "reuse" / "pairs.parquet")
    assert answer.select(columns).to_pylist() == found.pairs.select(columns).to_pylist()


def test_a_table_tells_authors_and_dates(answered: Run) -> None:
    view = json.loads((answered.answer / "view.json").read_bytes())
    known = {each["name"]: (each.get("author"), each["date"], each["role"]) for each in view["documents"]}
    assert known["class/essay3.txt"] == ("Cleo", "2003", "text")
    assert known["class/sources/book1.txt"] == (None, None, "source")


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


def test_without_sources_or_texts_the_question_says_what_lacks(project: Project) -> None:
    with pytest.raises(CorpusError, match="no text to ask about"):
        answer_here(project, "reuse")
    bring(project, {"a.txt": b"some words"})
    with pytest.raises(ProblemError, match="no file is a source"):
        answer_here(project, "reuse", compare="sources")


def test_two_texts_are_aligned_and_compared_from_end_to_end(school: Project) -> None:
    chosen = [item.id for item in school.items() if item.name in ("class/essay3.txt", "class/essay9.txt")]
    run = answer_here(school, "align", chosen)
    view = json.loads((run.answer / "view.json").read_bytes())
    texts = [ESSAYS["class/essay3.txt"], ESSAYS["class/essay9.txt"]]
    assert len(view["columns"]["a"]) == len(ibidem.align(*texts))
    whole = json.loads((run.answer / "comparisons.jsonl").read_bytes().splitlines()[view["whole"]])
    assert [whole[side]["text"] for side in "ab"] == texts


def test_repeated_texts_are_removed(project: Project) -> None:
    bring(
        project,
        {"a.txt": COPIED.encode(), "b.txt": COPIED.encode() + b" more", "c.txt": ESSAYS["class/essay1.txt"].encode()},
    )
    run = answer_here(project, "dedup")
    rows = (run.answer / "removed.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows] == [["removed", "same as"], ["b.txt", "a.txt"]]
    kept = (run.answer / "dedup" / "kept" / "texts.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in kept] == ["a.txt", "c.txt"]


def test_an_index_is_built_for_searches(school: Project) -> None:
    run = answer_here(school, "search")
    with ibidem.PassageIndex.open(run.answer / "texts.ibidem") as index:
        assert {match.document for match in index.search(COPIED[:200])} == {
            "class/essay5.txt",
            "class/sources/book1.txt",
        }


def test_an_answer_leaves_no_other_file(answered: Run) -> None:
    assert {path.name for path in answered.folder.iterdir()} == {"ask.json", "progress.json", "answer", "scratch"}
    assert list(Path(answered.folder / "scratch").iterdir()) in ([], [answered.folder / "scratch" / "reuse"])


def test_a_row_describes_the_file_that_one_of_its_values_names() -> None:
    find = join_metadata([{"who": "Ada", "document": "class/a.txt"}, {"who": "Ben", "document": "b"}])
    assert find("class/a.txt") == {"who": "Ada"}
    assert find("x/b.docx") == {"who": "Ben"}
    assert find("c.txt") == {}
