"""index: options reach the configuration, and what cannot be indexed leaves nothing."""

from pathlib import Path

import pytest

from ibidem import PassageIndex
from ibidem.weights import DocumentFrequencies

from .samples import CHANGED, Run, lines_of


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


def test_options_reach_the_configuration(run: Run, folder: Path) -> None:
    options = "--tokenizer characters:5 --family set --sketch minhash -k 24 --min-length 20 --max-length 300 --seed 7"
    assert run("index", "books", "-o", "new.ibidem", *options.split()).exit_code == 0
    chosen = configuration(run, "new.ibidem")
    expected = {"family": "set", "num_hashes": 24, "min_length": 20, "max_length": 300, "seed": 7}
    assert {name: chosen[name] for name in expected} == expected
    assert chosen["tokenizer"] == {"name": "characters", "shingle": 5, "version": 2}


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
        ("--min-length 50 --max-length 40", "--min-length <= --max-length"),
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
    assert "books.ibidem: an index exists there already" in result.stderr


def test_standard_input_is_json_lines(run: Run, folder: Path) -> None:
    assert run("index", "-", "-o", "new.ibidem", input=Path("notes.jsonl").read_bytes()).exit_code == 0
    with PassageIndex.open("new.ibidem") as index:
        assert {match.document for match in index.search(CHANGED)} == {"first"}
