"""The commands give the same where the system has no POSIX calls, and where no file is removed that is in use."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

from .conftest import WITHOUT_POSIX

COMMANDS = """
index c.jsonl -o i --threads 1
add i more.jsonl --threads 1
remove i d7
merge i
check i
search i q.html --threads 1
search i a.txt b.txt
align a.txt b.txt
dedup c.jsonl -o documents --threads 1
dedup c.jsonl --passages -o passages --threads 1
reuse c.jsonl more.jsonl -o reuse --threads 1
reuse c.jsonl more.jsonl q.html --update reuse -o updated --threads 1
report reuse -o report.html
decontaminate c.jsonl --evals more.jsonl --question text -o clean --threads 1
"""
PROGRAM = """
import sys
from ibidem.cli import main
for line in sys.argv[1].strip().splitlines():
    sys.argv = ["ibidem", *line.split()]
    try:
        main()
    except SystemExit as ended:
        if ended.code:
            sys.exit(f"{line}: {ended.code}")
"""


def make_collection(folder: Path) -> None:
    draw = random.Random(1)
    words = [f"w{number}" for number in range(400)]

    def text(length: int) -> str:
        return " ".join(draw.choices(words, k=length))

    common = text(60)
    texts = [f"{text(80)} {common if number % 4 == 0 else ''} {text(80)}" for number in range(20)]
    rows = [{"id": f"d{number}", "text": each} for number, each in enumerate([*texts, texts[3]])]
    (folder / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "more.jsonl").write_text(json.dumps({"id": "x", "text": f"{text(100)} {common}"}) + "\n")
    (folder / "a.txt").write_text(texts[0])
    (folder / "b.txt").write_text(texts[4])
    (folder / "q.html").write_text(f"<p>{common}</p>")


def run_all(folder: Path, without_posix: bool) -> tuple[str, dict[str, bytes]]:
    """What the commands print, and the files that they leave."""
    make_collection(folder)
    path = os.pathsep.join([str(WITHOUT_POSIX)] * without_posix + [each for each in sys.path if each])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, COMMANDS],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # Manifests and reports keep times.
    results = ("documents", "passages", "reuse", "updated", "clean")
    files = {
        str(file.relative_to(folder)): file.read_bytes()
        for name in results
        for file in (folder / name).rglob("*.jsonl")
    }
    assert not list(folder.glob("*.partial"))
    return done.stdout, files


def test_all_commands_do_without_posix_and_without_removing_what_is_in_use(tmp_path: Path) -> None:
    for name in ("posix", "without"):
        (tmp_path / name).mkdir()
    printed, files = run_all(tmp_path / "posix", False)
    assert len(files) >= 8
    assert run_all(tmp_path / "without", True) == (printed, files)
