"""How often does align report a passage of two texts that have nothing to do with each other?

    python benchmarks/false_alarms.py [--quick] [--pairs N] [--only WORD] [--longest WORDS] [--show] [--csv FILE]

Pairs of pieces are drawn of real texts, from the folder that IBIDEM_DATA names, and aligned at the defaults:

*novels, authors*: English novels of different authors; *novels, author*: different novels of one author;
*novel, parts*: one novel, two pieces that do not overlap. *classics, authors* and *classic, parts*: the same of Chinese
novels, whose characters are the tokens. *Indonesian*: documents that are sources of no plagiarism in each other. *web
pages*: a suspicious document of PAN 2013 and a source of which the corpus says nothing. *Python, packages*: files of
different packages of the standard library, a module that stands alone being one; *Python, package*: two files of one
package. *code pages*: the tables of its folder ``encodings``, which are copies of each other.

Pieces have 300, 3,000, 30,000 or 150,000 words, or characters, and begin anywhere; web pages are taken whole. A pair
with a result is an alarm: *similar* and *summary* count those with a result of either kind, *alarms* are those per
1,000 pairs. Two texts with a reported pair of passages that has 10 tokens in a row in common do have to do with each
other: they share a licence, a function, a formula of storytellers. Such pairs are *real* and no alarms, but counted.
Chance does not go so far: of 300 pairs of pieces of 3,000 words from different authors' novels and 40 of 30,000 words,
none has more than 7 words in a row in common; of 200 pairs from different Chinese novels, none more than 9 characters.
--show prints what was reported, for whoever wants to judge.

*reuse* and *index*: pieces of the same classes as collections, each compared with every other one, by ``find_reuse``
and by ``align`` with an index of them: a piece of each author, the beginnings once and nine times from anywhere;
several pieces of a novel, files of one package, pages of PAN. The index reports each two from both sides; a pair with
a result from either is an alarm. --only takes *align*, too, for the pairs that are aligned one by one.

Times are those of the processor for a pair: the median and the greatest.
"""

import math
import random
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from collections_of_text import documents, generated, rows_of
from pan import corpus
from report import Report, Row

from ibidem import PassageIndex, align, find_reuse, make_tokenizer
from ibidem.text import Texts, Tokenizer

LENGTHS = (300, 3_000, 30_000, 150_000)

COPIED = 10
"""Tokens in a row that two passages share only if both were copied."""

Drawn = tuple[str, str]
"""Two texts that have nothing to do with each other."""


class Text(NamedTuple):
    """A text, and where each of its words ends; ``kin`` is what related texts have in common, as an author."""

    kin: str
    text: str
    ends: np.ndarray

    @classmethod
    def of(cls, kin: str, text: str, characters: bool = False) -> "Text":
        """The text with its words, which white space separates, or with every character as a word."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        shown = ~np.isin(codes, [ord(space) for space in " \t\n\r\f\v\u3000\xa0"])
        return cls(kin, text, 1 + np.flatnonzero(shown if characters else shown & ~np.append(shown[1:], False)))

    def piece(self, first: int, length: int) -> str:
        """So many words from the word ``first``."""
        start = self.ends[first - 1] if first else 0
        return self.text[start : self.ends[min(first + length, len(self.ends)) - 1]]


class Class(NamedTuple):
    """A kind of pairs: its name, where its pairs come from, and what ``align`` is told."""

    name: str
    length: int | str
    pairs: Iterator[Drawn]
    options: dict[str, Any]


def drawn_pairs(
    texts: Sequence[Text], length: int, related: Callable[[Text, Text], bool], seed: int
) -> Iterator[Drawn]:
    """Pieces of two different texts for which ``related`` holds."""
    source = random.Random(seed)
    long_enough = [text for text in texts if len(text.ends) >= length]
    while len(long_enough) > 1:
        a, b = source.sample(long_enough, 2)
        if related(a, b):
            yield tuple(each.piece(source.randrange(len(each.ends) - length + 1), length) for each in (a, b))  # type: ignore[misc]


def drawn_parts(texts: Sequence[Text], length: int, seed: int) -> Iterator[Drawn]:
    """Two pieces of one text that do not overlap."""
    source = random.Random(seed)
    long_enough = [text for text in texts if len(text.ends) >= 2 * length]
    while long_enough:
        text = source.choice(long_enough)
        free = len(text.ends) - 2 * length
        first, gap = sorted((source.randint(0, free), source.randint(0, free)))
        yield text.piece(first, length), text.piece(gap + length, length)


def unjudged_pages(seed: int) -> Iterator[Drawn]:
    """Suspicious documents of PAN with sources that the corpus does not set beside them."""
    given = corpus(quick=False)
    source, judged = random.Random(seed), {pair.ids for pair in given.pairs}
    suspicious, sources = (sorted({pair.ids[side] for pair in given.pairs}) for side in (0, 1))
    while True:
        ids = source.choice(suspicious), source.choice(sources)
        if ids not in judged:
            yield given.texts[ids[0]], given.texts[ids[1]]


def different(a: Text, b: Text) -> bool:
    return a.kin != b.kin


def kindred(a: Text, b: Text) -> bool:
    return a.kin == b.kin


def novels(quick: bool) -> list[Text]:
    """By author: the id of a novel begins with the name."""
    if quick:
        return [Text.of(f"author {number % 2}", text) for number, (_, text) in enumerate(generated(6, 7_000))]
    return [Text.of(id.split("_")[0], text) for id, text in documents(quick=False)]


def library(code_pages: bool) -> list[Text]:
    """Files of Python's standard library, tests apart, or its tables of code pages.

    Files of one package, as ``asyncio``, are of one kin: the same people wrote them. Each table is of its own.
    """
    folder = Path(sysconfig.get_paths()["stdlib"])
    apart = {"test", "tests", "idle_test", "site-packages"}  # a test and what it tests have to do with each other
    files = sorted(path for path in folder.rglob("*.py") if not apart & set(path.parts))
    chosen = [path for path in files if (path.parent.name == "encodings") == code_pages]
    kin = [str(path) if code_pages else path.relative_to(folder).parts[0] for path in chosen]
    return [Text.of(each, path.read_text(errors="replace")) for each, path in zip(kin, chosen, strict=True)]


def all_classes(quick: bool, longest: int) -> Iterator[Class]:
    """Every class, the cheap ones first."""
    lengths = [length for length in LENGTHS if length <= (3_000 if quick else longest)]
    english = novels(quick)
    for length in lengths:
        yield Class("novels, authors", length, drawn_pairs(english, length, different, seed=length), {})
        yield Class("novels, author", length, drawn_pairs(english, length, kindred, seed=length), {})
        yield Class("novel, parts", length, drawn_parts(english, length, seed=length), {})
    if quick:
        return
    characters = {"tokenizer": "characters"}
    chinese = [Text.of(row["id"], row["text"], characters=True) for row in rows_of("classics-zh")]
    indonesian = [Text.of(row["id"], row["text"]) for row in rows_of("plagiarism-id") if "cases" not in row]
    code, tables = library(code_pages=False), library(code_pages=True)
    for length in lengths:
        yield Class("classics, authors", length, drawn_pairs(chinese, length, different, seed=length), characters)
        yield Class("classic, parts", length, drawn_parts(chinese, length, seed=length), characters)
    for length in lengths[:2]:
        yield Class("Indonesian", length, drawn_pairs(indonesian, length, different, seed=length), {})
        yield Class("Python, packages", length, drawn_pairs(code, length, different, seed=length), {})
        yield Class("Python, package", length, drawn_pairs(code, length, kindred, seed=length), {})
        yield Class("code pages", length, drawn_pairs(tables, length, different, seed=length), {})
    yield Class("web pages", "", unjudged_pages(seed=1), {})


def number_of_pairs(length: int | str, pairs: int) -> int:
    """Fewer pairs of long texts."""
    return max(1, pairs * 3_000 // max(int(length or 0), 3_000))


def row(each: Class, pairs: int, show: bool) -> Row | None:
    seconds, kinds = [], []
    for a, b in islice(each.pairs, number_of_pairs(each.length, pairs)):
        start = time.thread_time()
        found = align(a, b, **each.options)
        seconds.append(time.thread_time() - start)
        tokens = make_tokenizer(each.options.get("tokenizer", "words"))
        kinds.append(
            {kind_of(one.kind, a[one.a_start : one.a_end], b[one.b_start : one.b_end], tokens) for one in found}
        )
        for one in found if show else []:
            print(f"{each.name}, {each.length}: {one}")
            for text, start_at, end in ((a, one.a_start, one.a_end), (b, one.b_start, one.b_end)):
                print("   ", " ".join(text[start_at:end].split())[:600])
    if not seconds:
        return None
    return counted(each.name, each.length, kinds) | {
        "median ms": f"{np.median(seconds) * 1e3:.2f}",
        "max ms": f"{max(seconds) * 1e3:.1f}",
    }


def kind_of(kind: str, a: str, b: str, tokenizer: Tokenizer) -> str:
    """The kind of a result, which is ``copy`` if its passages have ``COPIED`` tokens in a row in common."""

    def runs(text: str) -> set[tuple[int, ...]]:
        ids = tokenizer.encode(Texts.from_strings([text])).ids.tolist()
        return {tuple(ids[first : first + COPIED]) for first in range(len(ids) - COPIED + 1)}

    return "copy" if kind == "similar" and runs(a) & runs(b) else kind


def counted(name: str, length: int | str, kinds: Sequence[set[str]]) -> Row:
    """What all rows say: ``kinds`` are those of the results of each pair."""
    unrelated = [set() if "copy" in each else each for each in kinds]
    return {
        "class": name,
        "length": length,
        "pairs": len(kinds),
        "similar": sum("similar" in each for each in unrelated),
        "summary": sum("summary" in each for each in unrelated),
        "real": sum("copy" in each for each in kinds),
        "alarms": f"{1e3 * sum(map(bool, unrelated)) / len(kinds):.1f}",
    }


def null_collections(length: int, quick: bool) -> Iterator[tuple[str, list[list[Text]], dict[str, Any]]]:
    """Collections of texts that have nothing to do with each other: a name, the collections, and options."""
    english, drawn = novels(quick), random.Random(length)
    authors = [text for text in {text.kin: text for text in english}.values() if len(text.ends) >= length]
    anywhere = [
        [Text.of(text.kin, text.piece(drawn.randrange(len(text.ends) - length + 1), length)) for text in authors]
        for _ in range(1 if quick else 9)
    ]
    yield "novels, authors", [authors, *anywhere], {}
    yield "novel, parts", [_parts(text, length) for text in english[:: 1 if quick else 10]], {}
    if quick:
        return
    chinese = [Text.of(row["id"], row["text"], characters=True) for row in rows_of("classics-zh")]
    yield "classic, parts", [_parts(text, length, characters=True) for text in chinese], {"tokenizer": "characters"}
    yield "Indonesian", [[Text.of("", row["text"]) for row in rows_of("plagiarism-id") if "cases" not in row]], {}
    packages: dict[str, list[Text]] = {}
    for text in library(code_pages=False):
        packages.setdefault(text.kin, []).append(text)
    yield "Python, package", list(packages.values()), {}
    given = corpus(quick=False)
    suspicious = dict.fromkeys(pair.suspicious for pair in given.pairs)
    yield "web pages", [[Text.of("", given.texts[each]) for each in [*suspicious][::40]]], {}


def _parts(text: Text, length: int, characters: bool = False) -> list[Text]:
    """Pieces of a text from all over it, which do not overlap."""
    number = min(len(text.ends) // (2 * length), 40)
    return [Text.of("", text.piece(2 * length * nth, length), characters) for nth in range(number)]


class Reported(NamedTuple):
    """A result of a search of a collection: the numbers of two texts, its kind, both passages, and what is said."""

    texts: tuple[int, int]
    kind: str
    passages: tuple[str, str]
    said: str


def rows_of_collections(search: str, quick: bool, lengths: Iterable[int], show: bool) -> Iterator[Row]:
    """The null collections by one of ``SEARCHES``."""
    for length in lengths:
        for name, collections, options in null_collections(length, quick):
            tokens, kinds = make_tokenizer(options.get("tokenizer", "words")), []
            start = time.process_time()
            for texts in collections:
                pieces = [each.piece(0, length) for each in texts if len(each.ends) >= length]
                if len(pieces) > 1:
                    found = SEARCHES[search](pieces, options)
                    kinds += kinds_of(found, len(pieces), tokens, f"{search}: {name}" if show else "")
            if kinds:
                each_ms = f"{(time.process_time() - start) / len(kinds) * 1e3:.2f}"
                yield counted(f"{search}: {name}", length, kinds) | {"median ms": each_ms, "max ms": ""}


def by_reuse(pieces: Sequence[str], options: dict[str, Any]) -> Iterator[Reported]:
    """What ``find_reuse`` reports of the texts of a collection."""
    for pair in find_reuse(((f"{n:04}", piece) for n, piece in enumerate(pieces)), **options).pairs.to_pylist():
        texts = int(pair["a"]), int(pair["b"])
        a, b = (
            pieces[text][pair[f"{side}_start"] : pair[f"{side}_end"]] for side, text in zip("ab", texts, strict=True)
        )
        said = f"similarity {pair['similarity']:.3f}, {pair['evidence']:.1f} nats"
        yield Reported(texts, pair["kind"], (a, b), said)


def by_index(pieces: Sequence[str], options: dict[str, Any]) -> Iterator[Reported]:
    """What ``align`` reports of each text of a collection and an index of all of them."""
    named = ((str(n), piece) for n, piece in enumerate(pieces))
    with tempfile.TemporaryDirectory() as folder, PassageIndex.build(Path(folder) / "i", named, **options) as index:
        for number, piece in enumerate(pieces):
            for match in index.align(piece, threads=1):
                if (other := int(match.document)) != number:
                    passages = piece[match.query_start : match.query_end], match.text
                    texts = min(number, other), max(number, other)
                    yield Reported(texts, match.kind, passages, f"similarity {match.similarity:.3f}")


SEARCHES = {"reuse": by_reuse, "index": by_index}


def kinds_of(found: Iterable[Reported], texts: int, tokens: Tokenizer, show: str) -> list[set[str]]:
    """The kinds of what is reported of each two of so many texts."""
    kinds: dict[tuple[int, int], set[str]] = {}
    for each in found:
        kind = kind_of(each.kind, *each.passages, tokens)
        kinds.setdefault(each.texts, set()).add(kind)
        if show:
            print(f"{show}: {kind}, {each.said}")
            for passage in each.passages:
                print("   ", " ".join(passage.split())[:600])
    return [*kinds.values()] + [set[str]()] * (math.comb(texts, 2) - len(kinds))


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--pairs", type=int, default=1_000, metavar="N", help="pairs of a class, of short texts")
    report.parser.add_argument("--only", default="", metavar="WORD", help="only rows whose names have this in them")
    report.parser.add_argument("--longest", type=int, default=LENGTHS[-1], metavar="WORDS", help="no longer pieces")
    report.parser.add_argument("--show", action="store_true", help="print every passage that is reported")
    options = report.options()
    pairs = 20 if options.quick else options.pairs
    align(*(text for _, text in generated(2, 300)))  # compiles
    chosen = [each for each in all_classes(options.quick, options.longest) if options.only in f"align: {each.name}"]
    rows = []
    for each in chosen:
        if made := row(each, pairs, options.show):
            rows.append(made)
            print(*made.values(), file=sys.stderr)  # long runs are watched
    for search in SEARCHES:
        if options.only in search:
            lengths = [each for each in LENGTHS[:2] if each <= options.longest]
            rows += rows_of_collections(search, options.quick, lengths, options.show)
    report.finish(rows)


if __name__ == "__main__":
    main()
