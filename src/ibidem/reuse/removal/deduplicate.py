"""``deduplicate_passages``: which passages of a collection repeat others, and what texts are without them.

Both functions read the documents, find the passages that go, and, of files, write each without them. The help of a
command reads this file, so what is costly to load is loaded where it is used.
"""

import os
import tempfile
import warnings
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ibidem.arguments import DuplicateIds
from ibidem.options import Action, Boundary, KeepPolicy, NullTextsOption, Option, PairRecall, Seed, Threshold

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.inputs import Inputs
    from ibidem.corpus.sources import ReadingProgress
    from ibidem.engine import Engine, Work, WrittenResult
    from ibidem.resources import Progress
    from ibidem.reuse.removal.question import PassageQuestion
    from ibidem.reuse.removal.result import PassageDeduplication
    from ibidem.text import Collection, Normalize, TokenizerSpec

_Path = str | os.PathLike[str]


def deduplicate_passages(
    documents: "Collection",
    *,
    text: str = "text",
    id: str = "id",
    threshold: float = 0.8,
    min_length: int = 50,
    keep: str = "first",
    boundary: Boundary = "words",
    tokenizer: "TokenizerSpec" = "words",
    normalize: "Normalize" = (),
    ignore: "Collection" = (),
    recall: float = 0.99,
    seed: int = 0,
    memory: str | int = "1G",
    threads: int | None = None,
    folder: _Path | None = None,
    progress: "Progress | None" = None,
) -> "PassageDeduplication":
    """Find the passages that occur in an earlier document, or earlier in their own, and so can go.

    Of two near-duplicate passages, the one in the document that ``keep`` puts first stays; within one document, the
    earlier one. Each passage that goes is similar, by ``threshold``, to a passage that stays whole. Similarity is the
    weighted Jaccard similarity of the tokens, which weigh by how rare they are in the collection. Text that merely lies
    between two duplicates stays.

    Args:
        documents, text, id: as in :func:`ibidem.deduplicate`.
        threshold: the least similarity, above 0 and at most 1.
        min_length: the least length of a passage that goes, in tokens.
        keep: as in :func:`ibidem.deduplicate`: ``"first"``, ``"longest"``, or an expression over columns.
        boundary: ``"words"``, or ``"lines"`` to cut whole lines alone.
        tokenizer: anything that :func:`ibidem.make_tokenizer` takes.
        normalize: names of normalizations, as :func:`ibidem.make_tokenizer` takes them.
        ignore: texts that may occur anywhere, such as a licence; a collection as ``documents``. Passages that are
            similar to one of them stay, and are listed in ``ignored``.
        recall: the probability, on the average over the windows of the documents, that two windows of
            ``min(min_length, 32)`` tokens that are similar by ``(1 + threshold) / 2`` are compared.
        seed: names the hash functions.
        memory: about how much memory to use, such as ``"1G"``, besides the result.
        threads: as many as the machine has cores if not given.
        folder: where to keep temporary files; the system's folder for these if not given.
        progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, two have one id, or no document has a column that ``keep`` names.

    >>> licence = "you may copy this text and give it to anybody who wants to read it as long as this notice stays"
    >>> texts = [("a", f"A poem. {licence}"), ("b", f"A tale: {licence}!")]
    >>> found = deduplicate_passages(texts, min_length=12)
    >>> [(each.document, each.duplicate_of, each.similarity) for each in found.removed]
    [('b', 'a', 1.0)]
    >>> [found.edit(*each) for each in texts][1]
    'A tale: '
    """
    from ibidem.engine import open_engine
    from ibidem.reuse.documents import DocumentPart, read_documents
    from ibidem.reuse.removal.question import PassageQuestion
    from ibidem.reuse.removal.result import explain_nothing
    from ibidem.reuse.removal.steps import find_repeated
    from ibidem.text import as_batches, make_tokenizer

    question = PassageQuestion.of(locals(), text, id)
    parts = [DocumentPart(0, as_batches(documents, text, id))]
    with (
        tempfile.TemporaryDirectory(prefix="ibidem-", dir=folder) as work,
        open_engine(memory=memory, threads=threads, progress=progress) as engine,
    ):
        read_part = partial(read_documents, make_tokenizer(question.tokenizer))
        read = engine.map("reading", read_part, parts, Path(work) / "read")
        found, _ = find_repeated(question, read, Path(work), engine.resources)
    counts = {"documents": found.documents, "longest_document": found.longest}
    counts |= {"passages": len(found.removed), "ignored_passages": len(found.ignored)}
    if note := explain_nothing(counts, min_length):
        warnings.warn(note, stacklevel=2)
    return found


def deduplicate_passages_of_files(
    inputs: _Path | Iterable[_Path],
    output: _Path,
    *,
    text: str = "text",
    id: str = "id",
    max_line: str | int = "256M",
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    pages: bool = False,
    duplicate_ids: DuplicateIds = "error",
    null: NullTextsOption = "error",
    threshold: Threshold = 0.8,
    min_length: Annotated[int, Option("Least tokens of a passage.", "N")] = 50,
    min_documents: Annotated[
        int | None,
        Option(
            "Remove what so many documents hold word for word: lines, or runs of --min-length tokens.", "K", least=2
        ),
    ] = None,
    keep: KeepPolicy = "first",
    boundary: Annotated[Boundary, Option("Cut between words, or lines.")] = "words",
    tokenizer: Annotated["TokenizerSpec", Option("Unit that counts as a token.", "SPEC")] = "words",
    normalize: "Normalize" = (),
    ignore: "Collection" = (),
    recall: PairRecall = 0.99,
    seed: Seed = 0,
    action: Annotated[Action, Option("Action on repeated passages; annotate lists them in a column.")] = "remove",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
    reading: "ReadingProgress | None" = None,
    failures: "Failures | None" = None,
    ray: str | None = None,
    work: _Path | None = None,
) -> "WrittenResult":
    """Deduplicate the passages of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input, with the same rows;
    ``rows_left_out.jsonl``, what of the input is not in it, and why; ``passages.jsonl``, a line for each passage that
    goes; ``left_out.jsonl``, one for each that stays since it is similar to a text to ignore, if there are such texts;
    and ``summary.json``. With the action ``"annotate"`` all texts stay, and each row has one more column, ``repeated``:
    a list of the passages that would go. If the work is interrupted, the same call resumes it.
    :func:`ibidem.deduplicate_passages` explains the arguments that both have.

    Args:
        inputs: files, folders, globs and URLs, as :func:`ibidem.read` takes them.
        output: a folder that does not exist, or a URL.
        text, id, max_line, encoding, delimiter, include, exclude, pages, duplicate_ids: as in :func:`ibidem.read`;
            tables that have an encoding are kept in UTF-8.
        min_documents: remove what so many documents hold word for word, wherever it occurs, in time linear in the text:
            whole lines with ``boundary="lines"``, or else all runs of ``min_length`` tokens. ``passages.jsonl`` has
            each text that goes, and how often. ``threshold``, ``keep``, ``ignore``, ``recall`` and ``seed`` have no
            part in this.
        null: what becomes of a row whose text is null: it is an ``"error"``, ``"keep"`` writes it as it is, and
            ``"drop"`` leaves it out.
        reading: receives how many bytes were read.
        failures: collects the rows and files that are left out because they cannot be read, and so are not in
            ``kept/``; if not given, that is an error.
        ray: the address of a Ray cluster that does the work, such as ``"auto"``; its nodes see the input and the work.
        work: the folder of the work until it is done; beside the output if not given.

    Raises:
        ValueError: an argument is out of its range.
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, something exists
            at ``output``, or ``output`` is or holds an input, or lies in one.
        LockedError: another process writes to this output.
        ClusterError: no cluster answers, or it lost a task.
    """
    import msgspec

    from ibidem.corpus.inputs import Inputs, locate_repeats, settle_ids
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.writing.output_folder import require_room
    from ibidem.engine import WrittenResult, open_engine, open_work
    from ibidem.engine.work import require_unmade
    from ibidem.resources import Resources
    from ibidem.reuse.documents import DocumentPart, read_documents
    from ibidem.reuse.removal import steps
    from ibidem.reuse.removal.cutting import require_action
    from ibidem.reuse.removal.question import PassageQuestion
    from ibidem.reuse.removal.result import explain_nothing
    from ibidem.text import make_tokenizer

    require_action(action)
    question = PassageQuestion.of(locals())
    how = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, duplicate_ids, null, pages)
    files = Inputs(inputs, how, progress=reading, failures=failures)
    require_room(output, files.sources, files.paths)
    require_unmade(output, work)
    if min_documents is not None:
        question.require_counting(min_documents)
    origin = msgspec.json.encode([files.describe(), question.describe(), min_documents, action])
    with (
        open_work(output, origin, place=work) as place,
        open_engine(ray, memory=memory, threads=threads, progress=progress) as engine,
    ):
        if (earlier_summary := place.find_summary()) is not None:
            return WrittenResult(earlier_summary, place.resumed)
        if min_documents is not None:
            summary = _remove_frequent(engine, files, question, min_documents, action, place)
            return WrittenResult(summary, place.resumed)
        limits = Resources.of(memory, 1, None)
        parts = settle_ids(files.cut(), limits)
        read_part = partial(read_documents, make_tokenizer(question.tokenizer))
        read = engine.map("reading", read_part, [DocumentPart(0, part) for part in parts], place / "read")
        with locate_repeats(parts, limits):
            [repeated] = engine.map("comparing", partial(steps.list_repeated, question), [read], place / "repeated")
        write_part = partial(steps.write_part, action, repeated)
        written = engine.map("writing", write_part, steps.number_parts(parts, read), place / "written")
        files.gather_failures(read)
        files.require_unchanged()
        counts = {"action": action, **steps.count_repeated(repeated), **files.count_rows_outside()}
        summary = counts | {"settings": question.summarize()}
        place.commit(partial(steps.fill, parts, read, repeated, written, summary))
    if (note := explain_nothing(summary, min_length)) and not summary["ignored_passages"]:
        warnings.warn(note, stacklevel=2)
    return WrittenResult(summary, place.resumed)


def _remove_frequent(
    engine: "Engine", files: "Inputs", question: "PassageQuestion", min_documents: int, action: str, place: "Work"
) -> dict[str, Any]:
    """Remove what ``min_documents`` documents hold word for word, and write the result; gives its summary."""
    import numpy as np

    from ibidem.corpus.distinct_ids import RepeatedIdError, find_repeated_id
    from ibidem.corpus.inputs import locate_repeats, settle_ids
    from ibidem.engine.hash_ranges import HashRange
    from ibidem.reuse.removal import boilerplate
    from ibidem.text import make_tokenizer

    limits = engine.resources.silence()
    parts = files.cut() if files.columns.duplicate_ids == "number" else settle_ids(files.cut(), limits)
    unit = boilerplate.Unit(question.boundary, make_tokenizer(question.tokenizer), question.min_length)
    read = engine.map("reading", partial(boilerplate.hash_part, unit), parts, place / "read")
    names = [units.names for each in read for units in boilerplate.read_units(each)]
    with locate_repeats(parts, limits):
        if files.columns.duplicate_ids == "error" and names and find_repeated_id(np.concatenate(names)):
            raise RepeatedIdError("two documents have one id")
    ranges = HashRange().cut(4 * len(parts))
    count = partial(boilerplate.count_range, min_documents, read)
    counted = engine.map("comparing", count, ranges, place / "counted")
    tasks = list(map(boilerplate.CutPart, parts, read))
    write_part = partial(boilerplate.cut_part, question.boundary, action, counted)
    written = engine.map("writing", write_part, tasks, place / "written")
    files.gather_failures(read)
    files.require_unchanged()
    removal = boilerplate.read_removals(written)
    summary = {
        "action": action,
        "documents": sum(sum(boilerplate.read_counts(each)) for each in read),
        "characters": sum(units.characters for each in read for units in boilerplate.read_units(each)),
        "min_documents": min_documents,
        "passages": removal.cuts,
        "passage_characters": removal.characters,
        "changed_documents": removal.changed,
        "emptied_documents": removal.emptied,
        **files.count_rows_outside(),
        "settings": question.summarize("min_length", "boundary", "tokenizer"),
    }
    place.commit(partial(boilerplate.fill, parts, read, written, removal, summary))
    return summary
