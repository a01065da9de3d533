"""Reading evaluations: the files of decon as they are, those of well-known benchmarks, and any with named columns."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from ibidem.contamination.benchmarks import AnswerChoices, Benchmark, read_choices, recognize
from ibidem.contamination.items import (
    AnswerColumn,
    ChoicesColumn,
    EvalColumns,
    Evals,
    Item,
    PassageColumn,
    QuestionColumn,
)
from ibidem.contamination.quotations import split_quotation
from ibidem.corpus.columnar import KINDS, open_columnar
from ibidem.corpus.delimited import read_names
from ibidem.corpus.dialects import DELIMITERS
from ibidem.corpus.faults import missing_column
from ibidem.corpus.folders import is_description
from ibidem.corpus.formats import FORMATS, format_of, read_source
from ibidem.corpus.json_records import split_records
from ibidem.corpus.jsonl import parse_object
from ibidem.corpus.listing import list_sources
from ibidem.corpus.opening import LARGEST_LINE, open_stream
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import Source
from ibidem.counts import format_count
from ibidem.errors import CorpusError
from ibidem.text.collection import ArrowStream
from ibidem.text.json_values import replace_surrogates

_Path = str | os.PathLike[str]

AnyEvals = Evals | _Path | Iterable[_Path] | ArrowStream | Iterable[Mapping[str, Any]]
"""The values that a caller may pass as evaluations."""

_KEYS = ("eval_key", "eval_instance_index", "question")
"""Columns that mark the files of decon, where each answer of a question is a row, and which cut an eval anywhere."""


def read_evals(
    paths: _Path | Iterable[_Path],
    *,
    question: QuestionColumn = None,
    answer: AnswerColumn = None,
    passage: PassageColumn = None,
    choices: ChoicesColumn = None,
) -> Evals:
    """The items of files of evaluations: JSON lines, Parquet or CSV, compressed or not.

    Other files of a folder, such as ``README.md`` beside the tables of a data set, are passed over and listed as such.

    Args:
        question, answer, passage, choices: the columns that hold these, if they are not recognized.

    Raises:
        CorpusError: a file is none, a row has no question or empty choices, or two items have one id.
    """
    return _read_files(paths, EvalColumns(question, answer, passage, choices))


def _read_files(paths: _Path | Iterable[_Path], columns: EvalColumns) -> Evals:
    names = [os.fspath(path) for path in ([paths] if isinstance(paths, str | os.PathLike) else paths)]
    sources = list_sources(names)
    tables = [source for source in sources if source.path in names or _may_be_eval(source)]
    if not tables:
        names_read = ", ".join(source.path for source in sources[:5])
        raise CorpusError(f"{names_read}: no eval: evals are JSON lines, Parquet or CSV files")
    evals = _gather(_read_file(source, columns) for source in tables)
    passed_over = [f"{source.path}: passed over, no table of items" for source in sources if source not in tables]
    return evals._replace(recognized=[*evals.recognized, *passed_over])


def _may_be_eval(source: Source) -> bool:
    """Determine whether a file of a folder is a table, and none that describes a data set."""
    is_table = any(format_of(source) == FORMATS[name] for name in ("jsonl", "parquet", "arrow", "csv", "tsv"))
    return is_table and not is_description(source.name)


def as_evals(evals: AnyEvals, columns: EvalColumns) -> Evals:
    """The items of evaluations that a caller passes as items, paths, a table or rows.

    Raises:
        CorpusError: a row cannot be used.
        TypeError: these are no evaluations.
    """
    if isinstance(evals, Evals):
        return evals
    if isinstance(evals, str | os.PathLike):
        return _read_files(evals, columns)
    if hasattr(evals, "__arrow_c_stream__"):
        import pyarrow as pa

        evals = pa.table(evals).to_pylist()
    if not isinstance(evals, Iterable):
        raise TypeError(f"evals are paths, a table or an iterable of rows, not one {type(evals).__name__}")
    rows: list[Any] = list(evals)
    if rows and all(isinstance(row, str | os.PathLike) for row in rows):
        return _read_files(rows, columns)
    if not rows:
        raise CorpusError("the evals have no item")
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise CorpusError(f"eval {number}: expected a mapping with a question, not {row!r:.80}")
    return _gather([_read_rows(_Origin("evals", "evals", "row"), rows, columns)])


class _Origin(NamedTuple):
    """The origin of rows: the file, the name of its evaluation if rows name none, and the word for a row."""

    path: str
    name: str
    unit: str

    def place(self, number: int) -> str:
        return f"{self.path}, {self.unit} {number + (self.unit == 'line')}"


class _Row(NamedTuple):
    """A row of a file.

    Attributes:
        is_choice: whether it may be one of several that hold the choices of one question.
        id_column: the column that names the item; empty if it is the number of the row.
    """

    item: Item
    is_choice: bool
    id_column: str


class _ReadFile(NamedTuple):
    """The rows of a file, and the format that it was recognized as.

    Attributes:
        spans_files: whether choices of an item may be in another file.
    """

    rows: Iterator[_Row]
    recognized: str
    spans_files: bool = False


def _gather(files: Iterable[_ReadFile]) -> Evals:
    """The items of all files; rows of one id and one question are the choices of one item.

    Raises:
        CorpusError: two items have one id, or there are none.
    """
    items: dict[Any, Item] = {}
    descriptions: list[str] = []
    for file in files:
        count_before = len(items)
        keys_of_file: set[Any] = set()
        for item, is_choice, id_column in file.rows:
            earlier_row = items.setdefault(item.key, item)
            if earlier_row is not item:
                is_in_file = item.key in keys_of_file
                may_be_choice = is_choice and (is_in_file or (file.spans_files and _has_new_answer(item, earlier_row)))
                if not may_be_choice or not _is_same_question(item, earlier_row):
                    raise _name_second_item(item, earlier_row, id_column, is_in_file=is_in_file)
                items[item.key] = _add_choice(earlier_row, item)
            keys_of_file.add(item.key)
        descriptions.append(f"{file.recognized}, {format_count(len(items) - count_before, 'item')}")
    if not items:
        raise CorpusError("the evals have no item")
    return Evals(list(items.values()), descriptions)


def _is_same_question(item: Item, earlier_row: Item) -> bool:
    return (earlier_row.question, earlier_row.passage) == (item.question, item.passage)


def _has_new_answer(item: Item, earlier_row: Item) -> bool:
    """Whether a row of another file adds an answer; a copy of a file does not."""
    return not set(item.answers) <= set(earlier_row.answers)


def _name_second_item(item: Item, first_item: Item, id_column: str, *, is_in_file: bool) -> CorpusError:
    advice = "give each its own" if is_in_file else "rename a file, or add a column 'eval_key'"
    column = f", column {id_column!r}" if id_column else ""
    return CorpusError(
        f"{item.place}{column}: a second item of the id {item.instance!r} in the eval {item.eval_key!r}; "
        f"the first is {first_item.place}; {advice}"
    )


def _add_choice(earlier_row: Item, item: Item) -> Item:
    is_new = earlier_row.correct is None and item.correct is not None
    correct = len(earlier_row.answers) if is_new else earlier_row.correct
    return earlier_row._replace(answers=earlier_row.answers + item.answers, correct=correct)


def _read_file(source: Source, columns: EvalColumns) -> _ReadFile:
    names = _read_column_names(source)
    stem = PurePath(source.name).name.split(".")[0]
    origin = _Origin(source.path, stem, "line" if format_of(source) == FORMATS["jsonl"] else "row")
    reader = _choose_reader(origin, names, columns)
    return _ReadFile(
        _iterate(origin, reader, _read_source_rows(source, reader.question)), reader.describe(origin), reader.is_decon
    )


def _read_source_rows(source: Source, question: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a file, their ids and questions among the others."""
    for batch in read_source(source, Columns(question, "id"), 1 << 20):
        for id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True):
            id_column = {} if id.startswith(f"{source.name}:") else {"id": id}
            yield {**json.loads(metadata), **id_column, question: text}


def _read_rows(origin: _Origin, rows: list[Mapping[str, Any]], columns: EvalColumns) -> _ReadFile:
    names = list(dict.fromkeys(name for row in rows for name in row))
    reader = _choose_reader(origin, names, columns)
    return _ReadFile(_iterate(origin, reader, iter(rows)), reader.describe(origin), reader.is_decon)


class _RowReader(NamedTuple):
    """A reader of the rows of a file: by the columns that a caller named, for all others by those of a benchmark."""

    name: str
    question: str
    columns: EvalColumns
    id: str = "id"
    benchmark: Benchmark | None = None
    is_decon: bool = False

    def describe(self, origin: _Origin) -> str:
        """Describe the format that a file was recognized as."""
        columns = [self.question, *([self.columns.passage] if self.columns.passage else [])]
        return f"{origin.path}: {self.name} ({', '.join(columns)})"


def _choose_reader(origin: _Origin, names: list[str], columns: EvalColumns) -> _RowReader:
    for role, column in columns.named().items():
        if column not in names:
            raise missing_column(origin.path, role, column, names)
    if columns.question is not None:
        return _RowReader("columns as named", columns.question, columns)
    if set(_KEYS) <= set(names):
        keys = {"answer": columns.answer or "answer", "passage": columns.passage or "passage"}
        return _RowReader("decon", "question", columns._replace(**keys), is_decon=True)
    benchmark = recognize(names)
    if benchmark is None:
        cause = f"no question in the columns {', '.join(names[:12])}; name it with --question COLUMN"
        raise CorpusError(f"{origin.path}: {cause}")
    columns = columns._replace(passage=columns.passage or benchmark.passage)
    return _RowReader(benchmark.name, benchmark.question, columns, benchmark.id, benchmark)


def _iterate(origin: _Origin, reader: _RowReader, rows: Iterator[Mapping[str, Any]]) -> Iterator[_Row]:
    for number, row in enumerate(rows):
        id_column = _find_id_column(reader, row)
        item = _make_item(origin, reader, row, row[id_column] if id_column else number, origin.place(number))
        yield _Row(item, reader.is_decon or row.get("is_correct") is not None, id_column)


def _find_id_column(reader: _RowReader, row: Mapping[str, Any]) -> str:
    """The column that names an item, if the row has one."""
    return next((column for column in ("eval_instance_index", reader.id) if column in row), "")


def _make_item(origin: _Origin, reader: _RowReader, row: Mapping[str, Any], index: Any, place: str) -> Item:
    question = _read_string(row, reader.question, place)
    passage = _read_string(row, reader.columns.passage or "", place)
    if not question.strip():
        raise CorpusError(f"{place}, column {reader.question!r}: the question is empty")
    question, quotation = split_quotation(question)
    choices = _read_answers(reader, row, place)
    return Item(
        eval_key=replace_surrogates(str(row.get("eval_key") or origin.name)),
        config=replace_surrogates(str(row.get("config") or "")),
        split=replace_surrogates(str(row.get("split") or "")),
        instance=index if isinstance(index, int) else replace_surrogates(str(index)),
        question=question,
        passage="\n".join(filter(None, [passage, quotation])),
        answers=tuple(map(replace_surrogates, choices.answers)),
        correct=choices.correct,
        place=place,
    )


def _read_answers(reader: _RowReader, row: Mapping[str, Any], place: str) -> AnswerChoices:
    columns = reader.columns
    if columns.choices is not None:
        read = partial(read_choices, _parse(row.get(columns.choices)), row.get(columns.answer or "answer"))
        return _require_choices(read, place, columns.choices, all)
    if columns.answer is not None:
        answer = _read_string(row, columns.answer, place)
        is_correct = row.get("is_correct")
        return AnswerChoices((answer,), None if is_correct in (False, "false") else 0) if answer else AnswerChoices()
    if reader.benchmark is None:
        return AnswerChoices()
    read = partial(reader.benchmark.answers, {name: _parse(value) for name, value in row.items()})
    return _require_choices(read, place, reader.benchmark.choices, any) if reader.benchmark.choices else read()


def _require_choices(
    read: Callable[[], AnswerChoices], place: str, column: str, quantifier: Callable[[Iterable[bool]], bool]
) -> AnswerChoices:
    """Read the choices in a column, and raise a ``CorpusError`` unless ``quantifier`` of them are not empty."""
    try:
        choices = read()
    except ValueError as error:
        raise CorpusError(f"{place}, column {column!r}: {error}") from None
    if not choices.answers or not quantifier(bool(answer.strip()) for answer in choices.answers):
        raise CorpusError(f"{place}, column {column!r}: the choices are empty")
    return choices


def _parse(value: Any) -> Any:
    """Parse a list or an object that a CSV file holds as text; other values stay as they are."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def _read_string(row: Mapping[str, Any], column: str, place: str) -> str:
    """The text in a column; empty if there is none."""
    value = row.get(column) if column else None
    if value is None or isinstance(value, bool):
        return ""
    if not isinstance(value, str):
        if isinstance(value, int | float):
            return str(value)
        raise CorpusError(f"{place}, column {column!r}: the text is {type(value).__name__}, not a string")
    return replace_surrogates(value)


def _read_column_names(source: Source) -> list[str]:
    """The columns of a table; of JSON lines, those of the first row.

    Raises:
        CorpusError: the file is no table, or cannot be read.
    """
    format = format_of(source)
    for name, kind in KINDS.items():
        if format == FORMATS[name]:
            with open_columnar(source, kind) as file:
                return list(file.schema.names)
    if format == FORMATS["jsonl"]:
        with open_stream(source) as stream:
            for record in split_records(source, stream, LARGEST_LINE):
                return list(parse_object(source.path, *record[:2]))
        raise CorpusError(f"{source.path}: no row: an eval has a question in each")
    for name in DELIMITERS:
        if format == FORMATS[name]:
            return read_names(source, name)
    raise CorpusError(f"{source.path}: no eval: evals are JSON lines, Parquet or CSV files")
