"""Say which command and settings suit texts, and why.

INPUT is what the other commands read. The first million characters are looked at: which spellings of a word occur
beside each other, words cut at line ends, and words with digits inside, as machines read them. No language is guessed.
Give old and new editions together, so that both spellings are seen.

Examples:

    ibidem advise books
    ibidem advise notes.jsonl --json
"""

import sys
from typing import Any

import click

from ibidem.cli import options
from ibidem.cli.command import command
from ibidem.cli.terminal import is_terminal, write_json


@command(__doc__)
@options.inputs_argument
@options.reading
@options.max_line
@options.as_json
def advise(
    inputs: tuple[str, ...],
    as_json: bool,
    **settings: Any,
) -> None:
    """Advise on settings for the inputs."""
    from ibidem.corpus import read
    from ibidem.errors import CorpusError
    from ibidem.text.advice import advise_texts

    batches = read(inputs, **options.take_reading(settings), batch_bytes=1 << 20)
    advice = advise_texts(text for batch in batches for text in batch.texts)
    if not advice.documents:
        raise CorpusError(f"{', '.join(inputs)}: no document to look at")
    flags = "".join(f" {option}" for option in advice.options)
    names = " ".join(inputs)
    line = f"ibidem align {names}{flags}" if len(inputs) == 2 else f"ibidem reuse {names} -o found{flags}"
    if as_json or not is_terminal(sys.stdout):
        write_json({"command": line, **advice._asdict()})
        return
    click.echo(line)
    for reason in advice.reasons:
        click.echo(f"  {reason}")
