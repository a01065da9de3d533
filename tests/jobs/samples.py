"""A small collection in several files, and the jobs that are planned for it: each by a plan and by the plain call."""

import atexit
import hashlib
import json
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ibidem import PassageIndex
from ibidem.contamination.job.files import decontaminate_files
from ibidem.corpus import read
from ibidem.documents.choices import Choices
from ibidem.documents.job.files import deduplicate_files
from ibidem.plans import plan_contamination, plan_dedup, plan_index, plan_passage_dedup, plan_reuse
from ibidem.resources import Resources
from ibidem.reuse.find import find_in
from ibidem.reuse.outputs.earlier import EarlierRun
from ibidem.reuse.outputs.exports import export_reuse
from ibidem.reuse.outputs.folder import write_reuse
from ibidem.reuse.question import Question
from ibidem.reuse.removal.files import deduplicate_passages_of_files
from ibidem.reuse.removal.repeated import PassageChoices

OPTIONS = {"min_length": 4, "memory": "64M"}

WEIGHTED = {"family": "weighted", "idf": "smooth"}

DEDUP = {"threshold": 0.5, "keep": "max(year)"}

PASSAGES = {"min_length": 12, "keep": "max(year)"}

REUSE = {"recall": 1.0, "date": "year"}

CONTAMINATION = {"action": "mask", "also": ["decon"]}


def write_collection(folder: Path, files: int = 6) -> Path:
    """Files of JSON lines, of which one is empty and one is larger than all others together; some texts are alike."""
    source = random.Random(7)
    words = [f"word{number}" for number in range(400)]
    texts: list[list[str]] = []
    folder.mkdir()
    for number in range(files):
        lines = []
        for row in range({0: 0, 1: 40}.get(number, 3)):
            text = source.choices(words, k=source.randint(0, 80))
            if texts and source.random() < 0.4:
                text = list(source.choice(texts))
                text[:2] = source.choices(words, k=source.randint(0, 2))
            texts.append(text)
            lines.append({"id": f"{number}-{row}", "text": " ".join(text), "year": row})
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def count_words(inputs: Path) -> tuple[int, int]:
    """How many documents a collection has, and how many words."""
    lines = [json.loads(line) for path in inputs.iterdir() for line in path.read_text("utf-8").splitlines()]
    return len(lines), sum(len(line["text"].split()) for line in lines)


def digest(folder: Path) -> dict[str, str]:
    """A hash of every file of a result but the lock of an index."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "writer.lock")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def build_plainly(inputs: Path, output: Path, **options: object) -> dict[str, str]:
    """What one process makes of the collection, in one go."""
    with PassageIndex.build(output, read([str(inputs)]), **OPTIONS, **options):
        return digest(output)


def deduplicate_plainly(inputs: Path, output: Path, **choices: Any) -> dict[str, str]:
    """What one process writes of the collection without its duplicates."""
    deduplicate_files([str(inputs)], output, Choices(**choices).require_valid(), Resources.of("64M", 1, None))
    return digest(output)


def remove_passages_plainly(inputs: Path, output: Path, action: str = "remove", **choices: Any) -> dict[str, str]:
    """What one process writes of the collection without its repeated passages."""
    chosen = PassageChoices(**choices).require_valid()
    deduplicate_passages_of_files([str(inputs)], output, chosen, Resources.of("64M", 1, None), action=action)
    return digest(output)


def find_reuse_plainly(
    inputs: Path,
    output: Path,
    against: Path | None = None,
    also: tuple[str, ...] = (),
    update: Path | None = None,
    **question: Any,
) -> dict[str, str]:
    """What one process writes of the passages that the collection says twice."""
    sides = [read([str(side)]) for side in (inputs, against) if side is not None]
    with tempfile.TemporaryDirectory() as folder:
        earlier = None if update is None else EarlierRun.read(update)
        found = find_in(sides, Question(**question), Path(folder), Resources.of("64M", 1, None), earlier)
    output.mkdir()
    write_reuse(found, output, "jsonl")
    for format in also:
        export_reuse(found, output, format)
    return digest(output)


@cache
def write_items() -> list[str]:
    """A file of items, which are texts of the collection with every ninth word replaced; one for all tests."""
    folder = tempfile.mkdtemp(prefix="ibidem-test-items-")
    atexit.register(shutil.rmtree, folder)
    place = Path(folder) / "items.jsonl"
    with tempfile.TemporaryDirectory() as made:
        texts = [
            json.loads(line)["text"].split()
            for path in sorted(write_collection(Path(made) / "inputs").iterdir())
            for line in path.read_text("utf-8").splitlines()
        ]
    questions = [["lemon" if at % 9 == 8 else word for at, word in enumerate(text)] for text in texts if len(text) > 30]
    lines = [json.dumps({"question": " ".join(words)}) + "\n" for words in questions[::4]]
    place.write_text("".join(lines), "utf-8")
    return [str(place)]


def decontaminate_plainly(inputs: Path, output: Path, **options: Any) -> dict[str, str]:
    """What one process writes of the collection with the items masked that it holds."""
    resources = Resources.of("64M", 1, None)
    decontaminate_files([str(inputs)], write_items(), output, resources, **options)
    return digest(output)


class Job(NamedTuple):
    """Something that can be planned.

    Attributes:
        run: makes it by the plain call, of the input at an output; gives a hash of each file.
        plan: plans it: input, output, folder of the plan, number of parts.
        tasks: of the plan of the collection in three parts.
    """

    run: Callable[[Path, Path], dict[str, str]]
    plan: Callable[[Path, Path, Path, int], object]
    tasks: int


JOBS = {
    "index": Job(
        lambda inputs, output: build_plainly(inputs, output, **WEIGHTED),
        lambda inputs, output, folder, parts: plan_index(
            [str(inputs)], output, folder, parts=parts, **OPTIONS, **WEIGHTED
        ),
        tasks=6,  # three parts, one reduction, one segment, one commit
    ),
    "dedup": Job(
        lambda inputs, output: deduplicate_plainly(inputs, output, **DEDUP),
        lambda inputs, output, folder, parts: plan_dedup(
            [str(inputs)], output, folder, parts=parts, memory="64M", **DEDUP
        ),
        tasks=12,  # three parts to read, three ranges, three parts to write; texts, choice and commit
    ),
    "passages": Job(
        lambda inputs, output: remove_passages_plainly(inputs, output, **PASSAGES),
        lambda inputs, output, folder, parts: plan_passage_dedup(
            [str(inputs)], output, folder, parts=parts, memory="64M", **PASSAGES
        ),
        tasks=8,  # three parts to read, three to write; what is found, and commit
    ),
    "reuse": Job(
        lambda inputs, output: find_reuse_plainly(inputs, output, **REUSE),
        lambda inputs, output, folder, parts: plan_reuse(
            [str(inputs)], output, folder, parts=parts, memory="64M", format="jsonl", **REUSE
        ),
        tasks=9,  # three parts, a task that joins, one that aligns, and four for the whole
    ),
    "contamination": Job(
        lambda inputs, output: decontaminate_plainly(inputs, output, **CONTAMINATION),
        lambda inputs, output, folder, parts: plan_contamination(
            [str(inputs)],
            output,
            folder,
            evals=write_items(),
            parts=parts,
            memory="64M",
            **CONTAMINATION,
        ),
        tasks=8,  # three parts to look through, three to write; judging and commit
    ),
}
