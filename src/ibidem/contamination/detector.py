"""The detector: the parts of all items in memory, ready to be looked for in batches of documents."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import xxhash

from ibidem.contamination.bigrams import BigramTable, hash_bigrams, sort_distinct
from ibidem.contamination.items import Evals, Item
from ibidem.contamination.leak_evidence import STRONG, compute_least_shares, compute_required_evidence, measure_chance
from ibidem.contamination.local_alignment import AlignableParts, AlignedParts, align_candidates
from ibidem.contamination.numbers import ComparedNumbers, compare_numbers
from ibidem.contamination.parts import QUESTION, Parts, condense, split_parts
from ibidem.contamination.seeds import BigramPostings, choose_seeds, find_candidates
from ibidem.contamination.siblings import Siblings, find_siblings, measure_distinct
from ibidem.contamination.surprise import SampleCounts, Surprise, learn_surprise, sample_tokens
from ibidem.rounding import SLACK
from ibidem.text import Documents, Texts, Tokenizer, Tokens
from ibidem.text.json_values import replace_surrogates

_NEAR = 64
"""Tokens behind a question, besides those of its answers, in which an answer is looked for."""

_OWN, _OTHER = 1, 2


class Origin(NamedTuple):
    """A document: its number and its row in its file, both from 0, its id, its source, and the number of the file."""

    number: int
    row: int
    id: str
    source: str = ""
    file: int = 0

    @property
    def key(self) -> tuple[int, int]:
        """The key that no other document has."""
        return self.file, self.number


class Occurrence(NamedTuple):
    """A place of a training document that holds a part of an item, or some of it.

    Attributes:
        document: the document; its numbers are those in its batch.
        part: the number of the part.
        start, end: the place in the document, in code points.
        eval_start, eval_end: what it holds of the part, in code points.
        worth: what the alignment is worth, in nats.
        containment: the share of the part's weight that was found.
        similarity: the multiset resemblance of both passages.
        same_numbers, other_numbers: numbers of the part that the document has, and in whose place it has others.
        filling: these others.
        answer_found: whether an answer of the item occurs beside its question.
        is_correct: whether that is the correct one, if that is known.
        rival: whether another item explains the place better.
        distinct: the least share of what distinguishes the part from one of its siblings that was found; 0 if items of
            the same words differ in signs, and other signs were found.
        copy: equal for documents of the same words.
        text: the place in the document.
    """

    document: Origin
    part: int
    start: int
    end: int
    eval_start: int
    eval_end: int
    worth: float
    containment: float
    similarity: float
    same_numbers: int
    other_numbers: int
    filling: str
    answer_found: bool
    is_correct: bool | None
    rival: bool
    distinct: float
    copy: int
    text: str


class Detector(NamedTuple):
    """The parts of items with their weights and seeds.

    Attributes:
        answers: the tokens of the answers of each item: whole, and the result alone where a solution marks it.
        alignable: the parts as they are aligned.
        chance: what chance is worth in a text as large as the sample.
        sample_size: running tokens of the sample.
        siblings: what other items have of the parts.
    """

    items: Sequence[Item]
    parts: Parts
    surprise: Surprise
    table: BigramTable
    seeds: BigramPostings
    tokenizer: Tokenizer
    answers: Sequence[Sequence[Sequence[npt.NDArray[np.uint32]]]]
    alignable: AlignableParts
    chance: float
    sample_size: int
    siblings: Siblings

    def find(self, documents: Documents) -> tuple[list[Occurrence], int]:
        """Find the parts in the documents of a batch, and count their running tokens.

        In the order of the documents, and for each in that of the parts.
        """
        tokens = self.tokenizer.encode(documents.texts)
        return self._find(documents, tokens), len(tokens.ids)

    def _find(self, documents: Documents, tokens: Tokens) -> list[Occurrence]:
        candidates, _ = find_candidates(tokens.ids, tokens.bounds, self.table, self.seeds)
        alignments = align_candidates(tokens.ids, tokens.bounds, candidates, self.alignable)
        totals = self.surprise.totals[candidates[:, 1]]
        rows = np.flatnonzero(self._may_be_evident(alignments, totals))
        parts = candidates[rows, 1]
        measures = [
            (float(alignments.shared[row] / totals[row]), self._measure_distinct(part, alignments.places_of(row)))
            for row, part in zip(rows.tolist(), parts.tolist(), strict=True)
        ]
        rivals = _find_rivals(alignments, rows, parts, self.parts.items, measures)
        occurrences: list[Occurrence] = []
        current, document_tokens = -1, tokens
        text = ""
        for row, rival, (share, distinct) in zip(rows.tolist(), rivals.tolist(), measures, strict=True):
            if rival == _OWN:
                continue
            document = int(candidates[row, 0])
            if document != current:
                current, text = document, documents.texts[document]
                document_tokens = self.tokenizer.encode(Texts.from_strings([text]), offsets=True)
            first = int(tokens.bounds[document])
            places = alignments.places_of(row)
            places = np.where(places >= 0, places - first, -1)
            occurrences.append(
                self._describe(
                    Origin(document, document, replace_surrogates(documents.ids[document])),
                    int(candidates[row, 1]),
                    places,
                    document_tokens,
                    text,
                    (float(alignments.scores[row]), share, distinct, rival == _OTHER),
                )
            )
        return occurrences

    def _may_be_evident(self, alignments: AlignedParts, totals: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        """Determine which alignments could be listed if the training data were no larger than the sample: bool [C]."""
        least_whole = compute_required_evidence(1.0)
        added_evidence = compute_required_evidence(0.0) - least_whole
        least_evidence = np.minimum(
            STRONG, least_whole + added_evidence * (1 - alignments.shared / np.maximum(totals, SLACK))
        )
        return (alignments.scores > 0) & (alignments.scores - self.chance >= least_evidence - least_whole)

    def _describe(
        self,
        document: Origin,
        part: int,
        places: npt.NDArray[np.int64],
        document_tokens: Tokens,
        text: str,
        measures: tuple[float, float, float, bool],
    ) -> Occurrence:
        assert document_tokens.starts is not None
        assert document_tokens.ends is not None
        begin = int(self.parts.bounds[part])
        matched_tokens = np.flatnonzero(places >= 0)
        first, last = int(places[matched_tokens].min()), int(places[matched_tokens].max())
        start, end = int(document_tokens.starts[first]), int(document_tokens.ends[last])
        numbers = self._compare_numbers(part, places, document_tokens, text)
        answer_found, is_correct = self._find_answer(part, first, last, document_tokens.ids)
        eval_first, eval_last = begin + int(matched_tokens[0]), begin + int(matched_tokens[-1])
        worth, share, distinct, rival = measures
        return Occurrence(
            document=document,
            part=part,
            start=start,
            end=end,
            eval_start=int(self.parts.starts[eval_first]),
            eval_end=int(self.parts.ends[eval_last]),
            worth=worth,
            containment=share,
            similarity=_measure_resemblance(
                self.parts.ids[eval_first : eval_last + 1], document_tokens.ids[first : last + 1]
            ),
            same_numbers=numbers.same_numbers,
            other_numbers=numbers.other_numbers,
            filling=numbers.filling,
            answer_found=answer_found,
            is_correct=is_correct,
            rival=rival,
            distinct=distinct if self._has_signs(part, text, start, end) else 0.0,
            copy=xxhash.xxh3_64_intdigest(document_tokens.ids.tobytes()) >> 1,
            text=replace_surrogates(text[start:end]),
        )

    def _measure_distinct(self, part: int, places: npt.NDArray[np.int64]) -> float:
        """Measure how much of what distinguishes a part from its siblings is at these ``places``."""
        own = slice(int(self.parts.bounds[part]), int(self.parts.bounds[part + 1]))
        return measure_distinct(self.surprise.weights[own], self.siblings.holders[own], places >= 0)

    def _has_signs(self, part: int, text: str, start: int, end: int) -> bool:
        """Determine whether a place has the signs of a part, if these tell it from others of the same words."""
        if not self.siblings.differ_in_signs[part]:
            return True
        asked = self.parts.texts[part]
        return condense(asked) in condense(text[max(start - 2 * len(asked), 0) : end + 2 * len(asked)])

    def _compare_numbers(
        self, part: int, places: npt.NDArray[np.int64], document_tokens: Tokens, text: str
    ) -> ComparedNumbers:
        """Compare the numbers of a part with those of a document at these ``places`` and around them."""
        assert document_tokens.starts is not None
        assert document_tokens.ends is not None
        part_tokens = slice(int(self.parts.bounds[part]), int(self.parts.bounds[part + 1]))
        numbers = self.parts.numbers[part_tokens]
        if not numbers.any():
            return ComparedNumbers(0, 0, "")
        matched_places = places[places >= 0]
        first = max(int(matched_places.min()) - len(places), 0)
        area = slice(first, int(matched_places.max()) + len(places) + 1)
        words = _cut_tokens(self.parts.texts[part], self.parts.starts[part_tokens], self.parts.ends[part_tokens])
        return compare_numbers(
            words, numbers, places, _cut_tokens(text, document_tokens.starts[area], document_tokens.ends[area]), first
        )

    def _find_answer(self, part: int, first: int, last: int, ids: npt.NDArray[np.uint32]) -> tuple[bool, bool | None]:
        """Determine whether a question has answers in or behind it, word for word, and whether the correct one.

        An answer that the question itself contains, such as a number, is looked for only behind it.
        """
        item = int(self.parts.items[part])
        answers = self.answers[item]
        if self.parts.kinds[part] != QUESTION or not answers:
            return False, None
        end = last + 1 + _NEAR + 2 * sum(len(forms[0]) for forms in answers)
        is_bare = self.parts.texts[part] == self.items[item].question
        question = self.parts.ids[self.parts.bounds[part] : self.parts.bounds[part + 1]]

        def is_there(form: npt.NDArray[np.uint32]) -> bool:
            return len(form) > 0 and _holds(ids[last + 1 if is_bare and _holds(question, form) else first : end], form)

        is_present = [any(map(is_there, forms)) for forms in answers]
        correct = self.items[item].correct
        return any(is_present), None if correct is None or not any(is_present) else is_present[correct]


def make_detector(evals: Evals, tokenizer: Tokenizer, sample: Iterable[Tokens]) -> Detector:
    """The detector of some evals; words weigh by a ``sample`` of the training data."""
    parts = split_parts(evals.items, tokenizer)
    distinct = sort_distinct(hash_bigrams(parts.ids, parts.bounds))
    counts: SampleCounts = sample_tokens(sample, BigramTable.of(distinct), len(distinct))
    surprise = learn_surprise(parts, distinct, counts)
    chance = measure_chance(counts.size)
    shares = compute_least_shares(surprise.totals, chance)
    table, seeds = choose_seeds(parts, surprise, shares)
    alignable = AlignableParts(parts.ids, parts.bounds, surprise.weights, shares * surprise.totals)
    _, evaluations = np.unique([item.eval_key for item in evals.items], return_inverse=True)
    siblings = find_siblings(parts, evaluations[parts.items], alignable, table, seeds)
    answers = _encode_answers(evals, tokenizer)
    return Detector(
        evals.items,
        parts,
        surprise,
        table,
        seeds,
        tokenizer,
        answers,
        alignable,
        chance,
        counts.size,
        siblings,
    )


def _encode_answers(evals: Evals, tokenizer: Tokenizer) -> list[list[list[npt.NDArray[np.uint32]]]]:
    forms = [[_list_forms(answer) for answer in item.answers] for item in evals.items]
    texts = [text for item in forms for answer in item for text in answer]
    tokens = tokenizer.encode(Texts.from_strings(texts))
    answer_tokens = iter(np.split(tokens.ids, tokens.bounds[1:-1]) if texts else [])
    return [[[next(answer_tokens) for _ in answer] for answer in item] for item in forms]


def _list_forms(answer: str) -> list[str]:
    """An answer, and its result alone if it is a solution as gsm8k has them: the result is behind ``####``.

    >>> _list_forms("Tom has 3 + 4 = 7 hats.\\n#### 7")[1:]
    ['7']
    """
    _, mark, result = answer.rpartition("####")
    return [answer, result.strip()] if mark else [answer]


def _find_rivals(
    alignments: AlignedParts,
    rows: npt.NDArray[np.int64],
    parts: npt.NDArray[np.int64],
    items: npt.NDArray[np.int64],
    measures: Sequence[tuple[float, float]],
) -> npt.NDArray[np.int8]:
    """Determine for each alignment whether another part, of the same item or not, is worth more at most of its tokens.

    int8 [N]: 0, ``_OWN`` or ``_OTHER``. Answers repeat the words of their questions. A question that is in two evals
    is worth as much in both. A part of which less was found, and less of what distinguishes it, explains nothing
    better.

    Args:
        rows, parts: int64 [N], the alignments and their parts.
        items: int64 [P], of all parts.
        measures: how much of the part was found, and of what distinguishes it.
    """
    rivals = np.zeros(len(rows), np.int8)
    scores = alignments.scores[rows]
    best_of: dict[int, int] = {}
    for place in np.argsort(-scores, kind="stable").tolist():
        tokens = alignments.places_of(int(rows[place]))
        tokens = tokens[tokens >= 0]
        tokens_of_item = tokens_of_others = 0
        for token in tokens.tolist():
            best = best_of.setdefault(token, place)
            is_worse = all(other < own for other, own in zip(measures[best], measures[place], strict=True))
            if parts[best] != parts[place] and scores[place] < scores[best] - SLACK and not is_worse:
                tokens_of_item += items[parts[best]] == items[parts[place]]
                tokens_of_others += items[parts[best]] != items[parts[place]]
        if 2 * (tokens_of_item + tokens_of_others) > len(tokens):
            rivals[place] = _OWN if tokens_of_item > tokens_of_others else _OTHER
    return rivals


def _cut_tokens(text: str, starts: npt.NDArray[np.uint32], ends: npt.NDArray[np.uint32]) -> list[str]:
    """The tokens of a text as strings."""
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def _measure_resemblance(a: npt.NDArray[np.uint32], b: npt.NDArray[np.uint32]) -> float:
    """The Jaccard similarity of two passages as multisets."""
    tokens, places = np.unique(np.concatenate([a, b]), return_inverse=True)
    in_a = np.bincount(places[: len(a)], minlength=len(tokens))
    in_b = np.bincount(places[len(a) :], minlength=len(tokens))
    return float(np.minimum(in_a, in_b).sum() / np.maximum(in_a, in_b).sum())


def _holds(ids: npt.NDArray[np.uint32], run: npt.NDArray[np.uint32]) -> bool:
    """Return whether ``ids`` hold a run of tokens."""
    if len(run) > len(ids):
        return False
    windows = np.lib.stride_tricks.sliding_window_view(ids, len(run))
    return bool((windows == run).all(1).any())
