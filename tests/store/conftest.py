from pathlib import Path

import pytest

from ibidem.store import Store

from . import samples


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def store(path: Path) -> Store:
    """An index with two segments, of which one has lost a document, document frequencies, and a file that is kept."""
    store = Store.create(path, samples.CONFIG)
    samples.add(store)
    with store.writer() as writer:
        samples.fill(writer.new_segment(), first=5, count=4)
        samples.put_some_frequencies(writer)
        writer.attach(samples.ATTACHED)
        writer.remove({"000001": [2]})
        writer.commit()
    return store
