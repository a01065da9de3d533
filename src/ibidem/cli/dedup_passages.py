"""``ibidem dedup --passages``: what is said of it, and which options it has."""

from typing import Any

import click

from ibidem.cli.terminal import format_count, progress, tell, write_json

__all__ = ["dedup_passages", "passage_options"]

_OF_DOCUMENTS = (
    "shingle",
    "cluster_mode",
    "verify",
    "num_hashes",
    "against",
    "add",
    "against_only",
    "html",
)
"""Options that mean nothing for passages."""

_OF_PASSAGES = ("min_length", "action", "boundary", "tokenizer")

_DONE = {"reading": "read", "comparing": "read and compared"}


def passage_options(function: Any) -> Any:
    """The options of ``--passages``."""
    options = (
        click.option("--passages", is_flag=True, help="Remove repeated passages, and no documents."),
        click.option(
            "--min-length", metavar="N", type=click.IntRange(1), default=50, help="Least tokens of a passage.  [50]"
        ),
        click.option(
            "--action",
            type=click.Choice(["remove", "mask", "annotate"]),
            default="remove",
            help="What becomes of repeated passages; annotate lists them in a column.",
        ),
        click.option(
            "--boundary", type=click.Choice(["words", "lines"]), default="words", help="Cut between words, or lines."
        ),
        click.option("--tokenizer", metavar="SPEC", default="words", help="What a token of a passage is."),
    )
    for option in reversed(options):
        function = option(function)
    return function


def require_options_of(passages: bool) -> None:
    """Raise a ``UsageError`` for an option that means nothing for what is deduplicated."""
    context = click.get_current_context()
    for name in _OF_DOCUMENTS if passages else _OF_PASSAGES:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            option = next(each.opts[0] for each in context.command.params if each.name == name)
            raise click.UsageError(
                f"{option} is for documents, not for --passages" if passages else f"{option} needs --passages"
            )


def dedup_passages(
    inputs: tuple[str, ...], output: str, *, memory: str, threads: int | None, as_json: bool, **settings: Any
) -> None:
    """Deduplicate the passages of the inputs."""
    from ibidem.corpus import ReadingProgress
    from ibidem.resources import Resources
    from ibidem.reuse.removal.deduplicate import PassageChoices
    from ibidem.reuse.removal.files import deduplicate_passages_of_files
    from ibidem.text import make_tokenizer

    if settings["normalize"]:
        settings["tokenizer"] = make_tokenizer(settings["tokenizer"], normalize=settings["normalize"])
    choices = PassageChoices(**{name: settings[name] for name in PassageChoices._fields}).require_valid()
    columns = {name: settings[name] for name in ("text", "id", "action", "max_line", "failures")}
    reading = ReadingProgress()
    with progress(reading) as shown:
        resources = Resources.of(memory, threads, shown)
        written = deduplicate_passages_of_files(inputs, output, choices, resources, **columns, progress=reading)
    if as_json:
        write_json({"output": output, **written.summary, "resumed": bool(written.resumed)})
    else:
        _report(written.summary, output)
        if written.resumed:
            tell(f"{output}: went on with what an interrupted run had {_DONE[written.resumed[-1]]}")


def _report(summary: dict[str, Any], output: str) -> None:
    done = {"remove": "removed", "mask": "masked", "annotate": "listed"}[summary["action"]]
    share = summary["passage_tokens"] / max(summary["tokens"], 1)
    documents, passages = (
        format_count(summary["documents"], "document"),
        format_count(summary["passages"], "repeated passage"),
    )
    tell(
        f"{output}: {documents} read, {passages} {done} in {summary['changed_documents']:,}: "
        f"{summary['passage_tokens']:,} of {summary['tokens']:,} tokens ({share:.1%})"
    )
    if summary["emptied_documents"] and summary["action"] == "remove":
        tell(f"{format_count(summary['emptied_documents'], 'document')} held nothing else, and stay with an empty text")
