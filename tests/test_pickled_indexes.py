"""An index is pickled as its path and the options with which it was opened."""

import pickle
from pathlib import Path

import pytest

from ibidem import DocumentIndex, PassageIndex

TEXT = "tyger tyger burning bright in the forests of the night what immortal hand or eye"


def cut_words(text: str) -> list[tuple[str, int, int]]:
    found, at = [], 0
    for word in text.split(" "):
        found.append((word, at, at + len(word)))
        at += len(word) + 1
    return found


def test_a_copy_finds_the_same_and_sees_later_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with PassageIndex.build("index", [("a", TEXT)]) as index:
        data = pickle.dumps(index)
        assert len(data) < 1000
        index.add([("b", TEXT)])
    monkeypatch.chdir("/")
    with pickle.loads(data) as copy:
        assert sorted(match.document for match in copy.search(TEXT)) == ["a", "b"]


@pytest.mark.parametrize("built", [True, False])
def test_options_go_with_it(tmp_path: Path, built: bool) -> None:
    path = tmp_path / "index"
    index = PassageIndex.build(path, [("a", TEXT)], tokenizer=cut_words)
    if not built:
        index.close()
        index = PassageIndex.open(path, tokenizer=cut_words, checksums="full")
        assert index.__reduce__()[1][2] == {"tokenizer": cut_words, "checksums": "full"}
    with index, pickle.loads(pickle.dumps(index)) as copy:
        assert [match.document for match in copy.search(TEXT)] == ["a"]


def test_an_index_of_documents_is_pickled_too(tmp_path: Path) -> None:
    with DocumentIndex.build(tmp_path / "index", [("a", TEXT)], shingle="words:3") as index:
        copies = [pickle.loads(pickle.dumps(index))]
    copies.append(pickle.loads(pickle.dumps(DocumentIndex.open(tmp_path / "index", checksums="none"))))
    for copy in copies:
        assert copy.ids() == {"a"}
        copy.close()
