"""The gate of a service: the items of evaluations that it looks for in documents."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli import options
from ibidem.cli.options import InputPath
from ibidem.cli.terminal import tell

if TYPE_CHECKING:
    from ibidem.contamination.eval_index import EvalIndex
    from ibidem.web.indexes.served_index import ServedIndex

gate_options = options.together(
    options.evals(required=False),
    options.from_function("ibidem.contamination.items:EvalColumns"),
    click.option(
        "--sample",
        metavar="TRAIN",
        multiple=True,
        type=InputPath(),
        help="Training data that weighs words; can be given again.",
    ),
    click.option("--text", metavar="COLUMN", default="text", show_default=True, help="Column of TRAIN with the text."),
)


def require_evals(evals: Sequence[str], sample: Sequence[str], columns: Mapping[str, Any]) -> None:
    """Raise a ``UsageError`` for options of evals where no evals are named."""
    if not evals and (sample or any(columns.values())):
        raise click.UsageError("--sample and the columns of evals are for --evals")


def prepare_gate(
    evals: Sequence[str],
    indexes: "Sequence[ServedIndex]",
    sample: Sequence[str],
    text: str,
    columns: Mapping[str, Any],
) -> "EvalIndex":
    """Prepare the items, with words weighed by files, or else by the documents of the first index."""
    from ibidem.contamination.eval_index import EvalIndex
    from ibidem.contamination.evals import read_evals
    from ibidem.corpus import read

    texts = read(sample, text=text) if sample else indexes[0].texts() if indexes else ()
    gate = EvalIndex(read_evals(list(evals), **columns), texts)
    for line in gate.recognized:
        tell(line)
    if not sample and not indexes:
        tell("words are weighed by the evals alone: --sample TRAIN weighs them by training data")
    gate.find([item.question for item in gate.detector.items[:1]], threads=1)  # its kernels are compiled
    return gate
