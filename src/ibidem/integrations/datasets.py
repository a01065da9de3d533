"""Data sets of Hugging Face in and out, with all of their columns.

A function for ``map(batched=True)`` is :class:`ibidem.integrations.arrow.MatchAnnotator`.
"""

from typing import Any, TypeVar

import numpy as np

from ibidem.documents.deduplicate import deduplicate

__all__ = ["deduplicate_dataset"]

_Dataset = TypeVar("_Dataset")


def deduplicate_dataset(dataset: _Dataset, *, text: str = "text", **options: Any) -> _Dataset:
    """The rows of a ``datasets.Dataset`` that stay, with all columns.

    Args:
        text: the column of texts.
        options: those of :func:`ibidem.deduplicate`. ``keep`` may name columns.
    """
    rows: Any = dataset
    columns = [name for name in rows.column_names if name != "id"]  # rows are numbered: ids may repeat
    result = deduplicate(rows.select_columns(columns), text=text, **options)
    kept_rows: _Dataset = rows.select(np.flatnonzero(result.kept))
    return kept_rows
