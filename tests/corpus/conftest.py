"""What the tests of all formats share."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from ibidem.corpus import read

Record = tuple[str, str, dict[str, Any]]


def _records(paths: Any, **options: Any) -> list[Record]:
    records: list[Record] = []
    for batch in read(paths, **options):
        assert len(batch.ids) == len(batch.texts) == len(batch.metadata) > 0
        for at, id in enumerate(batch.ids):
            records.append((id, batch.texts[at], json.loads(batch.metadata[at])))
    return records


@pytest.fixture(scope="session")
def records() -> Callable[..., list[Record]]:
    """Reads everything: a list of (id, text, metadata)."""
    return _records
