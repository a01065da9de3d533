"""Say which settings suit texts for a task, and why.

TASK is dedup, reuse, align, index or decontaminate; INPUT is what these commands read. A sample of every input is
looked at, from its first part to its last: which spellings of a word occur beside each other, words cut at line ends,
and words with digits or signs inside, as machines read them. No language is guessed. Give old and new editions
together, so that both spellings are seen. The command that is printed runs as it stands.

Examples:

    ibidem advise reuse books
    ibidem advise dedup notes.jsonl --json
    ibidem advise decontaminate books --evals quiz.jsonl
"""

import os
import shlex
import sys
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.terminal import is_terminal, write_json

if TYPE_CHECKING:
    from ibidem.corpus.sampling import Sample

_OUTPUTS = {"dedup": "unique", "reuse": "found", "index": "collection.ibidem", "decontaminate": "leaks"}
"""The output of each task that has one, unless something has that name."""

_OF_MISREAD = ("--shingle characters:5", "--threshold 0.5")


@command(__doc__)
@click.argument("task", metavar="TASK", type=click.Choice([*_OUTPUTS, "align"]))
@options.inputs_argument
@options.evals(required=False)
@options.reading
@options.max_line
@options.as_json
def advise(
    task: str,
    inputs: tuple[str, ...],
    evals: tuple[str, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Advise on settings for the inputs."""
    from ibidem.corpus.rows import Columns
    from ibidem.corpus.sampling import sample_texts
    from ibidem.errors import CorpusError
    from ibidem.text.advice import advise_texts

    if bool(evals) != (task == "decontaminate"):
        raise click.UsageError("--evals names the items for decontaminate, which needs them, and for no other task")
    reading = _repeat_reading()
    failures = settings.pop("failures")
    columns = Columns.of(**options.take_reading(settings))
    samples = [sample_texts([path], columns, failures=failures) for path in inputs]
    advice = advise_texts(text for sample in samples for text in sample.texts)
    if not advice.documents:
        raise CorpusError(f"{', '.join(inputs)}: no document to look at")
    flags, reasons = list(advice.options), list(advice.reasons)
    if task == "dedup" and advice.is_misread:
        flags += _OF_MISREAD
        reasons.append(f"{' '.join(_OF_MISREAD)}: few shingles of words are the same where words are misread")
    if task == "align" and not _are_two_texts(samples):
        reasons.append("reuse: align compares two texts, and these are more, or one")
    line = shlex.join(["ibidem", *_choose_command(task, inputs, evals, samples), *" ".join(flags).split(), *reading])
    record = {"command": line, "documents": sum(sample.documents for sample in samples), "options": flags}
    if as_json or not is_terminal(sys.stdout):
        write_json({**record, "reasons": reasons})
        return
    click.echo(line)
    for reason in reasons:
        click.echo(f"  {reason}")


def _choose_command(task: str, inputs: Sequence[str], evals: Sequence[str], samples: Sequence["Sample"]) -> list[str]:
    """The command for a task, without settings."""
    if task == "align" and _are_two_texts(samples):
        return ["align", *inputs]
    if task == "align":
        sides = [inputs[0], "--against", inputs[1]] if len(inputs) == 2 else inputs
        return ["reuse", *sides, "-o", _find_free(_OUTPUTS["reuse"])]
    items = [argument for path in evals for argument in ("--evals", path)]
    return [task, *inputs, *items, "-o", _find_free(_OUTPUTS[task])]


def _are_two_texts(samples: Sequence["Sample"]) -> bool:
    return [sample.documents for sample in samples] == [1, 1]


def _find_free(name: str) -> str:
    """The name, with a number if there is such a file."""
    stem, suffix = os.path.splitext(name)
    names = (name if number == 1 else f"{stem}-{number}{suffix}" for number in count(1))
    return next(each for each in names if not os.path.lexists(each))


def _repeat_reading() -> list[str]:
    """The options of reading that the user gave, as the line repeats them."""
    context = click.get_current_context()
    arguments: list[str] = []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in (*options.READING, "failures") and options.find_given([name]):
            values = "skip" if name == "failures" else context.params[name]
            for value in values if isinstance(values, tuple) else [values]:
                arguments += [parameter.opts[0], str(value)]
    return arguments
