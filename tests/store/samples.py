"""Small indexes with a fixed content, and all that can be read from an index, as plain values to compare."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from ibidem.store import Segment, SegmentWriter, Store, Writer
from ibidem.store.format import LOCK
from ibidem.text import Document, Documents, Tokens

CONFIG = {"family": "multiset", "k": 2, "seed": 0}
ATTACHED = b'{"model": "of a tokenizer"}\n'
TEXTS = ["In the same place.", "", "ubi eadem ibi idem " * 3, "né \ud800 \U0001f642!", "x" * 700 + " y"]


def batch(first: int = 0, count: int = 5) -> tuple[Documents, Tokens]:
    """Documents ``first`` to ``first + count``, tokens of them separated by blanks; the second text has no token."""
    chosen = [Document(f"doc {i}", TEXTS[i % len(TEXTS)], {"row": i}) for i in range(first, first + count)]
    ids, bounds, starts, ends = [], [0], [], []
    for document in chosen:
        at = 0
        for word in document.text.split(" "):
            if word:
                ids.append(len(word) * 1_000_000 + ord(word[0]))
                starts.append(at)
                ends.append(at + len(word))
            at += len(word) + 1
        bounds.append(len(ids))
    numbers = [np.array(values, np.uint32) for values in (ids, starts, ends)]
    return Documents.of(chosen), Tokens(numbers[0], np.array(bounds, np.int64), numbers[1], numbers[2])


def fill(segment: SegmentWriter, first: int = 0, count: int = 5, functions: int = 2) -> None:
    """Give a segment documents, a vocabulary and postings."""
    segment.append_documents(*batch(first, count))
    tokens, bounds = segment.tokens()
    vocabulary, occurrences = np.unique(tokens, return_counts=True)
    rows = np.searchsorted(bounds, np.arange(len(tokens)), "right")
    documents = [len(np.unique(rows[tokens == token])) for token in vocabulary]
    segment.put_vocabulary(vocabulary, np.array(documents, np.uint32), occurrences.astype(np.uint64))
    for function in range(functions):
        segment.append_postings(*some_postings(bounds, function))


def some_postings(bounds: np.ndarray, function: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A window at each token of the documents that ``bounds`` separates, none of which leaves its document."""
    starts = np.arange(bounds[-1], dtype=np.uint32)
    keys = (starts * np.uint32(2654435761) + np.uint32(function)) % np.uint32(7)
    order = np.lexsort((starts, keys))
    left = np.repeat(bounds[1:], np.diff(bounds)) - starts - 1
    b = np.minimum(starts % 5, left)
    c = np.minimum(starts % 3, left - b)
    extents = np.stack([b, c, np.minimum(starts % 2, left - b - c)], axis=1).astype(np.uint16)
    return keys[order], starts[order], extents[order]


def add(store: Store, first: int = 0, count: int = 5) -> None:
    """Commit one segment."""
    with store.writer() as writer:
        fill(writer.new_segment(), first, count)
        writer.commit()


def put_some_frequencies(writer: Writer) -> None:
    writer.put_frequencies(np.array([3, 9], np.uint32), np.array([1, 4], np.uint32), 5)


def contents(store: Store) -> dict[str, Any]:
    """All that a reader can see, as plain values."""
    frequencies = store.frequencies()
    return {
        "config": store.config,
        "fingerprint": store.fingerprint,
        "segments": [segment_contents(segment) for segment in store.segments],
        "frequencies": frequencies and (frequencies[0].tolist(), frequencies[1].tolist(), frequencies[2]),
        "attachments": [store.attachment(checksum) for checksum in store.attachments],
    }


def segment_contents(segment: Segment) -> dict[str, Any]:
    rows = range(segment.num_documents)
    functions = range(segment.num_functions)
    starts, ends = segment.token_offsets(0, segment.num_tokens)
    places, extents = segment.postings(0, segment.num_postings)
    return {
        "name": segment.name,
        "ids": segment.document_ids(),
        "texts": [segment.text(row) for row in rows],
        "metadata": [segment.metadata(row) for row in rows],
        "alive": segment.alive.tolist(),
        "tokens": np.asarray(segment.tokens).tolist(),
        "bounds": segment.token_bounds.tolist(),
        "offsets": (starts.tolist(), ends.tolist()),
        "vocabulary": [column.tolist() for column in segment.vocabulary()],
        "directory": [[column.tolist() for column in segment.directory(function)] for function in functions],
        "lists": [segment.list_bounds(function, segment.directory(function)[0]).tolist() for function in functions],
        "starts": places.tolist(),
        "extents": extents.tolist(),
    }


def tree(path: Path) -> dict[str, str]:
    """A digest of every file of an index but the lock, which belongs to no commit."""
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.name != LOCK)
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
