"""Which hash functions: the paper's universal family, or ibidem's mixers?

    python benchmarks/papers/hash_families.py [--quick] [--csv FILE]

The weighted paper draws ``h(t, x) = (a1 t + a2 x + b) mod p`` for the x-th occurrence of token t (section 2.2); ibidem
mixes token, occurrence and function by SplitMix64 (hashing.py). Both are run on the same texts, novels as words, with
``p = 2^61 - 1``: the windows that MonoActive makes of a text, the active values, and how near the share of collisions
comes to the exact multiset similarity of two passages.

The estimate is made for pairs of passages of 200 tokens, the second with a share of its tokens replaced; *bias* is the
mean of estimate minus truth, *deviation* its standard deviation, *binomial* what independent functions would give.
"""

import math
import random
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from figure import Report, Row, documents, word_tokens

from baselines import jitted
from ibidem import jaccard
from ibidem.hashing import function_seeds
from ibidem.sketches.families import ActiveValues, MultisetFamily
from ibidem.text.token_stream import prepare_tokens

P = 2**61 - 1
PASSAGE = 200
Active = Callable[[npt.NDArray[np.uint32], npt.NDArray[np.int32], np.uint64], ActiveValues]


def universal(tokens: npt.NDArray[np.uint32], frequencies: npt.NDArray[np.int32], seed: np.uint64) -> ActiveValues:
    """The active values under ``(a1 t + a2 x + b) mod p``, with coefficients that ``seed`` draws."""
    source = random.Random(int(seed))
    a1, a2, b = source.randrange(1, P), source.randrange(1, P), source.randrange(P)
    bounds, x, rank = [0], [], []
    for token, frequency in zip(tokens.tolist(), frequencies.tolist(), strict=True):
        lowest = P
        for occurrence in range(1, frequency + 1):
            value = (a1 * token + a2 * occurrence + b) % P
            if value < lowest:
                lowest = value
                x.append(occurrence)
                rank.append(value)
        bounds.append(len(x))
    ranks = np.array(rank, np.uint64)
    return ActiveValues(
        np.array(bounds), np.array(x, np.int32), ranks, (ranks & np.uint64(2**32 - 1)).astype(np.uint32)
    )


FAMILIES: dict[str, Active] = {
    "SplitMix64": lambda *arguments: MultisetFamily().active(*arguments),
    "(a1 t + a2 x + b) mod p": universal,
}


def min_hashes(active: Active, passage: npt.NDArray[np.uint32], seeds: npt.NDArray[np.uint64]) -> list[int]:
    tokens, counts = np.unique(passage, return_counts=True)
    return [int(active(tokens, counts.astype(np.int32), seed).rank.min()) for seed in seeds]


def pairs_of(texts: list[npt.NDArray[np.uint32]], count: int) -> Iterator[tuple[npt.NDArray[np.uint32], ...]]:
    """Passages, and the same with 5 to 60 % of their tokens replaced by others of the text."""
    source = random.Random(3)
    for number in range(count):
        text = texts[number % len(texts)]
        first = source.randrange(len(text) - PASSAGE)
        one, other = text[first : first + PASSAGE], text[first : first + PASSAGE].copy()
        for place in source.sample(range(PASSAGE), PASSAGE * (5 + 55 * number // count) // 100):
            other[place] = text[source.randrange(len(text))]
        yield one, other


def rows(texts: list[npt.NDArray[np.uint32]], lengths: tuple[int, ...], k: int, pairs: int) -> Iterator[Row]:
    seeds = function_seeds(7, k)
    for name, active in FAMILIES.items():
        about: Row = {"family": name, "k": k, "pairs": pairs}
        for n in lengths:
            windows = values = 0
            for text in texts:
                stream = prepare_tokens(text[:n])
                for seed in seeds:
                    found = active(stream.vocabulary, stream.peaks, seed)
                    values += len(found.x)
                    windows += len(jitted.monoactive(stream, found).keys)
            total = k * sum(len(text[:n]) for text in texts)
            about |= {f"windows, n = {n}": f"{windows / total:.4f}", f"values, n = {n}": f"{values / total:.4f}"}
        errors, variances = [], []
        for one, other in pairs_of(texts, pairs):
            exact = jaccard(one, other, "multiset")
            agree = np.equal(min_hashes(active, one, seeds), min_hashes(active, other, seeds))
            errors.append(float(agree.mean()) - exact)
            variances.append(exact * (1 - exact) / k)
        yield about | {
            "bias": f"{np.mean(errors):+.4f}",
            "deviation": f"{np.std(errors):.4f}",
            "binomial": f"{math.sqrt(float(np.mean(variances))):.4f}",
        }


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    texts = sorted(word_tokens([text for _, text in documents(quick)]), key=len, reverse=True)[:4]
    report.finish(list(rows(texts, (300,), 8, 8) if quick else rows(texts, (1_000, 10_000), 64, 200)))


if __name__ == "__main__":
    main()
