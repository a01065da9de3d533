"""Small indexes of every kind, the commands that write them, and all that can be read from them, as plain values."""

import contextlib
import json
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ibidem import DocumentIndex, PassageIndex, SketchIndex
from ibidem.documents.deduplicate import deduplicate_files
from ibidem.errors import NotAnIndexError
from ibidem.store import Store
from ibidem.text.bpe import BytePairs

_SENTENCE = "the quick brown fox jumps over the lazy dog and the other dog sleeps by the old mill near a river"
WORDS = _SENTENCE.split()
LENGTHS: dict[str, Any] = {"min_length": 4, "max_length": 12}


def _make_tokenizer() -> BytePairs:
    """One whose file the index keeps: that of a language model whose tokens are letters and the blank."""
    vocabulary = {sign: number for number, sign in enumerate(" abcdefghijklmnopqrstuvwxyz")}
    model = {"type": "BPE", "vocab": vocabulary, "merges": []}
    return BytePairs.from_contents([json.dumps({"version": "1.0", "model": model}).encode()], "the campaign")


PASSAGES: dict[str, dict[str, Any]] = {"passages": {}, "kept tokenizer": {"tokenizer": _make_tokenizer()}}
SKETCHES: dict[str, dict[str, Any]] = {
    "minhash": {"num_hashes": 4},
    "oph": {"sketch": "oph", "num_hashes": 4, "family": "set"},
    "weighted": {"num_hashes": 4, "family": "weighted", "idf": "smooth"},
}
KINDS = (*PASSAGES, *SKETCHES, "documents")


def make_text(seed: int, length: int = 24) -> str:
    """Words that neighbours share, in an order of their own."""
    return " ".join(WORDS[(seed * 7 + place * (1 + seed % 3)) % len(WORDS)] for place in range(length))


def make_documents(first: int, count: int) -> list[dict[str, Any]]:
    return [{"id": f"d{number}", "text": make_text(number), "n": number} for number in range(first, first + count)]


def build(path: Path, kind: str, first: int = 0, count: int = 3) -> None:
    documents = make_documents(first, count)
    if kind == "documents":
        DocumentIndex.build(path, documents, shingle="words:2", threshold=0.5, memory="64M", threads=1).close()
    elif kind in PASSAGES:
        PassageIndex.build(path, documents, memory="64M", threads=1, **PASSAGES[kind], **LENGTHS).close()
    else:
        SketchIndex.build(path, documents, memory="64M", threads=1, **SKETCHES[kind], **LENGTHS).close()


def open_index(path: Path, kind: str) -> Any:
    if kind == "documents":
        return DocumentIndex.open(path)
    return PassageIndex.open(path) if kind in PASSAGES else SketchIndex.open(path)


def read(path: Path, kind: str) -> Any:
    """What every reader gives: ids, texts, metadata, searches, alignment."""
    with open_index(path, kind) as index:
        answers: list[Any] = [sorted(index.ids())]
        for number in (0, 2, 11):
            answers.append([repr(match) for match in index.search(make_text(number), threshold=0.7)])
        if kind == "passages":
            answers.append([repr(match) for match in index.align(make_text(1))])
        elif kind in SKETCHES:
            answers.append([repr(match) for match in index.search(make_text(2), select="all", verify=True)])
        return answers


def contents(path: Path, kind: str) -> Any:
    """What stands at ``path``: nothing, or the documents that live there and what is found."""
    try:
        with Store.open(path) as store:
            if store.generation == 0:
                return None
    except NotAnIndexError:
        return None
    return read(path, kind)


class Work(NamedTuple):
    """A command that writes: what it needs before, what it does, and what can be seen of it in a folder."""

    name: str
    kind: str
    prepare: Callable[[Path], None]
    run: Callable[[Path], None]
    see: Callable[[Path], Any]


def _see_index(kind: str) -> Callable[[Path], Any]:
    return lambda folder: contents(folder / "index", kind)


def _see_deduplication(folder: Path) -> Any:
    out = folder / "out"
    files = {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return (files or None), contents(folder / "seen", "documents")


def _prepare_index(kind: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        build(folder / "index", kind)
        with open_index(folder / "index", kind) as index:
            index.add(make_documents(10, 2), memory="64M", threads=1)

    return prepare


def _prepare_nothing(folder: Path) -> None:
    """A build begins with an empty folder."""


def _prepare_files(folder: Path) -> None:
    rows = [*make_documents(0, 3), {"id": "same", "text": make_text(0), "n": 9}]
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _change(kind: str, change: Callable[[Any], None]) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        with open_index(folder / "index", kind) as index:
            change(index)

    return run


def _deduplicate(folder: Path) -> None:
    choices: dict[str, Any] = {"shingle": "words:2", "threshold": 0.7, "memory": "64M", "threads": 1}
    with contextlib.chdir(folder):
        deduplicate_files("a.jsonl", "out", against="seen", add=True, **choices)


def works(kinds: tuple[str, ...] = KINDS) -> Iterator[Work]:
    for kind in kinds:
        see, prepare = _see_index(kind), _prepare_index(kind)
        yield Work(
            f"build {kind}", kind, lambda folder: None, lambda folder, kind=kind: build(folder / "index", kind), see
        )
        for name, change in (
            ("add", lambda index: index.add(make_documents(20, 2), memory="64M", threads=1)),
            ("remove", lambda index: index.remove(["d0", "d11"])),
            ("merge", lambda index: index.merge(memory="64M", threads=1)),
        ):
            yield Work(f"{name} {kind}", kind, prepare, _change(kind, change), see)
    yield Work("dedup --against --add", "documents", _prepare_files, _deduplicate, _see_deduplication)


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """A folder, in memory where there is one."""
    place = "/dev/shm" if Path("/dev/shm").is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix="ibidem-campaign-", dir=place))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def start_empty(folder: Path) -> Path:
    """The folder with nothing in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def start_anew(folder: Path, base: Path) -> Path:
    """The folder with what ``base`` has."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    return folder
