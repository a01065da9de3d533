"""How the work is divided leaves no trace in the postings."""

import numpy as np
import pytest

from ibidem import SketchIndex
from ibidem.sketches.index import window_postings
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.store.format import SHARED, STAIRCASE


def test_windows_of_one_key_are_a_staircase_and_are_packed_as_one(tmp_path):
    rng = np.random.default_rng(5)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.4, size) % 300) for size in (4000, 0, 900, 20)]
    for family in ("set", "multiset", "weighted"):
        with SketchIndex.build(
            tmp_path / family, documents, family=family, min_length=8, max_length=100, num_hashes=16
        ) as index:
            (segment,) = index._store.segments
            blocks = segment._blocks("posting")
            kinds = blocks.packed[blocks.bytes[:-1]].tolist()
            assert set(kinds) == {SHARED, STAIRCASE}


def make_documents(rng):
    return [" ".join(f"w{number}" for number in rng.zipf(1.4, size) % 300) for size in (40, 3000, 0, 500, 20)]


def keys_of_passages(index, function, document, lengths):
    """The key of every passage of a document in the postings of a function, by its start and end."""
    (segment,) = index._store.segments
    first, last = (int(bound) for bound in segment.token_bounds[document : document + 2])
    keys, bounds = segment.directory(function)
    found = {}
    for key, low, high in zip(keys.tolist(), bounds.tolist(), bounds[1:].tolist(), strict=False):
        starts, extents = segment.postings(low, high)
        for a, widths in zip(starts.tolist(), extents.astype(int), strict=True):
            b, c, d = (a + np.cumsum(widths)).tolist()
            for start in range(a, b + 1) if first <= a < last else ():
                least, most = start + lengths[0] - 1, min(start + lengths[1] - 1, d)
                for end in range(max(least, start if key == EMPTY_KEY else c), most + 1):
                    assert (start, end) not in found
                    found[start, end] = key
    return found


@pytest.mark.parametrize("sketch", ["minhash", "oph"])
@pytest.mark.parametrize("family", ["set", "multiset", "weighted"])
@pytest.mark.parametrize("min_length", [1, 8])
def test_a_document_that_is_divided_has_every_passage_once_under_the_same_key(
    tmp_path, monkeypatch, sketch, family, min_length
):
    options = {"sketch": sketch, "family": family, "min_length": min_length, "max_length": 30, "num_hashes": 3}
    if (sketch, family) == ("oph", "weighted"):
        options["weight_units"] = 2
    texts = [" ".join(f"w{number}" for number in np.random.default_rng(5).zipf(1.4, 300) % 40), "w1 w2 w3 " * 30]
    with SketchIndex.build(tmp_path / "whole", texts, **options) as index:
        whole = [keys_of_passages(index, function, text, (min_length, 30)) for function in range(3) for text in (0, 1)]
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 64)
    with SketchIndex.build(tmp_path / "divided", texts, **options) as index:
        divided = [
            keys_of_passages(index, function, text, (min_length, 30)) for function in range(3) for text in (0, 1)
        ]
        assert index.check() == []
    assert whole == divided
    assert len(whole[0]) == sum(300 - length + 1 for length in range(min_length, 31))


def test_a_passage_of_a_divided_document_is_found_where_a_cut_is(tmp_path, monkeypatch):
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 64)
    documents = make_documents(np.random.default_rng(5))
    with SketchIndex.build(tmp_path / "index", documents, min_length=8, max_length=100, num_hashes=16) as index:
        words = documents[1].split()
        for first in (0, 30, 63, 64, 100, 2950):
            query = " ".join(words[first : first + 50])
            assert "1" in {match.document for match in index.search(query, threshold=1.0)}


def test_threads_leave_no_trace_in_the_postings_of_a_divided_document(tmp_path, monkeypatch):
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 64)
    documents = make_documents(np.random.default_rng(5))
    for threads in (1, 3):
        options = {"min_length": 8, "max_length": 100, "num_hashes": 16, "threads": threads}
        SketchIndex.build(tmp_path / str(threads), documents, **options).close()
    one, three = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*")
            if path.is_file()
        }
        for name in ("1", "3")
    )
    assert one == three
    assert any(path.name == "packed_postings.npy" and len(data) > 1000 for path, data in one.items())


@pytest.mark.parametrize("family", ["set", "multiset", "weighted"])
def test_blocks_and_groups_of_functions_do_not_change_a_byte(tmp_path, monkeypatch, family):
    rng = np.random.default_rng(5)
    documents = [" ".join(f"w{number}" for number in rng.zipf(1.4, 60) % 90) for _ in range(30)]
    options = {"min_length": 5, "max_length": 40, "num_hashes": 8, "family": family}
    SketchIndex.build(tmp_path / "plain", documents, **options).close()
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 100)
    choose, sizes = window_postings._choose_group_size, []
    monkeypatch.setattr(window_postings, "_choose_group_size", lambda *given: sizes.append(choose(*given)) or 3)
    SketchIndex.build(tmp_path / "divided", documents, **options).close()
    plain, divided = (
        {path.name: path.read_bytes() for path in (tmp_path / name).rglob("*") if path.is_file()}
        for name in ("plain", "divided")
    )
    assert plain == divided
    assert sizes == [8, 8, 8]


def test_the_largest_block_is_sampled_since_others_may_hold_empty_documents_alone(monkeypatch):
    monkeypatch.setattr(window_postings, "BLOCK_TOKENS", 9)
    blocks = list(window_postings._divide_tokens(np.array([0, 0, 10, 10, 20, 20], np.int64), 4))
    assert [block.num_tokens for block in blocks] == [0, 9, 1, 0, 9, 1, 0]
    sampled = []
    monkeypatch.setattr(window_postings, "_make_block_postings", lambda *given: sampled.append(given[-1]) or [])

    class Scheme:
        functions, sample_functions = 8, 1

    assert window_postings._choose_group_size(np.zeros(20, np.uint32), blocks, Scheme, 4, 10**6) == 8
    (block,) = sampled
    assert (block.bounds[0], block.end) == (0, 9)
