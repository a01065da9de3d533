"""Texts that quote one another."""

import random
from typing import Any

from ibidem.reuse.outputs.result import Reuse


def words(seed: int, count: int) -> list[str]:
    drawn = random.Random(seed)
    return [f"{chr(97 + drawn.randrange(26))}{int(3000 ** drawn.random())}" for _ in range(count)]


def around(seed: int, passage: list[str], before: int = 120, after: int = 150) -> str:
    return " ".join([*words(2 * seed, before), *passage, *words(2 * seed + 1, after)])


def rows(reuse: Reuse, table: str = "pairs") -> list[dict[str, Any]]:
    table_rows: list[dict[str, Any]] = getattr(reuse, table).to_pylist()
    return table_rows
