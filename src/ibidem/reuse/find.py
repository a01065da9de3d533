"""``find_reuse``: the passages that occur more than once in a collection, from texts to tables.

``search`` is the whole of it, step by step. The help of a command reads this file, so what is costly to load is loaded
where it is used.
"""

import dataclasses
import os
import tempfile
import warnings
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ibidem.alignment.lengths import EXPECT
from ibidem.arguments import DuplicateIds
from ibidem.options import Expect, MinPairLength, Option, Seed, TableFormat, Threshold, Tokenizer

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.inputs import Inputs
    from ibidem.corpus.sources import ReadingProgress
    from ibidem.engine import Engine, Work, WrittenResult
    from ibidem.resources import Progress
    from ibidem.reuse.documents import DocumentPart
    from ibidem.reuse.outputs.result import Reuse
    from ibidem.reuse.question import Question
    from ibidem.reuse.steps import SearchOutputs
    from ibidem.text import Collection, Normalize, TokenizerSpec

_Path = str | os.PathLike[str]


def search(
    engine: "Engine",
    work: "Work | Path",
    documents: "Sequence[DocumentPart]",
    question: "Question",
    *,
    apart: bool = False,
    update: Path | None = None,
) -> "SearchOutputs":
    """Find the pairs of similar passages in documents, step by step.

    Args:
        engine: where the steps run.
        work: the folder of their outputs. A task whose output is there is not done again.
        apart: whether documents of the first side are compared with those of the second alone.
        update: the folder of an earlier run on a part of the documents, whose pairs are taken as they were.
    """
    from ibidem.reuse import steps
    from ibidem.reuse.documents import read_documents
    from ibidem.reuse.prepared_collection import prepare_collection
    from ibidem.text import make_tokenizer

    tokenizer = make_tokenizer(question.tokenizer)
    read = engine.map("reading", partial(read_documents, tokenizer), documents, work / "read")
    prepare = partial(prepare_collection, question, apart, update)
    [prepared] = engine.map("preparing", prepare, [read], work / "prepared")
    keys, seeds = steps.cut_keys(question, prepared), list[Path]()
    while len(seeds) < len(keys):  # each round of tasks passes over what the rounds before it have found
        first, join = len(seeds), partial(steps.join_windows, question, prepared, tuple(seeds))
        seeds += engine.map_files("joining", join, keys[first : first + engine.at_once], work / f"seeds-{first:05d}")
    [boxes] = engine.map_files("boxing", partial(steps.box_windows, question, read, prepared), [seeds], work / "boxes")
    align = partial(steps.align_pairs, question, prepared, boxes)
    pairs = engine.map_files("aligning", align, steps.group_pairs(boxes), work / "pairs")
    quote = partial(steps.find_quotations, question, read)
    [quotations] = engine.map_files("quoting", quote, [prepared], work / "quotations")
    return steps.SearchOutputs(read, prepared, boxes, pairs, quotations)


def find_reuse(
    documents: "Collection",
    *,
    against: "Collection | None" = None,
    text: str = "text",
    id: str = "id",
    threshold: float = 0.3,
    min_pair_length: int | None = None,
    expect: float = EXPECT,
    recall: float = 0.99,
    tokenizer: "TokenizerSpec" = "auto",
    normalize: "Normalize" = (),
    within: bool = False,
    date: str | None = None,
    series: str | None = None,
    phrases: Sequence[str] = (),
    ignore: "Collection" = (),
    keep_boilerplate: bool = False,
    quotations: int | None = None,
    texts: bool = False,
    columns: Sequence[str] = (),
    seed: int = 0,
    update: _Path | None = None,
    memory: str | int = "1G",
    threads: int | None = None,
    folder: _Path | None = None,
    progress: "Progress | None" = None,
) -> "Reuse":
    """Find the passages of ``documents`` that also occur in another of these documents.

    A word has a greater weight the rarer it is in the collection. Each reported pair of passages has an exact
    similarity of ``threshold`` or more under these weights, or as a summary a containment of ``threshold`` or more, and
    as much evidence against chance as :func:`ibidem.align` asks for.

    The search looks for similar windows of ``w = min(min_pair_length, 32)`` tokens. It finds two windows with a
    similarity of ``(1 + threshold) / 2`` or more with a probability of ``recall``, on the average over the windows of
    the collection, and reports the pair of passages that they lead to, if that meets the conditions above. Two less
    similar passages are more likely to be found the longer they are.

    Quotations that are shorter than such windows are found by the order of their words: runs, with a word changed here
    and there, of which chance gives a hundredth of ``expect`` or less in two documents, by what follows what in the
    collection. They have three tokens and more than an eighth of those of the shorter document, or 40, or
    ``min_pair_length``.

    Text that many documents share, such as a licence, is found first, and what two documents share besides is compared
    as if it were not there. It is one cluster, and each two of its places are a pair, whose evidence falls with the
    number of documents that hold it. What half of the documents and ten more hold, and not ``against`` others, is in no
    pair, but in the cluster alone, as boilerplate, unless it is more than half of a document.

    Args:
        documents: an iterable of documents, as in :func:`ibidem.deduplicate`.
        against: other documents. If given, each of ``documents`` is compared with each of these, and with nothing else.
            In each pair, ``a`` is then one of ``documents`` and ``b`` one of these.
        text, id: the columns or keys of both that hold the text and the id, as in :func:`ibidem.deduplicate`.
        threshold: the least similarity, above 0 and at most 1.
        min_pair_length: the least length of the longer passage of a pair, in tokens. If not given, 40, or just over a
            quarter of the shorter document of the pair if that is less, but 3 at least.
        expect: how many pairs chance may give in two documents, as in :func:`ibidem.align`.
        recall: see above. With 1 the search is exact: it misses no windows that ``align`` would start from, and aligns
            their documents as it does. Use this for small collections.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes. ``"auto"`` is words, or runs of characters if a
            sample of the documents hardly ever has a word twice, or its words are single letters.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        within: also report passages that occur twice in one document.
        date: the column of dates, which are numbers or ISO strings. If given, passages get a likely source.
        series: a column. Documents with the same value in it, such as one newspaper, are not compared.
        phrases: these phrases count as absent wherever they occur.
        ignore: texts that everybody has, such as a worksheet or a licence; a collection as ``documents``. Passages that
            are similar to one of them count as absent, and are listed in ``left_out``.
        keep_boilerplate: also make pairs of what most documents hold.
        quotations: in shares, words in quotation marks count as quoted alone, neither as shared nor as words of the
            document, if one quotation has so many words or more.
        texts: put the texts of passages into the tables.
        columns: columns of the documents that each pair carries for both, as ``a_year`` and ``b_year``.
        seed: selects the hash functions.
        memory: about how many bytes to use, besides those of the result.
        threads: how many threads to use; if not given, one for each core.
        folder: where to keep temporary files; the system's folder for these if not given.
        progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.
        update: the folder of an earlier run of ``ibidem reuse`` on a part of these documents. Documents of that run
            whose text and columns are unchanged are not compared with each other again. Words weigh as in that run.

    Warns:
        UserWarning: nothing is reported, for one reason: all pairs are left out alike, or all documents of a side have
            no token, or none is as long as ``min_pair_length``.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two documents have the same id, or ``update`` holds no run.
        ConfigurationError: the run to be updated was made with other settings.

    >>> poem = "the curfew tolls the knell of parting day the lowing herd wind slowly over the lea"
    >>> found = find_reuse([("gray", poem), ("letter", "He quoted: " + poem + "!"), ("other", "nothing of the kind")])
    >>> found.pairs.select(["a", "b", "similarity"]).to_pylist()
    [{'a': 'gray', 'b': 'letter', 'similarity': 1.0}]
    """
    from ibidem.engine import open_engine
    from ibidem.reuse.documents import DocumentPart
    from ibidem.reuse.outputs.result import NOTE
    from ibidem.reuse.prepared_collection import hold_prepared
    from ibidem.reuse.question import Question
    from ibidem.reuse.steps import gather_tables
    from ibidem.text import as_batches
    from ibidem.text.units import sample_batches

    question = _take_unit(update, Question.of(locals(), text, id))
    sides = [as_batches(side, text, id) for side in (documents, against) if side is not None]
    if question.is_open:
        sample, sides = sample_batches(sides)
        question = question.suit(sample)
    apart, run = against is not None, _find_run(update, question, apart=against is not None)
    with (
        tempfile.TemporaryDirectory(prefix="ibidem-reuse-", dir=folder) as work,
        hold_prepared(),
        open_engine(memory=memory, threads=threads, progress=progress) as engine,
    ):
        parts = [DocumentPart(number, side) for number, side in enumerate(sides)]
        outputs = search(engine, Path(work), parts, question, apart=apart, update=run)
        reuse = gather_tables(question, run, outputs, engine.resources.workers)
    if NOTE in reuse.summary:
        warnings.warn(reuse.summary[NOTE], stacklevel=2)
    return dataclasses.replace(reuse, collection=None)  # its files are deleted


def find_reuse_in_files(
    inputs: _Path | Iterable[_Path],
    output: _Path,
    *,
    against: _Path | Iterable[_Path] = (),
    text: str = "text",
    id: str = "id",
    max_line: str | int = "256M",
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    pages: bool = False,
    duplicate_ids: DuplicateIds = "error",
    threshold: Threshold = 0.3,
    min_pair_length: MinPairLength = None,
    expect: Expect = EXPECT,
    recall: Annotated[float, Option("Least share of similar windows to find; 1 is exact.")] = 0.99,
    tokenizer: Tokenizer = "auto",
    normalize: "Normalize" = (),
    within: Annotated[bool, Option("Also report passages that occur twice in one document.")] = False,
    date: Annotated[str | None, Option("Column of dates, for the likely sources of passages.", "COLUMN")] = None,
    series: Annotated[
        str | None, Option("Column of series: documents of one value are not compared.", "COLUMN")
    ] = None,
    phrases: Sequence[str] = (),
    ignore: "Collection" = (),
    keep_boilerplate: Annotated[bool, Option("Also make pairs of what most documents hold.")] = False,
    quotations: Annotated[
        int | None, Option("In shares, N or more words in quotation marks count as quoted alone.", "N")
    ] = None,
    texts: Annotated[bool, Option("Put the texts of passages into the tables.")] = False,
    columns: Annotated[
        Sequence[str],
        Option("Put this column of both documents into the tables of pairs; can be given again.", "NAME"),
    ] = (),
    seed: Seed = 0,
    format: Annotated[TableFormat, Option("Format of the tables.")] = "parquet",
    also: Sequence[str] = (),
    update: _Path | None = None,
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
    reading: "ReadingProgress | None" = None,
    failures: "Failures | None" = None,
    ray: str | None = None,
    work: _Path | None = None,
) -> "WrittenResult":
    """Find the passages that files and indexes share, into a new folder ``output``.

    It holds the tables of :func:`ibidem.find_reuse`, which explains the arguments that both have, ``summary.json`` with
    the counts, and the state that a later run needs to update this one. If the work is interrupted, the same call
    resumes it.

    Args:
        inputs, against: files, folders, globs, URLs and indexes, as :func:`ibidem.read` takes files.
        output: a folder that does not exist, or a URL.
        text, id, max_line, encoding, delimiter, include, exclude, pages, duplicate_ids: as in :func:`ibidem.read`.
        format: of the tables.
        also: formats that are written besides, such as ``"tei"``.
        reading: receives how many bytes were read.
        failures: collects what is left out because it cannot be read; if not given, that is an error.
        ray: the address of a Ray cluster that does the work, such as ``"auto"``; its nodes see the input and the work.
        work: the folder of the work until it is done; beside the output if not given.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two documents have the same id, an input was changed meanwhile,
            something exists at ``output``, or ``update`` holds no run.
        ConfigurationError: the run to be updated was made with other settings.
        LockedError: another process writes to this output.
        ClusterError: no cluster answers, or it lost a task.
    """
    import json

    import msgspec

    from ibidem.corpus.inputs import Inputs, locate_repeats, settle_ids
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.writing.apart import require_apart
    from ibidem.corpus.writing.kept import link_tree
    from ibidem.corpus.writing.run_state import FOLDER, read_checksum
    from ibidem.corpus.writing.tables import SUMMARY
    from ibidem.engine import WrittenResult, open_engine, open_work
    from ibidem.engine.work import require_unmade
    from ibidem.resources import Resources
    from ibidem.reuse.documents import DocumentPart
    from ibidem.reuse.outputs.exports import find_export
    from ibidem.reuse.outputs.result import NOTE
    from ibidem.reuse.prepared_collection import hold_prepared
    from ibidem.reuse.question import Question
    from ibidem.reuse.steps import write_tables

    question = _take_unit(update, Question.of(locals()))
    paths = [[each] if isinstance(each, str | os.PathLike) else list(each) for each in (inputs, against)]
    require_apart([output], paths[0] + paths[1])
    require_unmade(output, work)
    for export in also:
        find_export(export)
    how = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, duplicate_ids, pages=pages)
    sides = Inputs.of_sides(filter(None, paths), how, progress=reading, failures=failures, indexes=True)
    question = suit_inputs(question, sides)
    apart, run = bool(paths[1]), _find_run(update, question, apart=bool(paths[1]))
    origin = [
        [side.describe() for side in sides],
        question.describe(),
        format,
        also,
        run and read_checksum(run / FOLDER),
    ]
    with (
        open_work(output, msgspec.json.encode(origin), place=work) as place,
        hold_prepared(),
        open_engine(ray, memory=memory, threads=threads, progress=progress) as engine,
    ):
        if (earlier_summary := place.find_summary()) is not None:
            return WrittenResult(earlier_summary, place.resumed)
        numbers, uncut = zip(*[(number, part) for number, side in enumerate(sides) for part in side.cut()], strict=True)
        limits = Resources.of(memory, 1, None)
        parts = [DocumentPart(*each) for each in zip(numbers, settle_ids(uncut, limits), strict=True)]
        with locate_repeats(uncut, limits):
            outputs = search(engine, place, parts, question, apart=apart, update=run)
        for side in sides:
            side.gather_failures(outputs.read)
        write = partial(write_tables, question, run, (format, *also), _count_left_out(sides))
        [tables] = engine.map("gathering", write, [outputs], place / "tables")
        for side in sides:
            side.require_unchanged()
        place.commit(partial(link_tree, tables))
        summary = json.loads((tables / SUMMARY).read_bytes())
    if NOTE in summary and not summary["left_out"]:  # the command says what is left out
        warnings.warn(summary[NOTE], stacklevel=2)
    return WrittenResult(summary, place.resumed)


def suit_inputs(question: "Question", sides: "Sequence[Inputs]") -> "Question":
    """The question with the tokenizer that suits a sample of the inputs, if none was asked for."""
    if not question.is_open:
        return question
    from ibidem.corpus.sampling import LOOKED_AT, sample_inputs
    from ibidem.text.units import SAMPLE

    return question.suit([text for side in sides for text in sample_inputs(side, SAMPLE, LOOKED_AT).texts])


def _take_unit(update: _Path | None, question: "Question") -> "Question":
    """The question with the tokenizer of the run that is updated, if none was asked for."""
    if update is None or not question.is_open:
        return question
    from ibidem.reuse.outputs.earlier import read_settings

    config = dict(read_settings(Path(update))["tokenizer"])
    config.pop("normalization", None)
    return question.settle(config)


def _find_run(update: _Path | None, question: "Question", *, apart: bool) -> Path | None:
    """The folder of the run that is to be updated, which must have asked the same."""
    if update is None:
        return None
    from ibidem.reuse.outputs.earlier import require_updatable

    require_updatable(Path(update), question, apart=apart)
    return Path(update)


def _count_left_out(sides: "Sequence[Inputs]") -> dict[str, Any]:
    """The counts of what is not in the result, but for zeros."""
    counts = {name: count for side in sides for name, count in side.count_left_out().items()}
    if not (counts["rows_left_out"] or counts["files_left_out"]):
        del counts["rows_left_out"], counts["files_left_out"]
    return {name: count for name, count in counts.items() if name != "files_passed_over" or count}
