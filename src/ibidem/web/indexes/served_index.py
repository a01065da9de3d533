"""An index that is served: it follows commits without a restart, and finds documents by id."""

import logging
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from ibidem.alignment.against_index import token_frequencies
from ibidem.comparison import compare
from ibidem.comparison.tokenized import word_tokenizer
from ibidem.errors import StoreError
from ibidem.passages.index import PassageIndex
from ibidem.resources import give_back_memory
from ibidem.store import Segment
from ibidem.store.format import MANIFEST
from ibidem.stored_index import place_documents
from ibidem.web.problems import ProblemError
from ibidem.weights import DocumentFrequencies

_WARM_CHARACTERS = 2000
"""Of a passage that is searched before the first request."""

_log = logging.getLogger("ibidem.web")


class Reader:
    """An index as of one commit; it is closed when nobody holds it any more."""

    def __init__(self, path: str | Path, ray: str | None = None, allow_partial: bool = False) -> None:
        self.index = PassageIndex.open(path, ray=ray, allow_partial=allow_partial)
        weakref.finalize(self, self.index.close)

    @cached_property
    def word_frequencies(self) -> DocumentFrequencies | None:
        """How often each of the words that a comparison shows occurs in the documents; ``None`` if that is not known.

        Of an index of shingles it is not: a comparison shows the tokens inside of them.
        """
        tokenizer = self.index.tokenizer
        return token_frequencies(self.index.segments) if word_tokenizer(tokenizer) is tokenizer else None

    @cached_property
    def _places(self) -> dict[str, tuple[Segment, int]]:
        return place_documents(self.index.segments)

    def document(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Text and metadata of a document, if there is one of this id."""
        place = self._places.get(name)
        return None if place is None else (place[0].text(place[1]), place[0].metadata(place[1]))


def _passages(index: PassageIndex) -> Iterator[str]:
    """A passage of the first document of each part of the index, which is found at its own place."""
    for segment in index.segments:
        if segment.num_documents:
            yield segment.text(0)[:_WARM_CHARACTERS]


class ServedIndex:
    """An index under a name; one at a URL is fetched when it is opened, and stays as it was then."""

    def __init__(
        self, path: str | Path, name: str | None = None, ray: str | None = None, allow_partial: bool = False
    ) -> None:
        self.path = path
        self.name = name or Path(path).name.removesuffix(".ibidem") or Path(path).name
        self._lock = threading.Lock()
        self._ray, self._allow_partial = ray, allow_partial
        self._reader = self._open()
        self._stamp: tuple[int, int, int] | None = None  # so that the first request sees a commit of just now

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        """The index as of its last commit, which stays as it is while it is used.

        Raises:
            ProblemError: the index is damaged or gone. It is opened again for the next request.
        """
        try:
            reader = self._take()
            for segment in reader.index.segments:
                segment.require_whole()
            yield reader
        except (StoreError, OSError) as error:
            with self._lock:
                self._stamp = None
            _log.error("%s: %s", self.name, error)
            cause = f"{error.strerror}: " if isinstance(error, OSError) and error.strerror else ""
            detail = f"the index {self.name!r} cannot be read: {cause}check it with ibidem check, and try again"
            raise ProblemError(503, detail, retry_after="10") from error

    def texts(self) -> Iterator[str]:
        """The texts of all documents."""
        with self.reader() as reader:
            for segment in reader.index.segments:
                for row in segment.alive.nonzero()[0].tolist():
                    yield segment.text(row)

    def warm(self) -> None:
        """Compile the kernels that the first request would wait for, and release the memory that this took."""
        with self.reader() as reader:
            text = next(_passages(reader.index), "where does this text occur " * 40)
            with suppress(ValueError):  # no word of it may have a weight here
                reader.index.explain(text)
            reader.index.align(text)
            compare(text, f"{text} and there")
        give_back_memory()

    def close(self) -> None:
        """Close the files once nobody uses them any more."""
        del self._reader

    def _open(self) -> Reader:
        return Reader(self.path, self._ray, self._allow_partial)

    def _take(self) -> Reader:
        with self._lock:
            stamp = self._read_stamp()
            if stamp != self._stamp:
                self._reader, self._stamp = self._open(), stamp
            return self._reader

    def _read_stamp(self) -> tuple[int, int, int]:
        """The state of the manifest, which every commit replaces."""
        status = (self._reader.index.path / MANIFEST).stat()
        return status.st_ino, status.st_mtime_ns, status.st_size
