"""The stages that find contamination in files, to the same bytes however tasks are distributed.

1. *read*: one task a part. Its documents stream past the items, and what they hold of them is noted. Of a file that an
   earlier run has looked through, this is taken from there, and only items that are new are looked for.
2. *judge*: one task. Document frequencies are known now, so each occurrence is judged; the tables are written.
3. *write*: one task a part, unless nothing is changed. Files are written with their leaks annotated, removed or cut.
4. *commit*: one task. All that was written gets its name at one instant.

A Python call ends with the judgement, in memory: its documents are one part. How words weigh follows from the evals and
a sample of the documents. Each process learns it once. Beside its tables a run leaves what it found, for a later one
that updates it (``earlier.py``).
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ibidem.contamination.decon import render_decon
from ibidem.contamination.detector import Occurrence
from ibidem.contamination.edits import Notes, write_changed
from ibidem.contamination.item_parts import ItemParts
from ibidem.contamination.job.earlier import EarlierFindings, Place, SourceFindings, join_pieces
from ibidem.contamination.job.job import ContaminationJob, Job, Settings, describe_reading
from ibidem.contamination.judging import JudgedOccurrence, judge_occurrences
from ibidem.contamination.result import TABLES, Contamination, Origin, make_result, map_sources
from ibidem.contamination.sources import find_source, require_column
from ibidem.corpus.sources import Source
from ibidem.corpus.writing.kept import link_tree
from ibidem.corpus.writing.tables import write_table
from ibidem.engine.earlier import FOLDER
from ibidem.engine.outputs import open_as, save_output
from ibidem.jobs.reading import write_failures
from ibidem.jobs.stage import Stage, count_one, count_parts
from ibidem.parallel import in_order
from ibidem.resources import Resources
from ibidem.text import Documents

_TABLES, _KEPT = "tables", "kept"


class SourceNotes(msgspec.Struct, frozen=True):
    """The changes to make: for each source the notes on its documents."""

    notes: list[dict[int, list[dict[str, Any]]]]
    counts: list[int]


class _Batch(NamedTuple):
    source: int
    first: int
    documents: Documents


def _look(workspace: Any, part: int, target: Path, resources: Resources) -> list[SourceFindings]:
    """Look for the items in the documents of a part: what each of its sources holds."""
    job: Job = workspace.job
    rounds = job.rounds
    first, end = job.bounds[part]
    sources = job.open_part(part, resources)
    findings_before = [job.known(number) for number in range(first, end)]
    done = [0 if each is None else each.rounds for each in findings_before]
    counts = [0] * len(sources)
    tokens = [0] * len(sources)
    of_sources: list[list[tuple[Place, Occurrence]]] = [[] for _ in sources]

    def look(batch: _Batch) -> tuple[_Batch, list[Occurrence], int, int]:
        occurrences, size = rounds.find(batch.documents, done[batch.source])
        smaller_batch = batch._replace(documents=batch.documents if occurrences else batch.documents.rows(0, 0))
        return smaller_batch, occurrences, size, len(batch.documents.ids)

    wanted = [number for number, rounds_done in enumerate(done) if rounds_done < len(rounds.detectors)]
    batches, looked = _read(job, sources, wanted, resources.batch_bytes, counts), 0
    with resources.pool() as pool:
        for batch, occurrences, size, documents in in_order(pool, look, batches, 2 * resources.workers):
            tokens[batch.source] += size
            for each in occurrences:
                of = find_source(batch.documents, each.document, job.source, sources[batch.source].name)
                place = Place(batch.first + each.document, 0, batch.documents.ids[each.document], of)
                of_sources[batch.source].append((place, each._replace(document=0)))
            looked += documents
            resources.tell("reading", looked, None)
    write_failures(target, job.failures)
    results = []
    for number, source in enumerate(sources):
        earlier = findings_before[number]
        if number not in wanted:
            assert earlier is not None
            results.append(earlier)
            continue
        left_out = 0 if job.failures is None else len(job.failures.rows_of(source))
        row_of = _true_rows(source, counts[number])
        placed = [
            (msgspec.structs.replace(place, row=row_of(place.number)), each) for place, each in of_sources[number]
        ]
        new = SourceFindings(
            documents=counts[number],
            rows=counts[number] + left_out,
            tokens=tokens[number],
            rounds=len(rounds.detectors),
            digest=job.digest(first + number),
            occurrences=placed,
        )
        results.append(new if earlier is None else earlier.join(new))
    return results


def _read(
    job: Job, sources: Sequence[Source], numbers: Sequence[int], size: int, counts: list[int]
) -> Iterator[_Batch]:
    """The documents of each wanted source in batches; ``counts`` are those of each that was read to its end."""
    for number in numbers:
        for batch in job.read(sources[number], size):
            if not counts[number]:
                require_column(batch, job.source, sources[number].path)
            yield _Batch(number, counts[number], batch)
            counts[number] += len(batch.ids)


def _true_rows(source: Source, count: int) -> Callable[[int], int]:
    """The row of each document of a source, from 1, if rows before it were left out."""
    if source.failures is None or not len(left_out := source.failures.rows_of(source)):
        return lambda number: number + 1
    rows = np.delete(np.arange(count + len(left_out)), left_out)
    return lambda number: int(rows[number]) + 1


class Judgement(NamedTuple):
    """The judged occurrences in all documents.

    Attributes:
        result: the same as tables.
        homes: for each document with an occurrence its source, and its number there.
    """

    findings: list[SourceFindings]
    judged: Sequence[JudgedOccurrence]
    origins: dict[int, Origin]
    homes: dict[int, tuple[int, int]]
    result: Contamination


def judge(workspace: Any) -> Judgement:
    """Judge what all parts hold: the frequencies of phrases among all documents are known."""
    job: Job = workspace.job
    findings = [each for part in range(job.parts) for each in workspace.load(READ, part)]
    origins, occurrences, homes = _gather(job.sources, findings)
    tokens, documents = sum(each.tokens for each in findings), sum(each.documents for each in findings)
    items, places = job.rounds.items, job.rounds.find_rivals(occurrences)
    judged = judge_occurrences(items, places, max(tokens, job.least_tokens), job.threshold, map_sources(origins))
    result = make_result(items, judged, origins, (documents, tokens), job.recognized, job.least_tokens)
    return Judgement(findings, judged, origins, homes, result)


def _judge(workspace: Any, number: int, target: Path, resources: Resources) -> SourceNotes:
    """Judge what all parts hold, and write the tables and what a later run takes from this one."""
    job: ContaminationJob = workspace.job
    findings, judged, origins, homes, result = judge(workspace)
    items, failures = job.rounds.items, job.join_failures()
    _write_tables(result, job.settings, result.summary | job.count_left_out(), target / _TABLES)
    if "decon" in job.settings.also:
        (target / _TABLES / "decon").mkdir()
        (target / _TABLES / "decon" / "report.jsonl").write_bytes(render_decon(items, judged, origins))
    described = describe_reading(job.settings, job.tokenizer)
    if described is not None:
        whole = join_pieces(job.sources, findings, () if failures is None else {each.path for each in failures})
        EarlierFindings(described, job.evals, job.sample, whole).write(target / _TABLES / FOLDER)
    return _note_leaks(items, judged, homes, [each.documents for each in findings])


def _gather(
    sources: Sequence[Source], findings: Sequence[SourceFindings]
) -> tuple[dict[int, Origin], list[tuple[int, Occurrence]], dict[int, tuple[int, int]]]:
    """The files and rows of all documents with an occurrence, the occurrences, and the sources of these documents."""
    origins: dict[int, Origin] = {}
    homes: dict[int, tuple[int, int]] = {}
    occurrences: list[tuple[int, Occurrence]] = []
    first, rows = 0, defaultdict[str, int](int)
    for number, (source, finding) in enumerate(zip(sources, findings, strict=True)):
        for place, each in finding.occurrences:
            document = first + place.number
            file, row = (source.name, rows[source.path] + place.row) if source.name else (None, None)
            origins[document] = Origin(file, row, place.id, place.source)
            homes[document] = number, place.number
            occurrences.append((document, each))
        first += finding.documents
        rows[source.path] += finding.rows
    return origins, occurrences, homes


def _write_tables(result: Contamination, settings: Settings, summary: dict[str, Any], folder: Path) -> None:
    folder.mkdir()
    for name in TABLES:
        write_table(getattr(result, name), folder / f"{name}.{settings.format}", settings.format)
    text = json.dumps({"action": settings.action, **summary}, indent=2)
    (folder / "summary.json").write_text(text + "\n", encoding="utf-8")


def _note_leaks(
    parts: ItemParts, judged: Sequence[JudgedOccurrence], homes: dict[int, tuple[int, int]], counts: list[int]
) -> SourceNotes:
    from ibidem.contamination.parts import KINDS

    notes: list[dict[int, list[dict[str, Any]]]] = [{} for _ in counts]
    for each in judged:
        if each.kind != "leak":
            continue
        source, number = homes[each.document]
        item = parts.items[int(parts.owners[each.occurrence.part])]
        note = {
            "start": each.occurrence.start,
            "end": each.occurrence.end,
            "eval_key": item.eval_key,
            "config": item.config,
            "split": item.split,
            "eval_instance_index": str(item.instance),
            "part": KINDS[int(parts.kinds[each.occurrence.part])],
            "containment": each.occurrence.containment,
            "evidence": each.evidence,
        }
        notes[source].setdefault(number, []).append(note)
    return SourceNotes(notes, counts)


def _write(workspace: Any, part: int, target: Path, resources: Resources) -> None:
    """Write the files of a part with their leaks annotated, removed, masked or cut."""
    job: ContaminationJob = workspace.job
    leaks: SourceNotes = workspace.load(JUDGE)
    settings, (first, _) = job.settings, job.bounds[part]
    files, places = job.open_files(part, resources).files, job.place_kept(part, target / _KEPT)
    for number, (source, place) in enumerate(zip(files, places, strict=True), first):
        count = leaks.counts[number]
        if count or source.failures is None or not source.failures.lacks_rest(source):
            notes: Notes = leaks.notes[number]
            scratch = target / "readable"
            source = source._replace(progress=None)
            write_changed(source, settings.columns.text, count, notes, settings.action, scratch, place)


def _commit(workspace: Any, number: int, folder: Path, resources: Resources) -> None:
    """Give the output its name."""
    job: ContaminationJob = workspace.job
    tables = workspace.output(JUDGE.name) / _TABLES
    parts = [workspace.output(WRITE.name, part) / _KEPT for part in range(_count_written(workspace))]

    def fill(target: Path) -> None:
        link_tree(tables, target)
        if parts:
            job.join_kept(parts, target / _KEPT)

    job.make_result(folder, fill)


def _count_written(workspace: Any) -> int:
    return 0 if workspace.job.settings.action == "report" else count_parts(workspace)


READ = Stage("read", count_parts, _look, bulky=True, save=save_output, open=open_as(list[SourceFindings]))
JUDGE = Stage("judge", count_one, _judge, bulky=True, save=save_output, open=open_as(SourceNotes))
WRITE = Stage("write", _count_written, _write, bulky=True)
COMMIT = Stage("commit", count_one, _commit, bulky=False)

STAGES = [READ, JUDGE, WRITE, COMMIT]
