"""The texts that the benchmarks run on: real ones from the folder that IBIDEM_DATA names, or generated ones."""

import gzip
import json
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ibidem.text import Texts, make_tokenizer

NOVELS = "novels-en"
BIBLES = "bibles-en"


def data_file(name: str) -> Path:
    """The file of real texts ``name``; ends the benchmark with a clear word where there is none."""
    folder = os.environ.get("IBIDEM_DATA")
    if not folder:
        sys.exit(f"IBIDEM_DATA names no folder: let it name the one with {name}.jsonl.gz, or run with --quick")
    return Path(folder) / f"{name}.jsonl.gz"


def rows_of(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(data_file(name), "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def documents(quick: bool) -> list[tuple[str, str]]:
    """Ids and texts: the novels, or a few generated ones."""
    if quick:
        return generated(4, 4_000)
    return [(row["id"], row["text"]) for row in rows_of(NOVELS)]


def generated(count: int, words: int) -> list[tuple[str, str]]:
    """``count`` documents of so many ``words``, drawn from a vocabulary with the frequencies of Zipf's law."""
    source = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    vocabulary = ["".join(source.choices(letters, k=source.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    return [(f"generated-{i}", " ".join(source.choices(vocabulary, weights, k=words))) for i in range(count)]


def word_tokens(texts: list[str]) -> list[npt.NDArray[np.uint32]]:
    """The word tokens of each text."""
    tokens = make_tokenizer("words").encode(Texts.from_strings(texts))
    return np.split(tokens.ids, tokens.bounds[1:-1])
