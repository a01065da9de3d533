"""align of two files: JSON lines for a program, both passages for a reader."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .samples import Run, lines_of


def test_an_alignment_is_a_line_of_json_with_these_fields(run: Run, folder: Path) -> None:
    (pair,) = lines_of(run("align", "letter.txt", "books/ferry.txt"))
    assert list(pair) == ["a_start", "a_end", "b_start", "b_end", "similarity", "expected", "a_text", "b_text"]
    letter, ferry = Path("letter.txt").read_text("utf-8"), Path("books/ferry.txt").read_text("utf-8")
    assert pair["a_text"] == letter[pair["a_start"] : pair["a_end"]]
    assert pair["b_text"] == ferry[pair["b_start"] : pair["b_end"]]
    assert "the whole street ran down" in pair["a_text"]
    assert "the whole street ran down" in pair["b_text"]
    assert pair["similarity"] >= 0.5


def test_alignment_obeys_its_options(run: Run, folder: Path) -> None:
    assert not run("align", "letter.txt", "books/ferry.txt", "--min-pair-length", "500").stdout
    pairs = lines_of(run("align", "letter.txt", "books/ferry.txt", "--threshold", "0.95"))
    assert all(pair["similarity"] >= 0.95 for pair in pairs)
    (pair,) = lines_of(run("align", "letter.txt", "books/ferry.txt"))
    assert not run("align", "letter.txt", "books/ferry.txt", "--expect", str(pair["expected"] / 2)).stdout


def test_what_a_text_to_ignore_has_is_no_pair_and_is_listed_on_standard_error(run: Run, folder: Path) -> None:
    for arguments in (["letter.txt", "books/ferry.txt"], ["--index", "books.ibidem", "letter.txt"]):
        assert run("align", *arguments).stdout
        done = run("align", *arguments, "--ignore", "books/ferry.txt")
        assert (done.exit_code, done.stdout) == (0, "")
        first = done.stderr.splitlines()[0]
        assert first.startswith("letter.txt: characters ")
        assert " ignored: similar to books/ferry.txt, " in first


_FIRST = "When the evening came, they went home.\nThe lamp burned low in the hall.\nNobody spoke.\n"
_SECOND = "When the euening came, they went home.\nA new line.\nThe lamp burned low in the hall.\n"


def test_two_texts_are_written_side_by_side_and_with_an_apparatus(run: Run, folder: Path) -> None:
    Path("first.txt").write_text(_FIRST, "utf-8")
    Path("second.txt").write_text(_SECOND, "utf-8")
    Path("lines.csv").write_text("of an earlier run", "utf-8")
    arguments = ("align", "first.txt", "second.txt", "--table", "lines.csv", "--apparatus", "edition.xml")
    plain = run("align", "first.txt", "second.txt").stdout
    assert run(*arguments).stdout == plain  # the passages are written as without
    rows = list(csv.reader(Path("lines.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["line of first.txt", "line of second.txt", "similarity", "first.txt", "second.txt"]
    assert [row[:2] for row in rows[1:]] == [["1", "1"], ["", "2"], ["2", "3"], ["3", ""]]
    assert rows[3][3:] == [_FIRST.splitlines()[1]] * 2
    edition = ElementTree.parse("edition.xml")
    readings = [each.text for each in edition.iter("{http://www.tei-c.org/ns/1.0}rdg")]
    assert readings[:2] == ["evening", "euening"]
    assert run(*arguments[:5], "--units", "sentence").exit_code == 0
    assert Path("lines.csv").read_text("utf-8").startswith("sentence of first.txt,")


def test_verses_that_both_files_name_are_the_rows_of_the_table(run: Run, folder: Path) -> None:
    def edition(*verses: tuple[str, str]) -> str:
        body = "".join(f'<l n="{number}">{verse}</l>' for number, verse in verses)
        return f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><lg>{body}</lg></body></text></TEI>'

    Path("a.xml").write_text(edition(("7", "And the evening was."), ("8", "He saw that it was good.")), "utf-8")
    Path("b.xml").write_text(edition(("9", "He saw that all of it was good.")), "utf-8")
    assert run("align", "a.xml", "b.xml", "--table", "verses.csv").exit_code == 0
    rows = list(csv.reader(Path("verses.csv").read_text("utf-8").splitlines()))
    assert rows[0][:2] == ["verse of a.xml", "verse of b.xml"]
    assert [row[:2] for row in rows[1:]] == [["verse 7", ""], ["verse 8", "verse 9"]]


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ("letter.txt --index books.ibidem --table t.csv", "of two whole files, A and B"),
        ("letter.txt books/ferry.txt --apparatus t.xml --within 1:9", "of two whole files, A and B"),
        ("letter.txt books/ferry.txt --table t.csv --units verse", "no unit is called 'verse'"),
        ("letter.txt books/ferry.txt --table missing/t.csv", "missing/t.csv: it cannot be written: No such file"),
    ],
)
def test_a_table_that_cannot_be_made_is_refused(run: Run, folder: Path, options: str, cause: str) -> None:
    done = run("align", *options.split())
    assert done.exit_code == 2
    assert cause in done.stderr
    assert not list(Path().rglob("t.csv*"))


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_both_passages_side_by_side(run: Run, folder: Path) -> None:
    shown = run("align", "letter.txt", "books/ferry.txt").stdout
    assert "1 pair of passages" in shown
    assert "similarity 0." in shown
    assert "letter.txt, characters" in shown
    assert "books/ferry.txt," in shown
    assert any(line.count("│") == 3 for line in shown.splitlines())
    assert "no passage in common" in run("align", "letter.txt", "books/bees.txt").stdout


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_of_a_summary_its_containment_and_its_similarity(run: Run, folder: Path) -> None:
    source = [f"w{number}" for number in range(600)]
    own = [f"own{number % 150}" for number in range(300)]
    Path("digest.txt").write_text(" ".join([*own, *source[599::-9], *own]))
    Path("whole.txt").write_text(" ".join(source))
    shown = run("align", "digest.txt", "whole.txt").stdout
    assert "summary, containment 1.000, similarity 0.10" in shown


@pytest.mark.usefixtures("folder")
def test_on_a_pipe_a_run_without_results_says_so_on_standard_error(run: Run) -> None:
    result = run("align", "letter.txt", "books/bees.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "letter.txt and books/bees.txt: no passage in common\n"
    assert not run("align", "letter.txt", "books/ferry.txt").stderr


@pytest.mark.usefixtures("folder")
def test_tables_are_not_aligned_as_prose(run: Run) -> None:
    result = run("align", "notes.jsonl", "poems.jsonl")
    assert result.exit_code == 2
    assert "notes.jsonl: it holds more than one document" in result.stderr
