"""Digests of small collections, in parts."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ibidem.documents.digests import BatchPart, digest_part
from ibidem.documents.rules import Rules
from ibidem.engine import Here
from ibidem.resources import Resources
from ibidem.text import as_batches

RULES = Rules(num_hashes=16, keep="max(year)", threshold=0.5)

LENGTHS = [2 * (number % 7) for number in range(12)]

DOCUMENTS = [
    {
        "id": f"né-{number}",
        "text": " ".join(f"w{word}" for word in range(number % 3, number % 3 + LENGTHS[number])),
        "year": number,
    }
    for number in range(12)
]


def make_resources(memory: int = 1 << 26, threads: int = 2) -> Resources:
    return Resources(memory, threads, lambda phase, done, total: None)


def digest(folder: Path, parts: Sequence[Any], rules: Rules = RULES) -> list[Path]:
    """Leave the digests of the documents of each part in folders."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = [BatchPart(as_batches(documents)) for documents in parts]
    return Here(make_resources()).map("reading", partial(digest_part, rules, None), tasks, folder / "digests")
