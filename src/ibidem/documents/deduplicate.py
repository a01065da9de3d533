"""Deduplication: which documents of a collection to keep, and what each of the others duplicates.

Each step is a function of a task that leaves its output in files, for the steps after it:

1. ``digest_part``, for each part: of each document the tokens, a signature and hashes. Documents that resemble one of
   an index are listed, if there is an index.
2. ``find_texts``, once: which documents have the same text. Only one of these is compared.
3. ``link_range``, for each range of hashes: the pairs of similar texts, those that share a band of their signatures.
4. ``choose_documents``, once: links become clusters, and each document is kept or removed.
5. ``write_part``, for each part, and ``write_summary``, of files: the kept documents, the removed ones, and the counts.

The help of a command reads this file, so what is costly to load is loaded where it is used.
"""

import os
import tempfile
import warnings
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from ibidem import options
from ibidem.arguments import DuplicateIds, require_choice

if TYPE_CHECKING:
    from ibidem.corpus.failures import Failures
    from ibidem.corpus.inputs import InputPart, Inputs
    from ibidem.corpus.sources import ReadingProgress
    from ibidem.documents.against import Against
    from ibidem.documents.result import Deduplication
    from ibidem.documents.rules import Rules
    from ibidem.engine import Engine, Work, WrittenResult
    from ibidem.resources import Progress
    from ibidem.text import Collection, Normalize

_PathLike = str | os.PathLike[str]


def deduplicate(
    documents: "Collection",
    *,
    text: str = "text",
    id: str = "id",
    threshold: options.Threshold = 0.8,
    shingle: options.Shingle = "words:5",
    recall: options.PairRecall = 0.99,
    num_hashes: options.SignatureSize = 128,
    seed: options.Seed = 0,
    normalize: "Normalize" = (),
    keep: options.KeepPolicy = "first",
    cluster_mode: options.ClusterModeOption = "representative",
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
    folder: _PathLike | None = None,
) -> "Deduplication":
    """Find the near-duplicates among ``documents``, and choose which to keep.

    Two documents are similar if the resemblance of their sets of shingles (Broder 1997, option B) is ``threshold`` or
    more. A document is removed if it is similar to one that is kept, and no two that are kept are similar.

    Args:
        documents: a table (a DataFrame of polars or pandas, a table of pyarrow, a relation of DuckDB, a Dataset of
            Hugging Face), or an iterable of ``Document``s, strings, (id, text) pairs, mappings or batches; for files
            see ``ibidem.read``. They are read once, as they come.
        text, id: the columns of a table, or the keys of mappings, that hold the text and the id; all others are
            metadata. Documents without an id are numbered from 0.
        shingle: the elements of a document, as ``ibidem.make_tokenizer`` takes it: ``"words:5"``, ``"characters:9"``. A
            document with fewer tokens than a shingle is one shingle; one without a token has none. Shingles are
            compared by a hash of 64 bits, and two words share an id with a probability of 2^-32.
        recall: least probability that a similar pair is found; 1 compares every pair.
        num_hashes, seed: the signatures.
        normalize: names of normalizations, as ``ibidem.make_tokenizer`` takes them.
        keep: which of similar documents stays: ``"first"``, ``"longest"``, or an expression over columns of the
            metadata, such as ``"max(quality), min(date)"``.
        cluster_mode: ``"representative"`` removes a document only if it is similar to the one that is kept.
            ``"connected"`` keeps one document of each cluster, and removes all that a chain of similar documents
            leads to.
        memory: about how much memory to use, such as ``"1G"``, besides about 120 bytes a document.
        threads: as many as the machine has cores if not given. The result does not depend on it.
        progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.
        folder: where to keep temporary files; the system's folder for these if not given.

    Warns:
        UserWarning: no document has a token.

    Raises:
        CorpusError: a document cannot be used, two have one id, or no document has a column that ``keep`` names.
        ValueError: an argument is out of its range.

    >>> verse = "tyger tyger burning bright in the forests of the night what immortal hand or eye"
    >>> found = deduplicate([("a", verse), ("b", "Tyger, " + verse), ("c", verse), ("d", "little lamb who made thee")])
    >>> found.kept.tolist(), found.duplicate_of.tolist(), found.similarity.round(2).tolist(), found.exact.tolist()
    ([True, False, False, True], [0, 0, 0, 3], [1.0, 0.92, 1.0, 1.0], [False, False, True, False])
    """
    from ibidem.documents.digests import BatchPart, digest_part
    from ibidem.documents.result import Deduplication
    from ibidem.documents.rules import Rules
    from ibidem.engine import Here
    from ibidem.resources import Resources
    from ibidem.text import as_batches

    rules = Rules.of(
        shingle,
        normalize,
        threshold=threshold,
        recall=recall,
        num_hashes=num_hashes,
        seed=seed,
        keep=keep,
        cluster_mode=cluster_mode,
    )
    part = BatchPart(as_batches(documents, text, id))
    engine = Here(Resources.of(memory, threads, progress))
    with tempfile.TemporaryDirectory(prefix="ibidem-", dir=folder) as place:
        digest_folders = engine.map("reading", partial(digest_part, rules, None), [part], Path(place, "digests"))
        link_files, choice_file = find_duplicates(engine, rules, digest_folders, Path(place))
        found = Deduplication.of(rules, digest_folders, link_files, choice_file)
    if len(found) > 1 and len(found.empty) == len(found):
        warnings.warn("no document has a token to compare, so only the same text is a duplicate", stacklevel=2)
    return found


def deduplicate_files(
    inputs: _PathLike | Iterable[_PathLike],
    output: _PathLike,
    *,
    text: str = "text",
    id: str = "id",
    threshold: options.Threshold = 0.8,
    shingle: options.Shingle = "words:5",
    recall: options.PairRecall = 0.99,
    num_hashes: options.SignatureSize = 128,
    seed: options.Seed = 0,
    normalize: "Normalize" = (),
    keep: options.KeepPolicy = "first",
    cluster_mode: options.ClusterModeOption = "representative",
    against: Annotated[
        _PathLike | None, options.Option("Remove what resembles a document of this index.", "INDEX", path=True)
    ] = None,
    add: Annotated[
        bool, options.Option("Add what is kept to that index, which is created if it does not exist.")
    ] = False,
    against_only: Annotated[bool, options.Option("Do not compare the documents with each other.")] = False,
    removed: Annotated[
        options.RemovedRows, options.Option("List of the removed documents: their rows, their ids, or none.")
    ] = "rows",
    format: Annotated[
        options.TableFormat | None,
        options.Option("Format of the tables.  [default: parquet; csv if all inputs are texts or separated values]"),
    ] = None,
    max_line: str | int = "256M",
    encoding: str | None = None,
    delimiter: str | None = None,
    include: str | Iterable[str] = (),
    exclude: str | Iterable[str] = (),
    pages: bool = False,
    duplicate_ids: DuplicateIds = "error",
    null: options.NullTextsOption = "error",
    failures: "Failures | None" = None,
    memory: str | int = "1G",
    threads: int | None = None,
    progress: "Progress | None" = None,
    reading: "ReadingProgress | None" = None,
    ray: str | None = None,
    work: _PathLike | None = None,
) -> "WrittenResult":
    """Deduplicate the documents of files into a new folder ``output``.

    It holds ``kept/``, a file of the same name, format, compression and columns for each input; ``removed.jsonl``, the
    removed documents with what they duplicate, compressed as the first input that is (as ``.zst`` of Parquet);
    ``rows_left_out.jsonl``, what of the input is in neither, and why; the tables ``clusters`` and ``short``; and
    ``summary.json``. If the work is interrupted, the same call resumes it.

    Args:
        inputs: files, folders, globs and URLs.
        output: a folder that does not exist, or the URL of an empty one.
        text, id: the columns that hold the text and the id.
        threshold, shingle, recall, num_hashes, seed, normalize, keep, cluster_mode: as ``deduplicate`` takes them.
        against: an index of documents; what resembles one of them is removed before the rest is compared.
        add: put what is kept into that index, which is made if there is none.
        against_only: compare documents with that index alone, and not with each other.
        removed: whether ``removed.jsonl`` has the removed rows as they were, their ids with what they duplicate, or
            does not exist.
        format: of the tables: ``"parquet"``, ``"jsonl"`` or ``"csv"``; if not given, CSV if all inputs are texts or
            separated values, and Parquet otherwise. ``clusters`` lists the documents of clusters of two or more,
            ``short`` those with fewer tokens than a shingle.
        max_line: bytes that a line, or a file of plain text, has at most, such as ``"4G"``.
        encoding: of text files and separated values, as ``ibidem.read`` takes it; tables are kept in UTF-8 then.
        delimiter, include, exclude, pages, duplicate_ids: as ``ibidem.read`` takes them.
        null: what becomes of a row whose text is null: it is an ``"error"``, or no document; ``"keep"`` writes it to
            ``kept/`` as it is, and ``"drop"`` leaves it out.
        failures: collects what is left out because it cannot be read; if not given, that is an error.
        memory, threads: of one task; ``deduplicate`` has the defaults. On Ray, a task has one thread if not given.
        progress: called with a phase, what is done, and the whole if that is known; ``True`` has it shown.
        reading: counts the stored bytes of the files, and those that were read.
        ray: the address of a Ray cluster to work on, as ``ray.init`` takes it; all of its nodes see the inputs and the
            folder of the work.
        work: the folder of the work until it is done; beside the output if not given.

    Raises:
        CorpusError: a document cannot be used, an input cannot be read twice or was changed meanwhile, ``output``
            exists, or ``output`` is, contains or lies in an input.
        ConfigurationError: the index was made for other shingles or a higher threshold.
        LockedError: another process writes to this output.
        ValueError: an argument is out of its range.
    """
    import msgspec

    from ibidem.corpus.inputs import Inputs, locate_repeats
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.writing.output_folder import require_room
    from ibidem.corpus.writing.removed import name_removed
    from ibidem.corpus.writing.tables import choose_format
    from ibidem.documents.against import is_being_added, open_against
    from ibidem.documents.rules import Rules
    from ibidem.documents.summary import gather_files, write_summary
    from ibidem.documents.writing import add_kept, write_part
    from ibidem.engine import WrittenResult, open_engine, open_work
    from ibidem.engine.work import name_work, require_unmade

    if (add or against_only) and against is None:
        raise ValueError(f"{'add' if add else 'against_only'} needs an index to compare with: against")
    require_choice("removed", removed, options.RemovedRows)
    choices = {
        "num_hashes": num_hashes,
        "seed": seed,
        "keep": keep,
        "cluster_mode": cluster_mode,
        "alone": against_only,
    }
    rules = Rules.of(shingle, normalize, threshold=threshold, recall=recall, **choices)
    columns = Columns.of(text, id, max_line, encoding, delimiter, include, exclude, duplicate_ids, null, pages)
    files = Inputs(inputs, columns, progress=reading, failures=failures)
    format = format or choose_format(files.sources)
    require_choice("format", format, options.TableFormat)
    require_room(output, files.sources, files.paths)
    require_unmade(output, work)
    facts = [files.describe(), rules.describe(), against and os.path.abspath(against), removed, format]
    origin, folder = msgspec.json.encode(facts, order="sorted").decode(), name_work(output, work)
    with (
        open_against(against, rules, folder, origin, adds=add, renames=duplicate_ids == "number") as known,
        open_engine(ray, memory=memory, threads=threads, progress=progress, is_durable=True) as engine,
        open_work(output, f"{origin} {known and known.generation}".encode(), place=work, stays=is_being_added) as place,
    ):
        if (earlier_summary := place.find_summary()) is not None:
            return WrittenResult(earlier_summary, place.resumed)
        parts, digest_folders = _read_parts(engine, rules, files, known, place)
        with locate_repeats(parts, engine.resources.silence()):
            _, choice_file = find_duplicates(engine, rules, digest_folders, place)
        write = partial(write_part, digest_folders, choice_file, removed)
        written = engine.map("writing", write, list(enumerate(parts)), place / "written")
        files.gather_failures(digest_folders)
        summarize = partial(write_summary, rules, digest_folders, files.count_rows_outside(), format)
        [summary] = engine.map("summarizing", summarize, [choice_file], place / "summary")

        def finish() -> None:
            files.require_unchanged()
            if known is not None and known.adds and not known.is_changed:
                add_kept(known, folder, origin, digest_folders, choice_file, parts, engine.resources)

        fill = partial(gather_files, parts, digest_folders, written, summary, name_removed(files.sources))
        return place.commit(fill, finish)


def _read_parts(
    engine: "Engine", rules: "Rules", files: "Inputs", against: "Against | None", place: "Work"
) -> "tuple[list[InputPart], list[Path]]":
    """Make the digests of all parts; once more, of other parts, where documents of one id are not an error."""
    from ibidem.corpus.inputs import settle_ids
    from ibidem.documents.digests import digest_part
    from ibidem.documents.texts import has_repeated_ids

    parts, digest = files.cut(), partial(digest_part, rules, against)
    digest_folders = engine.map("reading", digest, parts, place / "digests")
    taken_ids = against.taken_ids if against is not None and against.renames else set()
    if files.settles_ids and has_repeated_ids(digest_folders, taken_ids):
        parts = settle_ids(parts, engine.resources.silence(), taken_ids)
        digest_folders = engine.map("reading", digest, parts, place / "settled")
    return parts, digest_folders


class Duplicates(NamedTuple):
    """The outputs of the steps that find duplicates among digests: of ``link_range``, and of ``choose_documents``."""

    link_files: list[Path]
    choice_file: Path


def find_duplicates(engine: "Engine", rules: "Rules", digest_folders: list[Path], place: "Path | Work") -> Duplicates:
    """Find the duplicates among all documents of which ``digest_part`` left the digests, in files below ``place``."""
    from ibidem.documents.choice import choose_documents
    from ibidem.documents.links import link_range
    from ibidem.documents.texts import find_texts
    from ibidem.engine.hash_ranges import HashRange

    [texts_file] = engine.map_files("sorting", partial(find_texts, rules), [digest_folders], place / "texts")
    hashes, link = HashRange().cut(len(digest_folders)), partial(link_range, rules, digest_folders, texts_file)
    link_files = engine.map_files("comparing", link, hashes, place / "links")
    choose = partial(choose_documents, rules, digest_folders, texts_file)
    [choice_file] = engine.map_files("choosing", choose, [link_files], place / "choice")
    return Duplicates(link_files, choice_file)
