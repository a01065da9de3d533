"""One suite for all kinds of indexes: what is added, removed and merged, beside a dictionary of the documents."""

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ibidem import CorpusError, DocumentIndex, PassageIndex, SketchIndex
from ibidem.collection_index import CollectionIndex

TEXTS = {name: " ".join(f"{name}{number % 7}" for number in range(20)) for name in "abcdefgh"}
Build = Callable[[Path, list[tuple[str, str]]], CollectionIndex]


def build_passages(folder: Path, documents: list[tuple[str, str]]) -> CollectionIndex:
    return PassageIndex.build(folder / "passages", documents)


def build_documents(folder: Path, documents: list[tuple[str, str]]) -> CollectionIndex:
    return DocumentIndex.build(folder / "documents", documents, num_hashes=16)


def build_sketches(folder: Path, documents: list[tuple[str, str]]) -> CollectionIndex:
    return SketchIndex.build(folder / "sketches", documents, num_hashes=4, min_length=4)


all_kinds = pytest.mark.parametrize("build", [build_passages, build_documents, build_sketches])

changes = st.lists(
    st.tuples(st.sampled_from(["add", "remove", "merge", "open"]), st.sets(st.sampled_from("abcdefgh"), max_size=3)),
    max_size=6,
)


def documents_found(index: CollectionIndex) -> set[str]:
    """The documents that a search for each of the texts finds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {match.document for text in TEXTS.values() for match in index.search(text, threshold=0.9)}


@all_kinds
@settings(max_examples=12, deadline=None)
@given(changes=changes)
def test_an_index_holds_what_was_added_and_not_removed(
    tmp_path_factory: pytest.TempPathFactory, build: Build, changes: list[tuple[str, set[str]]]
) -> None:
    index = build(tmp_path_factory.mktemp("index"), [("a", TEXTS["a"])])
    held, commits = {"a"}, index.generation
    for change, names in changes:
        if change == "add" and names - held:
            index.add([(name, TEXTS[name]) for name in sorted(names - held)])
            held |= names
        elif change == "remove":
            assert set(index.remove(names & held)) == names & held
            held -= names
        elif change == "merge":
            index.merge()
            assert len(index.segments) <= 1
        else:
            index.close()
            index = type(index).open(index.path)
        assert index.ids() == held
        assert len(index) == len(held) == index.info()["documents"]
        assert index.generation >= commits
        commits = index.generation
    assert documents_found(index) == held
    assert index.check() == []
    index.close()


@all_kinds
def test_what_cannot_be_removed_changes_nothing(tmp_path: Path, build: Build) -> None:
    with build(tmp_path, list(TEXTS.items())) as index:
        before = index.generation
        with pytest.raises(CorpusError, match="no document has the id 'x', 'y'; nothing was removed"):
            index.remove(["a", "x", "y"])
        with pytest.raises(TypeError, match="not as one string"):
            index.remove("abc")
        assert (index.generation, index.ids()) == (before, set(TEXTS))


@all_kinds
def test_a_merge_that_fails_after_an_addition_is_a_warning(
    tmp_path: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    with build(tmp_path, [("a", TEXTS["a"])]) as index:
        monkeypatch.setattr(type(index), "_merge_crowded", fail)
        with pytest.warns(UserWarning, match="were added, but merging small segments failed: the disk is full"):
            index.add([("b", TEXTS["b"])])
        assert index.ids() == {"a", "b"}


@all_kinds
def test_there_is_nothing_to_gain_from_merging_one_whole_segment(tmp_path: Path, build: Build) -> None:
    with build(tmp_path, list(TEXTS.items())) as index:
        written, before = index.last_write, index.generation
        assert index.merge() is None
        assert (index.last_write, index.generation) == (written, before)
