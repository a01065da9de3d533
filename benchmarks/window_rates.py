"""By which rates should the tokens of windows come first: how many windows then agree by chance, at one recall?

    python benchmarks/window_rates.py [--quick] [--tokens N] [--csv FILE]

The rate of a token is its weight less a *discount*, and a *least* rate at least (``ibidem.reuse.bands``); *weights* are
the weights themselves. For samples of unlike collections, imagined to be of ``--tokens`` tokens (10⁸): how similar
windows are by rates that are similar by 0.65 by weights, the mean and the standard deviation; the bands and functions
that find 0.99 of them with the least work; the pairs of runs that agree in a band by chance, for each token; and the
estimated nanoseconds for a token, *ratio* times those of weights.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np
from collections_of_text import documents, rows_of
from growth import Pages
from pan import corpus
from report import Report, Row

from ibidem.resources import Resources
from ibidem.reuse import bands, windows
from ibidem.reuse.collection import assemble_collection
from ibidem.reuse.documents import DocumentPart, open_part, read_documents
from ibidem.text import as_batches, make_tokenizer

RECALL, SIMILARITY, WINDOW, PAGES = 0.99, 0.65, 32, 1_000
CHOICES = [(0.0, 0.0), *((discount, least) for discount in (0.5, 0.6, 0.7, 0.8, 0.9) for least in (0.02, 0.1, 0.2))]


def collections(quick: bool) -> Iterator[tuple[str, list[str], str]]:
    """Names, texts and tokenizers."""
    if quick:
        yield "generated", [text for _, text in documents(quick)], "words"
        return
    pages = Pages(quick, copies=False)
    yield "pages", [pages.page(number) for number in range(PAGES)], "words"
    yield "novels", [text for _, text in documents(quick)], "words"
    yield "PAN", list(corpus(quick).texts.values()), "words"
    yield "Chinese", [row["text"] for row in rows_of("classics-zh")], "characters"
    yield "Indonesian", [row["text"] for row in rows_of("plagiarism-id")], "words"
    library = sorted(Path(sys.base_prefix, "lib", f"python3.{sys.version_info.minor}").glob("*/*.py"))
    yield "Python", [path.read_text("utf-8", "replace") for path in library], "words"


def draw_sample(texts: list[str], tokenizer: str) -> bands.Sample:
    part = DocumentPart(0, as_batches((str(number), text) for number, text in enumerate(texts)))
    with tempfile.TemporaryDirectory() as folder:
        read = Path(folder) / "read"
        read.mkdir()
        read_documents(make_tokenizer(tokenizer), part, read, Resources.of("1G", None, None))
        sample = windows.draw_sample(assemble_collection([open_part(read)], Path(folder)))
        return sample._replace(tokens=np.array(sample.tokens))


def rows_for(name: str, sample: bands.Sample, tokens: int) -> Iterator[Row]:
    of_weights = None
    for discount, least in CHOICES:
        with patch.multiple(bands, _DISCOUNT=discount, _LEAST_RATE=least):
            similarities = bands.draw_similarities(sample, SIMILARITY, WINDOW)
            chosen = bands.choose_bands(sample, tokens, RECALL, SIMILARITY, WINDOW)
            pairs = bands.count_agreeing_pairs(sample, chosen) * (tokens / len(sample.tokens)) ** 2
            cost = 1e9 * bands.estimate_cost(chosen, sample, tokens) / tokens
        of_weights = of_weights or cost
        yield {
            "collection": name,
            "discount": discount or "weights",
            "least": least or "",
            "mean": f"{similarities.mean():.3f}",
            "deviation": f"{similarities.std():.3f}",
            "bands": f"{chosen.bands}x{chosen.functions}",
            "pairs": f"{pairs / tokens:.3g}",
            "ns": f"{cost:.0f}",
            "ratio": f"{cost / of_weights:.2f}",
        }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--tokens", type=int, default=10**8, metavar="N", help="tokens imagined (10⁸)")
    options = report.options()
    report.finish(
        [
            row
            for name, texts, tokenizer in collections(options.quick)
            for row in rows_for(name, draw_sample(texts, tokenizer), options.tokens)
        ]
    )


if __name__ == "__main__":
    main()
