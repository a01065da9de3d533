"""A result whose texts are at hand, as the command has it."""

from pathlib import Path
from typing import Any

import pytest

from ibidem.resources import Resources
from ibidem.reuse.outputs.result import Reuse
from ibidem.reuse.question import Question
from tests.reuse.small_collections import find_in

PASSAGE = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
DOCUMENTS: list[dict[str, Any]] = [
    {"id": "a & b", "text": f"He wrote: {PASSAGE}!", "year": 1800, "author": "Müller"},
    {"id": "book.ms7", "text": f"Ünd {PASSAGE.replace('lowing', 'low-ing')}", "year": 1751, "author": "Gray"},
    {"id": "c", "text": "Nothing of the kind.", "year": 1900, "author": "Nobody"},
    {"id": "d", "text": f"{PASSAGE} again, and again", "year": 1850, "author": "Somebody"},
]
TEXTS = {document["id"]: document["text"] for document in DOCUMENTS}


@pytest.fixture
def reuse(tmp_path: Path) -> Reuse:
    folder = tmp_path / "columns"
    folder.mkdir()
    return find_in([DOCUMENTS], Question(date="year"), folder, Resources.of("64M", 1, None))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder
