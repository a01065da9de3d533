"""A plan: what a long job reads, with what settings, in how many parts, and where its result goes.

A plan is a folder with one file that never changes, ``plan.json``, and the folder ``work``, which the ranks fill. It is
all that a rank needs to know, so a rank is started with nothing but its path.
"""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
import xxhash

import ibidem
from ibidem.corpus.writing.workplace import finish_aside, make_aside
from ibidem.errors import PlanError
from ibidem.remote.storage import is_remote
from ibidem.system import disk

PLAN_VERSION = 1

PLAN_FILE = "plan.json"

STARTING_SECONDS = 0.65
"""Processor time until a rank has begun, libraries and kernels loaded."""

Settings = TypeVar("Settings")

Count = Annotated[int, msgspec.Meta(ge=0)]

Kind = Literal["index", "dedup", "passages", "reuse", "explanation", "contamination"]
"""The kinds of results that plans make."""

_JOBS: dict[Kind, tuple[str, str]] = {
    "index": ("ibidem.passages.job.planned", "PlannedIndex"),
    "dedup": ("ibidem.documents.job.planned", "PlannedDedup"),
    "passages": ("ibidem.reuse.removal.planned", "PlannedPassages"),
    "reuse": ("ibidem.reuse.job.planned", "PlannedReuse"),
    "explanation": ("ibidem.reuse.job.planned", "PlannedExplanation"),
    "contamination": ("ibidem.contamination.job.planned", "PlannedContamination"),
}
"""The module and the class of each kind of job. The class has its ``stages``, and is made of a workspace."""


class ShardPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The place of a piece in its file: at byte ``begin``, in line ``line``; ``of`` are the bytes of the file."""

    begin: Count
    line: Annotated[int, msgspec.Meta(ge=1)]
    of: Count


class Shard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One input file, or a piece of one, and how to tell that it is still the same.

    Attributes:
        path: where it is read, absolute or a URL.
        name: how it appears in the ids of documents that have no id of their own.
        size: bytes.
        checksum: xxh3 of these bytes, 128 bits, in hexadecimal.
        piece: where these bytes are in the file, if they are not all of it.
    """

    path: str
    name: str
    size: Count
    checksum: str
    piece: ShardPiece | None = None


class Prediction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The resources that the job will take on a machine like the one that made the plan.

    Attributes:
        documents, tokens: how many the input holds.
        seconds: of processor time, which are those of one rank of one thread.
        memory: bytes at the peak of a rank.
        disk: bytes at the peak with one rank, result included.
        basis: how these were found.
        starting: how many of the seconds each further rank takes, too.
        disk_of_rank: bytes that each further rank takes at the peak,
        most_ranks: up to so many ranks.
    """

    documents: Count
    tokens: Count
    seconds: float
    memory: Count
    disk: Count
    basis: str
    starting: float = STARTING_SECONDS
    disk_of_rank: Count = 0
    most_ranks: Count = 1


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A job, cut into parts.

    Attributes:
        kind: what is made.
        output: where it goes, an absolute path.
        shards: the input, in order.
        parts: for each part the first of its shards and the one after its last.
        settings: what the command was asked for; its keys depend on the kind.
        memory: bytes that a rank may take.
        checksum: of the plan's own JSON, with this field empty.
    """

    version: int = PLAN_VERSION
    written_by: str = f"ibidem {ibidem.__version__}"
    kind: Kind
    output: str
    shards: list[Shard]
    parts: list[tuple[Count, Count]]
    settings: dict[str, Any]
    memory: Count
    prediction: Prediction
    checksum: str = ""

    def sign(self) -> "Plan":
        """The plan with its checksum."""
        return msgspec.structs.replace(self, checksum=_checksum(self))

    @property
    def num_files(self) -> int:
        """Files of the input."""
        return sum(shard.piece is None or not shard.piece.begin for shard in self.shards)

    def read_settings(self, kind: type[Settings]) -> Settings:
        """The settings as those of a kind of plan.

        Raises:
            PlanError: they are not.
        """
        try:
            return msgspec.convert(self.settings, kind)
        except msgspec.ValidationError as error:
            raise PlanError(
                f"the settings of the plan are not those of {self.kind}: {error}; plan the job again"
            ) from None

    def find_job(self) -> Any:
        """The class of the job; its module is loaded when it is needed, since a rank starts often."""
        module, name = _JOBS[self.kind]
        return getattr(import_module(module), name)

    def shards_of(self, part: int) -> list[Shard]:
        """The shards that a part reads."""
        first, end = self.parts[part]
        return self.shards[first:end]


class _Stamp(msgspec.Struct):
    """The fields that every version can read of every other's plan."""

    version: int
    written_by: str = "another program"


def require_rebuildable(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse the configuration of a tokenizer that no other process can make: that of a function.

    Raises:
        PlanError: names the function.
    """
    if config.get("name") == "callable":
        raise PlanError(
            f"a plan is run by other processes, which have no function {config.get('function')}: name a tokenizer"
        )
    return config


def require_local_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a URL as the folder of a plan.

    Raises:
        PlanError: it is one.
    """
    if is_remote(os.fspath(folder)):
        raise PlanError(
            f"{folder}: a URL, and ranks need a file system to say what they are at; name a folder that all see "
            "(the input and the result of a plan may be URLs)"
        )


def require_new_folder(folder: str | os.PathLike[str]) -> None:
    """Refuse a place where no plan can be written.

    Raises:
        PlanError: ``folder`` exists, or it is a URL.
    """
    require_local_folder(folder)
    if Path(folder).exists():
        raise PlanError(f"{folder}: this folder exists already; name one that does not exist yet")


def write_plan(
    folder: str | os.PathLike[str], plan: Plan, files: Mapping[str, Callable[[Path], object]] | None = None
) -> None:
    """Make the folder of a plan, at one instant; ``files`` are written beside it, each by a function of its path.

    Raises:
        PlanError: ``folder`` exists, or it is a URL.
        CorpusError: the folder where it is made belongs to someone else.
    """
    require_new_folder(folder)
    place = Path(folder)
    place.absolute().parent.mkdir(parents=True, exist_ok=True)
    aside = make_aside(place)
    for name, write in (files or {}).items():
        write(aside / name)
    disk.write_file(aside / PLAN_FILE, _encode(plan))
    disk.sync_folder(aside)
    finish_aside(aside, place)


def read_plan(folder: str | os.PathLike[str]) -> Plan:
    """The plan in a folder.

    Raises:
        PlanError: there is none, it is of another version, or it was altered.
    """
    require_local_folder(folder)
    file = Path(folder) / PLAN_FILE
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise PlanError(f"{folder}: not a plan: there is no {PLAN_FILE}; 'ibidem plan' makes one") from None
    try:
        stamp = msgspec.json.decode(data, type=_Stamp)
        if stamp.version != PLAN_VERSION:
            raise PlanError(
                f"{file}: a plan of version {stamp.version}, written by {stamp.written_by}; this is ibidem "
                f"{ibidem.__version__}, which runs version {PLAN_VERSION}: plan the job again"
            )
        plan = msgspec.json.decode(data, type=Plan)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PlanError(f"{file}: not a plan: {error}") from None
    if plan.checksum != _checksum(plan):
        raise PlanError(f"{file}: the plan was altered: a plan is never edited; plan the job again")
    if fault := _find_fault(plan):
        raise PlanError(f"{file}: no plan that ibidem writes: {fault}; plan the job again")
    return plan


def _find_fault(plan: Plan) -> str | None:
    """The fault of a plan that ibidem does not write, whoever made its checksum; ``None`` if there is none."""
    bounds = [bound for part in plan.parts for bound in part]
    if bounds[:1] != [0] or bounds[-1] != len(plan.shards) or bounds[1:-1:2] != bounds[2::2]:
        return f"its parts {plan.parts} are not those of {len(plan.shards)} files"
    if any(low >= high for low, high in plan.parts):
        return "a part of it is empty"
    for path in (plan.output, *(shard.path for shard in plan.shards)):
        if not (is_remote(path) or (os.path.isabs(path) and ".." not in Path(path).parts)):
            return f"{path!r} is neither an absolute path nor a URL"
    return None


def _encode(plan: Plan) -> bytes:
    return msgspec.json.format(msgspec.json.encode(plan, order="deterministic"), indent=1) + b"\n"


def _checksum(plan: Plan) -> str:
    return xxhash.xxh3_128_hexdigest(_encode(msgspec.structs.replace(plan, checksum="")))
