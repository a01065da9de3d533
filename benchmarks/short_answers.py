"""How much of an answer is recognised as plagiarised, by how it was written?

    python benchmarks/short_answers.py [--quick] [--csv FILE]

The corpus of Clough and Stevenson (Language Resources and Evaluation 45, 2011): 95 answers of 200 to 300 words to five
questions, each of which has a page of Wikipedia as its source. They were copied from the page (*cut*), changed a little
(*light*) or freely (*heavy*), or written without it (*non*). Each answer is aligned with its page, and with the pages
of the other four questions (*other*), at the defaults of ``align``.

*found* counts the answers with a result, *covered* is the mean share of their characters that lies in passages similar
to the page, *similarity* the mean of the most similar passage of the answers found. Times are those of the processor
for a pair: the median and the greatest.
"""

import random
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from collections_of_text import rows_of
from pan import generated
from report import Report, Row

from ibidem import align

CATEGORIES = ("cut", "light", "heavy", "non", "other")


class Pair(NamedTuple):
    """An answer, how it was written from a page, and the page."""

    category: str
    answer: str
    page: str


class Found(NamedTuple):
    """What was found of an answer: the share of it that is covered, the greatest similarity, and the seconds taken."""

    covered: float
    similarity: float
    seconds: float


def all_pairs(quick: bool) -> Iterator[Pair]:
    """The answers with their pages, and with those of the other questions."""
    if quick:
        made = generated(6)
        for pair in made.pairs:
            yield Pair("cut" if pair.category == "copied" else "other", *(made.texts[id] for id in pair.ids))
        return
    rows = list(rows_of("clough-stevenson"))
    pages = {row["task"]: row["text"] for row in rows if row["category"] == "original"}
    for row in rows:
        for task, page in pages.items() if row["category"] != "original" else ():
            yield Pair(row["category"] if row["task"] == task else "other", row["text"], page)


def find(pair: Pair) -> Found:
    start = time.thread_time()
    found = align(pair.answer, pair.page)
    seconds = time.thread_time() - start
    covered = np.zeros(len(pair.answer), np.bool_)
    for each in found:
        covered[each.a_start : each.a_end] = True
    return Found(float(covered.mean()), max((each.similarity for each in found), default=0.0), seconds)


def row(category: str, found: Sequence[Found]) -> Row:
    reported = [each.similarity for each in found if each.covered]
    seconds = [each.seconds for each in found]
    return {
        "category": category,
        "pairs": len(found),
        "found": len(reported),
        "covered": f"{np.mean([each.covered for each in found]):.3f}",
        "similarity": f"{np.mean(reported):.3f}" if reported else "",
        "median ms": f"{np.median(seconds) * 1e3:.2f}",
        "max ms": f"{max(seconds) * 1e3:.1f}",
    }


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    pairs = list(all_pairs(options.quick))
    random.Random(1).shuffle(pairs)
    find(pairs[0])  # compiles
    found = [(pair.category, find(pair)) for pair in pairs]
    of_category = {category: [each for name, each in found if name == category] for category in CATEGORIES}
    report.finish([row(category, each) for category, each in of_category.items() if each])


if __name__ == "__main__":
    main()
