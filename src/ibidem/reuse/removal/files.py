"""Files without their repeated passages: a new folder with a file like each input, and a list of these passages."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ibidem.corpus.failures import Failures
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress, list_sources
from ibidem.corpus.writing.filtering import CountedDocuments
from ibidem.corpus.writing.output_folder import require_room
from ibidem.corpus.writing.workplace import hold_workplace, make_empty
from ibidem.jobs.kept import LocalFiles
from ibidem.jobs.reading import recall_failures
from ibidem.jobs.resuming import Resumable, describe_origin
from ibidem.jobs.stage import run_here
from ibidem.jobs.workspace import Memory
from ibidem.options import values_of
from ibidem.resources import Resources
from ibidem.reuse.removal.cutting import require_action
from ibidem.reuse.removal.duplicates import Duplicates
from ibidem.reuse.removal.repeated import PassageChoices
from ibidem.reuse.removal.stages import (
    KEPT,
    READ,
    STAGES,
    PassageFileJob,
    recall_counts,
    summarize,
    write_summary,
)
from ibidem.reuse.removal.writing import LEFT_OUT, PASSAGES
from ibidem.system import disk
from ibidem.text import Documents, make_tokenizer

__all__ = ["WrittenPassages", "deduplicate_passages_of_files"]


class WrittenPassages(NamedTuple):
    """The result of ``deduplicate_passages_of_files``.

    Attributes:
        summary: the values of ``summary.json``.
        resumed: the steps that an interrupted call had done, of ``"reading"`` and ``"comparing"``.
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
    inputs = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    columns = Columns.of(text, id, max_line, encoding)
    progress = progress or ReadingProgress()
    files = [each._replace(encoding=columns.encoding) for each in list_sources(inputs, progress, failures)]
    reading = CountedDocuments(files, columns, resources.batch_bytes)
    output = Path(output)
    require_room(output, reading.files, inputs)
    with hold_workplace(output) as folder:
        facts = values_of(choices) | {"tokenizer": make_tokenizer(choices.tokenizer).config}
        steps = Resumable(folder / "steps", describe_origin(reading, facts, failures is not None))
        job = _PassagesOfFiles(choices, reading, output, steps, failures, action)
        job.passed_over = progress.passed_over
        return WrittenPassages(_run(job, folder, resources), tuple(steps.resumed))


def _run(job: "_PassagesOfFiles", folder: Path, resources: Resources) -> dict[str, Any]:
    """Do the job in the folder; afterwards nothing is mapped of the files there, and any system removes them."""
    workspace, steps, reading = Memory(job), job.steps, job.reading
    part = steps.keep("reading", lambda place: READ.work(workspace, 0, place, resources), READ.save, READ.open)
    workspace.put(READ, 0, part)
    recall_counts(reading, folder / "steps/reading")
    recall_failures(folder / "steps/reading", job.failures)
    run_here(STAGES[1:], workspace, make_empty(folder / "work"), resources)
    return summarize(workspace)


class _PassagesOfFiles(LocalFiles, PassageFileJob):
    """The removal of repeated passages from files by one process."""

    def __init__(
        self,
        choices: PassageChoices,
        reading: CountedDocuments,
        output: Path,
        steps: Resumable,
        failures: Failures | None,
        action: str,
    ) -> None:
        super().__init__(reading, failures, output)
        self.choices, self.action, self.steps = choices, action, steps

    def open_part(self, part: int, resources: Resources) -> Iterable[Documents]:
        """All documents."""
        return self.reading

    def compare(self, find: Callable[[], Duplicates]) -> Duplicates:
        """The near-duplicate passages, from an interrupted call if it has found them."""
        return self.steps.keep("comparing", lambda place: find(), Duplicates.save, Duplicates.open)

    def commit(self, workspace: Memory, folder: Path, resources: Resources) -> None:
        """Give the output its name."""
        result = self.gather_result(folder, (KEPT, PASSAGES, LEFT_OUT), folder / "result")
        write_summary(workspace, result)
        disk.sync_tree(result)
        self.name_result(result)
