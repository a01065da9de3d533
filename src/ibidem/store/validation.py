"""Rules for the values of a column, whatever their checksum says, before anything is looked up with them.

A checksum detects damage; it does not show who wrote a file. Kernels index without checking bounds, so numbers that
come from a file are compared with the ends of what they point into, once for each column that is opened.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ibidem.store.format import PACKED_MARGIN

# Columns that say where things begin, and what they must end with the length of.
_BOUNDS = {
    "ids_bounds": "ids",
    "metadata_bounds": "metadata",
    "text_bounds": "text",
    "tokens_bounds": "tokens",
    "function_postings": "postings",
    "function_keys": "keys",
    "key_blocks": "keys",
    "posting_blocks": "postings",
    "posting_bytes": "packed_postings",
    "key_bytes": "packed_keys",
}

_COUNTS = ("document_frequencies", "collection_frequencies")

_ASCENDING = ("vocabulary", "mark_positions")


def find_fault(name: str, values: NDArray[Any], lengths: Mapping[str, int]) -> str | None:
    """Describe the fault of the values of the column ``name``.

    ``lengths`` are those of all columns of the segment, and of its ``keys`` and ``postings``.
    """
    if name in _BOUNDS:
        target = _BOUNDS[name]
        margin = PACKED_MARGIN if target.startswith("packed_") else 0
        if not _are_bounds(values, lengths[target] - margin):
            return f"it does not ascend from 0 to the length of the {target}"
    if name in _COUNTS and not _are_counts(values, lengths["tokens"], lengths["ids_bounds"] - 1, name):
        return "a token is counted in no document, or in more than there are, or the counts are not those of all tokens"
    if name in _ASCENDING and not ascends(values):
        return "the values do not ascend"
    if name == "mark_positions" and not _are_positions(values, lengths["tokens"]):
        return "the values are not positions of tokens from the first on"
    return None


def ascends(values: NDArray[Any]) -> bool:
    """Whether every value is greater than the one before it."""
    return bool((values[1:] > values[:-1]).all())


def _are_bounds(values: NDArray[Any], length: int) -> bool:
    return bool(values[0] == 0 and int(values[-1]) == length and (values[1:] >= values[:-1]).all())


def _are_counts(values: NDArray[Any], num_tokens: int, num_documents: int, name: str) -> bool:
    if not len(values):
        return True
    most = num_documents if name == "document_frequencies" else num_tokens
    if not 1 <= int(values.min()) <= int(values.max()) <= most:
        return False
    return name == "document_frequencies" or int(values.sum(dtype=np.uint64)) == num_tokens


def _are_positions(values: NDArray[np.uint32], num_tokens: int) -> bool:
    if not len(values):
        return num_tokens == 0
    return int(values[0]) == 0 and int(values[-1]) < num_tokens
