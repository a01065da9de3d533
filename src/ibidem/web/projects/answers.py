"""The answers to the four questions: each calls what the command line calls, and gives what the page shows."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ibidem.resources import Resources
from ibidem.spans import Ignored
from ibidem.text import Document, TokenizerSpec
from ibidem.web.problems import ProblemError
from ibidem.web.projects.reading import StoredDocument
from ibidem.web.projects.tables import write_alignments, write_rows
from ibidem.web.projects.views import ROLE
from ibidem.web.report.findings import Findings, FoundPair, SharedDocuments
from ibidem.web.report.folders import read_results, read_reuse_folder

if TYPE_CHECKING:
    import pyarrow as pa

MOST_LEFT_OUT = 2000
"""Places that were left out, of which the page has the words."""

Answered = tuple[Findings, dict[str, Any]]
"""What was found, and fields of the view."""


class AskedTexts(NamedTuple):
    """The documents that a question is about.

    Attributes:
        texts, sources: documents.
        templates: names and texts of what is subtracted.
        date: the column of dates, if the documents have one.
    """

    texts: list[StoredDocument]
    sources: list[StoredDocument]
    templates: tuple[tuple[str, str], ...]
    date: str | None


class AnswerWork(NamedTuple):
    """The material of an answer, and where it is written.

    Attributes:
        settings: all of the question, with the normalizations that were chosen.
        place: the folder of the answer.
    """

    asked_texts: AskedTexts
    settings: dict[str, Any]
    tokenizer: TokenizerSpec
    resources: Resources
    place: Path


def _find_reuse(work: AnswerWork) -> Answered:
    """Answer which texts share passages, by ``ibidem reuse``, and index the same texts for searches."""
    from ibidem.corpus.writing.tables import write_table
    from ibidem.reuse.find import find_reuse_in_files
    from ibidem.reuse.outputs.result import read_reuse_table

    _, sources, templates, date = work.asked_texts
    against_sources = work.settings["compare"] == "sources"
    if against_sources and not sources:
        raise ProblemError(422, "no file is a source: give some files this role, or compare all texts")
    names = ("threshold", "min_pair_length", "within", "quotations", "keep_boilerplate")
    inputs, output = _list_inputs(work), work.place / "reuse"
    result = find_reuse_in_files(
        inputs[:1] if against_sources else inputs,
        output,
        against=inputs[1:] if against_sources else (),
        **{name: work.settings[name] for name in names},
        tokenizer=work.tokenizer,
        ignore=templates,
        date=date,
        series=ROLE if sources and not against_sources else None,
        texts=True,
        memory=work.resources.memory,
        threads=work.resources.workers,
        progress=work.resources.tell,
    )
    write_table(read_reuse_table(output, "pairs"), work.place / "pairs.csv", "csv")
    write_table(name_groups(read_reuse_table(output, "left_out")), work.place / "left_out.csv", "csv")
    _build_index(work)
    return read_reuse_folder(output), {"summary": result.summary, "subtracted": [name for name, _ in templates]}


def name_groups(left_out: "pa.Table") -> "pa.Table":
    """The table of what was left out, where a row of what many share names one document and no partner of it."""
    import pyarrow.compute as pc

    is_shared = pc.equal(left_out.column("reason"), "frequent")
    names = pc.if_else(is_shared, "", left_out.column("a"))
    return left_out.set_column(left_out.column_names.index("a"), "a", names)


def _list_inputs(work: AnswerWork) -> list[str]:
    """The files of the texts and of the sources, if there are some."""
    return [str(path) for path in (work.place / "texts.jsonl", work.place / "sources.jsonl") if path.exists()]


def _prepare_search(work: AnswerWork) -> Answered:
    """Prepare the answer where a passage occurs, by ``ibidem index``; the server searches the index."""
    return Findings(), {"summary": _build_index(work)}


def _build_index(work: AnswerWork) -> dict[str, int]:
    """Build the index of all texts and sources, and count them."""
    import ibidem

    documents = work.asked_texts.texts + work.asked_texts.sources
    index = ibidem.PassageIndex.build(
        work.place / "texts.ibidem",
        (document.load() for document in documents),
        tokenizer=work.tokenizer,
        memory=work.resources.memory,
        progress=work.resources.tell,
    )
    counts = {"documents": len(documents), "tokens": sum(segment.num_tokens for segment in index.segments)}
    index.close()
    return counts


def _align(work: AnswerWork) -> Answered:
    """Answer how two texts differ, by ``ibidem align``, and compare both from the first word to the last."""
    import ibidem

    documents = work.asked_texts.texts + work.asked_texts.sources
    if len(documents) != 2:
        raise ProblemError(422, f"two texts are compared word by word, and {len(documents)} were chosen")
    a, b = (document.load() for document in documents)
    work.resources.tell("aligning", 0, None)
    options = {name: work.settings[name] for name in ("threshold", "min_pair_length")}
    pairs = ibidem.align(a.text, b.text, tokenizer=work.tokenizer, ignore=work.asked_texts.templates, **options)
    shares = pairs.shares()
    findings = Findings(
        pairs=[FoundPair.of_alignment(pair, (a.id, b.id)) for pair in pairs],
        document_pairs=[SharedDocuments(a.id, b.id, len(pairs), (shares.a, shares.b))],
        whole=FoundPair(a.id, 0, None, b.id, 0, None, 0.0),
    )
    findings = _subtract(findings, pairs.ignored, {"a": a, "b": b})
    work.resources.tell("writing", 0, None)
    write_alignments(pairs, (a, b), work.settings["units"], work.place)
    subtracted = [name for name, _ in work.asked_texts.templates]
    return findings, {"summary": {"pairs": len(pairs)}, "subtracted": subtracted}


def _deduplicate(work: AnswerWork) -> Answered:
    """Answer what is repeated, by ``ibidem dedup``, of whole texts or of passages."""
    inputs = _list_inputs(work)
    if work.settings["remove"] == "passages":
        return _deduplicate_passages(work, inputs)
    return _deduplicate_texts(work, inputs)


def _deduplicate_texts(work: AnswerWork, inputs: list[str]) -> Answered:
    from ibidem.documents.deduplicate import deduplicate_files

    memory, threads, tell = work.resources
    result = deduplicate_files(
        inputs,
        work.place / "dedup",
        threshold=work.settings["threshold"],
        keep=work.settings["keep"],
        normalize=tuple(work.settings["normalize"]),
        memory=memory,
        threads=threads,
        progress=tell,
    )
    findings = read_results(str(work.place / "dedup"))
    rows = ([pair.a, pair.b, pair.similarity] for pair in findings.pairs)
    write_rows(work.place / "removed.csv", ["removed", "same as", "similarity"], rows)
    return findings, {"summary": result.summary, "not_subtracted": [name for name, _ in work.asked_texts.templates]}


def _deduplicate_passages(work: AnswerWork, inputs: list[str]) -> Answered:
    from ibidem.corpus.records import read_records
    from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

    names = ("threshold", "min_length", "keep", "boundary")
    result = deduplicate_passages_of_files(
        inputs,
        work.place / "dedup",
        **{name: work.settings[name] for name in names},
        tokenizer=work.tokenizer,
        ignore=work.asked_texts.templates,
        memory=work.resources.memory,
        threads=work.resources.workers,
        progress=work.resources.tell,
    )
    findings = read_results(str(work.place / "dedup"))
    columns = ["document", "start", "end", "duplicate_of", "of_start", "of_end", "similarity", "text"]
    rows = ([*pair[:7], pair.passages[0]] for pair in findings.pairs)
    write_rows(work.place / "removed_passages.csv", columns, rows)
    left_out = work.place / "dedup" / "left_out.jsonl"
    records = read_records(str(left_out)) if left_out.exists() else ()
    texts = {document.id: document for document in work.asked_texts.texts + work.asked_texts.sources}
    return _subtract(findings, [msgspec.convert(record.values, Ignored) for record in records], texts), {
        "summary": result.summary,
        "subtracted": [name for name, _ in work.asked_texts.templates],
    }


def _subtract(
    findings: Findings, ignored: Sequence[Ignored], texts: Mapping[str, StoredDocument | Document]
) -> Findings:
    """The findings with the passages that count as absent; ``texts`` are their documents."""
    rows = []
    for passage in ignored[:MOST_LEFT_OUT]:
        document = texts[passage.document]
        text = document.text[passage.start : passage.end]
        rows.append({"reason": "ignored", "a": document.id, "b": passage.text, "a_text": text})
    return findings._replace(set_aside={"ignored": len(ignored)} if ignored else {}, left_out=rows)


ANSWERS: dict[str, Callable[[AnswerWork], Answered]] = {
    "reuse": _find_reuse,
    "search": _prepare_search,
    "align": _align,
    "dedup": _deduplicate,
}
"""By the kind of a question."""
