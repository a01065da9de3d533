"""Searches in other processes give what a search in this one gives, whatever happens to the index or to them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ibidem
from ibidem import Document, PassageIndex
from ibidem.passages.searchers import processes

SENTENCE = "the quick brown fox jumps over a lazy dog while seven grey owls watch from an old barn roof"

WORDS = SENTENCE.split()

DOCUMENTS = [Document(f"d{at}", " ".join(WORDS[at:] + WORDS[:at]) + f" ending {at}", {"at": at}) for at in range(12)]

QUERIES = [Document(f"q{at}", " ".join((WORDS * 2)[at : at + 9])) for at in range(17)] + [Document("empty", "?!")]


def build(path: Path, **settings: object) -> PassageIndex:
    return PassageIndex.build(path, DOCUMENTS, min_length=4, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings", [{}, {"scheme": "minhash", "num_hashes": 16, "family": "weighted"}], ids=["exact", "sketches"]
)
def test_processes_find_what_threads_find_in_the_same_order(tmp_path: Path, settings: dict[str, object]) -> None:
    with build(tmp_path / "index", **settings) as index:
        index.remove(["d3"])
        expected = list(index.explain_many(QUERIES, threshold=0.5))
        found = list(index.explain_many(iter(QUERIES), threshold=0.5, processes=2))
    assert [matches for matches, _ in found] == [matches for matches, _ in expected]
    assert sum(len(matches) for matches, _ in found) > len(QUERIES)
    assert [matches.query for matches, _ in found] == [query.text for query in QUERIES]
    assert [work.notes for _, work in found] == [work.notes for _, work in expected]
    assert [work.postings for _, work in found] == [work.postings for _, work in expected]


def test_a_commit_in_the_meantime_changes_nothing(tmp_path: Path) -> None:
    with build(tmp_path / "index") as index, PassageIndex.open(tmp_path / "index") as writer:
        expected = [list(found) for found in index.search_many(QUERIES[:-1], threshold=0.5)]
        writer.add([Document("later", DOCUMENTS[0].text)])
        assert [list(found) for found in index.search_many(QUERIES[:-1], threshold=0.5, processes=1)] == expected
        assert any(match.document == "later" for match in writer.search(QUERIES[0].text, threshold=0.5))


def test_a_process_that_ends_is_an_error_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_answer_group", end)
    with build(tmp_path / "index") as index, pytest.raises(ibidem.IbidemError, match="a process that searched it"):
        index.search_many(QUERIES, processes=1)


def end(queries: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_what_another_process_cannot_have_is_refused(tmp_path: Path) -> None:
    with (
        build(tmp_path / "split", tokenizer=lambda text: [(word, 0, 1) for word in text.split()]) as index,
        pytest.raises(ValueError, match="leave out processes"),
    ):
        index.search_many(QUERIES, processes=1)
    with build(tmp_path / "index") as index, pytest.raises(ValueError, match="processes is 0"):
        index.search_many(QUERIES, processes=0)


def test_damage_that_another_process_meets_is_told_as_damage(tmp_path: Path) -> None:
    with build(tmp_path / "index") as index:
        tokens = next((tmp_path / "index").rglob("tokens*"))
        changed = bytearray(tokens.read_bytes())
        changed[-1] ^= 1
        tokens.write_bytes(changed)
        with pytest.raises(ibidem.DamagedError, match="tokens"):
            index.search_many(QUERIES, processes=1)


def test_a_program_without_a_guard_is_told_of_it(tmp_path: Path) -> None:
    build(tmp_path / "index").close()
    script = tmp_path / "script.py"
    script.write_text(
        "import ibidem, sys\n"
        "try:\n"
        "    print(ibidem.PassageIndex.open(sys.argv[1]).search_many(['the quick brown fox'], processes=1))\n"
        "except ibidem.IbidemError as error:\n"
        "    print(error)\n"
    )
    asked = [sys.executable, str(script), str(tmp_path / "index")]
    said = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=300).stdout
    assert "if __name__ == '__main__':" in said


def test_processes_end_with_a_caller_that_was_killed(tmp_path: Path) -> None:
    build(tmp_path / "index").close()
    script = tmp_path / "script.py"
    script.write_text(
        "import ibidem, itertools, sys\n"
        "if __name__ == '__main__':\n"
        "    index = ibidem.PassageIndex.open(sys.argv[1])\n"
        "    for _ in index.explain_many(itertools.repeat('the quick brown fox'), processes=2):\n"
        "        print('found', flush=True)\n"
    )
    asked = [sys.executable, str(script), str(tmp_path / "index")]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == b"found\n"
        running.kill()
        running.communicate(timeout=300)  # ends when nobody is left who could write
