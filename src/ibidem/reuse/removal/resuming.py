"""The state that an interrupted deduplication of passages leaves, so that the same call resumes from there.

Two steps take nearly all the time: to read the documents, and to find the pairs of near-duplicate passages. The result
of each is kept on disk once it is whole. Everything that follows from it, and the output itself, is made again.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np

import ibidem
from ibidem.corpus.failures import Failure, Failures
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.workplace import make_empty, read_state
from ibidem.options import values_of
from ibidem.resources import Resources
from ibidem.reuse.reading.parts import PartReader, ReadPart, read_part
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.store.files import disk
from ibidem.text import make_tokenizer

__all__ = ["PassageSteps"]


class PassageSteps:
    """The steps of one deduplication in a folder; those that an earlier call finished are not done again.

    Attributes:
        resumed: the steps that were not done again, ``"reading"`` and ``"comparing"``.
    """

    def __init__(
        self, folder: Path, reading: CountedDocuments, choices: PassageChoices, failures: Failures | None = None
    ) -> None:
        self._folder, self._reading, self._choices, self._failures = folder, reading, choices, failures
        self._tokenizer = make_tokenizer(choices.tokenizer)
        self.resumed: list[str] = []
        origin = self._describe_origin()
        if not (folder / "origin.json").exists() or (folder / "origin.json").read_bytes() != origin:
            disk.write_file(make_empty(folder) / "origin.json", origin)

    def read(self, resources: Resources) -> ReadPart:
        """The documents."""
        counts = self._folder / "counts.json"
        if counts.exists():
            self.resumed.append("reading")
            self._reading.counts, left_out = msgspec.json.decode(
                counts.read_bytes(), type=tuple[list[int], list[Failure]]
            )
            if self._failures is not None:
                self._failures.recall(left_out)
            return read_part(self._folder / "read")
        folder = make_empty(self._folder / "read")
        reader = PartReader(folder, self._tokenizer)
        reader.read(self._reading, 0, resources)
        reader.finish()
        disk.sync_tree(folder)
        self._keep(counts, msgspec.json.encode((self._reading.counts, list(self._failures or ()))))
        return reader.part()

    def compare(self, find: Callable[[], Duplicates]) -> Duplicates:
        """The pairs of passages that ``find`` gives."""
        pairs = self._folder / "pairs"
        if pairs.exists():
            self.resumed.append("comparing")
            table = np.fromfile(pairs, np.int64).reshape(-1, 6)
            return Duplicates(table[:, :2], table[:, 2:])
        found = find()
        self._keep(pairs, np.concatenate([found.documents, found.ranges], axis=1).tobytes())
        return found

    def _keep(self, path: Path, data: bytes) -> None:
        """A file that is whole, or not there."""
        unfinished = path.with_name(path.name + ".unfinished")
        disk.write_file(unfinished, data)
        disk.rename(unfinished, path)
        disk.sync_folder(self._folder)

    def _describe_origin(self) -> bytes:
        """All that the steps depend on: the program, the choices, and the files as they are."""
        choices = values_of(self._choices) | {"tokenizer": self._tokenizer.config}
        files = [(file.path, file.name, *read_state(file)) for file in self._reading.files]
        facts = [ibidem.__version__, choices, self._reading.columns, files, self._failures is not None]
        return msgspec.json.encode(facts, order="sorted")
