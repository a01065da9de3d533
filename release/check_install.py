"""Install a built wheel into empty environments and use it: without extras, and with each extra alone.

    python release/check_install.py dist/ibidem-0.1.0-py3-none-any.whl [--python PYTHON] [--only EXTRA ...]

In each environment the commands that need no extra run on a few files; what needs an extra works where it is installed,
and where it is not, the error names it. Anything else ends with status 1. Needs Python alone, and a package index.
"""

import argparse
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import IO

MARCH = "The whole village walks down to the flats with lamps and baskets, and the children run ahead to be first"
APRIL = f"There is little news of the roof. {MARCH} at the old wreck."


EVERY_COMMAND = (
    "search letters.ibidem letters/march.txt --select all",
    "align letters/march.txt letters/april.txt --units sentence",
    "align --index letters.ibidem letters/april.txt",
    "trace letters/april.txt --index letters.ibidem",
    "add letters.ibidem may.txt",
    "remove letters.ibidem march.txt",
    "merge letters.ibidem",
    "check letters.ibidem",
    "index letters -o sketches.ibidem --sketch minhash --min-length 8",
    "search sketches.ibidem letters/march.txt --verify",
    "reuse letters -o reuse --min-pair-length 8",
    "dedup letters -o distinct --against seen.ibidem --add",
    "dedup letters -o again --against seen.ibidem",
    "dedup letters -o passages --passages --min-length 8",
    "dedup letters -o common --passages --min-documents 2 --boundary lines",
    "dedup letters -o runs --passages --min-documents 2 --min-length 8",
    "decontaminate letters --evals items.jsonl -o clean --action remove",
    "decontaminate letters --evals items.jsonl --audit --plants 1 --sample 2",
    "report reuse -o report.html",
    "info letters.ibidem",
    "advise dedup letters",
    "demo",
)
"""Calls that need no extra, of every command that computes something; the machine code of a wheel is enough for all."""


class Environment:
    """An empty virtual environment with the wheel and some extras, and a folder of files to work on."""

    def __init__(self, python: str, wheel: Path, extras: list[str], folder: Path) -> None:
        self.folder, self.extras = folder, extras
        self.brings_kernels = not wheel.name.endswith("-any.whl")
        self.cache = folder / "cache"
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)
        wanted = f"{wheel}[{','.join(extras)}]" if extras else str(wheel)
        self.run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted)
        write_files(folder)

    def path(self, program: str) -> str:
        """The path of a program of the environment."""
        return str(self.folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / program)

    def run(self, program: str, *arguments: object) -> str:
        """Run a program in the folder; returns what it writes.

        Raises:
            SystemExit: it fails, or it compiles kernels that the wheel brings.
        """
        status, output, errors = self.attempt(program, *arguments)
        if status:
            raise SystemExit(f"{self.extras}: {program} {arguments} ended with {status}:\n{errors}")
        if self.brings_kernels and ("compiling kernels" in errors or self.cache.exists()):
            raise SystemExit(f"{self.extras}: {program} {arguments} does not use the machine code of the wheel")
        return output

    def attempt(self, program: str, *arguments: object) -> tuple[int, str, str]:
        """Run a program in the folder; returns its status, its output and its messages."""
        command = [self.path(program), *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "NUMBA_CACHE_DIR": str(self.cache)},
            capture_output=True,
            timeout=600,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


def write_files(folder: Path) -> None:
    """Write what the commands read."""
    (folder / "letters").mkdir()
    (folder / "letters" / "march.txt").write_text(MARCH, "utf-8")
    (folder / "letters" / "april.txt").write_text(APRIL, "utf-8")
    (folder / "may.txt").write_text(f"{APRIL} {MARCH}", "utf-8")
    items = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?", "answer": "none"}]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    (folder / "page.html").write_text(f"<!doctype html><title>page</title><p>{APRIL}</p>", "utf-8")
    alphabet = [*map(chr, range(33, 127)), *map(chr, range(161, 173)), *map(chr, range(174, 256))]
    alphabet += [chr(256 + number) for number in range(256 - len(alphabet))]
    (folder / "encoder.json").write_text(json.dumps({token: i for i, token in enumerate(alphabet)}), "utf-8")
    (folder / "vocab.bpe").write_text("#version: 0.2\n", "utf-8")


def use_without_extras(environment: Environment) -> None:
    """What every installation can do."""
    run = environment.run
    assert run("ibidem", "--version").startswith("ibidem ")
    run("ibidem", "index", "letters", "-o", "letters.ibidem", "--min-length", 8)
    matches = run("ibidem", "search", "letters.ibidem", "--query", MARCH, "--threshold", 0.9).splitlines()
    assert {json.loads(line)["document"] for line in matches} == {"march.txt", "april.txt"}, matches
    assert json.loads(run("ibidem", "align", "letters/march.txt", "letters/april.txt"))["similarity"] == 1
    for command in EVERY_COMMAND:
        run("ibidem", *command.split())
    prefix = Path(run("python", "-c", "import sys; print(sys.prefix)").strip())
    for name in ["man/man1/ibidem-search.1", "bash-completion/completions/ibidem"]:
        assert (prefix / "share" / name).is_file(), name


@contextmanager
def started(environment: Environment, *arguments: object):  # type: ignore[no-untyped-def]
    """A command that runs until the block ends; its streams are bytes.

    They have no buffer: lines that came together would wait in it, where ``select`` does not see them.
    """
    command = [environment.path("ibidem"), *map(str, arguments)]
    process = subprocess.Popen(
        command,
        cwd=environment.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM if os.name == "nt" else signal.SIGINT)
        process.communicate(timeout=60)


def serve(environment: Environment) -> None:
    """The service says its address and answers there."""
    with started(environment, "serve", "letters.ibidem", "--port", 0) as process:
        address = read_address(process.stderr)
        with urllib.request.urlopen(address.rstrip("/") + "/health", timeout=60) as answer:
            assert answer.status == 200


def read_address(stream: IO[bytes]) -> str:
    """The address that a command says, behind lines that say other things."""
    line = read_line(stream)
    while line and "http://" not in line:
        line = read_line(stream)
    return next(word for word in line.split() if word.startswith("http://")).rstrip(",.;")


def open_app(environment: Environment) -> None:
    """The app says an address, and its page is there."""
    with started(environment, *COMMANDS["app"]) as process:
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(read_address(process.stderr), timeout=60) as answer:
            assert b"projects.js" in answer.read()


def read_line(stream: IO[bytes]) -> str:
    """The next line of a stream without a buffer, within two minutes: the first start of a service compiles."""
    if os.name != "nt":
        ready, _, _ = select.select([stream], [], [], 120)
        assert ready, "no line in two minutes"
    return stream.readline().decode("utf-8")


def plot(environment: Environment) -> None:
    """A dot plot."""
    script = f"import ibidem; ibidem.align({MARCH!r}, {APRIL!r}).plot().figure.savefig('plot.png')"
    environment.run("python", "-c", script)


Use = Callable[[Environment], None]
COMMANDS: dict[str, tuple[str, ...]] = {
    "app": ("app", "--no-browser", "--folder", "projects"),
    "bpe": (
        *("index", "letters", "-o", "bpe.ibidem", "--min-length", "8"),
        *("--tokenizer", "bpe", "--tokenizer-file", "encoder.json", "--tokenizer-merges", "vocab.bpe"),
    ),
    "files": ("index", "page.html", "-o", "page.ibidem", "--min-length", "8"),
    "ray": ("dedup", "letters", "-o", "rayed", "--ray", "local"),
    "remote": ("index", "letters", "-o", "{url}/remote.ibidem", "--min-length", "8"),
    "serve": ("serve", "letters.ibidem", "--port", "0"),
    "stems": ("index", "letters", "-o", "stems.ibidem", "--min-length", "8", "--normalize", "stems-english"),
}
"""A command that needs the extra."""

USES: dict[str, Use] = {"app": open_app, "serve": serve, "viz": plot}
"""How an extra is used whose command alone says nothing, or ends only when it is told to."""


def command_of(extra: str, environment: Environment) -> list[str]:
    """The command of an extra, for a folder."""
    return [part.format(url=environment.folder.as_uri()) for part in COMMANDS[extra]]


def use_extra(extra: str, environment: Environment) -> None:
    """What the extra is for works."""
    if extra in USES:
        USES[extra](environment)
    else:
        environment.run("ibidem", *command_of(extra, environment))


def require_name(extra: str, environment: Environment) -> None:
    """What the extra is for ends with one line that says how to install it."""
    if extra == "viz":
        script = f"import ibidem; ibidem.align({MARCH!r}, {APRIL!r}).plot()"
        status, _, errors = environment.attempt("python", "-c", script)
    else:
        status, _, errors = environment.attempt("ibidem", *command_of(extra, environment))
        assert status == 2, f"without the extra {extra}: status {status}\n{errors}"
        assert len(errors.splitlines()) == 1, errors
    assert status, f"{extra}: it worked without the extra"
    assert f"ibidem[{extra}]" in errors, f"without the extra {extra}: {errors}"


IMPLIED = {"app": {"files", "serve"}, "bpe": {"remote"}, "serve": {"app"}}
"""Extras that bring what others bring; tokenizers needs fsspec, too."""


def check(python: str, wheel: Path, extras: list[str]) -> None:
    """One environment, whole."""
    with tempfile.TemporaryDirectory(prefix="ibidem-install-") as folder:
        start = time.monotonic()
        environment = Environment(python, wheel, extras, Path(folder))
        installed = time.monotonic() - start
        use_without_extras(environment)
        first = time.monotonic() - start
        here = {*extras, *(name for extra in extras for name in IMPLIED.get(extra, ()))}
        for extra in [*COMMANDS, "viz"]:
            (use_extra if extra in here else require_name)(extra, environment)
        names = "+".join(extras) or "none"
        print(
            f"{python}  extras: {names:7}  installed in {installed:.0f} s, answers after {first:.0f} s: as it should be"
        )


def main() -> None:
    """Check each environment in turn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", nargs="*", default=["", *COMMANDS, "viz"], help="extras; '' for none")
    arguments = parser.parse_args()
    for extra in arguments.only:
        check(arguments.python, arguments.wheel.resolve(), [extra] if extra else [])


if __name__ == "__main__":
    main()
