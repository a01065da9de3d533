"""--normalize: the same in every command that makes tokens, and kept where results are kept."""

import json
from pathlib import Path

import pytest

from ibidem import PassageIndex

from .samples import Run, lines_of

EDITION = "Ubi est iustus vir, qui aeternum numen colit et uerbum seruat in templo domini per omnes dies uitae suae?"
PRINT = "Vbi eſt juſtus uir, qui æternum nu-\nmen colit & verbum ſeruat in templo domini ꝑ omnes dies vitæ ſuæ?"
NAMES = "latin,hyphens"


@pytest.fixture(autouse=True)
def collection(folder: Path) -> None:
    rows = [{"id": name, "text": text} for name, text in (("edition", EDITION), ("print", PRINT))]
    Path("texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    Path("edition.txt").write_text(EDITION, encoding="utf-8")
    Path("print.txt").write_text(PRINT, encoding="utf-8")


def similarities(text: str) -> list[float]:
    return [row["similarity"] for row in map(json.loads, text.splitlines()) if "similarity" in row]


def test_align_counts_spellings_as_the_same(run: Run) -> None:
    assert not similarities(run("align", "edition.txt", "print.txt", "--threshold", "0.9").stdout)
    [row] = lines_of(run("align", "edition.txt", "print.txt", "--threshold", "0.9", "--normalize", NAMES))
    assert row["similarity"] == 1.0
    assert PRINT[row["b_start"] : row["b_end"]] == PRINT[:-1]


def test_a_search_is_normalized_as_the_index_was(run: Run) -> None:
    assert run("index", "texts.jsonl", "-o", "latin.ibidem", "--normalize", NAMES).exit_code == 0
    found = lines_of(run("search", "latin.ibidem", "print.txt", "--threshold", "0.99"))
    assert {row["document"] for row in found} == {"edition", "print"}
    with PassageIndex.open("latin.ibidem") as index:
        assert index.configuration.tokenizer["normalization"]["names"] == ["latin", "hyphens"]
    aligned = run("align", "--index", "latin.ibidem", "print.txt", "--normalize", "latin")
    assert aligned.exit_code == 2
    assert "an index has the tokens that it was made with" in aligned.stderr


def test_indexes_of_different_chains_are_not_merged(run: Run) -> None:
    for name, options in (("plain", []), ("latin", ["--normalize", "latin"])):
        assert run("index", "texts.jsonl", "-o", f"{name}.ibidem", *options).exit_code == 0
    merged = run("merge", "plain.ibidem", "latin.ibidem", "-o", "both.ibidem")
    assert merged.exit_code == 2
    assert not Path("both.ibidem").exists()


def test_reuse_counts_spellings_as_the_same_and_an_update_keeps_them(run: Run) -> None:
    options = ["--min-pair-length", "8", "--threshold", "0.9", "--format", "jsonl"]
    assert run("reuse", "texts.jsonl", "-o", "plain", *options).exit_code == 0
    assert run("reuse", "texts.jsonl", "-o", "latin", *options, "--normalize", NAMES).exit_code == 0
    assert not Path("plain/pairs.jsonl").read_text()
    assert similarities(Path("latin/pairs.jsonl").read_text()) == [1.0]
    other = run("reuse", "texts.jsonl", "-o", "other", "--update", "latin", "--normalize", "greek", "--format", "jsonl")
    assert other.exit_code == 2
    assert "tokenizer" in other.stderr
    assert run("reuse", "texts.jsonl", "-o", "same", "--update", "latin", "--format", "jsonl").exit_code == 0
    assert similarities(Path("same/pairs.jsonl").read_text()) == [1.0]


def test_dedup_counts_spellings_as_the_same(run: Run) -> None:
    for name, options, kept in (("plain", [], 2), ("latin", ["--normalize", NAMES], 1)):
        assert run("dedup", "texts.jsonl", "-o", name, *options).exit_code == 0
        assert json.loads(Path(name, "summary.json").read_text())["kept"] == kept


def test_dedup_refuses_an_index_of_another_chain(run: Run) -> None:
    made = run("dedup", "texts.jsonl", "-o", "one", "--against", "seen.ibidem", "--add", "--normalize", NAMES)
    assert made.exit_code == 0
    other = run("dedup", "texts.jsonl", "-o", "two", "--against", "seen.ibidem")
    assert other.exit_code == 2
    assert "ask for the same shingles" in other.stderr


def test_dedup_of_passages_counts_spellings_as_the_same(run: Run) -> None:
    for name, options, passages in (("plain", [], 0), ("latin", ["--normalize", NAMES], 1)):
        assert run("dedup", "texts.jsonl", "-o", name, "--passages", "--min-length", "8", *options).exit_code == 0
        assert json.loads(Path(name, "summary.json").read_text())["passages"] == passages


@pytest.mark.parametrize("command", [["align", "edition.txt", "print.txt"], ["dedup", "texts.jsonl", "-o", "x"]])
def test_an_unknown_name_is_refused(run: Run, command: list[str]) -> None:
    result = run(*command, "--normalize", "latein")
    assert result.exit_code == 2
    assert "no normalization is called 'latein'" in result.stderr


def test_a_search_says_where_letters_are_those_of_another_script(run: Run) -> None:
    hidden = EDITION.replace("aeternum", "aet\u0435rnum").replace("templo", "templ\u043e")
    Path("hidden.txt").write_text(hidden, encoding="utf-8")
    assert run("index", "hidden.txt", "-o", "hidden.ibidem").exit_code == 0
    [row] = lines_of(run("search", "hidden.ibidem", "edition.txt", "--threshold", "0.99"))
    assert row["similarity"] == 1.0
    assert row["look_alikes"] == 2
    assert "query_look_alikes" not in row
    [row] = lines_of(run("align", "hidden.txt", "edition.txt", "--min-pair-length", "8"))
    assert row["a_look_alikes"] == 2
    assert run("index", "edition.txt", "-o", "edition.ibidem").exit_code == 0
    [row] = lines_of(run("search", "edition.ibidem", "hidden.txt", "--threshold", "0.99"))
    assert row["query_look_alikes"] == 2


def test_points_count_by_the_name_none_alone(run: Run) -> None:
    pointed = (
        "\u05d1\u05b0\u05bc\u05e8\u05b5\u05d0\u05e9\u05b4\u05c1\u05d9\u05ea \u05d1\u05b8\u05bc\u05e8\u05b8\u05d0 " * 9
    )
    plain = "".join(letter for letter in pointed if not "\u0591" <= letter <= "\u05c7")
    for name, text in (("pointed.txt", pointed), ("plain.txt", plain)):
        Path(name).write_text(text, encoding="utf-8")
    options = ["align", "pointed.txt", "plain.txt", "--min-pair-length", "8", "--threshold", "0.9"]
    assert similarities(run(*options).stdout) == [1.0]
    assert not similarities(run(*options, "--normalize", "none").stdout)
