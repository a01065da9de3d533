"""Does a search of a collection report what align reports of two of its documents?

    python benchmarks/agreement.py [--quick] [--recall R] [--csv FILE]

Every two documents of a collection are aligned one by one, with words weighed by the whole collection; of PAN 2013, the
pairs that it judges. *expected* are the pairs of documents of which ``align`` reports something, *lost* those of them
that ``find_reuse`` neither reports nor lists in ``left_out``. *pairs* are the pairs of passages that it reports, and
*CPU s* what it took: the best of two runs.

- *generated*: twelve texts of 30 to 400 words; every second one has a passage of the one before, of whose words 0, 3 or
  5 in 10 were replaced, some in another order. Sixteen such collections of each kind, alone and as one.
- *answers*: those of Clough and Stevenson, and the pages that some were copied from. *Indonesian*: simulated plagiarism
  and its sources. *PAN*: every 25th and every 300th pair. *Chinese*: pieces of novels by characters, with passages of
  60 to 200 characters planted in which 3 to 5 in 10 were replaced.
"""

import random
import time
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np
from collections_of_text import rows_of
from pan import corpus
from report import Report, Row

from ibidem import align, find_reuse, make_tokenizer
from ibidem.text import Texts
from ibidem.weights import DocumentFrequencies

Documents = dict[str, str]
Names = tuple[str, str]


class Collection(NamedTuple):
    """Documents, which pairs of them are aligned, all if not given, and their tokenizer."""

    name: str
    documents: Documents
    pairs: Iterable[Names] | None = None
    tokenizer: str = "words"


def draw_words(drawn: random.Random, count: int) -> list[str]:
    """Words of which few are frequent and most are rare, as in a language."""
    return [f"w{int(5000 ** drawn.random())}" for _ in range(count)]


def plant(drawn: random.Random, edits: float) -> Documents:
    """Twelve texts; every second one has a passage of the one before, with this share of the words replaced."""
    documents: Documents = {}
    before: list[str] = []
    for number in range(12):
        words = draw_words(drawn, drawn.randint(30, 400))
        if number % 2:
            length = min(len(before), drawn.randint(25, 120))
            first = drawn.randrange(len(before) - length + 1)
            copy = [draw_words(drawn, 1)[0] if drawn.random() < edits else word for word in before[first:][:length]]
            if drawn.random() < 0.3:
                drawn.shuffle(copy)
            at = drawn.randrange(len(words))
            words[at:at] = copy
        documents[f"{number:02}"] = " ".join(words)
        before = words
    return documents


def generated(count: int) -> Iterator[list[Collection]]:
    """So many collections of each share of words replaced, and all of a share as one."""
    for edits in (0.0, 0.3, 0.5):
        planted = [plant(random.Random(10 * seed + int(10 * edits)), edits) for seed in range(count)]
        name = f"generated {edits}"
        yield [Collection(name, documents) for documents in planted]
        together = {f"{nth} {id}": text for nth, documents in enumerate(planted) for id, text in documents.items()}
        yield [Collection(f"{name}, as one", together)]


def chinese() -> Collection:
    drawn = random.Random(5)
    pieces = {
        f"{row['id']} {first}": row["text"][first : first + 1_500]
        for row in rows_of("classics-zh")
        for first in range(0, min(len(row["text"]), 300_000), 15_000)
    }
    names, documents = sorted(pieces), dict(pieces)
    for source, target in zip(names[::2], names[1::2], strict=False):
        first, edits = drawn.randrange(1_300), drawn.choice([0.3, 0.4, 0.5])
        copy = pieces[source][first : first + drawn.randint(60, 200)]
        other = pieces[drawn.choice(names)]
        edited = "".join(drawn.choice(other) if drawn.random() < edits else character for character in copy)
        documents[target] = pieces[target][:700] + edited + pieces[target][700:]
    return Collection("Chinese", documents, tokenizer="characters")


def real() -> Iterator[list[Collection]]:
    yield [Collection("answers", {row["id"]: row["text"] for row in rows_of("clough-stevenson")})]
    yield [Collection("Indonesian", {row["id"]: row["text"] for row in rows_of("plagiarism-id")})]
    judged = corpus(quick=False)
    for every in (300, 25):
        pairs = [pair.ids for pair in judged.pairs[::every]]
        names = sorted({name for pair in pairs for name in pair})
        yield [Collection(f"PAN, {len(names)}", {name: judged.texts[name] for name in names}, pairs)]
    yield [chinese()]


def align_all(collection: Collection) -> set[Names]:
    """The documents of which ``align`` reports passages, with words weighed by the collection."""
    documents, tokenizer = collection.documents, make_tokenizer(collection.tokenizer)
    ids = tokenizer.encode(Texts.from_strings(list(documents.values()))).ids
    frequencies = DocumentFrequencies(*np.unique(ids, return_counts=True), len(ids))
    return {
        (min(pair), max(pair))
        for pair in collection.pairs or combinations(documents, 2)
        if align(*map(documents.__getitem__, pair), frequencies=frequencies, idf="smooth", tokenizer=tokenizer)
    }


def score(collections: list[Collection], recall: float) -> Row:
    expected = lost = passages = 0
    seconds = 0.0
    for each in collections:
        wanted, times = align_all(each), []
        for _ in range(2):
            start = time.process_time()
            found = find_reuse(each.documents.items(), recall=recall, tokenizer=each.tokenizer)
            times.append(time.process_time() - start)
        rows = [*found.pairs.to_pylist(), *found.left_out.to_pylist()]
        listed = {(min(row["a"], row["b"]), max(row["a"], row["b"])) for row in rows}
        expected, lost = expected + len(wanted), lost + len(wanted - listed)
        passages, seconds = passages + len(found.pairs), seconds + min(times)
    return {
        "collection": collections[0].name,
        "documents": sum(len(each.documents) for each in collections),
        "expected": expected,
        "lost": lost,
        "pairs": passages,
        "CPU s": f"{seconds:.2f}",
    }


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--recall", type=float, default=0.99, metavar="R", help="of find_reuse")
    options = report.options()
    rows = []
    for collections in generated(1 if options.quick else 16):
        rows.append(score(collections, options.recall))
    for collections in () if options.quick else real():
        rows.append(score(collections, options.recall))
    report.finish(rows)


if __name__ == "__main__":
    main()
