"""The process that answers a question.

It writes the documents as files that the command line reads, calls what the command calls, and gives the folder of the
answer its name when all is written. Its time and memory are bounded, and its temporary files lie in the run.
"""

import tempfile
import time
import traceback
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from unicodedata import normalize

from ibidem.errors import CorpusError, IbidemError
from ibidem.resources import Resources
from ibidem.system import disk
from ibidem.system.bounds import bound_memory, bound_time
from ibidem.text import make_tokenizer
from ibidem.text.json_values import encode_json
from ibidem.web.problems import ProblemError
from ibidem.web.projects.answers import ANSWERS, AnswerWork, AskedTexts
from ibidem.web.projects.projects import Project, ProjectFile, write_json
from ibidem.web.projects.reading import StoredDocument, follow_server, read_documents, read_table
from ibidem.web.projects.runs import Ask, Progress, Run
from ibidem.web.projects.views import ROLE, write_view

_PAUSE = 0.2
"""Seconds between two notes of the progress."""

_DATES = ("date", "year")

_RESERVE = 6 << 30
"""Bytes of address space beside the memory of a run: libraries and compiled kernels take some that is never used."""


_PER_BYTE = 8
"""Bytes of address space for each byte of the texts: files of their tokens are mapped, which takes no memory."""


class _Teller:
    """Writes the progress of the work to a file, a few times a second at most."""

    def __init__(self, path: Path) -> None:
        self._path, self._said = path, 0.0
        self._steps: list[tuple[str, float]] = []

    def __call__(self, step: str, done: int, total: int | None) -> None:
        now = time.time()
        if not self._steps or self._steps[-1][0] != step:
            self._steps.append((step, now))
        elif now - self._said < _PAUSE:
            return
        self._said = now
        write_json(self._path, Progress(self._steps, int(done), None if total is None else int(total)))


def answer_run(folder: Path) -> None:
    """Answer the question of a run, or record why there is no answer."""
    follow_server()
    run = Run(folder)
    ask = run.ask
    bound_memory(_RESERVE + 2 * ask.memory + _PER_BYTE * _count_bytes(run, ask))
    bound_time(ask.seconds)
    scratch = disk.make_empty(run.folder / "scratch")
    tempfile.tempdir = str(scratch)
    try:
        answer(run, ask, scratch)
    except (IbidemError, ProblemError, ValueError) as error:
        run.fail(str(error))
    except MemoryError:
        run.fail("there is not enough memory: ask about fewer files, or start ibidem app with more --memory")
    except OSError as error:
        run.fail(f"the answer could not be written: {error.strerror or error}")
    except Exception:
        (run.folder / "log").write_text(traceback.format_exc(), encoding="utf-8")
        run.fail("an error of ibidem; the log of the run has more")
    disk.remove_tree(scratch)


def _count_bytes(run: Run, ask: Ask) -> int:
    """The bytes of all documents that a run is about."""
    project = Project(run.folder.parent.parent)
    readings = (project.reading_path(key, ".jsonl") for _, _, key in ask.items)
    return sum(path.stat().st_size for path in readings if path.exists())


def answer(run: Run, ask: Ask, scratch: Path) -> None:
    """Write the answer of a run, and give it its name."""
    tell = _Teller(run.folder / "progress.json")
    tell("reading", 0, None)
    project = Project(run.folder.parent.parent)
    asked_texts = _take_texts(project, ask)
    place = scratch / "answer"
    place.mkdir()
    _write_documents(place / "texts.jsonl", asked_texts.texts)
    if asked_texts.sources:
        _write_documents(place / "sources.jsonl", asked_texts.sources)
    settings = dict(ask.question.settings)
    normalize, reasons = _choose_spelling(settings, asked_texts)
    settings["normalize"] = list(normalize)
    tokenizer = make_tokenizer("words", normalize=normalize)
    resources = Resources.of(ask.memory, None, tell)
    work = AnswerWork(asked_texts, settings, tokenizer, resources, place)
    findings, facts = ANSWERS[ask.question.kind](work)
    tell("writing", 0, None)
    findings = findings._replace(settings=settings, not_read=_list_unread(project))
    facts |= {"kind": ask.question.kind, "reasons": reasons}
    write_view(findings, asked_texts.texts + asked_texts.sources, asked_texts.date, tokenizer, place, facts)
    disk.rename(place, run.answer)


def _list_unread(project: Project) -> list[tuple[str, str]]:
    """The files that were not read, and why."""
    readings = ((item.name, project.reading(item)) for item in project.items())
    return [(name, reading.problem) for name, reading in readings if reading and reading.state == "left out"]


def _take_texts(project: Project, ask: Ask) -> AskedTexts:
    """The documents of the files that a run is about."""
    metadata_files = [ProjectFile.of_key(name, key) for name, role, key in ask.items if role == "metadata"]
    tables = [read_table(project.content_path(file.content), None) for file in metadata_files]
    facts = join_metadata([row for table in tables for row in table])
    documents: dict[str, list[StoredDocument]] = {"text": [], "source": [], "template": []}
    for name, role, key in ask.items:
        item = ProjectFile.of_key(name, key)
        if role == "metadata" or not project.reading_path(key, ".jsonl").exists():
            continue
        for document in read_documents(project, item):
            metadata = document.metadata | facts(document.id)
            if role == "source":
                metadata[ROLE] = "source"
            documents[role].append(document._replace(metadata=metadata))
    if not documents["text"]:
        raise CorpusError("there is no text to ask about: add files, or give some the role of texts")
    templates = tuple((document.id, document.text) for document in documents["template"])
    table_columns = {name for table in tables for row in table for name in row}
    date = _date_column(documents["text"] + documents["source"], table_columns)
    return AskedTexts(documents["text"], documents["source"], templates, date)


def join_metadata(rows: list[dict[str, str]]) -> Callable[[str], dict[str, str]]:
    """Return a function that looks up the row of a document: one of its values is the document's name.

    The name may be with or without folder and ending, and its accents letters of their own, as a Mac has them.

    >>> find = join_metadata([{"file": "anna.docx", "author": "Anna"}])
    >>> find("essays/anna.docx"), find("essays/ben.docx")
    ({'author': 'Anna'}, {})
    """
    by_name = {_fold(value.strip()): (name, row) for row in rows for name, value in reversed(row.items())}

    def find(id: str) -> dict[str, str]:
        base = id.rpartition("/")[2]
        for name in (id, base, base.rpartition(".")[0]):
            if name and _fold(name) in by_name:
                column, row = by_name[_fold(name)]
                return {key: value for key, value in row.items() if key not in (column, "text", "id")}
        return {}

    return find


def _fold(name: str) -> str:
    return normalize("NFC", name.lower())


def _date_column(documents: Sequence[StoredDocument], table_columns: Container[str]) -> str | None:
    """The column of dates that a table has, if its values can be compared with each other.

    What files say of themselves, such as when one was saved, is no date of a text.
    """
    for name in _DATES:
        values = [
            document.metadata[name]
            for document in documents
            if document.metadata.get(name) not in (None, "") and (name in table_columns or document.is_row)
        ]
        kinds = {type(value) for value in values}
        if values and len(kinds) == 1 and kinds <= {str, int, float}:
            return name
    return None


def _choose_spelling(settings: Mapping[str, Any], asked_texts: AskedTexts) -> tuple[tuple[str, ...], list[str]]:
    """The normalizations, and why those were chosen: those of ``ibidem advise`` if nobody said otherwise."""
    from ibidem.text.advice import advise_texts, thin_texts
    from ibidem.text.normalization import parse_names

    spelling = settings["spelling"]
    if spelling != "advised":
        return (() if spelling == "as it is" else parse_names(spelling)), []
    advice = advise_texts(thin_texts(document.text for document in asked_texts.texts + asked_texts.sources))
    names = next((option.removeprefix("--normalize ") for option in advice.options), "")
    return parse_names(names), advice.reasons


def _write_documents(path: Path, documents: Iterable[StoredDocument]) -> None:
    """Write documents as the command line reads them."""
    with path.open("wb") as out:
        for document in documents:
            facts = {name: value for name, value in document.metadata.items() if name not in ("id", "text")}
            out.write(encode_json({"id": document.id, "text": document.text, **facts}) + b"\n")
