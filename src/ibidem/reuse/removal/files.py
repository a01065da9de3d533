"""Files without their repeated passages: a new folder with a file like each input, and a list of these passages."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress
from ibidem.corpus.writing.output_folder import require_room
from ibidem.engine.outputs import open_as, save_output
from ibidem.engine.workplace import hold_workplace, name_aside
from ibidem.jobs.resuming import Resumable, describe_origin
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import values_of
from ibidem.resources import Resources
from ibidem.reuse.removal.cutting import require_action
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.reuse.removal.stages import READ, STAGES, PassageFileJob, summarize
from ibidem.system import disk
from ibidem.text import make_tokenizer


class WrittenPassages(NamedTuple):
    """The result of ``deduplicate_passages_of_files``.

    Attributes:
        summary: the values of ``summary.json``.
        resumed: the steps that an interrupted call had done, of ``"read"`` and ``"compare"``.
    """

    summary: dict[str, Any]
    resumed: tuple[str, ...]


def deduplicate_passages_of_files(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    choices: PassageChoices,
    resources: Resources,
    *,
    text: str = "text",
    id: str = "id",
    action: str = "remove",
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    progress: ReadingProgress | None = None,
    failures: Failures | None = None,
) -> WrittenPassages:
    """Deduplicate the passages of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input, with the same rows;
    ``passages.jsonl``, a line for each passage that goes; ``left_out.jsonl``, one for each that stays since it is
    similar to a text to ignore, if there are such texts; and ``summary.json``. With the action ``"annotate"`` all
    texts stay, and each row has one more column, ``repeated``: a list of the passages that would go. If the work is
    interrupted, the same call resumes after the last step that was done.

    Text files and separated values are in ``encoding``, as ``ibidem.read`` takes it; tables are kept in UTF-8 then.

    ``failures`` list the rows and files that are left out because they cannot be read; these are not in ``kept/``.
    Without them, that is an error.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, something exists
            at ``output``, or ``output`` is or holds an input, or lies in one.
        LockedError: another process writes to this output.
    """
    require_action(action)
    job = _PassagesOfFiles(paths, output, Columns.of(text, id, max_line, encoding), resources, progress, failures)
    job.choices, job.action = choices, action
    require_room(job.output, job.sources, job.paths)
    with hold_workplace(name_aside(job.output), str(job.output)) as folder:
        facts = values_of(choices) | {"tokenizer": make_tokenizer(choices.tokenizer).config}
        job.steps = Resumable(folder / "steps", describe_origin(job.reading, facts, failures is not None))
        return WrittenPassages(_run(job, folder, resources), tuple(job.steps.resumed))


def _run(job: "_PassagesOfFiles", folder: Path, resources: Resources) -> dict[str, Any]:
    """Do the job in the folder; afterwards nothing is mapped of the files there, and any system removes them."""
    workspace = Memory(job)
    job.steps.do_task(workspace, READ, resources)
    run_here(STAGES[1:], workspace, disk.make_empty(folder / "work"), resources)
    return summarize(workspace)


class _PassagesOfFiles(PassageFileJob):
    """The removal of repeated passages from files by one process.

    Attributes:
        steps: the outputs that an interrupted call has left.
    """

    steps: Resumable

    def compare(self, find: Callable[[], Duplicates]) -> Duplicates:
        """The near-duplicate passages, from an interrupted call if it has found them."""
        duplicates: Duplicates = self.steps.keep("compare", lambda place: find(), save_output, open_as(Duplicates))
        return duplicates
