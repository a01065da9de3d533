"""Run the cases of the golden outputs, and write what they print and write to ``tests/golden/outputs``.

python -m tests.golden.record [CASE...]
"""

import hashlib
import io
import json
import math
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

import ibidem
from ibidem import progress
from ibidem.cli import main as ibidem_command

from .cases import CASES, Case
from .inputs import make_inputs

OUTPUTS = Path(__file__).parent / "outputs"
HOW = "python -m tests.golden.record"
"""The command that records again."""

ENVIRONMENT = {"TERM": "dumb", "COLUMNS": "80"}
OF_FILES = ("bytes", "bytes_per_token", "fingerprint", "format", "scheme")
"""What ``ibidem info`` says of the files of an index, and not of its contents."""

VARYING = [
    (re.compile(r"\bin \d+\.\d s\b"), "in TIME s"),
    (re.compile(r'"seconds":\d[\d.e-]*'), '"seconds":TIME'),
    (re.compile(r"(\.html: .*)\b\d[\d,]* kB$", re.MULTILINE), r"\1SIZE kB"),
    (re.compile(r"\b\d+ files checked"), "N files checked"),
]
"""What differs between runs, or with the page of a report and the layout of an index."""

LONG_NUMBER = re.compile(r"\b\d+\.\d{9,}(?:e-?\d+)?")
LONG_STRING = re.compile(r'(?<=")(?:[^"\\]|\\.){120,}(?=")')
LONGEST_LINE = 500
MOST_LINES = 60


class Printed(NamedTuple):
    """What a command printed, and its exit status."""

    stdout: str
    stderr: str
    status: int


class Stream(io.TextIOWrapper):
    """A stream in memory, which may call itself a terminal."""

    def __init__(self, is_terminal: bool = False) -> None:
        self.written = io.BytesIO()
        super().__init__(self.written, encoding="utf-8", newline="\n", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def record(names: Sequence[str]) -> None:
    """Write the outputs of cases, all if none is named, and remove those of cases that are no more."""
    OUTPUTS.mkdir(exist_ok=True)
    for path in OUTPUTS.glob("*.txt"):
        if path.stem not in CASES:
            path.unlink()
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(Path(folder, "inputs"))
        for name in names or CASES:
            output = run_case(CASES[name], Path(folder, "inputs"), Path(folder, name))
            (OUTPUTS / f"{name}.txt").write_bytes(output.encode())


def run_case(case: Case, inputs: Path, folder: Path) -> str:
    """What the commands of a case print and write, in a folder that does not exist yet."""
    shutil.copytree(inputs, folder)
    with chdir(folder), patch.dict(os.environ, ENVIRONMENT):
        for command in case.given:
            prepare(command)
        before = {path: path.read_bytes() for path in list_files()}
        lines = [line for command in case.commands for line in describe_command(command, case.at_terminal)]
        for path in list_files():
            if before.get(path) != path.read_bytes():
                lines += [f"=== {path.as_posix()}", *shorten_lines(read_lines(path)), ""]
    return "\n".join(lines)


def prepare(command: str) -> None:
    """Run a command of which nothing is recorded; ``>`` leads to a file."""
    arguments, _, target = command.partition(" > ")
    printed = run_command(arguments)
    assert printed.status == 0, printed.stderr
    if target:
        Path(target).write_bytes(printed.stdout.encode())


def run_command(command: str, at_terminal: bool = False) -> Printed:
    """Run a command of ``ibidem`` in this process, however slow it is."""
    stdout, stderr, status = Stream(at_terminal), Stream(), 0
    without_log = patch.object(progress, "LOG_SECONDS", math.inf)
    with redirect_stdout(stdout), redirect_stderr(stderr), patch.object(sys, "excepthook"), without_log:
        try:
            ibidem_command(shlex.split(command), prog_name="ibidem")
        except SystemExit as end:
            status = int(end.code or 0)
    return Printed(stdout.written.getvalue().decode(), stderr.written.getvalue().decode(), status)


def describe_command(command: str, at_terminal: bool) -> Iterator[str]:
    """The command, what it printed, and its exit status if that is not 0."""
    stdout, stderr, status = run_command(command, at_terminal)
    yield f"$ ibidem {command}"
    if at_terminal:
        stdout = re.sub(" +$", "", stdout, flags=re.MULTILINE)
    yield from shorten_lines((describe_index(stdout) if command.startswith("info ") else stdout).splitlines())
    for line in shorten_lines(stderr.splitlines()):
        if not line.startswith("compiling kernels "):
            yield f"stderr: {line}"
    if status:
        yield f"exit status {status}"
    yield ""


def describe_index(facts: str) -> str:
    """The facts of an index without those of its files."""
    contents = json.loads(facts)
    contents["configuration"] = {
        name: value for name, value in contents["configuration"].items() if name not in OF_FILES
    }
    return json.dumps({name: value for name, value in contents.items() if name not in OF_FILES}, indent=2)


def list_files() -> list[Path]:
    """The files of the working folder, but those of indexes and those that ``--update`` reads again."""
    paths = sorted(path for path in Path().rglob("*") if path.is_file())
    return [path for path in paths if not any(part == "state" or part.endswith(".ibidem") for part in path.parts)]


def read_lines(path: Path) -> list[str]:
    """The lines of a file: text as it is, the rows of a table as JSON, and the data of a page."""
    if path.suffix == ".parquet":
        table = pq.read_table(path, partitioning=None)
        columns = ", ".join(f"{field.name}: {field.type}" for field in table.schema)
        return [columns, *(json.dumps(row, ensure_ascii=False, default=str) for row in table.to_pylist())]
    content = path.read_bytes()
    if path.suffix in {".gz", ".zst"}:
        content = pa.input_stream(path, compression="detect").read()
    text = content.decode()
    return read_page(text) if path.suffix == ".html" else text.splitlines()


def read_page(page: str) -> list[str]:
    """The data of a report; of a page without data, its size."""
    data = re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', page, re.DOTALL)
    return [f"{name}: {line}" for name, lines in data for line in lines.splitlines()] or ["a page without data"]


def shorten_lines(lines: Sequence[str]) -> list[str]:
    """The lines without what varies; digests are in the place of what is long."""
    lines = [round_numbers(remove_varying(line)) for line in lines]
    first = [shorten(LONG_STRING.sub(lambda string: shorten(string[0], 120), line), LONGEST_LINE) for line in lines]
    if len(lines) <= MOST_LINES:
        return first
    half = MOST_LINES // 2
    rest = lines[half:-half]
    return [*first[:half], f"[... {len(rest)} lines, {digest(chr(10).join(rest))} ...]", *first[-half:]]


def remove_varying(line: str) -> str:
    line = line.replace(os.getcwd(), "FOLDER").replace(ibidem.__version__, "VERSION")
    for pattern, replacement in VARYING:
        line = pattern.sub(replacement, line)
    return line


def round_numbers(line: str) -> str:
    """The line with numbers to nine digits; the last ones depend on the processor."""
    return LONG_NUMBER.sub(lambda number: repr(float(f"{float(number[0]):.9g}")), line)


def shorten(text: str, longest: int) -> str:
    """The text with a digest in the place of its middle, if it is longer than this."""
    if len(text) <= longest:
        return text
    start, end = longest // 2, len(text) - longest // 4
    return f"{text[:start]}[... {end - start} characters, {digest(text[start:end])} ...]{text[end:]}"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


if __name__ == "__main__":
    record(sys.argv[1:])
