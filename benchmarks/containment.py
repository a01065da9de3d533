"""How well is it estimated how much of a short text a long one contains, by the ratio of their sizes?

    python benchmarks/containment.py [--quick] [--csv FILE]

Long texts are runs of words of English novels, of 3,000 words; the short ones are cut from them, or from other novels,
or half from each, and every tenth word is replaced. Their sets are distinct 3-shingles of words; the truth is exact.
*Error* is the root mean square error over the pairs of which something is known, *unknown* the share of the others:
pairs of which the sample has nothing of the short text. *Values* is the mean number of values of the two sketches:
what the estimate costs. k-mins signatures do not estimate containment.
"""

import math
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from collections_of_text import documents
from report import Report, Row

from ibidem.similarity import containment
from ibidem.sketches.bottom_s import BottomS
from ibidem.sketches.mod_m import ModM
from ibidem.sketches.shingling import Shingling
from ibidem.sketches.size_adaptive import SizeAdaptive

LONG = 3_000
RATIOS = (1, 4, 16, 64)
SKETCHES = (
    ("bottom-s of 100", BottomS, 100),
    ("bottom-s of 1000", BottomS, 1000),
    ("L_i of 100", SizeAdaptive, 100),
    ("L_i of 400", SizeAdaptive, 400),
    ("MOD_32", ModM, 32),
    ("MOD_8", ModM, 8),
)


class Pair(NamedTuple):
    """The elements of a short and of a long text, and how much of the one the other contains."""

    short: Any
    long: Any
    exact: float


def pairs(texts: list[list[str]], ratio: int, count: int) -> Iterator[Pair]:
    source, shingling = random.Random(ratio), Shingling(3)
    for number in range(count):
        one, other = source.sample(texts, 2)
        long, strange = (cut(words, LONG, source) for words in (one, other))
        own = (LONG // ratio) * (number % 3) // 2  # none, half or all of it
        short = [*cut(long, own, source), *cut(strange, LONG // ratio - own, source)]
        edited = [word if i % 10 else "replaced" for i, word in enumerate(short)]
        elements = [shingling.elements(" ".join(words)) for words in (edited, long)]
        yield Pair(*elements, containment(*elements))


def cut(words: list[str], length: int, source: random.Random) -> list[str]:
    start = source.randrange(len(words) - length + 1)
    return words[start : start + length]


def rows(texts: list[list[str]], count: int) -> Iterator[Row]:
    for ratio in RATIOS:
        made = list(pairs(texts, ratio, count))
        for name, kind, size in SKETCHES:
            sketches = [[kind.of(each, size, seed) for each in pair[:2]] for seed, pair in enumerate(made)]
            estimates = [one.containment(other) for one, other in sketches]
            known = [float(each) - pair.exact for each, pair in zip(estimates, made, strict=True) if each.sampled]
            yield {
                "ratio": f"1:{ratio}",
                "sketch": name,
                "values": f"{np.mean([len(one.values) + len(other.values) for one, other in sketches]):.0f}",
                "pairs": count,
                "unknown": f"{1 - len(known) / count:.3f}",
                "bias": f"{np.mean(known):+.4f}" if known else "",
                "error": f"{math.sqrt(np.mean(np.square(known))):.4f}" if known else "",
            }


def main() -> None:
    report = Report(__doc__)
    quick = report.options().quick
    texts = [words for _, text in documents(quick) if len(words := text.split()) >= LONG]
    report.finish(list(rows(texts, 6 if quick else 900)))


if __name__ == "__main__":
    main()
