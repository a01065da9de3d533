"""Cases for the filters over starts: a stream and a query, and a plain walk that finds where similar passages start."""

import numpy as np
from hypothesis import strategies as st

from ibidem.passages.filters.distinct_counts import BITS, LENGTHS
from ibidem.weights import IDF, TF, DocumentFrequencies, Weighting

FREQUENCIES = DocumentFrequencies(range(40), np.random.default_rng(2).integers(1, 11, 40), 10)


WEIGHTINGS = [Weighting.of("set"), Weighting.of("multiset")] + [
    Weighting(tf, idf, FREQUENCIES) for tf in TF for idf in IDF
]


def starts_of_similar_passages(tokens, query, weighting, threshold, longest):
    """Every start of a passage of up to ``longest`` tokens with the similarity, by a plain walk from each."""
    table, idf = weighting.tf_table(longest), dict(zip(tokens.tolist(), weighting.idf_of(tokens).tolist(), strict=True))
    wanted = dict(zip(query.vocabulary.tolist(), query.weights.tolist(), strict=True))
    similar = []
    stream = tokens.tolist()
    for i in range(len(stream)):
        counts, overlap, weight = {}, 0.0, 0.0
        for token in stream[i : i + longest]:
            count = counts[token] = counts.get(token, 0) + 1
            before, after = table[count - 1] * idf[token], table[count] * idf[token]
            weight += after - before
            overlap += min(wanted.get(token, 0.0), after) - min(wanted.get(token, 0.0), before)
            if overlap >= threshold * (query.mass + weight - overlap) * (1 - 1e-12) and overlap > 0:
                similar.append(i)
                break
    return similar


def count_fewest(stream):
    """``DistinctCounts.fewest`` of a stream, by hand: uint16 [R, blocks]."""
    tokens, blocks = stream.tolist(), range(0, max(len(stream), 1), 1 << BITS)
    rows = [
        [
            min((len({*tokens[i : i + length]}) for i in range(low, min(low + (1 << BITS), len(tokens)))), default=0)
            for low in blocks
        ]
        for length in LENGTHS[:3].tolist()
    ]
    return np.array(rows, np.uint16)


@st.composite
def cases(draw):
    """A stream that holds the query's tokens, here and there, in pieces, shuffled, repeated."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    size = draw(st.sampled_from([3, 12, 40, 1000]))
    query = (random.zipf(1.2, draw(st.integers(1, 50))) % size).astype(np.uint32)
    parts = []
    for _ in range(draw(st.integers(0, 6))):
        parts.append(random.integers(0, size, random.integers(0, 80)))
        piece = query[random.integers(0, len(query)) :]
        parts.append(random.permutation(piece) if draw(st.booleans()) else np.repeat(piece, random.integers(1, 3)))
    stream = np.concatenate([*parts, np.empty(0)]).astype(np.uint32)
    if draw(st.booleans()):  # tokens whose hashes are above 2^31
        query, stream = ~query, ~stream
    return query, stream, random
