"""The tables of what becomes of documents, which a call and the files of a result have in common."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ibidem.text.json_values import replace_surrogates

if TYPE_CHECKING:
    import pyarrow as pa


def make_document_schema() -> "pa.Schema":
    """The columns of documents; ``duplicate_of`` is the id of one that is kept, its own if it is kept itself."""
    import pyarrow as pa

    return pa.schema(
        {
            "id": pa.string(),
            "kept": pa.bool_(),
            "duplicate_of": pa.string(),
            "similarity": pa.float64(),
            "exact": pa.bool_(),
            "cluster": pa.string(),
            "weakest": pa.float64(),
        }
    )


def tabulate_documents(
    ids: Sequence[str],
    duplicate_of: Sequence[str],
    clusters: Sequence[str],
    *,
    kept: NDArray[np.bool_],
    similarity: NDArray[np.float64],
    exact: NDArray[np.bool_],
    weakest: NDArray[np.float64],
) -> "pa.Table":
    """A row for each of n documents; the first three are ids."""
    import pyarrow as pa

    schema = make_document_schema()
    ids, duplicate_of, clusters = (list(map(replace_surrogates, each)) for each in (ids, duplicate_of, clusters))
    return pa.table([ids, kept, duplicate_of, similarity, exact, clusters, weakest], schema=schema)


def make_short_schema() -> "pa.Schema":
    """The columns of documents with fewer tokens than a shingle; ``empty`` is whether one has none."""
    import pyarrow as pa

    return pa.schema({"id": pa.string(), "empty": pa.bool_()})
