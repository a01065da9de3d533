"""Reading evaluations: the files of decon as they are, those of well-known benchmarks, and any with named columns."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
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
from ibidem.contamination.quoted_sources import split_quotation
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
    evals = _gather(_open_file(source, columns) for source in tables)
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
    names = list(dict.fromkeys(name for row in rows for name in row))
    return _gather([(_recognize_table("evals", "evals", "row", names, columns), rows)])


class _Table(NamedTuple):
    """Rows of one file, or of a caller, and where they have what an item has.

    Attributes:
        path, unit: for messages: the file, and the word for a row.
        name: the name of the evaluation if rows name none.
        format: what the columns were recognized as.
        question, id: the columns of the question and of what names the item.
        columns: those of other parts that a caller named, or decon's; for all others, the benchmark knows them.
    """

    path: str
    unit: str
    name: str
    format: str
    question: str
    columns: EvalColumns
    id: str = "id"
    benchmark: Benchmark | None = None

    def place(self, number: int) -> str:
        """Name a row by its number from 0."""
        return f"{self.path}, {self.unit} {number + (self.unit == 'line')}"

    def describe(self) -> str:
        """Describe what it was recognized as."""
        columns = [self.question, *([self.columns.passage] if self.columns.passage else [])]
        return f"{self.path}: {self.format} ({', '.join(columns)})"

    def find_id(self, row: Mapping[str, Any]) -> str:
        """The column that names an item, if the row has one."""
        return next((column for column in ("eval_instance_index", self.id) if column in row), "")


_Row = Mapping[str, Any]


def _gather(tables: Iterable[tuple[_Table, Iterable[_Row]]]) -> Evals:
    """The items of all tables; rows of one id and one question are the choices of one item.

    Raises:
        CorpusError: two items have one id, or there are none.
    """
    items: dict[Any, Item] = {}
    descriptions: list[str] = []
    for table, rows in tables:
        count_before, own_keys = len(items), set[Any]()
        for number, row in enumerate(rows):
            item = _make_item(table, row, number)
            first_item = items.setdefault(item.key, item)
            if first_item is not item:
                _require_choice(table, row, item, first_item, is_in_table=item.key in own_keys)
                items[item.key] = _add_choice(first_item, item)
            own_keys.add(item.key)
        descriptions.append(f"{table.describe()}, {format_count(len(items) - count_before, 'item')}")
    if not items:
        raise CorpusError("the evals have no item")
    return Evals(list(items.values()), descriptions)


def _require_choice(table: _Table, row: _Row, item: Item, first_item: Item, *, is_in_table: bool) -> None:
    """Raise a ``CorpusError`` unless a row is one more choice of the item that has its id.

    A file of decon may go on with the choices of another one, but a copy of that adds no answer.
    """
    may_go_on = table.format == "decon" and not set(item.answers) <= set(first_item.answers)
    is_choice = table.format == "decon" or row.get("is_correct") is not None
    is_same = (first_item.question, first_item.passage) == (item.question, item.passage)
    if is_choice and is_same and (is_in_table or may_go_on):
        return
    column = f", column {table.find_id(row)!r}" if table.find_id(row) else ""
    advice = "give each its own" if is_in_table else "rename a file, or add a column 'eval_key'"
    raise CorpusError(
        f"{item.place}{column}: a second item of the id {item.instance!r} in the eval {item.eval_key!r}; the first is "
        f"{first_item.place}; {advice}"
    )


def _add_choice(first_row: Item, item: Item) -> Item:
    is_new = first_row.correct is None and item.correct is not None
    correct = len(first_row.answers) if is_new else first_row.correct
    return first_row._replace(answers=first_row.answers + item.answers, correct=correct)


def _open_file(source: Source, columns: EvalColumns) -> tuple[_Table, Iterator[_Row]]:
    stem, is_lines = PurePath(source.name).name.split(".")[0], format_of(source) == FORMATS["jsonl"]
    unit, names = "line" if is_lines else "row", _read_column_names(source)
    table = _recognize_table(source.path, stem, unit, names, columns)
    return table, _read_rows(source, table.question)


def _read_rows(source: Source, question: str) -> Iterator[_Row]:
    """The rows of a file, their ids and questions among the others."""
    for batch in read_source(source, Columns(question, "id"), 1 << 20):
        for id, text, metadata in zip(batch.ids, batch.texts, batch.metadata, strict=True):
            id_column = {} if id.startswith(f"{source.name}:") else {"id": id}
            yield {**json.loads(metadata), **id_column, question: text}


def _recognize_table(path: str, name: str, unit: str, names: list[str], columns: EvalColumns) -> _Table:
    for role, column in columns._asdict().items():
        if column is not None and column not in names:
            raise missing_column(path, role, column, names)
    if columns.question is not None:
        return _Table(path, unit, name, "columns as named", columns.question, columns)
    if set(_KEYS) <= set(names):
        keys = {"answer": columns.answer or "answer", "passage": columns.passage or "passage"}
        return _Table(path, unit, name, "decon", "question", columns._replace(**keys))
    benchmark = recognize(names)
    if benchmark is None:
        cause = f"no question in the columns {', '.join(names[:12])}; name it with --question COLUMN"
        raise CorpusError(f"{path}: {cause}")
    columns = columns._replace(passage=columns.passage or benchmark.passage)
    return _Table(path, unit, name, benchmark.name, benchmark.question, columns, benchmark.id, benchmark)


def _make_item(table: _Table, row: _Row, number: int) -> Item:
    place, id_column = table.place(number), table.find_id(row)
    index = row[id_column] if id_column else number
    question = _read_string(row, table.question, place)
    passage = _read_string(row, table.columns.passage or "", place)
    if not question.strip():
        raise CorpusError(f"{place}, column {table.question!r}: the question is empty")
    question, quotation = split_quotation(question)
    choices = _read_answers(table, row, place)
    return Item(
        eval_key=replace_surrogates(str(row.get("eval_key") or table.name)),
        config=replace_surrogates(str(row.get("config") or "")),
        split=replace_surrogates(str(row.get("split") or "")),
        instance=index if isinstance(index, int) else replace_surrogates(str(index)),
        question=question,
        passage="\n".join(filter(None, [passage, quotation])),
        answers=tuple(map(replace_surrogates, choices.answers)),
        correct=choices.correct,
        place=place,
    )


def _read_answers(table: _Table, row: _Row, place: str) -> AnswerChoices:
    columns, benchmark = table.columns, table.benchmark
    if columns.choices is None and columns.answer is not None:
        answer = _read_string(row, columns.answer, place)
        is_correct = row.get("is_correct")
        return AnswerChoices((answer,), None if is_correct in (False, "false") else 0) if answer else AnswerChoices()
    column = columns.choices or (benchmark.choices if benchmark else "")
    try:
        if columns.choices is not None:
            choices = read_choices(_parse(row.get(column)), row.get(columns.answer or "answer"))
        else:
            values = {name: _parse(value) for name, value in row.items()}
            choices = benchmark.read_answers(values) if benchmark else AnswerChoices()
    except ValueError as error:
        raise CorpusError(f"{place}, column {column!r}: {error}") from None
    is_filled = [bool(answer.strip()) for answer in choices.answers]
    if column and not (is_filled and (any if columns.choices is None else all)(is_filled)):
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
