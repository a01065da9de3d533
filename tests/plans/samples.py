"""A small collection in several files, and how two indexes of it are compared."""

import hashlib
import json
import random
from pathlib import Path

from ibidem import PassageIndex
from ibidem.corpus import read

OPTIONS = {"min_length": 4, "memory": "64M"}


def write_collection(folder: Path, files: int = 6) -> Path:
    """Files of JSON lines, of which one is empty and one is larger than all others together."""
    source = random.Random(7)
    words = [f"word{number}" for number in range(400)]
    folder.mkdir()
    for number in range(files):
        documents = {0: 0, 1: 40}.get(number, 3)
        lines = [
            {"id": f"{number}-{row}", "text": " ".join(source.choices(words, k=source.randint(0, 80))), "year": row}
            for row in range(documents)
        ]
        (folder / f"{number}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return folder


def digest(folder: Path) -> dict[str, str]:
    """A hash of every file of an index but its lock."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "writer.lock")
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def build_plainly(inputs: Path, output: Path, **options: object) -> dict[str, str]:
    """What one process makes of the collection, in one go."""
    with PassageIndex.build(output, read([str(inputs)]), **OPTIONS, **options):
        return digest(output)
