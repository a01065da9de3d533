"""Projects: a folder on the disk for each, which is whole at every instant.

=====================  ====================================================================================
``project.json``       the name
``items/ID.json``      a file that was brought: its name, its role, and where its bytes are
``contents/HASH.EXT``  the bytes of files, each once
``readings/KEY.json``  what was read of a file, or why it was not; ``KEY.jsonl`` has its documents
``marks.json``         what a person said of pairs of documents
``runs/ID``            a question and its answer (:mod:`ibidem.web.projects.runs`)
=====================  ====================================================================================

Each file is replaced at one instant, and nothing that a browser sends is part of a path: names are looked up.
"""

import hashlib
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

import msgspec

from ibidem.system import disk
from ibidem.system.locks import lock as take
from ibidem.web.problems import ProblemError
from ibidem.web.report.marks import Mark

Role = Literal["text", "source", "template", "metadata"]
"""The purpose of a file: to be compared, only to be compared with, to be subtracted, or to describe the others."""

MOST_FILES = 5000
"""Of a project."""

MOST_BYTES = 200_000_000
"""Of a file."""

_LONGEST_NAME = 300

_LONGEST_NOTE = 10_000

_FOLDERS: dict[str, Role] = {
    **dict.fromkeys(("source", "sources", "quelle", "quellen"), "source"),
    **dict.fromkeys(("template", "templates", "vorlage", "vorlagen"), "template"),
}
"""The roles that names of folders give to the files in them."""

_SUBMISSIONS = (
    re.compile(r"(?<![^/])(?P<person>[^/_]+)_\d+_assignsubmission_(?:file|onlinetext)_?/?(?P<file>[^/]+)$"),
    re.compile(r"(?<![^/])(?P<person>[^\W\d_]+)(?:_LATE)?_\d{2,}_\d{2,}_(?P<file>[^/]+)$"),
    re.compile(r"(?<![^/])[^/]*_(?P<person>[^/_]+)_attempt_\d{4}(?:-\d\d){5}(?:_|(?=\.))(?P<file>[^/]+)$"),
)
"""The names that Moodle, Canvas and Blackboard give to files of students, in a folder or not."""

_Value = TypeVar("_Value")


class ProjectFile(msgspec.Struct, frozen=True):
    """A file of a project.

    Attributes:
        name: unique in the project.
        content: the name of its bytes in ``contents``.
        encoding: as a person named it; found out if not given.
        is_given: whether a person chose the role; otherwise the name or the content decides.
    """

    id: str
    name: str
    role: Role
    content: str
    size: int
    encoding: str | None = None
    is_given: bool = False

    @classmethod
    def of_key(cls, name: str, key: str) -> "ProjectFile":
        """The file of a reading, as a run knows it: by the key of the reading."""
        content, _, encoding = key.partition("@")
        return cls("", name, "text", content, 0, encoding or None)

    @property
    def key(self) -> str:
        """Of its reading."""
        return self.content if self.encoding is None else f"{self.content}@{self.encoding}"


class Reading(msgspec.Struct, frozen=True):
    """The result of reading a file.

    Attributes:
        state: ``"metadata"`` is a table without texts, ``"unpacked"`` an archive whose files are items of their own.
        problem: why a file was left out, or how its encoding was found.
        pages, encoding: where they are known.
        columns: of a table.
    """

    state: Literal["read", "left out", "metadata", "unpacked"]
    problem: str = ""
    documents: int = 0
    words: int = 0
    characters: int = 0
    pages: int | None = None
    encoding: str | None = None
    columns: list[str] = []


class _About(msgspec.Struct, frozen=True):
    name: str
    created: float
    version: int = 1


def write_json(path: Path, value: Any) -> None:
    """Replace a file at one instant."""
    aside = path.with_name(f".{secrets.token_hex(6)}")
    try:
        disk.write_file(aside, msgspec.json.encode(value))
        disk.rename(aside, path)
    except OSError:
        disk.remove(aside)
        raise


def read_json(path: Path, kind: type[_Value]) -> _Value | None:
    """Read a file, if it is there and whole."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, msgspec.DecodeError):
        return None


def take_lock(path: Path) -> IO[str] | None:
    """Open and lock a file until it is closed or the process ends; ``None`` if another process has locked it."""
    lock = path.open("a+")
    try:
        take(lock, wait=False)
    except BlockingIOError:
        lock.close()
        return None
    return lock


def _id_of(name: str) -> str:
    """The id of a file, derived from its name, so that it is found without listing all files."""
    return hashlib.sha256(name.encode()).hexdigest()[:12]


def _is_id(name: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{12}", name) is not None


class NamedFolder:
    """A value that is stored in a folder; the name of the folder is its id."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def id(self) -> str:
        """The id in addresses."""
        return self.folder.name


class Projects:
    """The projects in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        for removed_folder in folder.glob(".removed-*"):
            disk.remove_tree(removed_folder)

    def list(self) -> "list[Project]":
        """All projects, the newest first."""
        projects = [Project(path) for path in self._folder.iterdir() if _is_id(path.name)]
        return sorted((path for path in projects if path.exists()), key=lambda path: -path.about.created)

    def create(self, name: str) -> "Project":
        """A new project."""
        project = Project(self._folder / secrets.token_hex(6))
        project.folder.mkdir(mode=0o700)
        for part in ("items", "contents", "readings", "runs"):
            (project.folder / part).mkdir()
        write_json(project.folder / "project.json", _About(clean_name(name) or "Project", time.time()))
        return project

    def open(self, id: str) -> "Project":
        """A project by its id.

        Raises:
            ProblemError: there is none.
        """
        project = Project(self._folder / id)
        if not _is_id(id) or not project.exists():
            raise ProblemError(404, "there is no such project")
        return project

    def remove(self, project: "Project") -> None:
        """Remove a project with all that it holds."""
        aside = self._folder / f".removed-{project.id}"
        disk.rename(project.folder, aside)
        disk.remove_tree(aside)


class Project(NamedFolder):
    """A project: files, what was read of them, marks and runs."""

    @property
    def about(self) -> _About:
        """Its name, and when it was made."""
        return read_json(self.folder / "project.json", _About) or _About("", 0.0)

    def exists(self) -> bool:
        """Return whether the project was completely created."""
        return (self.folder / "project.json").is_file()

    @property
    def runs(self) -> Path:
        """The folder of questions and answers."""
        return self.folder / "runs"

    def items(self) -> list[ProjectFile]:
        """All files, by name."""
        items = (read_json(path, ProjectFile) for path in (self.folder / "items").glob("[0-9a-f]*.json"))
        return sorted((item for item in items if item is not None), key=lambda item: _natural(item.name))

    def shown_items(self) -> list[ProjectFile]:
        """All files but archives that were unpacked: their files are items of their own."""
        readings = ((item, self.reading(item)) for item in self.items())
        return [item for item, reading in readings if reading is None or reading.state != "unpacked"]

    def item(self, id: str) -> ProjectFile:
        """A file by its id.

        Raises:
            ProblemError: there is none.
        """
        item = read_json(self._item_path(id), ProjectFile) if _is_id(id) else None
        if item is None:
            raise ProblemError(404, "there is no such file")
        return item

    def put(self, item: ProjectFile) -> None:
        """Write what is known of a file."""
        write_json(self._item_path(item.id), item)

    def remove(self, item: ProjectFile) -> None:
        """Take a file out; its bytes and its reading go if no other item has them."""
        disk.remove(self._item_path(item.id))
        others = self.items()
        if not any(other.key == item.key for other in others):
            for suffix in (".jsonl", ".json"):
                disk.remove(self.reading_path(item.key, suffix))
        if not any(other.content == item.content for other in others):
            disk.remove(self.content_path(item.content))

    def content_path(self, content: str) -> Path:
        """The bytes of a file."""
        return self.folder / "contents" / content

    def reading_path(self, key: str, suffix: str) -> Path:
        """The path of a reading: ``.json``, and ``.jsonl`` for its documents."""
        return self.folder / "readings" / f"{key}{suffix}"

    def reading(self, item: ProjectFile) -> Reading | None:
        """The reading of a file, once there is one."""
        return read_json(self.reading_path(item.key, ".json"), Reading)

    def unread(self) -> Iterator[ProjectFile]:
        """The files that are still to be read."""
        return (item for item in self.items() if not self.reading_path(item.key, ".json").exists())

    def add(self, name: str, parts: Iterable[bytes], role: Role | None = None) -> ProjectFile:
        """Take in a file; one of the same name and bytes is there once.

        Raises:
            ProblemError: it is too large, or there are too many.
        """
        incoming = Incoming(self)
        try:
            for part in parts:
                incoming.write(part)
            return incoming.finish(name, role)
        finally:
            incoming.close()

    def adopt(self, name: str, content: str, size: int, role: Role | None) -> ProjectFile:
        """Make the item of bytes that are in ``contents``. If another file has its name, a number is added."""
        name = name_submission(clean_name(name)) or "file"
        named_role, (stem, dot, suffix) = tell_role(name), name.rpartition(".")
        with (self.folder / "items" / ".lock").open("w") as lock:
            take(lock)
            for number in count(1):
                unique_name = name if number == 1 else f"{stem} ({number}).{suffix}" if dot else f"{name} ({number})"
                item = ProjectFile(
                    _id_of(unique_name), unique_name, role or named_role, content, size, is_given=role is not None
                )
                existing = read_json(self._item_path(item.id), ProjectFile)
                if existing is None:
                    break
                if existing.content == content:
                    return existing
            if len(os.listdir(self.folder / "items")) > MOST_FILES:
                raise ProblemError(413, f"a project has {MOST_FILES:,} files at most")
            self.put(item)
        return item

    def marks(self) -> list[Mark]:
        """All marks."""
        return read_json(self.folder / "marks.json", list[Mark]) or []

    def remove_partial(self) -> None:
        """Remove what a killed server had begun to write."""
        for place in (".", "items", "contents", "readings"):
            for path in (self.folder / place).glob(".*"):
                if re.fullmatch(r"\.[0-9a-f]{12,16}", path.name):
                    disk.remove(path)

    def put_mark(self, mark: Mark) -> None:
        """Set the mark and the note of a pair, or remove both."""
        a, b = sorted((mark.a, mark.b))
        mark = Mark(a, b, mark.mark, mark.note[:_LONGEST_NOTE])
        with (self.folder / "items" / ".lock").open("w") as lock:
            take(lock)
            others = [other for other in self.marks() if (other.a, other.b) != (mark.a, mark.b)]
            write_json(self.folder / "marks.json", [*others, mark] if mark.mark or mark.note else others)

    def _item_path(self, id: str) -> Path:
        return self.folder / "items" / f"{id}.json"


class Incoming:
    """A file that is being received; it becomes part of the project when it is complete."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._path = project.folder / "contents" / f".{secrets.token_hex(8)}"
        self._descriptor = disk.create(self._path)
        self._digest, self._size = hashlib.sha256(), 0

    def write(self, part: bytes) -> None:
        """Write some more bytes.

        Raises:
            ProblemError: they are too many.
        """
        self._size += len(part)
        if self._size > MOST_BYTES:
            raise ProblemError(413, f"a file has {MOST_BYTES:,} bytes at most", connection="close")
        self._digest.update(part)
        disk.write(self._descriptor, part)

    def finish(self, name: str, role: Role | None) -> ProjectFile:
        """The item that these bytes are of."""
        content = self._digest.hexdigest()[:32] + _suffix(name)
        disk.sync(self._descriptor)
        disk.rename(self._path, self._project.content_path(content))
        return self._project.adopt(name, content, self._size, role)

    def close(self) -> None:
        """Close the file, and remove it if it was not finished."""
        os.close(self._descriptor)
        with suppress(OSError):
            disk.remove(self._path)


def clean_name(name: str) -> str:
    """A name as it is shown: no control characters, and as a path only a relative one.

    >>> clean_name("..\\\\../essays//first\\n.txt")
    'essays/first.txt'
    """
    printable = "".join(sign for sign in name.replace("\\", "/") if sign.isprintable())
    parts = [part.strip() for part in printable.split("/")]
    return "/".join(part for part in parts if part not in ("", ".", ".."))[-_LONGEST_NAME:]


def name_submission(name: str) -> str:
    """The name of a file as people know it, if a learning platform has made one of its own: the person, and the file.

    A folder of Moodle has a name in the order that its site was set to, and does not say which: it stays as it is.
    Canvas and Blackboard write the name of the account.

    >>> name_submission("Hill Tara_100223_assignsubmission_file_/essay.docx")
    'Hill Tara/essay.docx'
    >>> name_submission("hilltara_LATE_4711_123456_essay.docx"), name_submission("th42_essay.docx")
    ('hilltara/essay.docx', 'th42_essay.docx')
    >>> name_submission("Essay 1_th42_attempt_2026-05-04-10-11-12_essay.docx")
    'th42/essay.docx'
    """
    for pattern in _SUBMISSIONS:
        if match := pattern.search(name):
            return f"{name[: match.start()]}{match['person']}/{match['file']}"
    return name


def tell_role(name: str) -> Role:
    """Determine the role of a file from the names of its folders, or from how its own name begins.

    >>> tell_role("class/Sources/book.pdf"), tell_role("template.docx"), tell_role("anna.txt")
    ('source', 'template', 'text')
    """
    *folders, file_name = name.lower().split("/")
    for folder in folders:
        if folder in _FOLDERS:
            return _FOLDERS[folder]
    return "template" if re.match(r"(template|vorlage)\b", file_name) else "text"


def _suffix(name: str) -> str:
    """The extension of a name if it is plain; that of a compressed file has two parts, such as ``.txt.gz``."""
    match = re.search(r"(\.[a-z0-9]{1,12})?\.[a-z0-9]{1,12}$", name.lower())
    if match is None:
        return ""
    extensions = match.group()
    return extensions if extensions.endswith((".gz", ".zst", ".bz2", ".xz")) else "." + extensions.rpartition(".")[2]


def _natural(name: str) -> list[Any]:
    """A key by which 2 comes before 10."""
    return [(int(part), "") if part.isdecimal() else (0, part.lower()) for part in re.split(r"(\d+)", name)]
