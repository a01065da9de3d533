"""The document frequencies of an index: how many documents held each token when they were counted."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ibidem.errors import DamagedError
from ibidem.store.files.columns import OpenColumn, bind
from ibidem.store.format import FREQUENCIES, FREQUENCY_COLUMNS
from ibidem.store.manifest import Manifest
from ibidem.store.validation import ascends
from ibidem.system.disk import require_folder

Frequencies = tuple[NDArray[np.uint32], NDArray[np.uint32], int]
"""Tokens and counts, both uint32 [V], and the number of documents."""


def read_frequencies(path: Path, manifest: Manifest) -> Frequencies | None:
    """The document frequencies of the index at ``path``, if it has any.

    Raises:
        DamagedError: they are not what was written.
    """
    entry = manifest.frequencies
    if entry is None:
        return None
    require_folder(path / FREQUENCIES)
    symbols: dict[str, int] = {}
    columns = []
    for column in FREQUENCY_COLUMNS:
        file, record = path / FREQUENCIES / column.file, entry.columns[column.name]
        if fault := bind(column, tuple(record.shape), symbols):
            raise DamagedError(f"{file}: it {fault}")
        columns.append(OpenColumn(file, column.dtype, record).values(verify=True))
    tokens, counts = columns
    if not ascends(tokens) or (len(counts) and int(counts.max()) > entry.num_documents):
        raise DamagedError(
            f"{path / FREQUENCIES}: the tokens do not ascend, or one is in more documents than there are"
        )
    return tokens, counts, entry.num_documents
