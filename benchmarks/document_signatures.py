"""How fast does raw text become signatures of 128 values, over shingles of 5 words?

    python benchmarks/document_signatures.py [--quick] [--csv FILE]

The texts are the novels of the folder that IBIDEM_DATA names, cut into documents of 300 words. Everyone starts from the
same Python strings, and what each needs to make its tokens is counted. Rivals: datasketch (MinHash.bulk) and rensa, by
its path over all shingles (digest_matrix_from_token_sets) and by its sampled one (.._rho), each fed as its own
documentation says, with shingles joined from the words that Python's re finds. For each the share of 500 documents
that it holds for similar (0.8 or more) to themselves with a word put in front is measured, which is 1 for exact
resemblance, and the error of its estimates on pairs of documents with 1 to 60 words replaced. CPU time is that of all
threads together; on a busy machine it says more than the seconds that passed.
"""

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
from collections_of_text import documents
from contestants import apart, installed
from report import Report

VALUES = 128
WIDTH = 5
WORD = re.compile(r"\w+")

Signatures = npt.NDArray[Any]
"""Of shape [documents, VALUES], or whatever a contestant makes until ``rows_of`` is asked for them."""


def texts(quick: bool) -> list[str]:
    """Documents of 300 words."""
    found = []
    for _, text in documents(quick):
        words = text.split()
        found += [" ".join(words[first : first + 300]) for first in range(0, len(words), 300)]
    return found


def shingles(text: str) -> set[str]:
    words = WORD.findall(text.lower())
    return {" ".join(words[first : first + WIDTH]) for first in range(max(1, len(words) - WIDTH + 1))}


def batches(strings: list[str]) -> Iterator[list[str]]:
    return (strings[first : first + 2000] for first in range(0, len(strings), 2000))


def by_ibidem(strings: list[str], threads: int) -> Any:
    from ibidem.documents.signatures import Functions, Shingler, make_signatures
    from ibidem.text import Texts

    shingler, functions = Shingler(f"words:{WIDTH}"), Functions.of(VALUES)

    def sign(batch: list[str]) -> Signatures:
        return make_signatures(shingler.tokens(Texts.from_strings(batch)), WIDTH, functions)

    with ThreadPoolExecutor(threads) as pool:
        return np.concatenate(list(pool.map(sign, batches(strings))))


def tokens_alone(strings: list[str], threads: int) -> None:
    from ibidem.text import Texts, make_tokenizer

    words = make_tokenizer("words")
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda batch: words.encode(Texts.from_strings(batch)), batches(strings)))


def by_datasketch(strings: list[str], threads: int) -> Any:
    from datasketch import MinHash

    return MinHash.bulk([[each.encode() for each in shingles(text)] for text in strings], num_perm=VALUES)


def by_rensa(strings: list[str], threads: int) -> Any:
    from rensa import RMinHash

    sets = [list(shingles(text)) for text in strings]
    return RMinHash.digest_matrix_from_token_sets(sets, num_perm=VALUES, seed=42)


def by_rensa_sampled(strings: list[str], threads: int) -> Any:
    from rensa import RMinHash

    sets = [list(shingles(text)) for text in strings]
    return RMinHash.digest_matrix_from_token_sets_rho(sets, num_perm=VALUES, seed=42)


def rows_of(made: Any) -> Signatures:
    if isinstance(made, list):
        return np.array([each.hashvalues for each in made])
    return np.array(made.to_rows() if hasattr(made, "to_rows") else made)


CONTESTANTS: dict[str, tuple[str, Callable[[list[str], int], Any]]] = {
    "ibidem": ("ibidem", by_ibidem),
    "ibidem, tokens alone": ("ibidem", tokens_alone),
    "datasketch": ("datasketch", by_datasketch),
    "rensa, full set": ("rensa", by_rensa),
    "rensa, sampled": ("rensa", by_rensa_sampled),
}


def accuracy(name: str, strings: list[str]) -> tuple[str, str]:
    """Share of documents found again behind a word put in front, and the root mean square error of estimates."""
    if name == "ibidem, tokens alone":
        return "", ""
    run = CONTESTANTS[name][1]
    source = random.Random(5)
    chosen = [text for text in strings if len(text.split()) == 300][:500]
    shifted, changed = [f"Moreover {text}" for text in chosen], [_replaced(text, source) for text in chosen]
    one, front, other = (rows_of(run(each, 1)) for each in (chosen, shifted, changed))
    recall = ((one == front).mean(axis=1) >= 0.8).mean()
    sets = [(shingles(a), shingles(b)) for a, b in zip(chosen, changed, strict=True)]
    exact = np.array([len(a & b) / len(a | b) for a, b in sets])
    return f"{recall:.3f}", f"{np.sqrt((((one == other).mean(axis=1) - exact) ** 2).mean()):.4f}"


def _replaced(text: str, source: random.Random) -> str:
    words = text.split()
    for place in source.sample(range(len(words)), source.randint(1, 60)):
        words[place] = "replaced"
    return " ".join(words)


def alone(name: str, threads: int, quick: bool) -> dict[str, Any]:
    """One contestant, in a process of its own."""
    strings, run = texts(quick), CONTESTANTS[name][1]
    run(strings[:100], threads)
    times, processor = [], []
    for _ in range(5 if name.startswith("ibidem") else 1):
        start = time.perf_counter(), time.process_time()
        run(strings, threads)
        times.append(time.perf_counter() - start[0])
        processor.append(time.process_time() - start[1])
    recall, error = accuracy(name, strings)
    size = sum(len(text.encode()) for text in strings) / 1e6
    return {
        "documents": len(strings),
        "MB": size,
        "seconds": min(times),
        "CPU": min(processor),
        "recall": recall,
        "error": error,
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--only", help="one contestant, in this process")
    report.parser.add_argument("--threads", type=int, default=1)
    options = report.options()
    if options.only:
        print(json.dumps(alone(options.only, options.threads, options.quick)))
        return
    rows: list[dict[str, object]] = []
    for threads in (1, 2):
        of_ibidem: dict[str, float] = {}
        for name, (package, _) in CONTESTANTS.items():
            if not installed(package) or (threads > 1 and name == "datasketch"):  # which has no threads
                continue
            figures = apart(__file__, name, threads, *(["--quick"] if options.quick else []))
            of_ibidem = of_ibidem or figures
            rows.append(
                {
                    "contestant": name,
                    "threads": threads,
                    "documents": figures["documents"],
                    "MB": f"{figures['MB']:.1f}",
                    "seconds": f"{figures['seconds']:.3f}",
                    "MB/s": f"{figures['MB'] / figures['seconds']:.1f}",
                    "CPU seconds": f"{figures['CPU']:.3f}",
                    "times ibidem's": f"{figures['seconds'] / of_ibidem['seconds']:.2f}",
                    "in CPU time": f"{figures['CPU'] / of_ibidem['CPU']:.2f}",
                    "word in front": figures["recall"],
                    "error": figures["error"],
                }
            )
    report.finish(rows)


if __name__ == "__main__":
    main()
