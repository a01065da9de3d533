"""Groups hold whole clusters, each once, within the memory that is given."""

import numpy as np
import pytest

from ibidem.clusters import label_components
from ibidem.documents.job.groups import Costs, deal_out, make_groups, read_dealt
from ibidem.documents.large_buckets import Links

PAIRS = [(0, 3), (3, 7), (1, 2), (8, 9), (8, 11), (9, 11)]
SIZES = [1, 1, 1, 1, 5, 1, 1, 1, 1, 2, 1, 1, 1]  # of documents of each text; 4 stands in five and is like no other


@pytest.mark.parametrize("most", [1, 6, 13, 1000])
@pytest.mark.parametrize("links_at_a_time", [1, 4, 100])
def test_groups_hold_whole_clusters(tmp_path, most, links_at_a_time):
    pairs = np.array(PAIRS)
    links = Links(pairs, np.linspace(0.5, 1, len(pairs)))
    clusters = label_components(pairs, len(SIZES))
    bounds = np.cumsum([0, *SIZES])

    def read():
        for first in range(0, len(pairs), links_at_a_time):
            cut = slice(first, first + links_at_a_time)
            yield Links(links.pairs[cut], links.similarities[cut])

    groups = list(make_groups(clusters, bounds, read, tmp_path, Costs(link=1, document=1, group=most)))
    texts = [group.texts.tolist() for group in groups]
    assert sorted(text for each in texts for text in each) == [0, 1, 2, 3, 4, 7, 8, 9, 11]
    assert all(each == sorted(each) for each in texts)
    found = [tuple(pair) for group in groups for pair in group.links.pairs.tolist()]
    assert sorted(found) == sorted(PAIRS)
    for group, members in zip(groups, texts, strict=True):
        assert set(group.links.pairs.reshape(-1).tolist()) <= set(members)
    # The clusters cost 5, 3, 5 and 7.
    assert len(groups) == {1: 4, 6: 3, 13: 2, 1000: 1}[most]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(("texts-", "links-"))]


def test_records_are_dealt_out_in_order_and_behind_one_another(tmp_path):
    numbers = np.array([2, 0, 2, 5, 0])
    for first in (0, 10):
        deal_out(np.arange(first, first + 5), numbers, tmp_path, "records")
    dealt = {number: read_dealt(tmp_path, "records", number, np.dtype(np.int64)).tolist() for number in (0, 1, 2, 5)}
    assert dealt == {0: [1, 4, 11, 14], 1: [], 2: [0, 2, 10, 12], 5: [3, 13]}
    assert len(list(tmp_path.iterdir())) == 3
