"""What a task leaves out of the input, noted beside its output."""

from pathlib import Path

from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import note_left_out, read_left_out


def write_failures(folder: Path, failures: Failures | None) -> None:
    """Note what a task has left out beside its output in ``folder``."""
    note_left_out(folder, failures)


def recall_failures(folder: Path, failures: Failures | None) -> None:
    """Add to ``failures`` what the output in a folder has left out."""
    if failures is not None:
        failures.recall(list(read_left_out(folder)))
