"""Scores of results against the truth: passages, pairs of documents, and clusters.

- :mod:`~ibidem.evaluation.cases`: a passage of one document and its counterpart in another.
- :mod:`~ibidem.evaluation.positions`: precision, recall and F1 of the positions that passages cover.
- :mod:`~ibidem.evaluation.plagdet`: the measures of the PAN competitions.
- :mod:`~ibidem.evaluation.documents`: pairs of documents, and clusters of them.
- :mod:`~ibidem.evaluation.pan`: PAN's XML.

One convention holds for all: a share of nothing is 1 if the other side is empty too, and 0 if it is not. So the truth
against itself has the score 1, even where there is nothing to be found.
"""

from ibidem.evaluation.cases import Case, named_pair
from ibidem.evaluation.documents import adjusted_rand_index, document_pair_scores
from ibidem.evaluation.pan import read_pan, write_pan
from ibidem.evaluation.plagdet import PanScores, pan_scores
from ibidem.evaluation.positions import Scores, case_scores, position_scores, tokens_in

__all__ = [
    "Case",
    "PanScores",
    "Scores",
    "adjusted_rand_index",
    "case_scores",
    "document_pair_scores",
    "named_pair",
    "pan_scores",
    "position_scores",
    "read_pan",
    "tokens_in",
    "write_pan",
]
