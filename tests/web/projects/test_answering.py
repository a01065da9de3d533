"""The process that answers: what it reads, and what it leaves."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ibidem.errors import CorpusError
from ibidem.web.problems import ProblemError
from ibidem.web.projects.answering import join_metadata
from ibidem.web.projects.projects import Project
from ibidem.web.projects.runs import Run

from .conftest import answer_here, bring
from .samples import ESSAYS, PLANTED, make_docx


def test_the_planted_pairs_are_found_and_the_template_is_not(answered: Run) -> None:
    pairs = pq.read_table(answered.answer / "reuse" / "document_pairs.parquet").to_pylist()
    assert {tuple(sorted((row["a"], row["b"]))) for row in pairs} == PLANTED
    view = json.loads((answered.answer / "view.json").read_bytes())
    assert view["subtracted"] == ["class/template.txt"]
    assert view["setAside"]["ignored"] == len(ESSAYS)
    assert view["setAside"].keys() <= {"ignored", "series"}  # sources are not compared among each other
    assert all(pair["longest"] >= 85 for pair in view["documentPairs"])


def test_a_table_tells_authors_and_dates(answered: Run) -> None:
    view = json.loads((answered.answer / "view.json").read_bytes())
    known = {each["name"]: (each.get("author"), each["date"], each["role"]) for each in view["documents"]}
    assert known["class/essay3.txt"] == ("Cleo", "2003", "text")
    assert known["class/sources/book1.txt"] == (None, None, "source")


def test_a_date_of_a_table_counts_for_more_than_the_one_that_a_file_says_of_itself(project: Project) -> None:
    bring(project, {"anna.docx": make_docx("some words of hers"), "all.csv": b"file,year\nanna.docx,1999\n"})
    view = json.loads((answer_here(project, "search").answer / "view.json").read_bytes())
    assert [each["date"] for each in view["documents"]] == ["1999"]


def test_without_sources_or_texts_the_question_says_what_lacks(project: Project) -> None:
    with pytest.raises(CorpusError, match="no text to ask about"):
        answer_here(project, "reuse")
    bring(project, {"a.txt": b"some words"})
    with pytest.raises(ProblemError, match="no file is a source"):
        answer_here(project, "reuse", compare="sources")


def test_an_answer_leaves_no_other_file(answered: Run) -> None:
    assert {path.name for path in answered.folder.iterdir()} == {"ask.json", "progress.json", "answer", "scratch"}
    assert list(Path(answered.folder / "scratch").iterdir()) in ([], [answered.folder / "scratch" / "reuse"])


def test_a_row_describes_the_file_that_one_of_its_values_names() -> None:
    find = join_metadata([{"who": "Ada", "document": "class/a.txt"}, {"who": "Ben", "document": "b"}])
    assert find("class/a.txt") == {"who": "Ada"}
    assert find("x/b.docx") == {"who": "Ben"}
    assert find("c.txt") == {}
