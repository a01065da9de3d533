"""Links go through files unchanged."""

import numpy as np
import pytest

from ibidem.documents.job.link_files import RangeLinks, open_links, read_links, save_links
from ibidem.documents.large_buckets import Links


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
        save_links(RangeLinks(some_links(count, number), large, 10 * number), tmp_path / str(number))
    return [tmp_path / str(number) for number in range(3)]


@pytest.mark.parametrize("most", [1, 3, 100])
def test_links_are_read_as_they_were_found(folders, most):
    ranges = [open_links(folder) for folder in folders]
    read = list(read_links(ranges, most))
    assert max(len(links.pairs) for links in read) <= most
    assert [link for links in read for link in plain(links)] == [*plain(some_links(7, 0)), *plain(some_links(4, 2))]
    assert [each.compared for each in ranges] == [0, 10, 20]
    assert [(band, members.tolist()) for each in ranges for band, members in each.large] == [
        (0, list(range(9))),
        (0, list(range(9))),
        (1, list(range(1, 9))),
    ]
