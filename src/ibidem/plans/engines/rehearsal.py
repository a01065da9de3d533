"""A plan of the same settings for a few words, whose tasks load whatever those of the plan need."""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from ibidem.corpus.reading import read_sources
from ibidem.corpus.rows import Columns
from ibidem.errors import IbidemError
from ibidem.plans.plan import PLAN_FILE, Plan, write_plan
from ibidem.plans.rank import run_rank
from ibidem.plans.shards import describe_shards, sources_of
from ibidem.plans.workspace import Workspace
from ibidem.resources import Resources
from ibidem.text.json_values import decode_json, encode_json

__all__ = ["rehearse"]

_WORDS = " ".join(f"word{number % 37} and{number % 11}" for number in range(200))


def rehearse(workspace: Workspace) -> None:
    """Load libraries and kernels; of a plan that cannot be rehearsed each rank loads them."""
    with tempfile.TemporaryDirectory(prefix="ibidem-") as place, suppress(IbidemError, ValueError, OSError):
        folder = Path(place)
        write_plan(folder / "plan", _shrink(workspace.plan, folder), _list_attached(workspace.folder))
        run_rank(str(folder / "plan"), threads=1)


def _shrink(plan: Plan, folder: Path) -> Plan:
    """The same work on two files of two documents each, the second in the place of a second collection.

    They have the columns of the first document, of which some may decide what stays or comes first.
    """
    columns = Columns(*(plan.settings[name] for name in Columns._fields))
    first = next(iter(read_sources(sources_of(plan.shards), columns, batch_bytes=1)), None)
    others = decode_json(first.metadata[0]) if first else {}
    for file in "ab":
        rows = [{**others, columns.text: _WORDS, columns.id: f"{file}{number}"} for number in range(2)]
        lines = [encode_json(row) + b"\n" for row in rows]
        (folder / f"{file}.jsonl").write_bytes(b"".join(lines))
    files = [str(folder / f"{file}.jsonl") for file in "ab"]
    settings = {**plan.settings, **({"others": 1} if plan.settings.get("others") is not None else {})}
    return Plan.of(
        kind=plan.kind,
        output=str(folder / "made"),
        shards=describe_shards(files, Resources(plan.memory, 1, lambda phase, done, total: None)),
        parts=[(0, 1), (1, 2)],
        settings=settings,
        memory=plan.memory,
        prediction=plan.prediction,
    )


def _list_attached(folder: Path) -> dict[str, Callable[[Path], object]]:
    """How to write the files that stand beside a plan."""
    files = [file for file in folder.iterdir() if file.is_file() and file.name != PLAN_FILE]
    return {file.name: partial(shutil.copyfile, file) for file in files}
