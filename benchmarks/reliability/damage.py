"""Every byte of small indexes is changed; and what somebody could write on purpose, with checksums that are right."""

import json
import os
import random
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from outcomes import Outcomes, Share
from works import build, make_documents, open_index, read, workplace

from ibidem.errors import IbidemError
from ibidem.passages.search.query_search import NoWeightError
from ibidem.store import Store, check_index
from ibidem.store.files.columns import HEADER_BYTES
from ibidem.store.format import ATTACHMENTS, LOCK
from ibidem.store.manifest import Manifest, compute_checksum, encode

CHILD_SECONDS = 300

Trial = tuple[str, str, Callable[[], str | None]]
"""A kind of harm, where it is done, and the trial itself, which gives what went wrong."""


def make_index(path: Path, kind: str) -> None:
    """Two segments, one of which has lost a document."""
    build(path, kind)
    with open_index(path, kind) as index:
        index.add(make_documents(10, 2), memory="64M", threads=1)
        index.remove(["d1"])
    (path / LOCK).unlink()


def in_child(trials: Iterator[Trial], outcomes: Outcomes, weight: int = 1) -> None:
    """Run trials in processes that may crash or hang; a trial that does either is a failure, and the next goes on.

    Each counts as ``weight`` trials.
    """
    waiting = list(trials)
    done = 0
    while done < len(waiting):
        read_end, write_end = os.pipe()
        child = os.fork()
        if not child:
            os.close(read_end)
            for kind, where, trial in waiting[done:]:
                signal.alarm(CHILD_SECONDS)
                try:
                    problem = trial()
                except Exception as error:
                    problem = f"{type(error).__name__}: {error}"
                os.write(write_end, json.dumps([kind, where, problem]).encode() + b"\n")
            os._exit(0)
        os.close(write_end)
        with os.fdopen(read_end) as lines:
            for line in lines:
                kind, where, problem = json.loads(line)
                outcomes.note(kind, problem, where, weight)
                done += 1
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status and done < len(waiting):
            kind, where, _ = waiting[done]
            outcomes.note(kind, f"the process ended with {status}", where, weight)
            done += 1


def run_flips(outcomes: Outcomes, *, kind: str, share: Share) -> None:
    """One changed bit: `check` finds it, and readers give the right answer or say that the index is damaged."""
    with workplace() as place:
        path = place / "index"
        make_index(path, kind)
        in_child(_flips(path, kind, read(path, kind), share), outcomes)


def _flips(path: Path, kind: str, sound: Any, share: Share) -> Iterator[Trial]:
    files = sorted(file for file in path.rglob("*") if file.is_file())
    for file in files:
        data = file.read_bytes()
        for position in share.take(len(data)):
            flipped = bytearray(data)
            flipped[position] ^= 1 << random.randrange(8)

            def trial(file: Path = file, data: bytes = data, flipped: bytes = bytes(flipped)) -> str | None:
                file.write_bytes(flipped)
                try:
                    return _judge(path, kind, sound)
                finally:
                    file.write_bytes(data)

            yield f"damage: {kind}", f"{file.relative_to(path)} at {position}", trial


def _judge(path: Path, kind: str, sound: Any) -> str | None:
    if not _finds(path):
        return "not found by check"
    try:
        answer = read(path, kind)
    except IbidemError:
        return None
    return None if answer == sound else "a wrong answer"


def _finds(path: Path) -> bool:
    try:
        return bool(check_index(path).problems)
    except IbidemError:
        return True


def run_hostile(outcomes: Outcomes, *, kind: str, numbers: range) -> None:
    """Numbers that somebody has put there, with right checksums: an answer of some kind or an error, and no crash."""
    with workplace() as place:
        path, base = place / "index", place / "base"
        make_index(base, kind)
        in_child(hostile_trials(path, base, kind, numbers), outcomes)


def hostile_trials(path: Path, base: Path, kind: str, numbers: range) -> Iterator[Trial]:
    for seed in numbers:

        def trial(seed: int = seed) -> str | None:
            shutil.rmtree(path, ignore_errors=True)
            shutil.copytree(base, path)
            _change(path, random.Random(seed), seed)
            for reader in (lambda: read(path, kind), lambda: check_index(path), lambda: _merge(path, kind)):
                with suppress(IbidemError, MemoryError, NoWeightError):
                    reader()
            return None

        yield f"hostile: {kind}", f"seed {seed}", trial


def _change(path: Path, generator: random.Random, seed: int) -> None:
    """Change what the seed says: of four times, one a manifest or a record, and one a file that is kept, if any is."""
    if seed % 4 == 2 and (path / ATTACHMENTS).is_dir():
        _change_attachment(path, generator)
    else:
        (_change_column, _change_record)[seed % 4 == 3](path, generator)


def _change_attachment(path: Path, generator: random.Random) -> None:
    """Other contents of a file that is kept, and every checksum of it made right."""
    (file,) = (path / ATTACHMENTS).iterdir()
    value = json.loads(file.read_bytes())
    _mutate(value, generator)
    data = msgspec.json.encode(value)
    manifest = json.loads((path / "manifest.json").read_bytes())
    (attachment,) = manifest["attachments"]
    attachment["checksum"], attachment["bytes"] = compute_checksum(data), len(data)
    manifest["config"]["tokenizer"]["files"] = [attachment["checksum"]]
    manifest["fingerprint"] = compute_checksum(msgspec.json.encode(manifest["config"], order="sorted"))
    file.unlink()
    (path / ATTACHMENTS / attachment["checksum"]).write_bytes(data)
    sign_manifest(path, manifest)


def _merge(path: Path, kind: str) -> None:
    with open_index(path, kind) as index:
        index.merge(memory="64M", threads=1)


def _change_column(path: Path, generator: random.Random) -> None:
    """Other numbers in a column, and all checksums above it made right."""
    folder = path / "segments" / generator.choice(["000001", "000002"])
    file = generator.choice(sorted(folder.glob("*.npy")))
    data = bytearray(file.read_bytes())
    if len(data) == HEADER_BYTES:
        return
    for _ in range(generator.choice((1, 1, 1, 8))):
        place = generator.randrange(HEADER_BYTES, len(data))
        width = generator.choice((1, 2, 4, 8))
        data[place : place + width] = generator.choice(
            (b"\xff", b"\x00", b"\x7f", b"\x80", bytes([generator.randrange(256)]))
        ) * len(data[place : place + width])
    file.write_bytes(data)
    record = json.loads((folder / "segment.json").read_bytes())
    record["columns"][file.stem]["checksum"] = compute_checksum(bytes(data[HEADER_BYTES:]))
    _sign(path, folder, record)


def _sign(path: Path, folder: Path, record: Any) -> None:
    (folder / "segment.json").write_bytes(data := encode(record))
    manifest = json.loads((path / "manifest.json").read_bytes())
    for entry in manifest["segments"]:
        if entry["name"] == folder.name:
            entry["checksum"] = compute_checksum(data)
    sign_manifest(path, manifest)


def sign_manifest(path: Path, manifest: Any) -> None:
    """Write a manifest with the checksum that it should have, as far as it can be read as one."""
    try:
        held = msgspec.convert(manifest, Manifest)
    except (msgspec.ValidationError, RecursionError):
        (path / "manifest.json").write_bytes(encode(manifest))
        return
    checksum = compute_checksum(encode(msgspec.structs.replace(held, checksum="")))
    (path / "manifest.json").write_bytes(encode(msgspec.structs.replace(held, checksum=checksum)))


def _change_record(path: Path, generator: random.Random) -> None:
    """Other values in the manifest or the record of a segment, by a grammar of what JSON can say there."""
    manifest = json.loads((path / "manifest.json").read_bytes())
    if generator.random() < 0.5:
        _mutate(manifest, generator)
        if generator.random() < 0.5 and isinstance(manifest.get("config"), dict):
            manifest["fingerprint"] = compute_checksum(msgspec.json.encode(manifest["config"], order="sorted"))
        sign_manifest(path, manifest)
        return
    folder = path / "segments" / "000001"
    record = json.loads((folder / "segment.json").read_bytes())
    _mutate(record, generator)
    _sign(path, folder, record)


VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 65535, 65536, 2**31, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 0.5, 1e308, "", "0", "x" * 1000,
    "../000001", "/etc/passwd", "000001", "000009", "\u0000", [], {}, [[]], [2**62], [1, 2], {"a": 1},
    {"file": "/dev/zero"}, {"name": "bpe", "file": "/dev/zero", "digest": "0", "shingle": 1}, "0" * 32, ["0" * 32],
    {"name": "bpe", "files": ["0" * 32], "shingle": 1}, {"name": "bpe", "files": ["../../secret"], "shingle": 2**70},
)  # fmt: skip


def _mutate(value: Any, generator: random.Random) -> None:
    """Replace, remove, add or repeat something somewhere in a JSON value."""
    places: list[tuple[Any, Any]] = []

    def gather(each: Any) -> None:
        items = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for key, inner in items:
            places.append((each, key))
            gather(inner)

    gather(value)
    holder, key = generator.choice(places)
    kind = generator.randrange(5)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.append(holder[key])
    elif kind == 2 and isinstance(holder, dict):
        holder[generator.choice(["extra", "config", "frequencies", "extents", "attachments", "files"])] = (
            generator.choice(VALUES)
        )
    elif kind == 3:
        holder[key] = json.loads("[" * 900 + "]" * 900)
    else:
        holder[key] = generator.choice(VALUES)


PIECES = (b"[" * 2000, b"9" * 6000, b"\xff", b'"', b"{", b"", b"1e999", b"\\ud800")


def run_manifests(outcomes: Outcomes, *, numbers: range) -> None:
    """Bytes that are no manifest at all."""
    with workplace() as place:
        path = place / "index"
        make_index(path, "passages")
        sound = (path / "manifest.json").read_bytes()

        def make() -> Iterator[Trial]:
            for seed in numbers:

                def trial(seed: int = seed) -> str | None:
                    generator = random.Random(seed)
                    data = bytearray(sound)
                    for _ in range(generator.randrange(1, 6)):
                        place = generator.randrange(len(data))
                        data[place : place + generator.randrange(3)] = generator.choice(PIECES)
                    (path / "manifest.json").write_bytes(data)
                    try:
                        with Store.open(path):
                            # White space apart, which is no part of what a manifest says.
                            same = json.loads(data) == json.loads(sound)
                            return None if same else "an altered manifest was opened"
                    except IbidemError:
                        return None

                yield "manifests: bytes", f"seed {seed}", trial

        in_child(make(), outcomes)
