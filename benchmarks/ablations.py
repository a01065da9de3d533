"""What does each rule and constant of align and of contamination contribute?

    python benchmarks/ablations.py [FOLDER] [--quick] [--every N] [--pairs N] [--only WORD] [--csv FILE]

Each row leaves one rule of ``ibidem.alignment`` or ``ibidem.contamination`` out, or gives one constant another value.
The first row of a room is the room as it is. FOLDER holds labelled sets that nothing was tuned on
(``benchmarks/unlike.py``), those that are there count. The measures of ``align``:

- *pan*, *pan 2*: plagdet on every N-th pair (``--every``, 6) of either half of the training pairs of PAN 2013, by
  suspicious document; they differ by noise. *summary* is that of the pairs with a summary alone. A summary is one
  case there, so similar passages inside one that is reported count as a part of it.
- *indonesian*: plagdet on the 75 pairs of Indonesian documents that share a case.
- *light*, *heavy*: the share of the characters of the answers of Clough and Stevenson that is covered, by how they were
  written; *other* how many answers have a result with the page of another question.
- *planted*: the share of passages found of 10 to 80 words, with none to three fifths of them replaced, from novels in
  pieces of novels of other authors.
- *verses*: F1 of verses of two books of the Hebrew Bible that correspond; *sanskrit*, *tibetan*: F1 of verses and their
  commentaries; *java*: how often a plagiarised pair of programs shares more than another pair (AUC).
- *alarms*: pairs with a result, of pairs of texts that have nothing to do with each other and share no 10 tokens in a
  row (``false_alarms.py``): novels, Indonesian documents, pages, files of one Python package, parts of one Chinese
  novel; ``--pairs`` of each class and length.

Those of contamination, where texts are those of ``contamination.py`` (items in pages), ``contamination_kinds.py`` (in
many pages) and ``templates.py`` (items of templates):

- *precision*, *short* and *fifth word*: of three collections, and the recall of items of fewer than 13 words, and of
  those with every fifth word replaced; *recall* that of all others. *false* counts the pages that are flagged falsely.
- *kinds*: the share of right judgements where items, or pieces of them, are in many pages.
- *templates*: F1 of documents with an item, beside documents with another item of its template.

*seconds* are those of the processor for all of this, *ratio* that to the first row.

The rows are measured in processes of their own, since kernels keep the constants that they were compiled with.
"""

import math
import multiprocessing
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import contamination
import contamination_kinds
import numpy as np
import numpy.typing as npt
import templates
from align_pairs import run
from false_alarms import Class, all_classes, counted, different, drawn_pairs, kind_of, novels
from languages import indonesian
from numba.core.caching import NullCache
from pan import Corpus, Pair, corpus
from report import Report, Row
from short_answers import all_pairs, find
from unlike import read_set

from ibidem import NullModel, align, make_tokenizer
from ibidem.alignment.extension import Measures
from ibidem.alignment.overlap_evidence import CHANCE, evidence
from ibidem.alignment.passage_pairs import criteria_for
from ibidem.alignment.selection import Criteria
from ibidem.alignment.weighted_pair import Pair as WeightedPair
from ibidem.contamination.detector import _find_rivals as find_rivals
from ibidem.contamination.quoted_sources import QuotedQuestion
from ibidem.evaluation import pan_scores
from ibidem.kernels import kernel
from ibidem.kernels.decorators import KERNELS, Deferred, Kernel, _global_names
from ibidem.text.units import choose_collection_unit

NULL = ("novels, authors", "novel, parts", "Indonesian", "web pages", "Python, package", "classic, parts")
"""The classes of unrelated texts."""

QUICK = {("zone of an end", "256"), ("boilerplate", "left out")}
"""The rows of --quick: a constant that kernels are compiled with, and a function."""

LONGEST = 3_000
"""Words of the longest of the unrelated texts."""

LENGTHS, EDITS = (10, 20, 40, 80), (0.0, 0.2, 0.4, 0.6)
"""Of planted passages."""

Box = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Variation(NamedTuple):
    """A rule, what becomes of it, and the names in ``ibidem`` that get another value."""

    rule: str
    change: str
    values: dict[str, Any]

    @property
    def room(self) -> str:
        """The room whose rule it is."""
        return next(iter(self.values)).partition(".")[0]

    def apply(self) -> set[str]:
        """Give every module that has one of the objects its other value; the names that changed."""
        changed = set()
        for name, value in self.values.items():
            module, _, attribute = name.rpartition(".")
            original = getattr(sys.modules[f"ibidem.{module}"], attribute)
            for key, each in list(sys.modules.items()):
                if key.startswith("ibidem.") and vars(each).get(attribute) is original:
                    setattr(each, attribute, value)
            changed.add(attribute)
        return changed


def constant(rule: str, name: str, *values: float) -> list[Variation]:
    """Rows in which a constant has other values."""
    return [Variation(rule, f"{value:g}", {name: value}) for value in values]


# Rules of align.


def no_rows(*_: object) -> Any:
    return np.empty((0, 4), np.int64)


@kernel
def take_none(weights: Floats, in_other: npt.NDArray[np.bool_], covered: Box) -> int:
    """No row, in place of the similar passages with most words of a summary."""
    return int(np.int64(-1))


def count_once(pair: WeightedPair, box: Box, enough: float) -> float:
    """The evidence of a pair of passages where each token counts once, whatever foretells it."""
    of_a, of_b = np.unique(pair.a[box[0] : box[1]]), np.unique(pair.b[box[2] : box[3]])
    shared = np.intersect1d(of_a, of_b, assume_unique=True)
    part = float(pair.idf[shared].sum())
    return float(evidence(part, float(pair.idf[of_a].sum() + pair.idf[of_b].sum()) - part, CHANCE))


def expecting(expect: float, pair: WeightedPair, threshold: float, min_pair_length: int, _: float) -> Criteria:
    """The criteria by which chance gives ``expect`` pairs."""
    return criteria_for(pair, threshold, min_pair_length, expect)


def evidence_as_it_is(pair: WeightedPair, box: Box, *_: object) -> float:
    """The evidence of a pair of passages without regard to the rest of the texts."""
    return Measures(pair).of(box)[0]


def whole_text(text: Any, other: Any, *_: object) -> tuple[int, int]:
    """All of the other text, in place of the place that is summed up."""
    return 0, len(other)


def of_alignment() -> list[Variation]:
    out, rules = "left out", "alignment.null_model"
    summary = "alignment.summaries"
    return [
        Variation("words once, not foretold", out, {f"{rules}.measure_unforetold": lambda *_: math.inf}),
        Variation("words foretold", out, {f"{rules}.measure_unforetold": count_once}),
        Variation("chance from the rest", out, {f"{rules}.evidence_beyond_the_rest": evidence_as_it_is}),
        Variation("parts with a counterpart", out, {f"{rules}.has_counterparts": lambda *_: True}),
        Variation("copies without counterparts", out, {f"{rules}.is_copied": lambda *_: False}),
        Variation("windows that drowned", out, {"alignment.passage_pairs._find_drowned": no_rows}),
        Variation("lengthening", out, {"alignment.lengthening.lengthen_rewritten": no_rows}),
        Variation("common tokens of blocks", out, {"alignment.blocks._COMMON": (1.0, 1)}),
        Variation("summaries", out, {"alignment.passage_pairs._find_summaries": no_rows}),
        Variation("summary: own words", out, {f"{summary}.evidence_of_own_words": lambda *_: 1e9}),
        Variation("summary: stands out", out, {f"{summary}.stands_out": lambda *_: True}),
        Variation("summary: without its best passage", out, {f"{summary}._find_most_telling": take_none}),
        Variation("summary: of a place", out, {f"{summary}._choose_place": whole_text}),
        *constant("summary: without one place", f"{summary}.ONE_PLACE", -1e9, 0.5),
        *constant("summary: spread", f"{summary}.DEVIATIONS", -1e9, 2.0, 4.0),
        *constant("summary: part of what it sums up", f"{summary}.CONDENSED", 2, 6),
        *constant("summary: part of its text", f"{summary}.ALONE", 2, 8),
        Variation("quotations", out, {"alignment.align_tokens.find_new_quotations": lambda *_: (no_rows(), [])}),
        *constant("quotations, for a passage", "alignment.quotations._SURER", 0.01, 1.0),
        *constant("place of a drowned window", "alignment.passage_pairs._NEARBY", 128, 512),
        *constant("places of a lengthening", "alignment.lengthening._STARTS", 10),
        *constant("enough not to look for words foretold", "alignment.selection.PLENTY", 1.0, 1e9),
        *(
            Variation("expect", f"{value:g}", {"alignment.passage_pairs.criteria_for": partial(expecting, value)})
            for value in (1.0, 1e-2)
        ),
        *constant("similarity of seeds", "alignment.passage_pairs.SEED", 0.15, 0.3),
        *constant("least length", "alignment.lengths._LEAST_LENGTH", 20, 30, 50),
        Variation("window", "16", {"alignment.lengths.WINDOWS": (16, 8, 4, 2, 1)}),
        Variation("window", "64", {"alignment.lengths.WINDOWS": (64, 32, 16, 8, 4, 2, 1)}),
        *constant("tokens that show how common one is", "alignment.blocks._ENOUGH", 1 << 15, 1 << 17),
        *constant("least similarity", "alignment.selection.SIMILAR", 0.25, 0.35),
        *constant("zone of an end", "alignment.extension.ZONE", 256, 1024, 1 << 40),
        *constant("turns of an end", "alignment.extension.TURNS", 4),
        *constant("spread of a part", f"{rules}._DEVIATIONS", 1.0, 3.0),
        *constant("occurrences beside those counted", f"{rules}._FEW", 0, 16),
        *constant("tokens of a copy", f"{rules}._COPIED", 16, 64),
        *constant("tokens of a part", f"{rules}.PART", 32, 128),
        *constant("parts looked at", f"{rules}._PARTS", 6, 24),
        *constant("neighbourhood", f"{rules}._NEIGHBOURHOOD", 1 << 12, 1 << 17),
        *constant("surely similar", "alignment.block_pairs.SURE", 0.5, 0.8),
        *constant("chance", "alignment.evidence.CHANCE", 0.05, 0.15),
    ]


# Rules of contamination.


def of_each_by_itself(containment: float, items: int = 1) -> float:
    """The evidence of a leak without the price of the number of items."""
    from ibidem.contamination import leak_evidence as room

    return room._WHOLE + room._LACKING * (1 - containment)


def no_rivals(alignments: object, rows: Sequence[int], *_: object) -> Any:
    return np.zeros(len(rows), np.int8)


def all_rivals(alignments: Any, rows: Any, parts: Any, items: Any, measures: Sequence[Any]) -> Any:
    """Rivals whatever was found of what distinguishes them."""
    return find_rivals(alignments, rows, parts, items, [(0.0, 0.0)] * len(measures))


def no_signs(parts: Sequence[Any], _: object) -> npt.NDArray[np.bool_]:
    return np.zeros(len(parts), np.bool_)


def count_all(numbers: Box, bounds: Box, counts: Any) -> Floats:
    """All bigrams of a sample, copies of an item among them."""
    known = numbers >= 0
    result = np.zeros(int(bounds[-1]))
    result[known] = counts.times[numbers[known]]
    return result


def no_earlier(owners: Box, values: Box) -> Floats:
    return np.zeros(len(values))


def of_contamination() -> list[Variation]:
    room, out = "contamination", "left out"
    return [
        *constant("evidence of a whole part", f"{room}.evidence._WHOLE", 0.0, 6.0),
        *constant("evidence for what lacks", f"{room}.evidence._LACKING", 10.0, 30.0, 40.0),
        Variation("price of the items", out, {f"{room}.evidence.compute_required_evidence": of_each_by_itself}),
        *constant("evidence of a listed piece", f"{room}.evidence.STRONG", 7.5, 30.0),
        Variation("what distinguishes", "threshold", {f"{room}.judging._most": lambda threshold: threshold}),
        Variation("what distinguishes", out, {f"{room}.judging._is_distinct": lambda *_: True}),
        *constant("siblings of a part", f"{room}.siblings.MOST", 4),
        Variation("signs", out, {f"{room}.siblings._find_same_words": no_signs}),
        Variation("boilerplate", out, {f"{room}.frequencies.is_piece": lambda *_: False}),
        *constant("documents of boilerplate", f"{room}.frequencies.MANY", 5, 20),
        *constant("share of a whole part", f"{room}.frequencies._WHOLE", 0.6, 0.9),
        Variation("rivals", out, {f"{room}.detector._find_rivals": no_rivals}),
        Variation("rivals", "worse ones, too", {f"{room}.detector._find_rivals": all_rivals}),
        *constant("price of a word missing", f"{room}.local_alignment.MISSING", 0.5, 2.0),
        *constant("price of a word added", f"{room}.local_alignment.ADDED", 0.25, 1.0),
        *constant("evidence of a further alignment", f"{room}.local_alignment.BLOCK", 5.0, 20.0, 1e9),
        *constant("weight of seeds", f"{room}.seeds._LEAST", 0.3, 1.0),
        *constant("weight of seeds of a candidate", f"{room}.seeds._NEEDED", 0.1, 0.4),
        *constant("room of a candidate", f"{room}.seeds._SLACK", 0, 64),
        *constant("words added", f"{room}.surprise._UNSEEN", 1, 100_000),
        *constant("prior of a word", f"{room}.surprise._BACKOFF", 2.5, 10.0),
        Variation("copies in the sample", "count", {f"{room}.surprise.count_beyond_copies": count_all}),
        Variation("repetition within a part", out, {f"{room}.surprise._count_earlier": no_earlier}),
        *constant("short questions", f"{room}.parts._SHORT", 0, 16),
        *constant("answers by themselves", f"{room}.parts.LONG_ANSWER", 10, 40),
        Variation("quotations", out, {f"{room}.quotations.split_quotation": lambda text: QuotedQuestion(text, "")}),
        *constant("room of an answer", f"{room}.detector._NEAR", 16, 256),
    ]


# Workloads.


class Planted(NamedTuple):
    """Two texts, and where the first has a passage of the second, in code points."""

    host: str
    source: str
    start: int
    end: int


class Verses(NamedTuple):
    """Two books, a verse a line, their ids, and which correspond."""

    books: tuple[str, str]
    ids: tuple[list[str], list[str]]
    truth: set[tuple[str, str]]


class Labelled(NamedTuple):
    """Pairs of documents that are related or not, and what ``align`` is told."""

    pairs: list[tuple[str, str]]
    labels: list[bool]
    options: dict[str, Any]


class Texts(NamedTuple):
    """Everything by which ``align`` is measured."""

    pan: list[Corpus]
    summaries: Corpus
    indonesian: Corpus
    answers: list[Any]
    planted: list[Planted]
    verses: Verses | None
    labelled: dict[str, Labelled]
    null: list[Class]


def plant(quick: bool, count: int) -> list[Planted]:
    """Edited passages from pieces of novels in pieces of novels by others, ``count`` of each length and edits."""
    length = 600 if quick else 1_000
    made, drawn, pairs = [], random.Random(11), drawn_pairs(novels(quick), length, different, seed=11)
    for size in LENGTHS:
        for edits in EDITS:
            for host, source in islice(pairs, count):
                words, others = source.split(), host.split()
                first, place = drawn.randrange(len(words) - size), drawn.randrange(len(others))
                copy = [
                    drawn.choice(others) if drawn.random() < edits else word for word in words[first : first + size]
                ]
                before, passage = " ".join(others[:place]), " ".join(copy)
                start = len(before) + (1 if before else 0)
                text = " ".join([*others[:place], *copy, *others[place:]])
                made.append(Planted(text, source, start, start + len(passage)))
    return made


def choose(given: Corpus, is_chosen: Callable[[Pair], bool], every: int) -> Corpus:
    """Every so-manieth pair for which this holds."""
    pairs = [pair for pair in given.pairs if is_chosen(pair)][::every]
    ids = {pair.ids for pair in pairs}
    return Corpus(given.texts, pairs, [case for case in given.cases if (case.suspicious, case.source) in ids])


def read_verses(path: Path) -> Verses:
    rows = read_set(path)
    sides = [[row for row in rows if row["kind"] == "doc" and row["side"] == side] for side in ("chr", "sk")]
    a, b = ("".join(" ".join(row["text"].split("\n")) + "\n" for row in side) for side in sides)
    ids = [row["id"] for row in sides[0]], [row["id"] for row in sides[1]]
    return Verses((a, b), ids, {(row["chr"], row["sk"]) for row in rows if row["kind"] == "truth"})


def read_commentaries(path: Path) -> dict[str, Labelled]:
    rows = [row for row in read_set(path) if row["kind"] == "pair"]
    texts = [row[side] for row in rows for side in ("root", "commentary")]
    tokenizer = choose_collection_unit(texts)
    options = {"tokenizer": tokenizer, "null_model": NullModel.of(texts, tokenizer=tokenizer)}
    labelled = {}
    for name, language in (("sanskrit", "sa"), ("tibetan", "bo")):
        chosen = [row for row in rows if row["lang"] == language]
        pairs = [(row["root"], row["commentary"]) for row in chosen]
        labelled[name] = Labelled(pairs, [bool(row["label"]) for row in chosen], options)
    return labelled


def read_programs(path: Path, every: int) -> dict[str, Labelled]:
    rows = read_set(path)
    texts = {row["id"]: row["text"] for row in rows if row["kind"] == "doc"}
    pairs = [row for row in rows if row["kind"] == "pair" and row["version"] == 2][::every]
    options = {"null_model": NullModel.of(texts.values())}
    both = [(texts[row["a"]], texts[row["b"]]) for row in pairs]
    return {"java": Labelled(both, [bool(row["label"]) for row in pairs], options)}


def read_texts(folder: Path | None, quick: bool, every: int, pairs: int) -> Texts:
    """All texts, drawn once for all rows."""
    given = corpus(quick)
    suspicious = sorted({pair.suspicious for pair in given.pairs})
    halves = [
        choose(given, lambda pair, half=half: pair.suspicious in half, every)
        for half in (set(suspicious[::2]), set(suspicious[1::2]))
    ]
    copied, sources, cases = indonesian(quick)
    ids = dict.fromkeys((case.suspicious, case.source) for case in cases)
    labelled: dict[str, Labelled] = {}
    verses = None
    if folder is not None and not quick:
        labelled = read_commentaries(folder / "dharma.jsonl.gz") | read_programs(folder / "conplag.jsonl.gz", 3)
        verses = read_verses(folder / "hebrew.jsonl.gz")
    fixed = []
    for each in all_classes(quick, LONGEST):
        if quick or each.name in NULL:
            number = max(1, pairs * 3_000 // max(int(each.length or 0), 3_000))
            fixed.append(each._replace(pairs=list(islice(each.pairs, number))))
    return Texts(
        pan=halves,
        summaries=choose(given, lambda pair: pair.category == "summary-obfuscation", max(1, every // 2)),
        indonesian=Corpus(copied | sources, [Pair(*each, "indonesian") for each in ids], cases),
        answers=list(all_pairs(quick)),
        planted=plant(quick, max(2, pairs // 10)),
        verses=verses,
        labelled=labelled,
        null=fixed,
    )


class Pages(NamedTuple):
    """Everything by which contamination is measured."""

    sets: list[tuple[contamination.Planted, Sequence[Any]]]
    kinds: list[contamination_kinds.World]
    templates: list[dict[str, Any]]


def read_pages(folder: Path | None, quick: bool) -> Pages:
    if quick:
        source = random.Random(1)
        world = contamination.read_quick(source)
        return Pages(
            [(contamination.plant(world, 4, source), world.items)],
            [contamination_kinds.read_quick(random.Random(1))],
            templates.generate(),
        )
    sets = []
    for read in (contamination.read_first, contamination.read_second, contamination.read_third):
        source = random.Random(1)
        world = read(source)
        sets.append((contamination.plant(world._replace(pages=world.pages[:6_000]), 150, source), world.items))
    kinds = [read(random.Random(1)) for read in contamination_kinds.READ.values()]
    return Pages(
        sets,
        [world._replace(pages=world.pages[:3_000]) for world in kinds],
        templates.read(folder) if folder is not None else templates.generate(),
    )


# Measures.


def score_pan(given: Corpus) -> float:
    """The plagdet of what ``align`` reports of the pairs."""
    return pan_scores([case for pair in given.pairs for case in run(given.texts, pair).found], given.cases).plagdet


def is_found(each: Planted) -> bool:
    """Whether a reported passage meets the planted one."""
    found = align(each.host, each.source, summaries=False)
    return any(one.a_start < each.end and each.start < one.a_end for one in found)


def score_verses(verses: Verses) -> float:
    """F1 of the verses that are said to correspond."""
    found = align(*verses.books)
    links = {
        (verses.ids[0][int(unit.a_unit) - 1], verses.ids[1][int(unit.b_unit) - 1])
        for pair in found
        for unit in found.units(("line", "line"), pair)
    }
    return 2 * len(links & verses.truth) / (len(links) + len(verses.truth))


def score_labelled(name: str, given: Labelled) -> float:
    """F1 of pairs with a passage in common; of programs, AUC of what they share."""
    results = [align(*pair, **given.options) for pair in given.pairs]
    if name != "java":
        is_found = [bool(each) for each in results]
        right = sum(found and label for found, label in zip(is_found, given.labels, strict=True))
        return 2 * right / (sum(is_found) + sum(given.labels))
    shares = [(each.shares().a.similar_share + each.shares().b.similar_share) / 2 for each in results]
    related = [share for share, label in zip(shares, given.labels, strict=True) if label]
    others = [share for share, label in zip(shares, given.labels, strict=True) if not label]
    return float(np.mean([(a > b) + (a == b) / 2 for a in related for b in others]))


def count_alarms(each: Class) -> dict[str, Any]:
    """What ``false_alarms.py`` counts of a class of pairs."""
    tokens = make_tokenizer(each.options.get("tokenizer", "words"))
    kinds = [
        {
            kind_of(one.kind, a[one.a_start : one.a_end], b[one.b_start : one.b_end], tokens)
            for one in align(a, b, **each.options)
        }
        for a, b in each.pairs
    ]
    return counted(each.name, each.length, kinds)


def measure_alignment(texts: Texts) -> Row:
    row: Row = {name: score_pan(half) for name, half in zip(("pan", "pan 2"), texts.pan, strict=True)}
    row["summary"], row["indonesian"] = score_pan(texts.summaries), score_pan(texts.indonesian)
    found = [(pair.category, find(pair)) for pair in texts.answers]
    for category in ("light", "heavy"):
        covered = [each.covered for name, each in found if name == category]
        row[category] = sum(covered) / max(len(covered), 1)
    row["other"] = sum(each.covered > 0 for name, each in found if name in ("other", "non"))
    row["planted"] = sum(map(is_found, texts.planted)) / len(texts.planted)
    row["verses"] = score_verses(texts.verses) if texts.verses else ""
    for name in ("sanskrit", "tibetan", "java"):
        row[name] = score_labelled(name, texts.labelled[name]) if name in texts.labelled else ""
    null = [count_alarms(each) for each in texts.null]
    row["alarms"] = f"{sum(int(each['similar']) + int(each['summary']) for each in null)}"
    row["where"] = "; ".join(
        f"{each['class']} {each['length']}: {each['similar']}+{each['summary']}"
        for each in null
        if float(each["alarms"])
    )
    return row


def measure_contamination(pages: Pages) -> Row:
    right: dict[str, list[bool]] = defaultdict(list)
    true = flagged = 0
    for planted, items in pages.sets:
        named = contamination.by_ibidem(planted.pages, items)
        for item, kind, found in zip(planted.items, planted.kinds, named, strict=True):
            flagged += bool(found)
            true += bool(found) and item is not None
            if item is not None:
                right[kind].append(item in found)
    short, fifth = right.pop("under 13 words"), right.pop("every fifth word")
    others = [each for kind in right.values() for each in kind]
    row: Row = {
        "precision": true / max(flagged, 1),
        "false": str(flagged - true),
        **{
            name: sum(each) / max(len(each), 1)
            for name, each in (("short", short), ("fifth word", fifth), ("recall", others))
        },
    }
    judged = [
        said.get(page.item, "") == page.expected
        for world in pages.kinds
        for page, said in say_kinds(world)
        if page.item >= 0
    ]
    row["kinds"] = sum(judged) / len(judged)
    documents, items = ([each for each in pages.templates if each["kind"] == kind] for kind in ("doc", "eval"))
    leaks = {number for number, each in enumerate(documents) if each["mechanism"].startswith("leak")}
    named_items = templates.by_ibidem(documents, items, 0.5)
    row["templates"] = 2 * len(leaks & named_items.keys()) / (len(named_items) + len(leaks))
    return row


def say_kinds(world: contamination_kinds.World) -> Iterator[tuple[Any, dict[int, str]]]:
    planted = contamination_kinds.plant(world, 6, random.Random(2))
    return zip(planted, contamination_kinds.say(planted, world.questions), strict=True)


# Rows.


def _compile_again(changed: set[str]) -> None:
    """Have the kernels that use one of these names compiled in this process, with its other value."""
    functions = [each for each in KERNELS if _uses(each, changed)]
    deferred = {
        id(each): each
        for module in list(sys.modules.values())
        if module.__name__.startswith("ibidem.")
        for each in vars(module).values()
        if isinstance(each, Deferred) and _uses(each, changed)
    }
    for function in [*functions, *deferred.values()]:
        function.__dict__.pop("dispatcher", None)
    for function in functions:
        if isinstance(function, Kernel):
            function.dispatcher._cache = NullCache()
            function._run = function.dispatcher


def _uses(function: Deferred, names: set[str]) -> bool:
    """Whether a function, or one that it calls, uses one of these names."""
    used = set(_global_names(function.py_func.__code__))
    called = [function.py_func.__globals__.get(name) for name in used]
    return bool(used & names) or any(_uses(each, names) for each in called if isinstance(each, Deferred))


def _answer(measure: Callable[[], Row], warm: Callable[[], Row], variation: Variation | None, pipe: Any) -> None:
    """Measure one row in a process of its own, and send it; first compile what the variation changes."""
    if variation is not None:
        _compile_again(variation.apply())
        warm()
    start = time.process_time()
    row = measure()
    pipe.send(row | {"seconds": time.process_time() - start})


def measure_row(measure: Callable[[], Row], warm: Callable[[], Row], variation: Variation | None) -> Row:
    fork = multiprocessing.get_context("fork")
    receive, send = fork.Pipe(duplex=False)
    process = fork.Process(target=_answer, args=(measure, warm, variation, send))
    process.start()
    send.close()
    try:
        row: Row = receive.recv()
    finally:
        process.join()
    return row


COLUMNS = ("pan", "pan 2", "summary", "indonesian", "light", "heavy", "other", "planted", "verses", "sanskrit")
COLUMNS += ("tibetan", "java", "alarms", "precision", "false", "short", "fifth word", "recall", "kinds", "templates")


def show(rule: str, change: str, row: Row) -> Row:
    values = {name: row.get(name, "") for name in (*COLUMNS, "seconds", "where")}
    numbers = {name: f"{value:.4f}" if isinstance(value, float) else value for name, value in values.items()}
    return {"rule": rule, "change": change} | numbers


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("folder", nargs="?", type=Path, help="labelled sets that nothing was tuned on")
    report.parser.add_argument("--every", type=int, default=6, metavar="N", help="take every N-th pair of PAN (6)")
    report.parser.add_argument(
        "--pairs", type=int, default=100, metavar="N", help="pairs of a class of unrelated texts"
    )
    report.parser.add_argument("--only", default="", metavar="WORD", help="only rules whose names have this in them")
    options = report.options()
    quick, folder = options.quick, options.folder
    rooms: dict[str, tuple[Callable[[bool], Any], Callable[[Any], Row], list[Variation]]] = {
        "alignment": (
            lambda quick: read_texts(folder, quick, 1 if quick else options.every, 4 if quick else options.pairs),
            measure_alignment,
            of_alignment(),
        ),
        "contamination": (lambda quick: read_pages(folder, quick), measure_contamination, of_contamination()),
    }
    rows: list[Row] = []
    for room, (read, measure, variations) in rooms.items():
        named = [(f"{room}: {each.rule}", each) for each in variations]
        if quick:
            chosen = [(name, each) for name, each in named if (each.rule, each.change) in QUICK]
        else:
            chosen = [(name, each) for name, each in named if options.only in name]
        if not chosen:
            continue
        work = read(quick)
        warm = partial(measure, work if quick else read(True))
        warm()
        for name, each in [(room, None), *chosen]:
            row = measure_row(partial(measure, work), warm, each)
            rows.append(show(name, "as it is" if each is None else each.change, row))
            print(*(value for value in rows[-1].values() if value != ""), file=sys.stderr, flush=True)
    report.finish(rows)


if __name__ == "__main__":
    main()
