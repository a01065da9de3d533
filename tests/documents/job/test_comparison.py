"""Texts that are gathered from parts have the similarities of sets of shingles, whatever memory holds."""

from dataclasses import replace

import numpy as np
import pytest

from ibidem.documents.choices import Choices
from ibidem.documents.job.comparison import PairComparer, RangeLinks, gather_signatures, read_links
from ibidem.documents.job.distinct_texts import DistinctTexts
from ibidem.documents.large_buckets import Links
from ibidem.engine.outputs import open_as, save_output
from ibidem.resources import Resources

from ..test_digests import CHOICES, DOCUMENTS, open_spools, write_spool


@pytest.fixture(scope="module", params=[1, 2])
def digests(request, tmp_path_factory):
    """Digests in one part, which are used as they are, and in two, from which they are gathered."""
    folder = tmp_path_factory.mktemp("parts")
    documents = DOCUMENTS[6:] + DOCUMENTS[:6]
    parts = [documents] if request.param == 1 else [documents[:6], documents[6:]]
    return open_spools([write_spool(folder / str(number), part) for number, part in enumerate(parts)])


def find_rows(digests):
    """The first document of each text with a token."""
    return DistinctTexts.find(digests.column("contents"), digests.lengths()).rows


def compare(digests, choices, pairs, memory=1 << 26):
    """The documents of the texts, and the similarities of pairs of them."""
    rows = find_rows(digests)
    resources = Resources(memory, 2, lambda *told: None)
    with resources.pool() as pool:
        made = PairComparer(digests, rows, digests.lengths()[rows], choices, resources, pool)
        found = made(pairs, 0.0)
    assert made.count == len(pairs)
    return [DOCUMENTS[6:] + DOCUMENTS[:6], rows], found


def all_pairs(digests):
    count = len(find_rows(digests))
    return np.array([(a, b) for a in range(count) for b in range(a)], np.int64)


def shingles_of(text):
    words = text.split()
    return {tuple(words[start : start + 5]) for start in range(max(1, len(words) - 4))}


def test_similarities_are_those_of_sets_of_shingles(digests):
    pairs = all_pairs(digests)
    (documents, rows), found = compare(digests, CHOICES, pairs)
    for (a, b), similarity in zip(pairs.tolist(), found.tolist(), strict=True):
        one, other = (shingles_of(documents[rows[text]]["text"]) for text in (a, b))
        assert similarity == pytest.approx(len(one & other) / len(one | other))
    assert len(set(found.tolist())) > 1


@pytest.mark.parametrize("verify", [True, False])
def test_neither_the_order_of_pairs_nor_the_memory_changes_anything(digests, verify):
    choices = replace(CHOICES, verify=verify)
    pairs = all_pairs(digests)
    order = np.random.default_rng(5).permutation(len(pairs))
    _, found = compare(digests, choices, pairs)
    _, again = compare(digests, choices, pairs[order], memory=64)  # a block of pairs has one or two
    assert again.tolist() == found[order].tolist()


def test_an_estimate_is_the_share_of_equal_values(digests):
    choices = Choices(num_hashes=16, keep="max(year)", verify=False)
    pairs = all_pairs(digests)
    (_, rows), found = compare(digests, choices, pairs)
    signatures = digests.gather("signatures", rows)
    expected = (signatures[pairs[:, 0]] == signatures[pairs[:, 1]]).mean(axis=1)
    assert found == pytest.approx(expected)


def test_signatures_are_in_the_order_that_is_asked_for(digests):
    rows = np.array([11, 0, 7])
    documents = gather_signatures(digests, rows, needed=3)
    assert np.array_equal(documents.signatures[documents.rows], digests.gather("signatures", rows))
    assert np.array_equal(documents.bands[documents.rows], digests.gather("bands", rows))


def some_links(count, seed):
    source = np.random.default_rng(seed)
    return Links(np.sort(source.integers(0, 30, (count, 2))), source.random(count))


def plain(links):
    return [(*pair, similarity) for pair, similarity in zip(links.pairs.tolist(), links.similarities, strict=True)]


@pytest.fixture
def folders(tmp_path):
    """What three tasks found; one of them found nothing."""
    for number, count in enumerate((7, 0, 4)):
        (tmp_path / str(number)).mkdir()
        large = [(band, np.arange(band, 9)) for band in range(number)]
        save_output(RangeLinks(some_links(count, number), large, 10 * number), tmp_path / str(number))
    return [tmp_path / str(number) for number in range(3)]


@pytest.mark.parametrize("most", [1, 3, 100])
def test_links_are_read_as_they_were_found(folders, most):
    ranges = [open_as(RangeLinks)(folder) for folder in folders]
    read = list(read_links(ranges, most))
    assert max(len(links.pairs) for links in read) <= most
    assert [link for links in read for link in plain(links)] == [*plain(some_links(7, 0)), *plain(some_links(4, 2))]
    assert [each.compared for each in ranges] == [0, 10, 20]
    assert [(band, members.tolist()) for each in ranges for band, members in each.large] == [
        (0, list(range(9))),
        (0, list(range(9))),
        (1, list(range(1, 9))),
    ]
