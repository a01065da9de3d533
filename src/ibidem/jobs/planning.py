"""Planning: the steps that a plan of any kind takes from its arguments to the folder that is written."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ibidem.corpus.reading import read_sources
from ibidem.corpus.sources import ReadingProgress, Source, list_sources
from ibidem.corpus.writing.output_folder import require_absent, require_no_archives, require_room
from ibidem.jobs.plan import Kind, Plan, Prediction, Shard, write_plan
from ibidem.jobs.reading import InputSettings
from ibidem.jobs.result import list_apart, name_output, require_empty
from ibidem.jobs.shards import choose_parts, describe_shards, sources_of
from ibidem.options import PlanFiles
from ibidem.remote.storage import is_remote
from ibidem.resources import Resources
from ibidem.text import Documents


class Draft:
    """A plan that is being made.

    Attributes:
        inputs, others: the paths of the input, and of what else the job reads.
        output: a URL, or an absolute path.
        reading: how the input is read.
        shards, parts: those of the plan, once the input was read.
    """

    def __init__(self, call: PlanFiles, other_inputs: Iterable[str] = ()) -> None:
        self._call = call
        self.inputs, self.others = list_apart(call.inputs, call.folder, call.output, other_inputs)
        self.output = name_output(call.output)
        self.resources = Resources.of(call.memory, None, call.progress)
        self.reading = InputSettings.from_arguments(call.text, call.id, call.max_line, call.on_error, call.encoding)
        self.shards: list[Shard] = []
        self.parts: list[tuple[int, int]] = []
        self._failures, self._progress = self.reading.make_failures(), ReadingProgress()

    def require_room(self, *, rewrites: bool) -> None:
        """Refuse an output that cannot be made, and inputs that cannot be written again, if the job ``rewrites`` them.

        Raises:
            CorpusError: the output exists, or an input cannot be written in part.
        """
        if not is_remote(self.output):
            place = Path(self._call.output)
            require_room(place, list_sources(self.inputs), [*self.inputs]) if rewrites else require_absent(place)
            return
        require_empty(self.output)
        if rewrites:
            require_no_archives(list_sources(self.inputs))

    def read(self, paths: Iterable[str], change: Callable[[list[Shard]], list[Shard]] = list) -> list[Shard]:
        """Read all bytes of some paths once, and add their shards, as ``change`` returns them, to those of the plan."""
        first = len(self.shards)
        shards = change(describe_shards(paths, self.resources, self._call.parts, self._failures, self._progress))
        self.shards += shards
        self.parts += [(first + low, first + high) for low, high in choose_parts(shards, self._call.parts)]
        return shards

    def open_sources(self) -> list[Source]:
        """The files of all shards, as readers of collections take them; what cannot be read is not noted again."""
        return sources_of(self.shards, self.reading.make_failures())

    def sample(self) -> Iterator[Documents]:
        """The documents of all shards from the first on, in small batches."""
        return read_sources(self.open_sources(), self.reading.columns, batch_bytes=1 << 20)

    def describe_reading(self) -> dict[str, Any]:
        """The settings of the input by name."""
        return self.reading.describe(self._failures, self._progress.passed_over)

    def write(
        self,
        kind: Kind,
        settings: InputSettings,
        prediction: Prediction,
        files: Mapping[str, Callable[[Path], object]] | None = None,
    ) -> Plan:
        """Write the plan to its folder, with ``files`` beside it."""
        plan = Plan(
            kind=kind,
            output=self.output,
            shards=self.shards,
            parts=self.parts,
            settings=msgspec.to_builtins(settings),
            memory=self.resources.memory,
            prediction=prediction,
        ).sign()
        write_plan(self._call.folder, plan, files)
        return plan
