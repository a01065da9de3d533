"""search and align: JSON lines for a program, passages in their context for a reader."""

import json
import re
from pathlib import Path

import pytest

from ibidem.cli.queries import queries, whole_text
from ibidem.errors import CorpusError

from .samples import CHANGED, OTHER, PASSAGE, Run, lines_of

FIELDS = ["query", "query_start", "query_end", "document", "start", "end", "similarity", "text", "query_text"]


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("search", "align"):
        monkeypatch.setattr(f"ibidem.cli.{command}.is_terminal", lambda _: True)


def test_a_match_is_a_line_of_json_with_these_fields(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "letter.txt")
    (match,) = lines_of(result)
    assert list(match) == FIELDS
    assert match["query"] == "letter.txt"
    assert match["document"] == "ferry.txt"
    assert match["text"] == Path("books/ferry.txt").read_text("utf-8")[match["start"] : match["end"]]
    assert match["query_text"] == Path("letter.txt").read_text("utf-8")[match["query_start"] : match["query_end"]]
    assert 0.6 <= match["similarity"] < 1
    assert not result.stderr


def test_texts_are_left_out_if_they_are_not_wanted(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "letter.txt", "--no-text"))
    assert list(match) == FIELDS[:-2]
    (match,) = lines_of(run("align", "--index", "books.ibidem", "letter.txt", "--no-text"))
    assert list(match) == FIELDS[:-2]
    (pair,) = lines_of(run("align", "letter.txt", "books/ferry.txt", "--no-text"))
    assert list(pair) == ["a_start", "a_end", "b_start", "b_end", "similarity"]


def test_metadata_is_there_when_there_is_any(run: Run, folder: Path) -> None:
    run("index", "poems.jsonl", "--text", "verse", "--id", "title", "-o", "poems.ibidem")
    (match,) = lines_of(run("search", "poems.ibidem", "--query", PASSAGE))
    assert list(match) == [*FIELDS, "metadata"]
    assert match["metadata"] == {"year": 1903}


def test_all_gives_ranges_of_starts_and_ends(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--select", "all", "--threshold", "0.9"))
    assert matches
    for match in matches:
        assert list(match) == [*FIELDS, "starts", "ends"]
        assert match["starts"][0] <= match["start"] <= match["starts"][1]
        assert match["ends"][0] <= match["end"] <= match["ends"][1]


def test_without_verification_there_is_no_similarity(run: Run, folder: Path) -> None:
    run("index", "books", "-o", "sketched.ibidem", "-k", "16")
    matches = lines_of(run("search", "sketched.ibidem", "--query", PASSAGE, "--no-verify"))
    assert list(matches[0]) == [*FIELDS[:-2], "estimate", *FIELDS[-2:]]
    assert "ferry.txt" in {match["document"] for match in matches}
    assert all(match["similarity"] is None for match in matches)


@pytest.mark.parametrize("scheme", ["minhash", "oph"])
def test_explain_says_what_was_read_and_left_on_standard_error(run: Run, folder: Path, scheme: str) -> None:
    run("index", "poems.jsonl", "--text", "verse", "--id", "title", "-o", "poems.ibidem", "--scheme", scheme)
    for more in ((), ("--no-verify",)):
        result = run("search", "poems.ibidem", "--query", PASSAGE, "--explain", *more)
        assert lines_of(result)
        asked, looked_at, left, times = result.stderr.splitlines()
        assert re.fullmatch(
            r"query: [\d.]+ collisions asked for; 16 lists: \d+ read, \d+ looked up, \d+ skipped", asked
        )
        assert re.fullmatch(r"query: [\d,]+ of [\d,]+ postings? looked at", looked_at)
        assert re.fullmatch(
            r"query: \d+ of \d+ bins? of starts left by collisions, \d+ starts? left by tokens, "
            r"\d+ areas?, \d+ match(es)?",
            left,
        )
        assert times.startswith("query: ms for query ")


def test_explain_says_what_an_exact_search_read_and_left(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "--query", PASSAGE, "--explain")
    assert lines_of(result)
    asked, looked_at, left, times = result.stderr.splitlines()
    assert re.fullmatch(r"query: \d+ lists: [1-9]\d* read, 0 looked up, \d+ skipped", asked)
    assert re.fullmatch(r"query: [1-9][\d,]* of [\d,]+ postings looked at", looked_at)
    assert re.fullmatch(r"query: [1-9]\d* starts? left by tokens, [1-9]\d* areas?, [1-9]\d* match(es)?", left)
    assert times.startswith("query: ms for query ")


def test_a_query_on_the_command_line_is_called_query(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--threshold", "1"))
    assert match["query"] == "query"
    assert match["text"] == PASSAGE.rstrip(".")


def test_each_record_of_a_file_is_a_query(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "notes.jsonl"))
    assert [(match["query"], match["document"]) for match in matches] == [
        ("first", "ferry.txt"),
        ("second", "bees.txt"),
    ]


def test_columns_of_queries_are_named_with_options(run: Run, folder: Path) -> None:
    matches = lines_of(run("search", "books.ibidem", "poems.jsonl", "--text", "verse", "--id", "title"))
    assert [match["query"] for match in matches] == ["harbour", "hives"]


def test_standard_input_is_one_query_of_plain_text(run: Run, folder: Path) -> None:
    (match,) = lines_of(run("search", "books.ibidem", "-", input=CHANGED))
    assert match["query"] == "stdin"


def test_limit_keeps_the_most_similar_of_each_query(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    assert len(lines_of(run("search", "books.ibidem", "notes.jsonl"))) == 3
    matches = lines_of(run("search", "books.ibidem", "notes.jsonl", "--limit", "1"))
    assert [(match["query"], match["document"]) for match in matches] == [
        ("first", "again.txt"),
        ("second", "bees.txt"),
    ]


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_is_told_how_many_matches_a_limit_leaves_out(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    result = run("search", "books.ibidem", "notes.jsonl", "--limit", "1", "--json")
    assert len(lines_of(result)) == 2
    assert result.stderr == "first: 1 of 2 matches\n"


def test_a_query_that_is_too_short_is_named_in_one_line(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "books/note.txt", "letter.txt", "--min-length", "16")
    assert len(lines_of(result)) == 1
    assert result.stderr.startswith("ibidem: warning: books/note.txt: ")
    assert len(result.stderr.splitlines()) == 1


def test_many_queries_give_one_warning_of_a_kind(run: Run, folder: Path) -> None:
    notes = ["books/note.txt"] * 2
    result = run("search", "books.ibidem", *notes, "letter.txt", "books/note.txt", "--min-length", "16")
    assert len(lines_of(result)) == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("ibidem: warning: books/note.txt: ")
    assert line.endswith(", and alike 2 more queries")


@pytest.mark.usefixtures("at_a_terminal")
def test_a_search_that_finds_nothing_says_what_would_find_more(run: Run, folder: Path) -> None:
    exact = ("--json", "--threshold", "1")
    assert run("search", "books.ibidem", "letter.txt", *exact, "--min-length", "9").stderr == (
        "letter.txt: nothing found. More is found with a --threshold below 1 or a --min-length below 9; of a whole "
        "document, or of a text of more than 1,024 tokens, with: ibidem align --index books.ibidem letter.txt\n"
    )
    many = run("search", "books.ibidem", "notes.jsonl", "letter.txt", *exact)
    assert many.stderr.startswith(
        "2 of 3 queries, the first first: nothing found. More is found with a --threshold below 1; of"
    )
    assert not run("search", "books.ibidem", "letter.txt").stderr


@pytest.mark.usefixtures("at_a_terminal")
def test_an_index_of_sketches_suggests_only_what_it_can_do(run: Run, folder: Path) -> None:
    run("index", "books", "-o", "sketched.ibidem", "-k", "8")
    found = run("search", "sketched.ibidem", "--query", CHANGED, "--threshold", "1", "--json")
    assert found.stderr == "query: nothing found. More is found with a --threshold below 1\n"


def test_a_program_is_told_nothing_of_a_search_that_finds_nothing(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "letter.txt", "--threshold", "1")
    assert (result.stdout, result.stderr) == ("", "")


def test_a_tiny_threshold_is_a_threshold(run: Run, folder: Path) -> None:
    assert lines_of(run("search", "books.ibidem", "--query", PASSAGE, "--threshold", "1e-320"))


def test_one_query_without_words_among_others_does_not_end_the_search(run: Run, folder: Path) -> None:
    Path("empty.txt").write_text("", "utf-8")
    result = run("search", "books.ibidem", "empty.txt", "letter.txt")
    assert result.exit_code == 0
    assert [match["query"] for match in lines_of(result)] == ["letter.txt"]
    assert result.stderr.startswith("ibidem: warning: empty.txt: ")


def test_a_query_without_words_is_an_error_by_itself(run: Run, folder: Path) -> None:
    result = run("search", "books.ibidem", "--query", "?!")
    assert result.exit_code == 2
    assert result.stderr.startswith("ibidem: error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["letter.txt", "--query", "both"],
        ["letter.txt", "--threshold", "0"],
        ["letter.txt", "--recall", "1.5"],
        ["letter.txt", "--select", "worst"],
        ["letter.txt", "--limit", "0"],
        ["letter.txt", "missing.txt"],
    ],
)
def test_a_wrong_search_is_one_line_and_finds_nothing(run: Run, folder: Path, arguments: list[str]) -> None:
    result = run("search", "books.ibidem", *arguments)
    assert result.exit_code == 2
    assert not result.stdout
    assert len(result.stderr.splitlines()) == 1


def test_a_lone_surrogate_is_written_as_an_escape(run: Run, folder: Path) -> None:
    record = json.dumps({"id": "broken", "text": f"{PASSAGE} \ud800 {PASSAGE}"})
    run("index", "-", "-o", "new.ibidem", input=record)
    result = run("search", "new.ibidem", "-", "--threshold", "0.9", input=f"{PASSAGE} {PASSAGE}")
    assert r"\ud800" in result.stdout
    assert "\ud800" in lines_of(result)[0]["text"]


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_the_passage_in_its_context(run: Run, folder: Path) -> None:
    shown = " ".join(run("search", "books.ibidem", "letter.txt").stdout.split())
    (match,) = lines_of(run("search", "books.ibidem", "letter.txt", "--json"))
    assert shown.startswith("letter.txt 1 match ferry.txt similarity 0.")
    assert f"characters {match['start']} to {match['end']}" in shown
    assert " ".join(OTHER[:80].split()[-5:]) in shown
    assert "And so it was." in shown


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_that_there_is_no_match(run: Run, folder: Path) -> None:
    assert run("search", "books.ibidem", "letter.txt", "--threshold", "1").stdout.split() == [
        "letter.txt",
        "no",
        "match",
    ]


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_ranges_for_all(run: Run, folder: Path) -> None:
    assert "(starts " in run("search", "books.ibidem", "--query", PASSAGE, "--select", "all").stdout


@pytest.mark.usefixtures("at_a_terminal")
def test_a_document_cannot_steer_the_terminal(run: Run, folder: Path) -> None:
    Path("evil").mkdir()
    Path("evil/e.txt").write_text(f"\x1b]0;title\x07 {PASSAGE} \x1b[2J [bold]", "utf-8")
    run("index", "evil", "-o", "new.ibidem")
    shown = run("search", "new.ibidem", "--query", PASSAGE).stdout
    assert "\x1b" not in shown
    assert "[bold]" in shown


def test_an_alignment_is_a_line_of_json_with_these_fields(run: Run, folder: Path) -> None:
    (pair,) = lines_of(run("align", "letter.txt", "books/ferry.txt"))
    assert list(pair) == ["a_start", "a_end", "b_start", "b_end", "similarity", "a_text", "b_text"]
    letter, ferry = Path("letter.txt").read_text("utf-8"), Path("books/ferry.txt").read_text("utf-8")
    assert pair["a_text"] == letter[pair["a_start"] : pair["a_end"]]
    assert pair["b_text"] == ferry[pair["b_start"] : pair["b_end"]]
    assert "the whole street ran down" in pair["a_text"]
    assert "the whole street ran down" in pair["b_text"]
    assert pair["similarity"] >= 0.5


def test_alignment_obeys_its_options(run: Run, folder: Path) -> None:
    assert not run("align", "letter.txt", "books/ferry.txt", "--min-length", "500").stdout
    pairs = lines_of(run("align", "letter.txt", "books/ferry.txt", "--threshold", "0.95"))
    assert all(pair["similarity"] >= 0.95 for pair in pairs)


@pytest.mark.usefixtures("at_a_terminal")
def test_a_reader_sees_both_passages_side_by_side(run: Run, folder: Path) -> None:
    shown = run("align", "letter.txt", "books/ferry.txt").stdout
    assert "1 pair of passages" in shown
    assert "similarity 0." in shown
    assert "letter.txt, characters" in shown
    assert "books/ferry.txt," in shown
    assert any(line.count("│") == 3 for line in shown.splitlines())
    assert "no passage in common" in run("align", "letter.txt", "books/bees.txt").stdout


@pytest.mark.parametrize("path", ["books", "nothing.txt", "books/*.txt"])
def test_a_side_of_an_alignment_is_one_file(run: Run, folder: Path, path: str) -> None:
    result = run("align", path, "letter.txt")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ibidem: error: {path}: ")


def test_a_whole_text_is_read_whatever_its_name(folder: Path) -> None:
    Path("a.json").write_bytes(b"one\r\ntwo\n")
    assert whole_text("a.json") == "one\r\ntwo\n"


def test_a_missing_file_is_told_before_any_query_is_searched(folder: Path) -> None:
    with pytest.raises(CorpusError, match=r"missing\.txt"):
        queries(["letter.txt", "missing.txt"], text="text", id="id")
