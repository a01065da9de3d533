"""What does it save to leave out keys that hold a smaller one of their bin?

    python benchmarks/papers/oph_pruning.py [--quick] [--csv FILE]

The windows of all bins of one permutation hashing from every key, and from those that are left when most hidden ones
are known (``sketches/windows/bin_keys.py``), on novels cut to 100,000 tokens, passages of up to 1024 tokens. The
windows of both are compared, and the run ends where they differ. ``weighted`` has weights of logarithmic frequencies in
thirds.

Columns: keys are those that are swept, for a token; times are nanoseconds a token of the thread, the best of some runs,
for gathering the keys and the sweep; the ratio is the time from every key over that from those left; ``chosen`` says
what production does.
"""

import sys
import time
from functools import partial

import numpy as np
import numpy.typing as npt
from figure import Report, Row, documents, timed, word_tokens

from ibidem.hashing import function_seeds
from ibidem.sketches.one_permutation import bin_values
from ibidem.sketches.windows.bin_keys import find_bin_keys, hidden_keys_cost_more
from ibidem.sketches.windows.one_permutation import bin_windows
from ibidem.text.token_stream import prepare_tokens
from ibidem.weights import Weighting

LONGEST = 1024
Tokens = npt.NDArray[np.uint32]


def measure(texts: list[Tokens], family: str, k: int, shortest: int, repeats: int) -> Row:
    weighting = Weighting.of(family, tf="logarithmic") if family == "weighted" else Weighting.of(family)
    units = 3 if family == "weighted" else 1
    (seed,) = function_seeds(3, 1)
    tokens = np.concatenate(texts)
    stream = prepare_tokens(tokens, np.cumsum([0, *map(len, texts)]), LONGEST)
    values = bin_values(weighting, stream.vocabulary, stream.peaks, seed, k, units)
    plain, pruned = (
        partial(bin_windows, stream, values, range(k), shortest, LONGEST, hidden) for hidden in (True, False)
    )
    for each, other in zip(plain(), pruned(), strict=True):
        if not all(map(np.array_equal, each, other)):
            sys.exit("the windows from every key and from those left differ")
    keys = [len(find_bin_keys(stream, values, range(k), LONGEST, hidden=hidden).spans) for hidden in (True, False)]
    times = [timed(work, repeats, time.thread_time).best for work in (plain, pruned)]
    return {
        "family": family,
        "k": k,
        "min length": shortest,
        "every key": f"{keys[0] / len(tokens):.2f}",
        "keys left": f"{keys[1] / len(tokens):.2f}",
        "ns every key": f"{1e9 * times[0] / len(tokens):.0f}",
        "ns keys left": f"{1e9 * times[1] / len(tokens):.0f}",
        "ratio": f"{times[0] / times[1]:.2f}",
        "chosen": "keys left" if hidden_keys_cost_more(values) else "every key",
    }


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    novels = sorted(word_tokens([text for _, text in documents(options.quick)]), key=len, reverse=True)
    size, ks, shortest, repeats = 100_000, (16, 64, 128, 256, 1024), (1, 32, 128), 5
    if options.quick:
        size, ks, shortest, repeats = 300, (4,), (8,), 1  # type: ignore[assignment]
    texts = [text[:size] for text in novels[:3]]
    report.finish(
        [
            measure(texts, family, k, least, repeats)
            for family in ("set", "multiset", "weighted")
            for k in ks
            for least in shortest
        ]
    )


if __name__ == "__main__":
    main()
