"""The workloads of the weighted paper's Figures 5 to 7, and the algorithms that partition them.

Texts are word tokens of novels, or GPT-2's byte pairs (``--tokens gpt2``), the first ``n`` of each; where ``n`` is
more than a novel has, novels are put one after the other, as in the paper. Their maximum token frequency ``f`` is what
it is, about 6 in 100; to vary it, tokens at random places are replaced by the commonest one until that stands ``f``
times.

Times are those of one thread for all hash functions of a text, the mean of the texts, everything included: the stream
of tokens, hash values, windows. The papers' own program, where one is named, is run on the same tokens in the same
call, and its time is the processor's for the whole run, reading the tokens included.
"""

import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from figure import Row, documents, word_tokens
from pairs import gpt2
from partition import all_values

from baselines import jitted
from ibidem.hashing import function_seeds
from ibidem.sketches.families import Family
from ibidem.sketches.windows.scanline import scanline
from ibidem.sketches.windows.windows import Windows
from ibidem.text import Texts
from ibidem.text.token_stream import TokenStream, number_tokens, prepare_tokens

__all__ = ["ALGORITHMS", "FREQUENCIES", "Algorithm", "Workload", "measured", "their_rows", "token_texts", "workloads"]

Ids = npt.NDArray[np.uint32]
Algorithm = Callable[[TokenStream, Family, np.uint64], Windows]

LENGTHS = {1_000: 4, 10_000: 2, 100_000: 1, 1_000_000: 1}
"""Tokens of a text, and how many texts (10 in the paper)."""

FREQUENCIES = (300, 1_000, 2_000, 3_000)
FIXED = 5_000
"""Tokens of a text where ``f`` or ``k`` varies, as in the paper."""

FEW = 2
"""Texts of that length."""

NOVELS = 12
"""So many novels are enough for the longest text."""


class Workload(NamedTuple):
    """Texts and the number of hash functions; ``by`` says what varies: n, f or k."""

    by: str
    texts: list[Ids]
    functions: int

    @property
    def columns(self) -> Row:
        """What the table says of the workload."""
        frequency = max(int(np.unique(text, return_counts=True)[1].max()) for text in self.texts)
        return {
            "by": self.by,
            "n": len(self.texts[0]),
            "f": frequency,
            "k": self.functions,
            "texts": len(self.texts),
        }


def _scanline(stream: TokenStream, family: Family, seed: np.uint64) -> Windows:
    return scanline(stream, family.active(stream.vocabulary, stream.peaks, seed))


def _monoactive(stream: TokenStream, family: Family, seed: np.uint64) -> Windows:
    return jitted.monoactive(stream, family.active(stream.vocabulary, stream.peaks, seed))


def _monoall(stream: TokenStream, family: Family, seed: np.uint64) -> Windows:
    return jitted.monoall(stream, all_values(stream, seed))


def _allalign(stream: TokenStream, family: Family, seed: np.uint64) -> Windows:
    return jitted.allalign(stream, family.active(stream.vocabulary, stream.peaks, seed))


ALGORITHMS: dict[str, Algorithm] = {
    "scanline": _scanline,
    "MonoActive": _monoactive,
    "MonoAll": _monoall,
    "AllAlign": _allalign,
}


def token_texts(quick: bool, tokens: str) -> list[Ids]:
    """The tokens of the novels, longest first."""
    strings = [text for _, text in documents(quick)]
    if tokens == "words":
        return sorted(word_tokens(strings), key=len, reverse=True)
    encoded = gpt2().encode(Texts.from_strings(sorted(strings, key=len, reverse=True)[:NOVELS]))
    return sorted(np.split(encoded.ids, encoded.bounds[1:-1]), key=len, reverse=True)


def workloads(
    quick: bool, functions: int, *, sketches: Sequence[int] = (), tokens: str = "words", longest: int = 1_000_000
) -> Iterator[Workload]:
    """By n up to ``longest``, by f, and by k for the numbers of functions in ``sketches``."""
    texts = token_texts(quick, tokens)
    if quick:
        yield Workload("n", [text[:300] for text in texts[:2]], 2)
        yield Workload("f", [commoner(text[:300], 100) for text in texts[:2]], 2)
        return
    for length, count in LENGTHS.items():
        if length <= longest:
            whole = texts if length <= len(texts[count - 1]) else [np.concatenate(texts)]
            yield Workload("n", [text[:length] for text in whole[:count]], functions)
    for frequency in FREQUENCIES:
        yield Workload("f", [commoner(text[:FIXED], frequency) for text in texts[:FEW]], functions)
    for k in sketches:
        yield Workload("k", [text[:FIXED] for text in texts[:FEW]], k)


def commoner(text: Ids, frequency: int) -> Ids:
    """The text with its commonest token at random places besides, until it stands ``frequency`` times."""
    tokens, counts = np.unique(text, return_counts=True)
    token, already = tokens[counts.argmax()], int(counts.max())
    places = np.random.default_rng(1).permutation(np.flatnonzero(text != token))
    changed = text.copy()
    changed[places[: max(0, frequency - already)]] = token
    return changed


def measured(workload: Workload, family: Family, name: str) -> Row:
    """Windows and seconds of an algorithm, a text."""
    algorithm = ALGORITHMS[name]
    seeds = function_seeds(0, workload.functions)
    algorithm(prepare_tokens(workload.texts[0][:100]), family, seeds[0])  # compiles
    start, windows = time.thread_time(), 0
    for text in workload.texts:
        stream = prepare_tokens(text)
        windows += sum(len(algorithm(stream, family, seed).keys) for seed in seeds)
    seconds = time.thread_time() - start
    return _row(workload, name, windows / len(workload.texts), seconds / len(workload.texts))


def their_rows(workload: Workload, program: Path | None, named: dict[str, list[str]]) -> Iterator[Row]:
    """Rows of the papers' released ``build`` program, run with each of ``named`` options; none without a program."""
    if program is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder) / "texts.bin"
        ids, vocabulary = number_tokens(np.concatenate(workload.texts))
        bounds = np.cumsum([0, *map(len, workload.texts)])
        with texts.open("wb") as file:
            for first, stop in pairwise(bounds):
                np.concatenate(([stop - first], ids[first:stop])).astype(np.int32).tofile(file)
        for name, options in named.items():
            known = ["-f", str(texts), "-k", str(workload.functions), "-v", str(len(vocabulary) + 1)]
            yield _their_row(workload, name, [str(program), *known, *options])


def _their_row(workload: Workload, name: str, command: list[str]) -> Row:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    size = re.search(r"Index Size: (\d+)", done.stdout)
    if done.returncode or not size:
        sys.exit(f"{' '.join(command)} did not say how many windows it made: {done.stdout[-300:]}{done.stderr[-300:]}")
    count, seconds = len(workload.texts), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return _row(workload, f"their {name}", int(size[1]) / count, seconds / count)


def _row(workload: Workload, name: str, windows: float, seconds: float) -> Row:
    return workload.columns | {"algorithm": name, "windows": round(windows), "seconds": f"{seconds:.5f}"}
