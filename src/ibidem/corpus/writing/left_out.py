"""The list of the rows of an input that are in no output, with the reason of each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ibidem.corpus.failures import Failure
from ibidem.corpus.inputs import InputPart, read_left_out
from ibidem.text.json_values import encode_json

ROWS_LEFT_OUT = "rows_left_out.jsonl"
"""The file of a result that lists them: ``file``, ``row`` from 0, ``id``, ``reason`` and ``cause``."""


def write_left_out(
    target: Path, parts: Sequence[InputPart], tasks: Sequence[Path], documents: Iterable[Sequence[int]]
) -> None:
    """Write a line for each row that the tasks of the parts have left out, and for each rest of a file.

    Args:
        tasks: the folders in which the tasks noted what they left out.
        documents: of each part, how many documents each of its files, or pieces of files, had.
    """
    with (target / ROWS_LEFT_OUT).open("xb") as out:
        for row in _list_left_out(parts, tasks, documents):
            out.write(encode_json(row) + b"\n")


def _list_left_out(
    parts: Sequence[InputPart], tasks: Sequence[Path], documents: Iterable[Sequence[int]]
) -> Iterator[dict[str, Any]]:
    before: Counter[str] = Counter()  # rows of the pieces of a file
    for part, task, counts in zip(parts, tasks, documents, strict=True):
        noted: dict[tuple[str, int], list[Failure]] = {}
        for failure in read_left_out(task):
            noted.setdefault((failure.path, failure.begin), []).append(failure)
        for source, count in zip(part.sources, counts, strict=True):
            failures = noted.get((source.path, source.begin), [])
            rows = count + sum(failure.row is not None for failure in failures)
            for failure in sorted(failures, key=lambda each: rows if each.row is None else each.row):
                if not failure.is_kept:
                    yield _describe(failure, before[source.path] + (rows if failure.row is None else failure.row))
            before[source.path] += rows


def _describe(failure: Failure, row: int) -> dict[str, Any]:
    reason = "unreadable from here on" if failure.row is None else failure.reason
    return {"file": failure.path, "row": row, "id": failure.id, "reason": reason, "cause": failure.message}
