"""``ibidem dedup --passages``: its options, its work and its messages."""

from collections.abc import Mapping
from typing import Any

import click

from ibidem.cli import options
from ibidem.cli.options import call_on_files
from ibidem.cli.terminal import tell, write_json
from ibidem.counts import format_count
from ibidem.options import list_arguments
from ibidem.reuse.removal.deduplicate import deduplicate_passages_of_files

_OF_BOTH = ("threshold", "recall", "seed", "keep", "null")
"""Options that mean about the same for documents, whose help stays."""

passage_options = options.together(
    click.option("--passages", is_flag=True, help="Remove repeated passages, and no documents."),
    options.from_function(deduplicate_passages_of_files, leave_out=_OF_BOTH),
    options.ignore,
)
"""The options of ``--passages``."""


def require_options_of(passages: bool) -> None:
    """Raise a ``UsageError`` for an option of documents with ``--passages``, or one of passages without it."""
    from ibidem.documents.deduplicate import deduplicate_files

    of_documents, of_passages = (
        {*list_arguments(each)} - {*_OF_BOTH} for each in (deduplicate_files, deduplicate_passages_of_files)
    )
    option = options.find_given({*of_documents, "html"} if passages else {*of_passages, "ignore"})
    if option is not None:
        raise click.UsageError(
            f"{option} is for documents, not for --passages" if passages else f"{option} needs --passages"
        )


def list_outputs_of_passages(arguments: Mapping[str, Any], files: int) -> list[str]:
    """What is written of so many files."""
    tables = ["passages.jsonl", *(["left_out.jsonl"] if arguments["ignore"] else [])]
    return [f"kept ({format_count(files, 'file')})", *tables, "rows_left_out.jsonl", "summary.json"]


def dedup_passages(inputs: tuple[str, ...], output: str, *, as_json: bool, **settings: Any) -> None:
    """Deduplicate the passages of the inputs."""
    settings["ignore"] = options.read_ignored(settings["ignore"], settings)
    result = call_on_files(deduplicate_passages_of_files, inputs=inputs, output=output, **settings)
    if as_json:
        write_json({"output": output, **result.summary, "resumed": result.resumed})
    else:
        _report(result.summary, output)
        if result.resumed:
            tell(f"{output}: resumed an interrupted run")


def _report(summary: dict[str, Any], output: str) -> None:
    verb = {"remove": "removed", "mask": "masked", "annotate": "listed"}[summary["action"]]
    if "min_documents" in summary:
        share = summary["passage_characters"] / max(summary["characters"], 1)
        passages = format_count(summary["passages"], "passage")
        tell(
            f"{output}: {format_count(summary['documents'], 'document')} read, {passages} {verb} in "
            f"{summary['changed_documents']:,} that {summary['min_documents']:,} documents or more hold: "
            f"{summary['passage_characters']:,} of {summary['characters']:,} characters ({share:.1%})"
        )
        return
    share = summary["passage_tokens"] / max(summary["tokens"], 1)
    documents, passages = (
        format_count(summary["documents"], "document"),
        format_count(summary["passages"], "repeated passage"),
    )
    tell(
        f"{output}: {documents} read, {passages} {verb} in {summary['changed_documents']:,}: "
        f"{summary['passage_tokens']:,} of {summary['tokens']:,} tokens ({share:.1%})"
    )
    if left_out := summary["ignored_passages"]:
        tell(f"{format_count(left_out, 'passage')} similar to --ignore left as they are, listed in left_out.jsonl")
    if summary["emptied_documents"] and summary["action"] == "remove":
        stay = "stays" if summary["emptied_documents"] == 1 else "stay"
        emptied_documents = format_count(summary["emptied_documents"], "document")
        tell(f"{emptied_documents} held nothing else, and {stay} with an empty text")
