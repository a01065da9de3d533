"""How many windows does one permutation hashing make, and how long does it take?

    python benchmarks/papers/oph_windows.py [--quick] [--csv FILE]

Experiments 1 and 2 of the paper on one permutation hashing: windows and time by the number k of bins, by the length n
of a text, and by the length from which passages count, for sets as in the paper and for multisets. Beside it the k-mins
scheme, whose k functions each make a partition. Texts are novels, cut to n tokens; passages have at most 1024 tokens.
Times are of the thread, the best of some runs, for the hash values and the partition; *empty* are the windows in which
a bin has no token, and *expected* is what one permutation makes of a set whose tokens are all different (decision 12).
"""

import time
from collections.abc import Iterator
from itertools import product

import above  # noqa: F401
import numpy as np
import numpy.typing as npt
from collections_of_text import documents, word_tokens
from report import Report, Row, timed

from ibidem.passages.schemes import SCHEMES
from ibidem.sketch.families import FAMILIES
from ibidem.sketch.one_permutation import EMPTY_KEY
from ibidem.weights import Weighting
from ibidem.windows.stream import token_stream
from ibidem.windows.windows import Windows

LONGEST = 1024
Tokens = npt.NDArray[np.uint32]


def expected(k: int, shortest: int) -> float:
    """Windows a token of a long text of different tokens."""
    return float(2 * k / (shortest + 1) * (1 - (1 - 1 / k) ** (shortest + 1)))


def measure(what: str, texts: list[Tokens], family: str, k: int, shortest: int, repeats: int) -> Iterator[Row]:
    tokens = sum(map(len, texts))
    streams = [token_stream(text, None, LONGEST) for text in texts]
    for name, scheme in SCHEMES.items():
        made = scheme(FAMILIES[family](Weighting.of(family)), k, 3, (shortest, LONGEST))

        def windows(made=made) -> list[list[Windows]]:  # type: ignore[no-untyped-def]
            return [list(made.windows(stream, range(k))) for stream in streams]

        keys = [each.keys for found in windows() for each in found]
        every, empty = sum(map(len, keys)), sum(int((each == EMPTY_KEY).sum()) for each in keys)
        best = timed(windows, repeats, time.thread_time).best
        yield {
            "by": what,
            "family": family,
            "scheme": name,
            "n": len(texts[0]),
            "k": k,
            "min length": shortest,
            "windows a token": f"{every / tokens:.3f}",
            "empty a token": f"{empty / tokens if name == 'one permutation' else 0:.3f}",
            "expected": f"{expected(k, shortest):.3f}" if (family, name) == ("set", "one permutation") else "",
            "ns a token": f"{1e9 * best / tokens:.0f}",
        }


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    novels = sorted(word_tokens([text for _, text in documents(options.quick)]), key=len, reverse=True)
    repeats = 1 if options.quick else 5
    lengths, n, ks, shortest = (1_000, 10_000, 100_000), 100_000, (16, 64, 256), (1, 32, 64, 128)
    if options.quick:
        lengths, n, ks, shortest = (500,), 500, (4, 16), (1, 32)  # type: ignore[assignment]
    rows: list[Row] = []
    for family in ("set", "multiset"):
        for k, least in product(ks, shortest[:2]):
            rows += measure("k", [text[:n] for text in novels[:3]], family, k, least, repeats)
        for length in lengths:
            rows += measure("n", [text[:length] for text in novels[:3]], family, ks[1], 1, repeats)
        for least in shortest:
            rows += measure("min length", [text[:n] for text in novels[:3]], family, ks[1], least, repeats)
    report.finish(rows)


if __name__ == "__main__":
    main()
