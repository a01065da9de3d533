"""Which verse stands for which in two translations, and how much of what was moved is found.

Verses: chapters of the KJV of 1611 and of the WEB are texts; `align` finds passages, and `align_units` the verses in
them. The truth is the verses' numbers. Moves: in chapters of 400 words or more, a run of words is cut out and put in
elsewhere, and a share of all words is replaced by words of another chapter. Expected are the moved words that were not
replaced; found is every word that is marked as moved.

    python benchmarks/word_alignment.py
"""

import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from collections_of_text import BIBLES, generated, rows_of
from report import Report, Row

import ibidem

Verses = list[tuple[int, str]]

MOVES = ((10, 0.0), (30, 0.0), (30, 0.1), (100, 0.1), (100, 0.3))
"""Words that are moved, and the share of all words that are replaced."""


class Chapter(NamedTuple):
    book: str
    a: Verses
    b: Verses


def chapters(quick: bool) -> Iterator[Chapter]:
    if quick:
        for book, text in generated(3, 900):
            lines = [(number, line) for number, line in enumerate(re.findall(r"(?:\w+ ){20}", text), 1)]
            yield Chapter(book, lines, lines)
        return
    found: dict[tuple[str, int], dict[str, Verses]] = defaultdict(lambda: defaultdict(list))
    for row in rows_of(BIBLES):
        found[row["book"], row["chapter"]][row["version"]].append((row["verse"], row["text"]))
    for (book, _), versions in found.items():
        if versions["kjv1611"] and versions["web"]:
            yield Chapter(book, versions["kjv1611"], versions["web"])


def text_and_ranges(verses: Verses) -> tuple[str, list[tuple[int, int, int]]]:
    text, ranges = "", []
    for number, verse in verses:
        start = len(text) + bool(text)
        text = f"{text} {verse}" if text else verse
        ranges.append((start, len(text), number))
    return text, ranges


def score_verses(name: str, some: list[Chapter], whole: bool) -> Row:
    right = found = expected = 0
    start = time.process_time()
    for chapter in some:
        (a, in_a), (b, in_b) = text_and_ranges(chapter.a), text_and_ranges(chapter.b)
        pairs = [None] if whole else ibidem.align(a, b)
        verses = {(unit.a_unit, unit.b_unit) for pair in pairs for unit in ibidem.align_units(a, b, (in_a, in_b), pair)}
        truth = {str(number) for number, _ in chapter.a} & {str(number) for number, _ in chapter.b}
        right += sum(ours == theirs and ours in truth for ours, theirs in verses)
        found += len(verses)
        expected += len(truth)
    return row(name, len(some), right, found, expected, time.process_time() - start)


def score_moves(some: list[Chapter], length: int, replaced: float, count: int) -> Row:
    source = random.Random(length)
    texts = [re.findall(r"\w+", text_and_ranges(chapter.b)[0]) for chapter in some]
    texts = [words for words in texts if len(words) >= min(400, 4 * length)]
    others = [word for words in texts for word in words]
    right = found = expected = 0
    start = time.process_time()
    for words in source.choices(texts, k=count):
        words = words[:1000]
        first = source.randrange(len(words) - length)
        block, rest = words[first : first + length], words[:first] + words[first + length :]
        to = source.choice([at for at in range(len(rest)) if abs(at - first) > length])
        moved = [
            word if source.random() >= replaced else source.choice(others) for word in rest[:to] + block + rest[to:]
        ]
        places = set(range(first, first + length))
        kept = {at for at in places if moved[to + at - first] == words[at]}
        starts = {at: number for number, at in enumerate(word_starts(words))}
        marked = {
            starts[pair.a[0]]
            for pair in ibidem.align_words(" ".join(words), " ".join(moved))
            if pair.kind == "moved" and pair.a
        }
        right += len(marked & kept)
        found += len(marked)
        expected += len(kept)
    return row(
        f"{length} words moved, {replaced:.0%} replaced", count, right, found, expected, time.process_time() - start
    )


def word_starts(words: list[str]) -> Iterator[int]:
    at = 0
    for word in words:
        yield at
        at += len(word) + 1


def row(name: str, texts: int, right: int, found: int, expected: int, seconds: float) -> Row:
    precision, recall = right / max(found, 1), right / max(expected, 1)
    return {
        "what": name,
        "pairs of texts": texts,
        "expected": expected,
        "precision": f"{precision:.4f}",
        "recall": f"{recall:.4f}",
        "F1": f"{2 * right / max(found + expected, 1):.4f}",
        "CPU seconds": f"{seconds:.1f}",
    }


def main() -> None:
    report = Report(__doc__)
    options = report.options()
    every = list(chapters(options.quick))
    ruth = [chapter for chapter in every if chapter.book == "ruth"] or every[:1]
    rows = [
        score_verses("verses in passages of align", every, whole=False),
        score_verses("verses in whole chapters", every, whole=True),
        score_verses("Ruth, verses in passages of align", ruth, whole=False),
        score_verses("Ruth, verses in whole chapters", ruth, whole=True),
        *(score_moves(every, *move, count=5 if options.quick else 200) for move in MOVES),
    ]
    report.finish(rows)


if __name__ == "__main__":
    main()
