"""Which items of evaluations occur in training data: in documents of a caller, or in files, which are written again.

The steps are the same: read the items, learn from a sample of the training data how surprising each of their words is,
look for their rare bigrams in every document and align the places that have enough of them, and judge what was found
once the frequencies among all documents are known.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ibidem.arguments import require_fraction
from ibidem.contamination.items import (
    THRESHOLD,
    AnswerColumn,
    ChoicesColumn,
    EvalColumns,
    PassageColumn,
    QuestionColumn,
)
from ibidem.options import LeakAction, NullTextsOption, Option, TableFormat

if TYPE_CHECKING:
    from ibidem.contamination.evals import AnyEvals
    from ibidem.contamination.result import Contamination
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.sources import ReadingProgress
    from ibidem.engine import WrittenResult
    from ibidem.resources import Progress
    from ibidem.text import Collection, Normalize, TokenizerSpec

_Path = str | os.PathLike[str]


def find_contamination(
    train: "Collection",
    evals: "AnyEvals",
    *,
    threshold: float = THRESHOLD,
    question: str | None = None,
    answer: str | None = None,
    passage: str | None = None,
    choices: str | None = None,
    tokenizer: "TokenizerSpec" = "words",
    normalize: "Normalize" = (),
    source: str | None = None,
    text: str = "text",
    id: str = "id",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
) -> "Contamination":
    """Find the items of ``evals`` that occur in the documents of ``train``.

    Each question, passage and long answer is looked for by itself, whole or in part, also where words were changed,
    added or left out. A word weighs by how much it surprises after the word before it in these texts: rare words weigh
    much, and words of phrases that many items or documents share weigh little. An occurrence is a leak if it holds a
    share ``threshold`` of this weight, in order, and more than chance explains in so much text. All else is left out
    with its reason: a ``"source"`` holds the passage of an item without its question, a ``"template"`` has other
    numbers, or lacks what sets the item apart from others of its eval, ``"boilerplate"`` is a phrase of many documents
    within a source or across sources, a ``"similar item"`` is explained better by another item, and ``"partial"`` ones
    hold less than the threshold.

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
        progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.

    Warns:
        UserWarning: no document has a token, or every item is too short to be found.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document or an item cannot be used.

    >>> evals = [{"question": "Which river flows through the town of Grahamstown in the Eastern Cape?"}]
    >>> found = find_contamination(["a quiz: which river flows through the town of Grahamstown?", "rain"], evals)
    >>> found.contamination.select(["document", "eval_instance_index", "kind"]).to_pylist()
    [{'document': '0', 'eval_instance_index': '0', 'kind': 'leak'}]
    """
    from ibidem.contamination.detector import make_detector
    from ibidem.contamination.evals import as_evals
    from ibidem.contamination.findings import FileToRead, look_through
    from ibidem.contamination.result import judge_findings, warn_of_nothing
    from ibidem.contamination.sampling import split_sample
    from ibidem.resources import Resources
    from ibidem.text import as_batches, cut_batches, make_tokenizer

    require_fraction("threshold", threshold)
    resources = Resources.of(memory, threads, progress)
    items = as_evals(evals, EvalColumns(question, answer, passage, choices))
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    sample, documents = split_sample(cut_batches(as_batches(train, text, id), resources.batch_bytes))
    detector = make_detector(items, made_tokenizer, map(made_tokenizer.encode, sample))
    [findings] = look_through(detector, [FileToRead("", "the training data", documents)], source, resources)
    result = judge_findings(detector, [("", findings)], threshold, items.recognized).result
    warn_of_nothing(result.summary)
    return result


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
    tokenizer: Annotated["TokenizerSpec", Option("Unit that counts as a token.", "SPEC")] = "words",
    normalize: "Normalize" = (),
    source: Annotated[
        str | None,
        Option("Column of TRAIN with the source of a document, such as its URL.  [default: the file]", "COLUMN"),
    ] = None,
    update: _Path | None = None,
    action: Annotated[LeakAction, Option("Action on documents that hold a leak.")] = "report",
    format: Annotated[TableFormat, Option("Format of the tables.")] = "jsonl",
    text: str = "text",
    id: str = "id",
    max_line: str | int = "256M",
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    pages: bool = False,
    null: NullTextsOption = "error",
    failures: "Failures | None" = None,
    reading: "ReadingProgress | None" = None,
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
    ray: str | None = None,
    work: _Path | None = None,
) -> "WrittenResult":
    """Find the items of ``evals`` in files of training data, and write a new folder ``output``.

    It holds ``contamination``, ``items`` and ``left_out``, tables as :func:`find_contamination` gives them, and
    ``summary.json``; ``rows_left_out.jsonl``, what of the input could not be looked at, and why; with any action but
    ``"report"``, also ``kept/``, a file of the same name, format, compression and columns for each input, tables in
    UTF-8 if an ``encoding`` was named; and ``state/``, what a later run takes from this one. The same call resumes work
    that was interrupted.

    Args:
        text, id, max_line, encoding, delimiter, include, exclude, pages: as of :func:`ibidem.read`.
        null: what becomes of a row whose text is null: it is an ``"error"``, ``"keep"`` writes it as it is, and
            ``"drop"`` leaves it out.
        update: the output of an earlier run, whose items are looked for: ``evals`` is empty. The files are all, old and
            new; those in which they were looked for are not looked through again.
        failures: collects what cannot be read and is left out; if not given, that is an error.
        reading: how far the reading is.
        ray: the address of a cluster whose workers do the steps.
        work: the folder for the work until it is done; beside the output if not given.

    Raises:
        ClusterError: the cluster does not answer, or has lost a task.
        ConfigurationError: the run to be updated read its input otherwise.
        CorpusError: an input or an eval cannot be used, ``output`` exists, or it meets an input.
        LockedError: another process writes to this output.
        ValueError: an argument is out of its range, or there are ``evals`` for an update.
    """
    import xxhash

    from ibidem.contamination import steps
    from ibidem.contamination.earlier import EarlierRun, describe_reading, digest_part, read_digests
    from ibidem.contamination.edits import note_leaks
    from ibidem.contamination.findings import join_findings
    from ibidem.contamination.result import TABLES, judge_findings, warn_of_nothing
    from ibidem.corpus.inputs import Inputs
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.writing.kept import join_files
    from ibidem.corpus.writing.left_out import write_left_out
    from ibidem.corpus.writing.run_state import FOLDER
    from ibidem.corpus.writing.tables import write_result
    from ibidem.engine import WrittenResult, open_engine, open_work
    from ibidem.text import make_tokenizer

    steps.require_valid(threshold, action, format)
    columns = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, null=null, pages=pages)
    made_tokenizer = make_tokenizer(tokenizer, normalize=normalize)
    described, eval_paths = describe_reading(columns, made_tokenizer, source), list(evals)
    earlier = None if update is None else EarlierRun.read(update, described)
    files = Inputs(inputs, columns, progress=reading, failures=failures)
    items = steps.read_items(eval_paths, EvalColumns(question, answer, passage, choices), earlier)
    steps.require_output(output, work, files, [*eval_paths, *(() if update is None else (update,))], action)
    origin = steps.describe_job(files, items, described, update, threshold, action, format)
    with (
        open_work(output, origin, place=work) as workplace,
        open_engine(ray, memory=memory, threads=threads, progress=progress, is_durable=True) as engine,
    ):
        if (earlier_summary := workplace.find_summary()) is not None:
            return WrittenResult(earlier_summary, workplace.resumed)
        training = steps.FilesToSample(files.sources, columns, skips=failures is not None)
        weigh = partial(steps.weigh_items, training=training, tokenizer=made_tokenizer, earlier=earlier)
        [weighed] = engine.map("sampling", weigh, [items], workplace / "items")
        prepared = steps.ItemsInFolder(weighed, xxhash.xxh3_128_hexdigest(origin), made_tokenizer)

        digests = read_digests(engine.map("comparing", digest_part, files.cut(), workplace / "digests"))
        known = [None] * len(digests) if earlier is None else earlier.find(files.sources, digests)
        parts = files.cut(whole={file.path for file, each in zip(files.sources, known, strict=True) if each})

        look = partial(steps.look_through_part, items=prepared, source=source)
        looked = engine.map("reading", look, steps.plan_reading(parts, known), workplace / "found")
        files.gather_failures(looked)
        pieces = steps.read_findings(looked)
        findings = join_findings(parts, pieces, known)

        detector = steps.open_detector(prepared)
        named = [(file.name, each) for file, each in zip(files.sources, findings, strict=True)]
        judgement = judge_findings(detector, named, threshold, items.recognized)
        summary = {"action": action, **judgement.result.summary, **files.count_rows_outside()}

        notes = note_leaks(detector, judgement, len(findings))
        tasks = [] if action == "report" else steps.plan_writing(parts, looked, pieces, findings, notes)
        written = engine.map("writing", partial(steps.write_part, action=action), tasks, workplace / steps.KEPT)

        def fill(folder: Path) -> None:
            write_result({name: getattr(judgement.result, name) for name in TABLES}, summary, folder, format)
            write_left_out(folder, parts, looked, steps.count_documents(parts, pieces))
            if written:
                join_files(parts, [task / steps.KEPT for task in written], folder / steps.KEPT)
            if described is not None:
                state = EarlierRun.of(steps.read_weighed(weighed), files, digests, findings)
                state.write(folder / FOLDER, described)

        workplace.commit(fill, files.require_unchanged)
    steps.open_detector.cache_clear()
    warn_of_nothing(summary)
    return WrittenResult(summary, workplace.resumed)
