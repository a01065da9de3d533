"""index, add, remove, merge, check and info: what they do to an index, and what they say about it."""

from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.cli.reports import named
from ibidem.weights import DocumentFrequencies

from .samples import CHANGED, PASSAGE, Run, lines_of


def ids(index: str) -> set[str]:
    """The documents in which the passage is found."""
    with PassageIndex.open(index) as opened:
        return {match.document for match in opened.search(PASSAGE)}


def configuration(run: Run, index: str) -> dict[str, object]:
    chosen: dict[str, object] = lines_of(run("info", index))[0]["configuration"]
    return chosen


def test_indexing_says_what_it_wrote_and_names_short_documents(run: Run, folder: Path) -> None:
    result = run("index", "books", "-o", "new.ibidem", "--min-length", "32")
    assert result.exit_code == 0
    assert not result.stdout
    wrote, short = result.stderr.splitlines()
    assert wrote.startswith("new.ibidem: 3 documents with ")
    assert short == "1 document is shorter than 32 tokens and is not searchable: note.txt"


def test_of_many_short_documents_the_first_are_named() -> None:
    assert named(list("abcde")) == "a, b, c, d, e"
    assert named(list("abcdef")) == "a, b, c, d, e ..."


def test_options_reach_the_configuration(run: Run, folder: Path) -> None:
    options = "--tokenizer characters --shingle 5 --family set -k 24 --min-length 20 --max-length 300 --seed 7"
    assert run("index", "books", "-o", "new.ibidem", *options.split()).exit_code == 0
    chosen = configuration(run, "new.ibidem")
    expected = {"family": "set", "num_hashes": 24, "min_length": 20, "max_length": 300, "seed": 7}
    assert {name: chosen[name] for name in expected} == expected
    assert chosen["tokenizer"] == {"name": "characters", "shingle": 5, "version": 1}


def test_weights_reach_the_configuration(run: Run, folder: Path) -> None:
    options = "--family weighted --tf logarithmic --idf smooth"
    assert run("index", "books", "-o", "new.ibidem", *options.split()).exit_code == 0
    chosen = configuration(run, "new.ibidem")
    assert (chosen["family"], chosen["tf"], chosen["idf"]) == ("weighted", "logarithmic", "smooth")


def test_frequencies_of_another_collection_are_used(run: Run, folder: Path) -> None:
    with PassageIndex.open("books.ibidem") as index:
        tokens = index._store.segments[0].vocabulary()[0]
    DocumentFrequencies(tokens, tokens * 0 + 1, 1000).save("frequencies.npz")
    options = "--family weighted --idf standard --frequencies frequencies.npz"
    assert run("index", "books", "-o", "new.ibidem", *options.split()).exit_code == 0
    with PassageIndex.open("new.ibidem") as index:
        stored = index._store.frequencies()
    assert stored is not None
    assert stored[2] == 1000


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ("--tokenizer syllables", "no tokenizer is called 'syllables'"),
        ("--tokenizer bpe", "needs --tokenizer-file"),
        ("--tokenizer-file x.json", "--tokenizer-file is for --tokenizer bpe, not for words"),
        ("--min-length 50 --max-length 40", "min_length <= max_length"),
        ("--memory plenty", "512M"),
        ("--family set --tf squared", "family 'weighted'"),
        ("--family sets", "'set', 'multiset', 'weighted'"),
        ("--text chapter", "chapter"),
        ("--frequencies none.npz", "none.npz"),
    ],
)
def test_what_cannot_be_indexed_is_one_line_and_leaves_nothing(
    run: Run, folder: Path, options: str, cause: str
) -> None:
    result = run("index", "notes.jsonl", "-o", "new.ibidem", *options.split())
    assert result.exit_code == 2
    assert result.stderr.startswith("ibidem: error: ")
    assert len(result.stderr.splitlines()) == 1
    assert cause in result.stderr
    assert not (folder / "new.ibidem").exists()


def test_an_index_is_not_made_over_another(run: Run, folder: Path) -> None:
    result = run("index", "more", "-o", "books.ibidem")
    assert result.exit_code == 2
    assert "books.ibidem: an index stands there already" in result.stderr


def test_added_documents_are_found_and_removed_ones_are_not(run: Run, folder: Path) -> None:
    assert ids("books.ibidem") == {"ferry.txt"}
    assert run("add", "books.ibidem", "more", "--memory", "64M", "--threads", "1").exit_code == 0
    assert ids("books.ibidem") == {"ferry.txt", "again.txt"}
    removed = run("remove", "books.ibidem", "ferry.txt", "bees.txt")
    assert removed.stderr == "books.ibidem: 2 documents removed: ferry.txt, bees.txt\n"
    assert ids("books.ibidem") == {"again.txt"}


def test_columns_are_named_with_options(run: Run, folder: Path) -> None:
    assert run("add", "books.ibidem", "poems.jsonl", "--text", "verse", "--id", "title").exit_code == 0
    assert ids("books.ibidem") == {"ferry.txt", "harbour"}


def test_an_id_that_exists_is_not_added(run: Run, folder: Path) -> None:
    result = run("add", "books.ibidem", "books")
    assert result.exit_code == 2
    assert "bees.txt" in result.stderr
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 3


def test_ids_to_remove_are_read_from_a_file_or_a_pipe(run: Run, folder: Path) -> None:
    assert run("remove", "books.ibidem", "--ids-from", "withdrawn.txt").exit_code == 0
    assert run("remove", "books.ibidem", "--ids-from", "-", input="ferry.txt\r\n").exit_code == 0
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 0


def test_an_id_that_is_not_there_removes_nothing(run: Run, folder: Path) -> None:
    result = run("remove", "books.ibidem", "bees.txt", "wasps.txt")
    assert result.exit_code == 2
    assert "'wasps.txt'" in result.stderr
    assert lines_of(run("info", "books.ibidem"))[0]["documents"] == 3


def test_removing_nothing_is_a_mistake(run: Run, folder: Path) -> None:
    assert run("remove", "books.ibidem").exit_code == 2


def test_merging_makes_one_segment_and_frees_the_removed(run: Run, folder: Path) -> None:
    run("add", "books.ibidem", "more")
    run("remove", "books.ibidem", "bees.txt")
    result = run("merge", "books.ibidem")
    assert result.stderr.startswith("books.ibidem: 2 segments became 1, without 1 removed document, in ")
    facts = lines_of(run("info", "books.ibidem"))[0]
    assert (facts["segments"], facts["documents"], facts["removed"]) == (1, 3, 0)
    assert ids("books.ibidem") == {"ferry.txt", "again.txt"}
    assert "nothing to merge" in run("merge", "books.ibidem").stderr


def test_a_sound_index_passes_the_check(run: Run, folder: Path) -> None:
    result = run("check", "books.ibidem")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith("files checked, all as they were written\n")


def test_a_damaged_index_fails_the_check_with_a_line_for_each_problem(run: Run, folder: Path) -> None:
    for name in ("text.npy", "packed_postings.npy"):
        (damaged,) = Path("books.ibidem").rglob(name)
        content = bytearray(damaged.read_bytes())
        content[-1] ^= 1
        damaged.write_bytes(content)
    result = run("check", "books.ibidem")
    assert result.exit_code == 1
    assert sorted(line.rpartition("/")[2].partition(":")[0] for line in result.stdout.splitlines()) == [
        "packed_postings.npy",
        "text.npy",
    ]


def test_an_index_too_damaged_to_be_opened_is_checked(run: Run, folder: Path) -> None:
    (damaged,) = Path("books.ibidem").rglob("packed_postings.npy")
    damaged.unlink()
    assert run("info", "books.ibidem").exit_code == 2
    result = run("check", "books.ibidem")
    assert result.exit_code == 1
    assert "packed_postings.npy" in result.stdout


@pytest.mark.parametrize("command", ["add", "remove", "search", "info", "check", "merge"])
def test_what_is_not_an_index_is_told(run: Run, folder: Path, command: str) -> None:
    rest = {"add": ["more"], "remove": ["x"], "search": ["letter.txt"]}.get(command, [])
    result = run(command, "books", *rest)
    assert result.exit_code == 2
    assert result.stderr.startswith("ibidem: error: books: ")


def test_info_gives_what_each_part_takes(run: Run, folder: Path) -> None:
    (facts,) = lines_of(run("info", "books.ibidem"))
    assert facts["documents"] == 3
    assert facts["segments"] == 1
    assert facts["bytes"].keys() == facts["bytes_per_token"].keys()
    assert facts["bytes_per_token"]["postings"] == pytest.approx(facts["bytes"]["postings"] / facts["tokens"], abs=1e-3)


def test_info_is_a_table_for_a_reader(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ibidem.cli.info.is_terminal", lambda _: True)
    shown = run("info", "books.ibidem").stdout
    for fact in ("multiset", "words, shingle 1, version 1", "postings", "per token"):
        assert fact in shown
    assert lines_of(run("info", "books.ibidem", "--json"))


def test_standard_input_is_json_lines(run: Run, folder: Path) -> None:
    assert run("index", "-", "-o", "new.ibidem", input=Path("notes.jsonl").read_bytes()).exit_code == 0
    with PassageIndex.open("new.ibidem") as index:
        assert {match.document for match in index.search(CHANGED)} == {"first"}
