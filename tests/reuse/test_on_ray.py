"""On Ray, tasks side by side write the bytes that one process writes, also when workers are killed."""

import json
from pathlib import Path
from typing import Any

from ibidem.reuse.find import find_reuse_in_files
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files
from tests.ray_clusters import run_on_cluster

SCRIPT = """
import os, signal
from pathlib import Path
from ibidem.reuse import steps
from ibidem.reuse.find import find_reuse_in_files
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

def die_once(step, mark, *arguments):
    if not Path(mark).exists():
        Path(mark).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    step(*arguments)

def main():
    from functools import partial
    inputs, output = sys.argv[1:]
    steps._RECORDS_OF_TASK, steps._PAIRS_OF_TASK = 200, 2  # of the driver, which cuts the tasks
    for name in ("join_windows", "align_pairs"):
        setattr(steps, name, partial(die_once, getattr(steps, name), f"{inputs}.{name}"))
    find_reuse_in_files(inputs, f"{output}/reuse", format="jsonl", ray="auto", memory="64M")
    deduplicate_passages_of_files(inputs, f"{output}/passages", ray="auto", memory="64M")
"""


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_tasks_on_ray_write_the_bytes_of_one_process(quoted: list[dict[str, Any]], tmp_path: Path) -> None:
    inputs = tmp_path / "in"
    inputs.mkdir()
    for row in quoted:
        (inputs / f"{row['id']}.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "ray").mkdir()
    done = run_on_cluster(SCRIPT, inputs, tmp_path / "ray")
    assert done.returncode == 0, done.stderr
    (tmp_path / "here").mkdir()
    find_reuse_in_files(inputs, tmp_path / "here" / "reuse", format="jsonl")
    deduplicate_passages_of_files(inputs, tmp_path / "here" / "passages")
    assert files_below(tmp_path / "ray") == files_below(tmp_path / "here")
