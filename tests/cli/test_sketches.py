"""An index of sketches on the command line: made, searched, and refused where it does not fit."""

import re
from pathlib import Path

import pytest

from ibidem import SketchIndex

from .samples import CHANGED, PASSAGE, Run, lines_of, write_lines

MAKE = ("index", "books", "-o", "sketched.ibidem", "--sketch")


@pytest.fixture
def sketched(run: Run, folder: Path) -> Path:
    done = run(*MAKE, "minhash", "-k", "64", "--min-length", "8")
    assert (done.exit_code, done.stdout) == (0, "")
    return folder


@pytest.mark.parametrize("options", [[], ["--select", "all"], ["--verify"], ["--threshold", "0.9"]])
def test_a_search_writes_what_the_index_finds(run: Run, sketched: Path, options: list[str]) -> None:
    rows = lines_of(run("search", "sketched.ibidem", "--query", CHANGED, *options))
    with SketchIndex.open("sketched.ibidem") as index:
        expected = index.search(
            CHANGED,
            threshold=0.9 if "--threshold" in options else 0.6,
            select="all" if "all" in options else "maximal",
            verify="--verify" in options,
        )
    assert [(row["document"], row["start"], row["end"], row["estimate"]) for row in rows] == [
        (match.document, match.start, match.end, match.estimate) for match in expected
    ]
    assert [row.get("similarity") for row in rows] == [match.similarity for match in expected]
    assert all(("starts" in row) == ("all" in options) for row in rows)


def test_queries_of_files_have_their_names_and_columns(run: Run, sketched: Path) -> None:
    write_lines("asked.jsonl", {"name": "a", "text": PASSAGE, "year": 1903}, {"name": "b", "text": "?!"})
    done = run("search", "sketched.ibidem", "asked.jsonl", "--id", "name", "--no-text", "--threshold", "0.9")
    rows = lines_of(done)
    assert {(row["query"], row["query_metadata"]["year"], "text" in row) for row in rows} == {("a", 1903, False)}
    assert "b: the query holds no token that has a weight" in done.stderr
    alone = run("search", "sketched.ibidem", "--query", "?!")
    assert (alone.exit_code, alone.stdout) == (2, "")


@pytest.mark.usefixtures("at_a_terminal")
def test_a_person_reads_passages_in_their_context(run: Run, sketched: Path) -> None:
    shown = run("search", "sketched.ibidem", "--query", PASSAGE, "--threshold", "0.9", "--verify").stdout
    assert "ferry.txt" in shown
    assert re.search(r"similarity 0.9\d\d, estimate [01].\d\d\d, characters", " ".join(shown.split()))


@pytest.mark.parametrize(
    ("option", "named"),
    [
        (["--limit", "3"], "--limit"),
        (["--family", "set"], "--family"),
        (["--unbounded"], "--bounded"),
        (["--explain"], "--explain"),
        (["--parts"], "--parts"),
        (["--threads", "2"], "--threads"),
        (["--html", "a.html"], "--html"),
        (["--ignore", "letter.txt"], "--ignore"),
        (["--min-length", "9"], "--min-length"),
    ],
)
def test_an_option_that_does_not_apply_is_refused(run: Run, sketched: Path, option: list[str], named: str) -> None:
    result = run("search", "sketched.ibidem", "--query", PASSAGE, *option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.search(f"{named} is for an index of passages.*, not for one of sketches", result.stderr)


def test_what_an_index_of_passages_does_not_have_is_refused(run: Run, sketched: Path) -> None:
    result = run("search", "books.ibidem", "--query", PASSAGE, "--verify")
    assert result.exit_code == 2
    assert "--verify is for an index of sketches, not for one of passages" in result.stderr
    chosen = run("search", "sketched.ibidem", "--query", PASSAGE, "--select", "best")
    assert chosen.stderr == "ibidem: error: select is one of maximal, all, not 'best'\n"
    for options, named in ((["--seed", "3"], "--seed"), (["--weight-units", "3"], "--weight-units")):
        assert f"{named} is for an index of sketches" in run("index", "books", "-o", "new", *options).stderr


def test_documents_are_added_removed_and_merged_and_the_index_is_checked(run: Run, sketched: Path) -> None:
    assert run("add", "sketched.ibidem", "more").exit_code == 0
    assert run("remove", "sketched.ibidem", "note.txt").exit_code == 0
    assert run("merge", "sketched.ibidem").exit_code == 0
    assert run("check", "sketched.ibidem").exit_code == 0
    (info,) = lines_of(run("info", "sketched.ibidem", "--json"))
    assert (info["configuration"]["kind"], info["segments"]) == ("sketches", 1)
