"""Which items of evaluations occur in training data: in documents of a caller, or in files, which are written again.

The steps are the same: read the items, learn from a sample of the training data how surprising each of their words is,
look for their rare bigrams in every document and align the places that have enough of them, and judge what was found
once the frequencies among all documents are known.
"""

import os
import uuid
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import xxhash

from ibidem.arguments import require_fraction
from ibidem.contamination.detector import make_detector
from ibidem.contamination.earlier import EarlierRun, describe_reading, digest_part, name_findings, read_digests
from ibidem.contamination.edits import ACTIONS
from ibidem.contamination.evals import (
    AnswerColumn,
    AnyEvals,
    ChoicesColumn,
    EvalColumns,
    PassageColumn,
    QuestionColumn,
    as_evals,
    read_evals,
)
from ibidem.contamination.findings import FileToRead, join_findings, look_through
from ibidem.contamination.items import Evals
from ibidem.contamination.judging import THRESHOLD
from ibidem.contamination.result import Contamination, judge_findings
from ibidem.contamination.rounds import Rounds, WeighedEvals
from ibidem.contamination.sampling import split_sample
from ibidem.contamination.steps import (
    KEPT,
    FilesToSample,
    ItemsInFolder,
    look_through_part,
    open_rounds,
    plan_reading,
    plan_writing,
    read_findings,
    weigh_items,
    write_part,
)
from ibidem.contamination.tables import EXPORTS, write_tables
from ibidem.corpus.failures import Failures
from ibidem.corpus.inputs import Inputs
from ibidem.corpus.opening import LARGEST_LINE
from ibidem.corpus.rows import Columns
from ibidem.corpus.sources import ReadingProgress
from ibidem.corpus.writing.apart import require_apart
from ibidem.corpus.writing.kept import join_files
from ibidem.corpus.writing.output_folder import require_absent, require_no_pipes, require_room
from ibidem.corpus.writing.tables import FORMATS
from ibidem.engine import open_engine, open_work
from ibidem.engine.earlier import FOLDER, read_checksum
from ibidem.options import LeakAction, Option, TableFormat
from ibidem.resources import Progress, Resources
from ibidem.text import Collection, Normalize, TokenizerSpec, as_batches, cut_batches, make_tokenizer

_Path = str | os.PathLike[str]


def find_contamination(
    train: Collection,
    evals: AnyEvals,
    *,
    threshold: float = THRESHOLD,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    tokenizer: TokenizerSpec = "words",
    normalize: Normalize = (),
    source: str | None = None,
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Contamination:
    """Find the items of ``evals`` that occur in the documents of ``train``.

    Each question, passage and long answer is looked for by itself, whole or in part, also where words were changed,
    added or left out. A word weighs by how much it surprises after the word before it in these texts: rare words weigh
    much, and words of phrases that many items or documents share weigh little. An occurrence is a leak if it holds a
    share ``threshold`` of this weight, in order, and more than chance explains in so much text. All else is left out
    with its reason: a ``"source"`` holds the passage of an item without its question, a ``"template"`` has other
    numbers, ``"boilerplate"`` is a phrase of many documents within a source or across sources, a ``"similar item"`` is
    explained better by another item, and ``"partial"`` ones hold less than the threshold.

    Args:
        train: the training data, as the documents of :func:`ibidem.deduplicate`. They are read once, in batches.
        evals: paths of files, a table, or an iterable of rows. The columns of decon's files and of well-known
            benchmarks are recognized.
        threshold: the least share of a part, above 0 and at most 1.
        question, answer, passage, choices: the columns of the evals that hold these, if they are not recognized.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        source: the column of the training data that names the source of a document; of a URL, its host counts. If not
            given, the documents of one file have one source.
        text, id: the columns of the training data.
        memory: about how many bytes to use, besides those of the evals and of the result.
        threads: how many threads to use; if not given, one for each core. The result depends on neither.
        progress: called with the name of the current step, how much of it is done, and the total if known.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document or an item cannot be used.

    >>> evals = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?"}]
    >>> found = find_contamination(["a quiz: which river flows through the town of Grahamstown?", "rain"], evals)
    >>> found.contamination.select(["document", "eval_instance_index", "kind"]).to_pylist()
    [{'document': '0', 'eval_instance_index': 0, 'kind': 'leak'}]
    """
    require_fraction("threshold", threshold)
    resources = Resources.of(memory, threads, progress)
    items = as_evals(evals, EvalColumns(question, answer, passage, choices))
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    sample, documents = split_sample(cut_batches(as_batches(train, text, id), resources.batch_bytes))
    rounds = Rounds.of([make_detector(items, made_tokenizer, map(made_tokenizer.encode, sample))])
    [findings] = look_through(rounds, [FileToRead("", "the training data", documents)], source, resources)
    return judge_findings(rounds, [("", findings)], threshold, items.recognized).result


def decontaminate_files(
    inputs: _Path | Iterable[_Path],
    evals: Iterable[_Path],
    output: _Path,
    *,
    question: QuestionColumn = None,
    answer: AnswerColumn = None,
    passage: PassageColumn = None,
    choices: ChoicesColumn = None,
    threshold: Annotated[float, Option("Least share of a part of an item.")] = THRESHOLD,
    tokenizer: Annotated[TokenizerSpec, Option("Unit that counts as a token.", "SPEC")] = "words",
    normalize: Normalize = (),
    source: Annotated[
        str | None,
        Option("Column of TRAIN with the source of a document, such as its URL.  [default: the file]", "COLUMN"),
    ] = None,
    update: _Path | None = None,
    action: Annotated[LeakAction, Option("Action on documents that hold a leak.")] = "report",
    format: Annotated[TableFormat, Option("Format of the tables.")] = "jsonl",
    also: Sequence[str] = (),
    text: str = "text",
    id: str = "id",
    max_line: str | int = LARGEST_LINE,
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    failures: Failures | None = None,
    reading: ReadingProgress | None = None,
    memory: str | int = "1G",
    threads: int | None = None,
    progress: Progress | None = None,
    ray: str | None = None,
    work: _Path | None = None,
) -> dict[str, Any]:
    """Find the items of ``evals`` in files of training data, and write a new folder ``output``; gives its summary.

    It holds ``contamination``, ``items`` and ``left_out``, tables as :func:`find_contamination` gives them, and
    ``summary.json``; with any action but ``"report"``, also ``kept/``, a file of the same name, format, compression and
    columns for each input, tables in UTF-8 if an ``encoding`` was named; and ``state/``, what a later run takes from
    this one. The same call resumes work that was interrupted.

    Args:
        text, id, max_line, encoding, delimiter, include, exclude: as of :func:`ibidem.read`.
        update: the output of an earlier run. The files are all, old and new; its items are kept, and those of ``evals``
            that are new are added. Items that were looked for in a file are not looked for in it again.
        also: more formats of the leaks, of ``EXPORTS``.
        failures: collects what cannot be read and is left out; if not given, that is an error.
        reading: how far the reading is.
        ray: the address of a cluster whose workers do the steps.
        work: the folder for the work until it is done; beside the output if not given.

    Raises:
        ClusterError: the cluster does not answer, or has lost a task.
        ConfigurationError: the run to be updated read its input otherwise.
        CorpusError: an input or an eval cannot be used, ``output`` exists, or it meets an input.
        LockedError: another process writes to this output.
        ValueError: an argument is out of its range.
    """
    _require_valid(threshold, action, format, also)
    columns = Columns.of(text, id, max_line, encoding, delimiter, include, exclude)
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    described = describe_reading(columns, made_tokenizer, source)
    earlier = None if update is None else EarlierRun.read(update, described)
    eval_paths = list(evals)
    rounds = _read_rounds(eval_paths, EvalColumns(question, answer, passage, choices), earlier)
    files = Inputs(inputs, columns, progress=reading, failures=failures)
    _require_output(output, files, [*eval_paths, *(() if update is None else (update,))], action)
    origin = _describe(files, rounds, described, update, threshold, action, format, also)
    with (
        open_work(output, origin, place=work) as workplace,
        open_engine(ray, memory=memory, threads=threads, progress=progress, is_durable=True) as engine,
    ):
        training = FilesToSample(files.sources, columns, skips=failures is not None)
        sample = None if earlier is None else earlier.evals.sample
        weigh = partial(weigh_items, training=training, tokenizer=made_tokenizer, sample=sample)
        [weighed] = engine.map("sampling", weigh, [rounds], workplace / "items")
        items = ItemsInFolder(weighed, xxhash.xxh3_128_hexdigest(origin), made_tokenizer)

        digests = read_digests(engine.map("comparing", digest_part, files.cut(), workplace / "digests"))
        known = [None] * len(digests) if earlier is None else earlier.find(files.sources, digests, open_rounds(items))
        done = {
            file.path for file, each in zip(files.sources, known, strict=True) if each and each.rounds == len(rounds)
        }
        parts = files.cut(whole=done)

        look = partial(look_through_part, items=items, source=source)
        looked = engine.map("reading", look, plan_reading(parts, known), workplace / "found")
        files.gather_failures(looked)
        pieces = read_findings(looked)
        findings = join_findings(parts, pieces, known)

        recognized = [each for evals in rounds for each in evals.recognized]
        named = [(file.name, each) for file, each in zip(files.sources, findings, strict=True)]
        judgement = judge_findings(open_rounds(items), named, threshold, recognized)
        summary = {"action": action, **judgement.result.summary, **files.count_left_out()}

        tasks = [] if action == "report" else plan_writing(parts, looked, pieces, findings, judgement)
        written = engine.map("writing", partial(write_part, action=action), tasks, workplace / KEPT)

        def fill(folder: Path) -> None:
            write_tables(judgement, summary, format, also, folder)
            if written:
                join_files(parts, [task / KEPT for task in written], folder / KEPT)
            if described is not None:
                state = name_findings(files, digests, findings)
                EarlierRun(described, WeighedEvals.read(weighed), state).write(folder / FOLDER)

        workplace.commit(fill, files.require_unchanged)
    open_rounds.cache_clear()
    return summary


def _read_rounds(paths: Sequence[_Path], columns: EvalColumns, earlier: EarlierRun | None) -> list[Evals]:
    """The items of all rounds: those of the earlier run, and those of new evals.

    Raises:
        CorpusError: an eval cannot be used, or has the id of another one.
    """
    if earlier is None:
        return [read_evals(paths, **columns._asdict())]
    return earlier.add_evals(read_evals(paths, **columns._asdict()) if paths else None)


def _require_valid(threshold: float, action: str, format: str, also: Iterable[str]) -> None:
    """Raise a ``ValueError`` for an argument that makes no sense."""
    require_fraction("threshold", threshold)
    for name, value, choices in (("action", action, ACTIONS), ("format", format, FORMATS)):
        if value not in choices:
            raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    if unknown := [name for name in also if name not in EXPORTS]:
        raise ValueError(f"also is of {', '.join(EXPORTS)}, not {unknown[0]!r}")


def _require_output(output: _Path, files: Inputs, others: Sequence[_Path], action: str) -> None:
    """Check that the output can be made, and that the inputs can be read again where they are rewritten.

    Raises:
        CorpusError: one of this is so.
    """
    inputs = [*files.paths, *others]
    if action == "report":
        require_no_pipes(files.sources)
        require_absent(output)
        require_apart([output], inputs)
    else:
        require_room(output, files.sources, inputs)


def _describe(
    files: Inputs, rounds: Sequence[Evals], described: dict[str, Any] | None, update: _Path | None, *options: object
) -> bytes:
    """All that the outputs of the steps depend on; nobody knows whether a tokenizer is the same that is a function."""
    reading = uuid.uuid4().hex if described is None else described
    earlier = None if update is None else read_checksum(Path(update) / FOLDER)
    return msgspec.json.encode([files.describe(), reading, rounds, earlier, *options], order="sorted")
