"""Pairs of a query and a text, as the paper on one permutation hashing makes them (section 5.2), and their windows.

The query is an annotated suspicious passage of PAN, the text its source document; tokens are GPT-2's byte pairs, as in
the paper, from the folder ``gpt2-bpe`` of the real texts. Sets, passages of any length (``t = 1``). ``k-mins`` is the
paper's KMS: one window set for each of k functions; ``one permutation`` is its OPH.
"""

import os
import random
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from annotated import pan_search

from baselines.one_permutation import jitted_function_windows, jitted_windows
from ibidem.hashing import function_seeds
from ibidem.sketches import kmins, one_permutation
from ibidem.sketches.families import SetFamily
from ibidem.sketches.index.collided_windows import WindowSet
from ibidem.sketches.one_permutation import EMPTY_KEY
from ibidem.sketches.windows.windows import Windows
from ibidem.text import make_tokenizer
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

__all__ = ["SCHEMES", "Pair", "collided", "gpt2", "least_score", "pan_pairs"]

UNIT = 1_000_000
"""What a collision counts; two empty bins count θ of it."""

SCHEMES = ("k-mins", "one permutation")
SEED = 5


class Pair(NamedTuple):
    """The tokens of a query and of a text."""

    query: npt.NDArray[np.uint32]
    text: npt.NDArray[np.uint32]


def gpt2() -> Any:
    """GPT-2's tokenizer, from the folder of the real texts."""
    folder = Path(os.environ["IBIDEM_DATA"]) / "gpt2-bpe"
    return make_tokenizer("bpe", file=folder / "encoder.json", merges=folder / "vocab.bpe")


def pan_pairs(quick: bool, count: int = 100) -> list[Pair]:
    """``count`` annotated passages with their source documents, drawn at random; a few generated ones if quick."""
    tasks = pan_search(quick, spec="words" if quick else gpt2()).tasks
    drawn = tasks if quick else random.Random(200).sample(tasks, count)
    return [Pair(task.query, task.text) for task in drawn]


def collided(
    pair: Pair, scheme: str, k: int, theta: float, ties: np.random.Generator | None = None
) -> tuple[WindowSet, float]:
    """The windows of the text that have a key of the query, and what each counts; processor seconds are the caller's.

    Of duplicate tokens the first splits a range, or any of them, as ``ties`` draws.
    """
    stream = prepare_tokens(pair.text)
    found: list[Windows] = []
    if scheme == "k-mins":
        seeds = function_seeds(SEED, k)
        keys = kmins.sketch(SetFamily(), pair.query, seeds)
        found = [
            jitted_function_windows(stream, SetFamily().active(stream.vocabulary, stream.peaks, seed), ties)
            for seed in seeds
        ]
    else:
        [seed] = function_seeds(SEED, 1)
        weighting = Weighting.of("set")
        keys = one_permutation.sketch(weighting, pair.query, seed, k)
        values = one_permutation.bin_values(weighting, stream.vocabulary, stream.peaks, seed, k)
        found = jitted_windows(stream, values, k, ties)
    columns: list[list[npt.NDArray[np.int64]]] = [[] for _ in WindowSet._fields]
    for key, windows in zip(keys, found, strict=True):
        held = windows.keys == key
        a, b, c, d = (column[held].astype(np.int64) for column in windows[1:])
        empty = key == EMPTY_KEY
        score = round(theta * UNIT) if empty else UNIT
        for column, part in zip(columns, (a, b, a if empty else c, d, np.full(len(a), score)), strict=True):
            column.append(part)
    return WindowSet(*map(np.concatenate, columns)), sum(len(windows.keys) for windows in found)


def least_score(k: int, theta: float) -> int:
    """``kθ``, in units."""
    return k * round(theta * UNIT)
