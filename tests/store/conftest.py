import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ibidem.store import Store

from . import samples


@pytest.fixture(autouse=True, scope="session")
def no_wait_for_the_disk() -> Iterator[None]:
    """No test here lives through a loss of power; that what needs a sync gets it in time has a test of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


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
