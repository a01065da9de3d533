"""How many windows does one permutation hashing make, and how long does it take?

    python benchmarks/papers/oph_windows.py [--quick] [--csv FILE]

Experiments 1 and 2 of the paper on one permutation hashing (Figure 6): windows and time by the number k of bins and the
length n of a text for passages of any length, and by the least length t of passages at k = 64 and n = 10,000; sets as
in the paper, and multisets. Beside it the k-mins scheme (KMS), whose k functions each make a partition. Both are made
by scanline; *divide and conquer* is the paper's own way to make the windows of one permutation, compiled, for passages
of any length. Texts are novels as GPT-2's byte pairs, cut to n tokens, in each line of a figure of one length; passages
have at most 1024 tokens. Times are of the thread, the best of some runs, for the hash values and the
partition; *empty* are the windows in which a bin has no token, and *expected* is what one permutation makes of a set
whose tokens are all different: ``2k/(m+1) (1 - (1-1/k)^(m+1))`` of passages of m tokens or more.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt
from figure import FigureReport, Panel, Row, documents, timed, word_tokens
from pairs import gpt2

from baselines.one_permutation import jitted_windows
from ibidem.hashing import function_seeds
from ibidem.sketches.families import FAMILIES
from ibidem.sketches.index.schemes import SCHEMES
from ibidem.sketches.one_permutation import EMPTY_KEY, BinValues, bin_values
from ibidem.sketches.windows.windows import Windows
from ibidem.text import Texts
from ibidem.text.token_stream import TokenStream, prepare_tokens
from ibidem.weights import Weighting

LONGEST = 1024
TEXTS = 5
Tokens = npt.NDArray[np.uint32]
Make = Callable[[TokenStream], Iterable[Windows]]


def makers(family: str, k: int, shortest: int) -> dict[str, Make]:
    """What makes the windows of a text; the divide and conquer is for sets and passages of any length."""
    made = {
        name: scheme(FAMILIES[family](Weighting.of(family)), k, 3, (shortest, LONGEST))
        for name, scheme in SCHEMES.items()
    }
    makes: dict[str, Make] = {
        name: lambda stream, scheme=scheme: scheme.windows(stream, range(k))  # type: ignore[misc]
        for name, scheme in made.items()
    }
    if family == "set" and shortest == 1:
        makes["divide and conquer"] = lambda stream: jitted_windows(stream, _values(stream, k), k)
    return makes


def _values(stream: TokenStream, k: int) -> BinValues:
    [seed] = function_seeds(3, 1)
    return bin_values(Weighting.of("set"), stream.vocabulary, stream.peaks, seed, k)


def expected(k: int, shortest: int) -> float:
    """Windows a token of a long text of different tokens."""
    return float(2 * k / (shortest + 1) * (1 - (1 - 1 / k) ** (shortest + 1)))


def measure(what: str, texts: list[Tokens], family: str, k: int, shortest: int, repeats: int) -> Iterator[Row]:
    tokens = sum(map(len, texts))
    streams = [prepare_tokens(text, None, LONGEST) for text in texts]
    for name, make in makers(family, k, shortest).items():

        def windows(make: Make = make) -> list[list[Windows]]:
            return [list(make(stream)) for stream in streams]

        keys = [each.keys for found in windows() for each in found]
        every, empty = sum(map(len, keys)), sum(int((each == EMPTY_KEY).sum()) for each in keys)
        best = timed(windows, repeats, time.thread_time).best
        yield {
            "by": what,
            "family": family,
            "scheme": name,
            "n": len(texts[0]),
            "k": k,
            "t": shortest,
            "windows": f"{every / len(texts):.0f}",
            "windows a token": f"{every / tokens:.3f}",
            "empty a token": f"{empty / tokens if name != 'minhash' else 0:.3f}",
            "expected": f"{expected(k, shortest):.3f}" if family == "set" and name != "minhash" else "",
            "ms": f"{1e3 * best / len(texts):.4f}",
            "ns a token": f"{1e9 * best / tokens:.0f}",
        }


def main() -> None:
    report = FigureReport(__doc__)
    options = report.options()
    texts = [text for _, text in documents(options.quick)]
    if options.quick:
        novels = word_tokens(texts)
    else:
        encoded = gpt2().encode(Texts.from_strings(sorted(texts, key=len)[-TEXTS:]))
        novels = np.split(encoded.ids, encoded.bounds[1:-1])
    repeats = 1 if options.quick else 3
    lengths, n, ks, shortest = (1_000, 10_000, 100_000), 10_000, (16, 32, 64, 128, 256), (5, 10, 20, 40)
    if options.quick:
        lengths, n, ks, shortest = (500,), 500, (4, 16), (5, 40)  # type: ignore[assignment]
    middle = ks[len(ks) // 2]
    rows: list[Row] = []
    for family in ("set", "multiset"):
        for k in ks:
            rows += measure("k", [text[:n] for text in novels], family, k, 1, repeats)
        for length in lengths:
            rows += measure("n", [text[:length] for text in novels], family, middle, 1, repeats)
        for least in shortest:
            rows += measure("t", [text[:n] for text in novels], family, middle, least, repeats)
    report.finish_with(rows, panels(rows))


def panels(rows: Sequence[Row]) -> list[Panel]:
    return [
        Panel(f"{y} by {by}, sets", by, y, "scheme", _of(by, "set"), logarithmic=by != "t")
        for y in ("windows", "ms")
        for by in ("k", "n", "t")
    ]


def _of(what: str, family: str) -> Callable[[Row], bool]:
    return lambda row: row["by"] == what and row["family"] == family


if __name__ == "__main__":
    main()
