"""Contamination of files, in one process: a new folder with the tables, and the files without their leaks."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ibidem.arguments import require_fraction
from ibidem.contamination.edits import ACTIONS
from ibidem.contamination.evals import read_evals
from ibidem.contamination.items import Evals
from ibidem.contamination.job.earlier import EarlierFindings, SourceFindings, digest_file
from ibidem.contamination.job.job import ContaminationJob, Settings, describe_reading
from ibidem.contamination.job.stages import STAGES
from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, Source
from ibidem.corpus.writing.apart import require_apart
from ibidem.corpus.writing.output_folder import require_absent, require_no_pipes, require_room
from ibidem.corpus.writing.tables import FORMATS
from ibidem.engine.earlier import FOLDER
from ibidem.engine.workplace import hold_workplace, name_aside
from ibidem.errors import ConfigurationError
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import ContaminationOptions, EvalColumns, LeakAction, TextColumns, takes
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.text import Tokenizer, make_tokenizer

_Path = str | os.PathLike[str]

EXPORTS = ("decon",)
"""Formats in which leaks can be written beside the tables."""


@dataclass(frozen=True, kw_only=True)
class DecontaminateFiles(ContaminationOptions, LeakAction, TextColumns):
    """A call of ``decontaminate_files``."""

    paths: Iterable[_Path] = field(kw_only=False)
    evals: Iterable[_Path] = field(kw_only=False)
    output: _Path = field(kw_only=False)
    resources: Resources = field(kw_only=False)
    max_line: str | int = LARGEST_LINE
    encoding: str | None = None
    delimiter: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    progress: ReadingProgress | None = None
    failures: Failures | None = None
    update: _Path | None = None


@takes(DecontaminateFiles)
def decontaminate_files(call: DecontaminateFiles) -> dict[str, Any]:
    """Find the items of ``evals`` in files of training data, and write a new folder ``output``; gives its summary.

    It holds ``contamination``, ``items`` and ``left_out``, tables as :func:`ibidem.find_contamination` gives them, and
    ``summary.json``; with any action but ``"report"``, also ``kept/``, a file of the same name, format, compression and
    columns for each input, tables in UTF-8 if an ``encoding`` was named; and ``state/``, what a later run takes from
    this one.

    With ``update``, the output of an earlier run, the files are all, old and new; its items are kept, and those of
    ``evals`` that are new are added. Items that were looked for in a file are not looked for in it again.

    Raises:
        ConfigurationError: the run to be updated read its input otherwise.
        CorpusError: an input or an eval cannot be used, ``output`` exists, or it meets an input.
        LockedError: another process writes to this output.
        ValueError: an argument is out of its range.
    """
    reading = (call.text, call.id, call.max_line, call.encoding, call.delimiter, call.include, call.exclude)
    settings = make_settings(call, Columns.of(*reading))
    tokenizer = make_tokenizer(call.tokenizer, normalize=call.normalize)
    update, output = call.update, Path(call.output)
    earlier = None if update is None else read_earlier(update, settings, tokenizer)
    evals = list(call.evals)
    items = gather_rounds(evals, EvalColumns.of(call), earlier)
    job = _LocalContamination(call.paths, output, settings.columns, call.resources, call.progress, call.failures)
    other_inputs = [*evals, *(() if update is None else (update,))]
    _require_output(output, job.sources, [*job.paths, *other_inputs], settings.action)
    with hold_workplace(name_aside(output), str(output)) as folder:
        job.set_up(settings, items, tokenizer, earlier)
        run_here(STAGES, Memory(job), disk.make_empty(folder / "work"), call.resources)
        summary: dict[str, Any] = json.loads((output / "summary.json").read_bytes())
    return summary


def read_earlier(update: _Path, settings: Settings, tokenizer: Tokenizer) -> EarlierFindings:
    """The run that is updated, which read its input in the same way.

    Raises:
        ConfigurationError: it did not, or the tokenizer is a function, of which nobody knows whether it is the same.
        CorpusError: there is no run.
    """
    earlier = EarlierFindings.read(Path(update) / FOLDER)
    described = describe_reading(settings, tokenizer)
    if described is None:
        raise ConfigurationError("a run can be updated if its tokenizer has a name, not with a function")
    earlier.require_settings(described)
    return earlier


def gather_rounds(paths: Sequence[_Path], columns: EvalColumns | None, earlier: EarlierFindings | None) -> list[Evals]:
    """The items of all rounds: those of the earlier run, and those of new evals.

    Raises:
        CorpusError: an eval cannot be used, or has the id of another one.
    """
    evals = read_evals(paths, columns) if paths or earlier is None else None
    if earlier is not None:
        return earlier.add_evals(evals)
    assert evals is not None
    return [evals]


def make_settings(arguments: Any, columns: Columns) -> Settings:
    """Check the arguments of a call, or those in a plan, and make the settings of them.

    Raises:
        ValueError: one makes no sense.
    """
    require_fraction("threshold", arguments.threshold)
    for name, value, choices in (("action", arguments.action, ACTIONS), ("format", arguments.format, FORMATS)):
        if value not in choices:
            raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    if odd := [name for name in arguments.also if name not in EXPORTS]:
        raise ValueError(f"also is of {', '.join(EXPORTS)}, not {odd[0]!r}")
    also = tuple(dict.fromkeys(arguments.also))
    return Settings(arguments.threshold, arguments.action, arguments.format, columns, also, arguments.source)


def _require_output(output: Path, sources: Sequence[Source], inputs: Sequence[_Path], action: str) -> None:
    """Check that the output can be made, and that the inputs can be read again where they are rewritten.

    Raises:
        CorpusError: one of this is so.
    """
    if action == "report":
        require_no_pipes(sources)
        require_absent(output)
        require_apart([output], inputs)
    else:
        require_room(output, sources, list(inputs))


class _LocalContamination(ContaminationJob):
    """The search for items in the files of one process."""

    def __init__(self, *arguments: Any, **named_arguments: Any) -> None:
        super().__init__(*arguments, **named_arguments)
        self._digests: dict[int, str] = {}

    def digest(self, source: int) -> str:
        """Names the bytes of a file."""
        if source not in self._digests:
            self._digests[source] = digest_file(self.sources[source])
        return self._digests[source]

    def known(self, source: int) -> SourceFindings | None:
        """The findings of the run that is updated in a file, if it is the same file."""
        if self.earlier is None:
            return None
        return self.earlier.files.get((self.sources[source].name, self.digest(source)))
