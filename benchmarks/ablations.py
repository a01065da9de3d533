"""What does each rule and constant of align contribute?

    python benchmarks/ablations.py [--quick] [--every N] [--pairs N] [--held-out] [--only WORD] [--csv FILE]

Each row leaves one rule of ``ibidem.alignment`` out, or gives one constant another value. The first row is ``align`` as
it is. The measures:

- *pan*: plagdet on every N-th pair (``--every``, 3) of one half of the training pairs of PAN 2013, by suspicious
  document; the other half with ``--held-out``. *summary* is that of the pairs with a summary alone. A summary is one
  case there, so similar passages inside one that is reported count as a part of it.
- *indonesian*: plagdet on the 75 pairs of Indonesian documents that share a case.
- *cut*, *light*, *heavy*: the share of the characters of the answers of Clough and Stevenson that is covered, by how
  they were written; *non* that of answers written without the page, *other* how many answers have a result with the
  page of another question.
- *planted*: the share of passages found of 10 to 80 words, with none to three fifths of them replaced, from novels in
  pieces of novels of other authors.
- *alarms*: pairs with a result, of pairs of texts that have nothing to do with each other and share no 10 tokens in a
  row (``false_alarms.py``): novels, Indonesian documents, pages, files of one Python package, parts of one Chinese
  novel; ``--pairs`` of each class and length.
- *seconds* of the processor for all of this, and the *ratio* to the first row.

*One score* is a trial: the evidence of a pair is measured at the chance of the two texts, and scaled by their lambda,
in place of the rules by which ``judge`` decides (decision 21).

The rows are measured in processes of their own, since kernels keep the constants that they were compiled with.
"""

import math
import multiprocessing
import random
import sys
import time
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from align_pairs import run
from false_alarms import Class, all_classes, counted, different, drawn_pairs, kind_of, novels
from languages import indonesian
from numba.core.caching import NullCache
from pan import Corpus, Pair, corpus
from report import Report, Row
from short_answers import all_pairs, find

from ibidem import align, make_tokenizer
from ibidem.alignment import null_model
from ibidem.alignment.block_pairs import SURE
from ibidem.alignment.evidence import CHANCE, evidence
from ibidem.alignment.extension import Measures
from ibidem.alignment.null_model import PART
from ibidem.alignment.passage_pairs import criteria_for
from ibidem.alignment.selection import Criteria
from ibidem.alignment.weighted_pair import Pair as WeightedPair
from ibidem.evaluation import pan_scores
from ibidem.kernels import kernel
from ibidem.kernels.decorators import Deferred, Kernel, _global_names

NULL = ("novels, authors", "novel, parts", "Indonesian", "web pages", "Python, package", "classic, parts")
"""The classes of unrelated texts."""

COMPILED = {"CHANCE", "ZONE", "TURNS", "PART", "_PARTS", "_DEVIATIONS", "_NEIGHBOURHOOD", "_FEW", "_most_telling"}
"""Constants and kernels that are part of other kernels."""

QUICK = ("occurrences beside those counted", "windows that drowned")
"""The rules of --quick: a constant that kernels are compiled with, and a function."""

LONGEST = 30_000
"""Words of the longest of them."""

Box = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

AROUND = 1 << 13
"""Tokens on either side of a passage that show what chance gives."""

LENGTHS, EDITS = (10, 20, 40, 80), (0.0, 0.2, 0.4, 0.6)
"""Of planted passages."""


class Variation(NamedTuple):
    """A rule of align, what becomes of it, and the names in ``ibidem.alignment`` that get another value."""

    rule: str
    change: str
    values: dict[str, Any]

    def apply(self) -> None:
        """Give every module of ``ibidem.alignment`` that has one of the names the other value."""
        for name, value in self.values.items():
            module, _, attribute = name.rpartition(".")
            modules = [each for key, each in sys.modules.items() if key.startswith(f"ibidem.alignment.{module}")]
            having = [each for each in modules if hasattr(each, attribute)]
            if not having:
                raise ValueError(f"no module of ibidem.alignment has a name {name}")
            for each in having:
                setattr(each, attribute, value)


class Planted(NamedTuple):
    """Two texts, and where the first has a passage of the second, in code points."""

    host: str
    source: str
    start: int
    end: int


class Workload(NamedTuple):
    """Everything that is measured."""

    pan: Corpus
    indonesian: Corpus
    answers: list[Any]
    planted: list[Planted]
    null: list[Class]
    pairs: int


def constant(rule: str, name: str, *values: float, **more: Any) -> list[Variation]:
    """Rows in which a constant has other values."""
    return [Variation(rule, f"{value:g}", {name: value} | more) for value in values]


def no_rows(*_: object) -> Any:

    return np.empty((0, 4), np.int64)


@kernel
def take_none(weights: Floats, held: npt.NDArray[np.bool_], taken: Box) -> int:
    """No row, in place of the similar passages with most words of a summary."""
    return -1


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


def score(scaled: bool, measures: Measures, box: Box, criteria: Criteria, _: object) -> float:
    """One score in place of all rules: the evidence at the chance of these texts, times their lambda."""
    pair = measures.pair
    strength, similarity = measures.of(box)
    if similarity < criteria.threshold or strength < criteria.nats:
        return 0.0
    if max(box[1] - box[0], box[3] - box[2]) < criteria.min_pair_length:
        return 0.0
    scale, chance = karlin_altschul(pair, measures.counts, box)
    passages = pair.a[box[0] : box[1]], pair.b[box[2] : box[3]]
    weights = np.append(0.0, np.cumsum(pair.growth))
    in_a, in_b = (np.bincount(each, minlength=len(pair.idf)) for each in passages)
    shared = null_model._share(pair.idf, weights, in_a, in_b, 1.0)
    found = float(evidence(*shared, chance)) * (scale if scaled else 1.0)
    return found if found >= criteria.nats else 0.0


def karlin_altschul(pair: WeightedPair, counts: Box, box: Box) -> tuple[float, float]:
    """The lambda of these texts, at most 1, and the chance, at least ``CHANCE``.

    Parts of the shorter passage are compared with the places of the other text outside of the other passage. Chance is
    the mean of the similarities, and lambda the number for which the mean of ``exp(lambda * evidence)`` is 1 (Karlin
    and Altschul, PNAS 87, 1990). Places that are surely similar are copies, and tell nothing of chance.
    """
    if box[1] - box[0] <= box[3] - box[2]:
        text, (start, end), other, (first, last) = pair.a, box[:2].tolist(), pair.b, box[2:].tolist()
    else:
        text, (start, end), other, (first, last) = pair.b, box[2:].tolist(), pair.a, box[:2].tolist()
    size, base = min(PART, end - start), max(0, first - AROUND)
    near = other[base : last + AROUND]
    similarities, weights = [], []
    for begin in np.unique(np.linspace(start, end - size, min(-(-(end - start) // PART), 6)).astype(np.int64)).tolist():
        part = text[begin : begin + size]
        found = null_model.similarities_to_windows(part, near, pair.idf, pair.growth, counts)
        at = np.arange(len(found)) + base
        similarities.append(found[((at + size <= first) | (at >= last)) & (found < SURE)])
        weights.append(np.full(len(similarities[-1]), 2 * pair.idf[part].sum()))
    similar, whole = np.concatenate(similarities), np.concatenate(weights)
    if len(similar) < 2 * size:
        return 1.0, CHANCE
    chance = max(CHANCE, float(similar.mean()))
    share = np.clip(similar, 1e-9, 1 - 1e-9)
    nats = whole / (1 + share) * (share * np.log(share / chance) + (1 - share) * np.log((1 - share) / (1 - chance)))
    nats = np.where(share > chance, nats, -nats)
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if np.exp(np.minimum(middle * nats, 60)).mean() <= 1 else (low, middle)
    return high, chance


def variations() -> list[Variation]:
    """Every row but the first."""

    out = "left out"
    alone = {"stands_up": lambda *_: True, "evidence_beyond_the_rest": evidence_as_it_is}
    return [
        *constant("chance", "CHANCE", 0.05, 0.15, 0.2),
        *(
            Variation("expect", f"{value:g}", {"criteria_for": partial(expecting, value)})
            for value in (1.0, 1e-2, 1e-3)
        ),
        *constant("least similarity", "SIMILAR", 0.25, 0.35),
        *constant("similarity of seeds", "SEED", 0.15, 0.3),
        *constant("surely similar", "SURE", 0.5, 0.8, 1.1),
        Variation("window", "16", {"WINDOWS": (16, 8)}),
        Variation("window", "64", {"WINDOWS": (64, 8)}),
        *constant("least length", "_LEAST_LENGTH", 20, 30, 50),
        Variation("repetition in a passage", "counts fully", {"TF": "raw"}),
        Variation("repetition in a passage", "does not count", {"TF": "binary"}),
        Variation("words once, not foretold", out, {"measure_unforetold": lambda *_: math.inf}),
        Variation("words foretold", out, {"measure_unforetold": count_once}),
        *constant("occurrences beside those counted", "_FEW", 0, 16),
        *constant("enough not to look for words foretold", "PLENTY", 1.0, 1e9),
        Variation("chance from the rest", out, {"evidence_beyond_the_rest": evidence_as_it_is}),
        Variation("parts with a counterpart", out, {"has_counterparts": lambda *_: True}),
        *constant("tokens of a part", "PART", 32, 128),
        *constant("parts looked at", "_PARTS", 6, 24),
        *constant("spread of a part", "_DEVIATIONS", 1.0, 3.0),
        *constant("neighbourhood", "_NEIGHBOURHOOD", 1 << 12, 1 << 17),
        Variation("zone of an end", out, {"ZONE": 1 << 40}),
        *constant("zone of an end", "ZONE", 256, 1024),
        *constant("turns of an end", "TURNS", 4),
        Variation("windows that drowned", out, {"_find_drowned": no_rows}),
        Variation("narrowing", out, {"_narrow": no_rows}),
        Variation("lengthening", out, {"lengthen_rewritten": no_rows}),
        Variation("summaries", out, {"_find_summaries": no_rows}),
        *constant("summary: part of what it sums up", "CONDENSED", 2, 5),
        *constant("summary: part of its text", "ALONE", 2, 8),
        *constant("summary: spread", "DEVIATIONS", -1e9, 1.0, 3.0),
        *constant("summary: above all others", "MARGIN", -1.0, 0.1),
        *constant("summary: without one place", "ONE_PLACE", -1e9, 0.5),
        Variation("summary: own words", out, {"evidence_of_own_words": lambda *_: 1e9}),
        *(
            Variation("one score", change, alone | {"judge": partial(score, scaled)})
            for change, scaled in (("chance from the texts", False), ("chance and lambda", True))
        ),
        Variation("summary: stands out", out, {"stands_out": lambda *_: True}),
        Variation("summary: without its best passage", out, {"_most_telling": take_none}),
    ]


def planted(quick: bool, count: int) -> list[Planted]:
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


def half_of(given: Corpus, held_out: bool, every: int) -> Corpus:
    """Every so-manieth pair of one half of the suspicious documents."""
    suspicious = sorted({pair.suspicious for pair in given.pairs})[held_out::2]
    chosen = set(suspicious)
    pairs = [pair for pair in given.pairs if pair.suspicious in chosen][::every]
    ids = {pair.ids for pair in pairs}
    return Corpus(given.texts, pairs, [case for case in given.cases if (case.suspicious, case.source) in ids])


def workload(quick: bool, held_out: bool, every: int, pairs: int) -> Workload:
    """All texts, drawn once for all rows."""
    suspicious, sources, cases = indonesian(quick)
    ids = dict.fromkeys((case.suspicious, case.source) for case in cases)
    of_indonesian = Corpus(suspicious | sources, [Pair(*each, "indonesian") for each in ids], cases)
    null = [each for each in all_classes(quick, LONGEST) if quick or each.name in NULL]
    fixed = []
    for each in null:
        number = max(1, pairs * 3_000 // max(int(each.length or 0), 3_000))
        fixed.append(each._replace(pairs=list(islice(each.pairs, held_out * number, (1 + held_out) * number))))
    answers = list(all_pairs(quick))
    return Workload(
        pan=half_of(corpus(quick), held_out and not quick, 1 if quick else every),
        indonesian=of_indonesian,
        answers=answers,
        planted=planted(quick, max(2, pairs // 10)),
        null=fixed,
        pairs=pairs,
    )


def scored(given: Corpus, category: str | None = None) -> float:
    """The plagdet of what ``align`` reports of the pairs."""
    pairs = [pair for pair in given.pairs if category is None or pair.category == category]
    found = [case for pair in pairs for case in run(given.texts, pair).found]
    ids = {pair.ids for pair in pairs}
    return pan_scores(found, [case for case in given.cases if (case.suspicious, case.source) in ids]).plagdet


def is_found(each: Planted) -> bool:
    """Whether a reported passage meets the planted one."""
    found = align(each.host, each.source, summaries=False)
    return any(one.a_start < each.end and each.start < one.a_end for one in found)


def alarms(each: Class) -> dict[str, Any]:
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


def measure_all(work: Workload) -> Row:
    """The columns of a row."""
    start = time.thread_time()
    row: dict[str, Any] = {"pan": scored(work.pan), "summary": scored(work.pan, "summary-obfuscation")}
    row["indonesian"] = scored(work.indonesian)
    found = [(pair.category, find(pair)) for pair in work.answers]
    for category in ("cut", "light", "heavy", "non"):
        covered = [each.covered for name, each in found if name == category]
        row[category] = sum(covered) / max(len(covered), 1)
    row["other"] = sum(each.covered > 0 for name, each in found if name == "other")
    row["planted"] = sum(map(is_found, work.planted)) / len(work.planted)
    null = [alarms(each) for each in work.null]
    row["alarms"] = sum(int(each["similar"]) + int(each["summary"]) for each in null)
    row["of pairs"] = sum(int(each["pairs"]) for each in null)
    row["seconds"] = time.thread_time() - start
    row["where"] = "; ".join(
        f"{each['class']} {each['length']}: {each['similar']}+{each['summary']}"
        for each in null
        if float(each["alarms"])
    )
    return row


def _compile_again(changed: set[str]) -> None:
    """Have the kernels of alignments that use one of these names compiled in this process, with its other value."""
    modules = [module for name, module in sys.modules.items() if name.startswith("ibidem.alignment")]
    kernels = [each for module in modules for each in vars(module).values() if isinstance(each, Deferred)]
    functions = [each for each in kernels if _uses(each, changed)]
    for function in functions:
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


def measure(work: Workload, variation: Variation | None, answer: Any) -> None:
    """Measure one row in a process of its own, and send it."""
    if variation is not None:
        variation.apply()
        if changed := COMPILED & set(variation.values):
            _compile_again(changed)
    for each in work.planted[:3]:
        is_found(each)  # compiles
    for each in work.answers[:3]:
        find(each)
    answer.send(measure_all(work))


def row_of(work: Workload, variation: Variation | None) -> Row:
    fork = multiprocessing.get_context("fork")
    receive, send = fork.Pipe(duplex=False)
    process = fork.Process(target=measure, args=(work, variation, send))
    process.start()
    send.close()
    try:
        row: Row = receive.recv()
    finally:
        process.join()
    return row


def shown(rule: str, change: str, row: Row, first: Row) -> Row:
    numbers = {name: f"{value:.4f}" if isinstance(value, float) else value for name, value in row.items()}
    ratio = f"{float(str(row['seconds'])) / float(str(first['seconds'])):.2f}"
    where = numbers.pop("where")
    return {"rule": rule, "change": change} | numbers | {"ratio": ratio, "where": where}


def main() -> None:
    report = Report(__doc__)
    report.parser.add_argument("--every", type=int, default=3, metavar="N", help="take every N-th pair of PAN (3)")
    report.parser.add_argument(
        "--pairs", type=int, default=100, metavar="N", help="pairs of a class of unrelated texts"
    )
    report.parser.add_argument("--held-out", action="store_true", help="the other half of the texts")
    report.parser.add_argument("--only", default="", metavar="WORD", help="only rules whose names have this in them")
    options = report.options()
    work = workload(options.quick, options.held_out, options.every, 4 if options.quick else options.pairs)
    first = row_of(work, None)
    rows = [shown("all", "as it is", first, first)]
    print(*rows[0].values(), file=sys.stderr, flush=True)
    for each in variations():
        if each.rule in QUICK if options.quick else options.only in each.rule:
            rows.append(shown(each.rule, each.change, row_of(work, each), first))
            print(*rows[-1].values(), file=sys.stderr, flush=True)
    report.finish(rows)


if __name__ == "__main__":
    main()
