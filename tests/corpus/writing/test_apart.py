"""What is written stands apart from what is read, whatever name either is called by."""

import os
from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.corpus.writing.apart import require_apart
from ibidem.errors import CorpusError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("books").mkdir()
    Path("books/a.txt").write_text("in the same place", "utf-8")
    Path("r.jsonl").write_text("{}\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "output", ["r.jsonl", "./r.jsonl", "books/../r.jsonl", "{folder}/r.jsonl", "file://{folder}/r.jsonl"]
)
def test_an_output_that_is_an_input_by_another_spelling_is_refused(output: str, folder: Path) -> None:
    with pytest.raises(CorpusError, match="the output is an input"):
        require_apart([output.format(folder=folder)], ["r.jsonl"])


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize("turned", [False, True])
def test_links_are_the_files_that_they_lead_to(link, turned: bool) -> None:  # type: ignore[no-untyped-def]
    link("r.jsonl", "linked.jsonl")
    names = ["r.jsonl", "linked.jsonl"]
    output, read = reversed(names) if turned else names
    with pytest.raises(CorpusError, match="the output is an input"):
        require_apart([output], [read])


def test_a_folder_behind_a_link_is_the_folder() -> None:
    os.symlink("books", "linked")
    with pytest.raises(CorpusError, match="a file of the input books"):
        require_apart(["linked/a.txt"], ["books"])


def test_files_that_a_folder_or_a_glob_of_the_input_holds_are_inputs() -> None:
    for read in ("books", "*/*.txt", "."):
        with pytest.raises(CorpusError, match=r"books/a\.txt: the output is"):
            require_apart(["books/a.txt"], [read])


def test_new_and_hidden_files_beside_the_inputs_are_outputs() -> None:
    Path("books/.hidden").touch()
    require_apart(["books/new.txt", "books/.hidden", "other"], ["books", "r.jsonl", "-"])
    require_apart(["-"], ["-"])


def test_what_is_made_beside_an_output_is_no_input() -> None:
    os.rename("books", "books.partial")
    for read in ("books.partial", "books.partial/a.txt"):
        with pytest.raises(CorpusError, match=r"books: it is made at books\.partial"):
            require_apart(["books"], [read])


def test_nothing_is_written_into_an_index_or_a_result() -> None:
    PassageIndex.build("index", [("a", "in the same place")]).close()
    Path("result/kept").mkdir(parents=True)
    Path("result/summary.json").write_text('{"documents": 3, "clusters": 1}', "utf-8")
    os.symlink("index", "linked")
    for output, what in (
        ("index/manifest.json", "an index"),
        ("linked/new/report.html", "an index"),
        ("result/kept/x", "a result"),
    ):
        with pytest.raises(CorpusError, match=f"{output}: this lies inside {what}"):
            require_apart([output])


def test_a_summary_of_something_else_makes_no_result() -> None:
    Path("books/summary.json").write_text('{"title": "Summaries"}', "utf-8")
    require_apart(["books/new.html"])


@pytest.mark.parametrize(("one", "other"), [("out", "out"), ("out", "out/report.html"), ("./out/x", "out")])
def test_outputs_of_one_call_keep_apart(one: str, other: str) -> None:
    with pytest.raises(CorpusError, match="another output"):
        require_apart([one, other])


@pytest.mark.parametrize(
    ("output", "read"),
    [("memory://a/b", "memory://a//b/"), ("s3://bucket/x/../y", "s3a://bucket/y"), ("gs://b/x", "gcs://b/x")],
)
def test_urls_are_compared_without_their_spelling(output: str, read: str) -> None:
    with pytest.raises(CorpusError, match="the output is an input"):
        require_apart([output], [read])


def test_nothing_is_written_into_an_index_of_an_object_store() -> None:
    pytest.importorskip("fsspec")
    PassageIndex.build("memory://apart/index", [("a", "in the same place")]).close()
    with pytest.raises(CorpusError, match="lies inside an index, memory://apart/index"):
        require_apart(["memory://apart/index/more/x"])
    require_apart(["memory://apart/other"], ["memory://apart/index"])
