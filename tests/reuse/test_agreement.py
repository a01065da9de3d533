"""Whatever ``align`` reports of two documents, ``align --index`` and ``find_reuse`` report, or say why not."""

import random
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from agreement import plant

from ibidem import PassageIndex, align, find_reuse, make_tokenizer
from ibidem.text import Texts
from ibidem.weights import DocumentFrequencies

Documents = dict[str, str]


def align_all(documents: Documents) -> set[tuple[str, str]]:
    """The documents of which ``align`` reports passages, with words weighed by all of them."""
    tokens = make_tokenizer("words").encode(Texts.from_strings(list(documents.values()))).ids
    counts = Counter(tokens.tolist())
    distinct = np.array(sorted(counts), np.uint32)
    frequencies = DocumentFrequencies(distinct, np.array([counts[token] for token in distinct.tolist()]), len(tokens))
    return {
        (a, b)
        for a, b in combinations(documents, 2)
        if align(documents[a], documents[b], frequencies=frequencies, idf="smooth")
    }


@pytest.mark.parametrize(("edits", "seed"), list(product([0.0, 0.3, 0.5, 1.0], range(4))))
def test_what_align_reports_a_search_of_the_collection_reports_or_gives_a_reason(
    edits: float, seed: int, tmp_path: Path
) -> None:
    documents = plant(random.Random(10 * seed + int(10 * edits)), edits)
    expected = align_all(documents)
    reuse = find_reuse(documents.items(), recall=1)
    listed_pairs = {(row["a"], row["b"]) for table in (reuse.pairs, reuse.left_out) for row in table.to_pylist()}
    assert expected <= listed_pairs
    with PassageIndex.build(tmp_path / "index", documents.items()) as index:
        of_index = {
            tuple(sorted((a, match.document)))
            for a, text in documents.items()
            for match in index.align(text, name=a, summaries=True)
        }
    assert expected <= of_index
    assert expected or edits > 0.4


def test_passages_whose_windows_agree_in_no_band_are_found_by_rare_tokens() -> None:
    """Of the three that bands missed here, all are rewritten: a half of their words is others."""
    planted = {f"{nth} {id}": text for nth in range(16) for id, text in plant(random.Random(10 * nth + 5), 0.5).items()}
    reuse = find_reuse(planted.items())
    reported = {(row["a"], row["b"]) for row in reuse.pairs.to_pylist()}
    assert {("2 02", "2 03"), ("5 08", "5 09"), ("6 10", "6 11")} <= reported


def test_at_the_default_recall_a_search_misses_next_to_nothing_that_align_reports() -> None:
    expected = lost = 0
    for edits, seed in product([0.3, 0.5], range(6)):
        documents = plant(random.Random(10 * seed + int(10 * edits)), edits)
        reuse = find_reuse(documents.items())
        listed_pairs = {(row["a"], row["b"]) for table in (reuse.pairs, reuse.left_out) for row in table.to_pylist()}
        reported = align_all(documents)
        expected, lost = expected + len(reported), lost + len(reported - listed_pairs)
    assert expected > 40
    assert lost <= expected / 40
