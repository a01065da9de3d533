"""The pairs of similar passages of two weighed texts, as one row of steps.

1. *Seeds* are pairs of windows of ``w`` tokens with a similarity of at least 3/4 of 0.3 in two blocks that share more
   than chance gives (:mod:`ibidem.alignment.block_pairs`), and those of at least 0.65 in any
   (:mod:`ibidem.alignment.seeds`).
   Seeds within ``w`` tokens of each other in both texts make a box.
2. The four ends of each box *climb* to where the evidence that the pair is no chance is greatest
   (:mod:`ibidem.alignment.extension`).
3. Pairs that are similar by 0.3, long enough and beyond chance are *selected*; of two that overlap in both texts the
   one with more evidence (:mod:`ibidem.alignment.selection`).
4. Similar windows that are in none of the pairs, since their box as a whole is not similar, are extended by themselves.
5. The tokens outside of the surely similar pairs show what chance gives in texts like these
   (:mod:`ibidem.alignment.shared_by_chance`). If that rejects a pair, steps 3 and 4 are done again with it.
6. If similar passages lie in one passage only, or there are none, this may *sum up* the other text or a longer place of
   it (:mod:`ibidem.alignment.summaries`). It is reported beside them, and takes nothing from them.
7. Pairs of step 2 that are beyond chance, but shorter than asked for, are *lengthened* if they were rewritten
   (:mod:`ibidem.alignment.lengthening`).

A threshold of 0.3 or more changes none of these steps: which passages there are is a matter of evidence alone, and the
threshold only chooses among them. So what is found at one threshold is found at every lower one. A threshold below 0.3
lets weaker pairs come to them, where there is room (``_add_weaker``).

Memory is linear in the texts and in what is found.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ibidem.alignment.block_pairs import SURE
from ibidem.alignment.blocks import ElementBlocks, make_blocks
from ibidem.alignment.extension import GROW, GROW_AND_TRIM, Measures, extend_box, join_boxes
from ibidem.alignment.lengthening import lengthen_rewritten
from ibidem.alignment.lengths import EXPECT
from ibidem.alignment.seeds import find_seed_boxes, lacks_seed, next_seed
from ibidem.alignment.selection import SIMILAR, Criteria, judge, overlaps, select, stands_up
from ibidem.alignment.shared_by_chance import Unrelated
from ibidem.alignment.summaries import find_summary
from ibidem.alignment.weighted_pair import Pair
from ibidem.rounding import SLACK

_Ints = npt.NDArray[np.int64]

_NONE = np.empty((0, 4), np.int64)

_NEARBY = 256
"""Tokens around a seed in which its passage is sought where a climb through the whole texts ended in chance."""

_AROUND = 64
"""Tokens on every side of given boxes that lead to nothing, in which other seeds are sought (decision 28)."""

SEED = 0.75 * SIMILAR
"""The similarity of seeds. A passage is not equally similar everywhere: its parts are held to a share of what is asked
of the whole."""


class PassagePairs(NamedTuple):
    """Pairs of passages, int64 [R, 4]: the half-open range of tokens in the one text, then in the other.

    Attributes:
        similar: pairs of passages that are similar.
        summaries: pairs of which one passage sums up the other, which is longer, or the whole of its text.
    """

    similar: _Ints
    summaries: _Ints

    def exchange(self) -> "PassagePairs":
        """The same with the two texts exchanged."""
        return PassagePairs(self.similar[:, [2, 3, 0, 1]], self.summaries[:, [2, 3, 0, 1]])


def criteria_for(pair: Pair, threshold: float, min_pair_length: int, expect: float = EXPECT) -> Criteria:
    """Return the criteria for passages of ``pair``: so much evidence that chance gives ``expect`` of them at most.

    The more places two texts have, the more evidence is required.
    """
    return Criteria(threshold, min_pair_length, math.log(len(pair.a)) + math.log(len(pair.b)) - math.log(expect))


def find_in_windows(
    measures: Measures,
    windows: Sequence[int],
    criteria: Criteria,
    *,
    summaries: bool,
    places: _Ints | None = None,
) -> PassagePairs:
    """The pairs of passages of two texts that windows of each of these lengths lead to, in no order.

    If boxes ``places`` int64 [P, 4] are given, they start from windows in one of these alone.

    Neither a threshold nor a window takes anything from what those before it found, which a threshold only filters. A
    pair that overlaps one of an earlier window is left out; those of its windows that the earlier pairs do not both
    meet are then extended by themselves, as in step 4.
    """
    pairs = PassagePairs(_NONE, _NONE)
    searches = [_search_places(measures, window, places) for window in windows]
    for threshold in [SIMILAR, criteria.threshold][: 1 + (criteria.threshold < SIMILAR)]:
        at_threshold = criteria._replace(threshold=threshold)
        for search in searches:
            first = threshold == SIMILAR and search is searches[0]
            additions = _choose_pairs(search, at_threshold, summaries and first)
            free = [box for box in additions.similar if not overlaps(box, pairs.similar).any()]
            similar = np.vstack([pairs.similar, *free])
            if threshold == SIMILAR and len(free) < len(additions.similar):
                similar = _complete(search, similar, at_threshold, None)
            pairs = PassagePairs(similar, np.vstack([pairs.summaries, additions.summaries]))
    return pairs


def extend_seed_boxes(
    measures: Measures, boxes: _Ints, windows: Sequence[int], criteria: Criteria, *, summaries: bool
) -> PassagePairs:
    """The pairs of similar passages around given seeds: extended, joined, judged against chance and selected.

    For callers that find the seeds of a pair in another way, as in bands of a whole collection. Boxes may be too wide,
    or their seeds too few: where they lead to no passages of a similarity of 0.3, all seeds near them follow, in
    windows of each length, as in :func:`find_in_windows`. Summaries are looked for in all of the two texts, if asked.

    Args:
        measures: those of the two texts.
        boxes: int64 [B, 4], each a half-open range of tokens of ``a``, then one of ``b``, of ``pair.window`` tokens at
            least, that hold passages which may be similar.
        windows: lengths of windows (:func:`ibidem.alignment.lengths.window_lengths`).
        criteria: see :func:`criteria_for`.
        summaries: whether to look for them.

    Returns:
        Pairs in no order. No two of ``similar`` overlap in both texts.
    """
    pair = measures.pair
    search = _start_search(measures, pair.window, boxes)
    pairs = _choose_pairs(search, criteria._replace(threshold=min(criteria.threshold, SIMILAR)), summaries)
    if len(boxes) and not len(pairs.summaries) and not len(_filter_by_similarity(search, pairs.similar, SIMILAR)):
        places = _widen(join_boxes(boxes, 2 * _AROUND), pair)
        near = find_in_windows(measures, windows, criteria, summaries=False, places=places)
        pairs = near if len(near.similar) else pairs
    return pairs._replace(similar=_filter_by_similarity(search, pairs.similar, criteria.threshold))


def _widen(boxes: _Ints, pair: Pair) -> _Ints:
    """``boxes`` [B, 4] with ``_AROUND`` tokens more on all sides, as far as the texts reach."""
    wide_boxes: _Ints = boxes + np.array([-_AROUND, _AROUND, -_AROUND, _AROUND])
    for side, text in ((0, pair.a), (2, pair.b)):
        wide_boxes[:, side : side + 2] = wide_boxes[:, side : side + 2].clip(0, len(text))
    return wide_boxes


class _Search(NamedTuple):
    """A pair of texts with what the first steps made of it.

    Attributes:
        pair: the texts.
        made_blocks: the blocks of the texts, once they were asked for.
        measures: what is known of pairs of passages.
        candidates: boxes of seeds that are not near each other.
        extended: the pairs of passages that these led to.
    """

    pair: Pair
    made_blocks: list[ElementBlocks]
    measures: Measures
    candidates: _Ints
    extended: _Ints

    @property
    def blocks(self) -> ElementBlocks:
        """The blocks of the texts; few pairs with given seeds need them."""
        if not self.made_blocks:
            self.made_blocks.append(make_blocks(self.pair, SIMILAR))
        return self.made_blocks[0]


def _start_search(measures: Measures, window: int, seeds: _Ints | None) -> _Search:
    """Steps 1 and 2; step 1 only if no boxes of ``seeds`` are given."""
    pair = measures.pair._replace(window=window)
    blocks = [make_blocks(pair, SIMILAR)] if seeds is None else []
    boxes = find_seed_boxes(pair, blocks[0], SEED) if seeds is None else seeds
    candidates = join_boxes(boxes, pair.window)
    return _Search(pair, blocks, measures, candidates, measures.extend(candidates, window))


def _search_places(measures: Measures, window: int, places: _Ints | None) -> _Search:
    """Steps 1 and 2, in some places alone if any are given."""
    if places is None:
        return _start_search(measures, window, None)
    pair = measures.pair._replace(window=window)
    return _start_search(measures, window, np.vstack([_find_seeds(pair, place) for place in places]))


def _find_seeds(pair: Pair, place: _Ints) -> _Ints:
    """The boxes of the seeds in one place of the two texts, as if there were nothing else."""
    parts = pair._replace(a=pair.a[place[0] : place[1]], b=pair.b[place[2] : place[3]])
    parts = parts._replace(window=min(pair.window, len(parts.a), len(parts.b)))
    boxes: _Ints = find_seed_boxes(parts, make_blocks(parts, SIMILAR), SEED) + place[[0, 0, 2, 2]]
    return boxes


def _choose_pairs(search: _Search, criteria: Criteria, summaries: bool) -> PassagePairs:
    """Steps 3 to 7."""
    similar, unrelated = _find_similar(search, criteria)
    summary = _find_summaries(search, similar, criteria) if summaries else _NONE
    similar = _add_weaker(search, similar, criteria, unrelated)
    return PassagePairs(_filter_by_similarity(search, similar, criteria.threshold), summary)


def _find_similar(search: _Search, criteria: Criteria) -> tuple[_Ints, Unrelated | None]:
    """Do steps 3 to 5, at any threshold; also return the tokens that show what chance gives, if they were needed."""
    pair = search.pair
    criteria = criteria._replace(threshold=SIMILAR)
    similar = _select_and_complete(search, criteria, None)
    outside = Unrelated.outside(pair, _sure_pairs(search, similar)) if len(similar) else None
    if outside is None or all(stands_up(pair, box, criteria, outside) for box in similar):
        return similar, None
    return _select_and_complete(search, criteria, outside), outside


def _sure_pairs(search: _Search, boxes: _Ints) -> _Ints:
    """Those of ``boxes`` whose similarity is no chance."""
    return boxes[search.measures.of_boxes(boxes)[:, 1] >= SURE]


def _add_weaker(search: _Search, similar: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """Step 7, and if the threshold is below ``SIMILAR``, extended pairs that are weaker: where there is room."""
    strict = criteria._replace(threshold=SIMILAR)
    lengthened = lengthen_rewritten(search.measures, search.extended, criteria)
    similar = _add_where_free(search, similar, lengthened, strict, unrelated)
    if criteria.threshold >= SIMILAR:
        return similar
    return _add_where_free(search, similar, search.extended, criteria._replace(threshold=0.0), unrelated)


def _add_where_free(
    search: _Search, pairs: _Ints, boxes: _Ints, criteria: Criteria, unrelated: Unrelated | None
) -> _Ints:
    """The pairs ``pairs``, and the best of ``boxes`` that overlap none of them."""
    free = [box for box in boxes if not overlaps(box, pairs).any()]
    if not free:
        return pairs
    additions = select(search.measures, np.array(free, np.int64).reshape(-1, 4), criteria, unrelated)
    return np.vstack([pairs, additions])


def _select_and_complete(search: _Search, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """Do steps 3 and 4: return the extended pairs that meet the criteria, and those found in the other candidates."""
    pairs = select(search.measures, search.extended, criteria, unrelated)
    return _complete(search, pairs, criteria, unrelated)


def _complete(search: _Search, pairs: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """Do step 4: return ``pairs``, and pairs for the surely similar windows that do not both meet one of them."""
    pair = search.pair
    for box in search.candidates:
        if not (_meets_all(pairs, box, pair.window).any() or lacks_seed(pair, box, SURE)):
            pairs = np.vstack([pairs, _find_drowned(search, box, pairs, criteria, unrelated)])
    return pairs


def _filter_by_similarity(search: _Search, boxes: _Ints, threshold: float) -> _Ints:
    """Those of ``boxes`` with a similarity of ``threshold`` or more, by a rounding error more or less."""
    return boxes[search.measures.of_boxes(boxes)[:, 1] >= threshold - SLACK]


def _find_summaries(search: _Search, similar: _Ints, criteria: Criteria) -> _Ints:
    """Step 6: the passage of one text that sums up the other, with what it sums up, or no row."""
    a, b, idf = search.pair.a, search.pair.b, search.pair.idf
    in_a, in_b = similar[:, :2], similar[:, 2:]
    nats, shortest = criteria.nats, criteria.min_pair_length
    summaries: list[tuple[float, list[int]]] = []
    if (of_b := find_summary(a, b, idf, in_a, in_b, nats)) is not None and of_b.end - of_b.start >= shortest:
        summaries.append((of_b.evidence, [of_b.start, of_b.end, of_b.first, of_b.last]))
    if (of_a := find_summary(b, a, idf, in_b, in_a, nats)) is not None and of_a.end - of_a.start >= shortest:
        summaries.append((of_a.evidence, [of_a.first, of_a.last, of_a.start, of_a.end]))
    return np.array([max(summaries)[1]] if summaries else [], np.int64).reshape(-1, 4)


def _find_drowned(search: _Search, box: _Ints, pairs: _Ints, criteria: Criteria, unrelated: Unrelated | None) -> _Ints:
    """Pairs for windows in ``box`` that are surely similar, no chance, and do not both meet one of ``pairs``."""
    rest, near, reach = box.copy(), pairs, max(len(search.pair.a), len(search.pair.b))
    window = search.pair.window
    additions: list[_Ints] = []
    while True:
        start_a, start_b = next_seed(search.pair, search.blocks, SURE, criteria.nats, rest, near)
        if start_a < 0:
            return np.array(additions, np.int64).reshape(-1, 4)
        rest[0] = start_a
        seed = np.array([start_a, start_a + window, start_b, start_b + window])
        best = _extend_seed(search, seed, near, criteria, unrelated, reach)
        if best is None:
            reach = _NEARBY  # a climb from the next seed would lead to the same place
            best = _extend_seed(search, seed, near, criteria, unrelated, reach)
        best = seed if best is None else best
        if judge(search.measures, best, criteria, unrelated) > 0:
            additions.append(best)
        near = np.vstack([near, best])


def _extend_seed(
    search: _Search, seed: _Ints, near: _Ints, criteria: Criteria, unrelated: Unrelated | None, reach: int
) -> _Ints | None:
    """The best pair that is reached from a pair of windows, meets both, and overlaps none of ``near``; None if none is.

    It lies within ``reach`` tokens of the seed.
    """
    pair = search.pair
    first = np.maximum(seed[::2] - reach, 0)
    around = pair._replace(a=pair.a[first[0] : seed[1] + reach], b=pair.b[first[1] : seed[3] + reach])
    offsets = np.repeat(first, 2)
    for moves in (GROW_AND_TRIM, GROW):
        best: _Ints = extend_box(around, search.measures.counts, seed - offsets, moves) + offsets
        if (
            overlaps(seed, best[np.newaxis]).all()
            and not overlaps(best, near).any()
            and judge(search.measures, best, criteria, unrelated) > 0
        ):
            return best
    return None


def _meets_all(pairs: _Ints, box: _Ints, window: int) -> npt.NDArray[np.bool_]:
    """Which pairs of ``pairs`` [R, 4] have tokens of every two windows in ``box``, in both texts."""
    overlapping = (pairs[:, ::2] < box[::2] + window) & (box[1::2] - window < pairs[:, 1::2])
    return overlapping[:, 0] & overlapping[:, 1]
