"""Texts of which one stands again in another, and what results look like."""

import json
from collections.abc import Callable
from typing import Any

from click.testing import Result

Run = Callable[..., Result]

PASSAGE = (
    "When the ferry came in at last, the whole street ran down to the harbour with lanterns and blankets, "
    "for everybody had a brother or a cousin on board, and nobody had slept since the storm began. The "
    "captain stood at the rail and called out the names one after the other, so that those who waited "
    "should know it before the ropes were made fast."
)
CHANGED = PASSAGE.replace("lanterns", "torches").replace("at last", "in the end").replace("a cousin", "an uncle")
OTHER = (
    "A beekeeper needs patience more than courage. In spring the hives are opened on the first warm day, "
    "the frames are lifted out one by one, and what the winter has left is counted. Weak swarms are "
    "joined to strong ones; sugar is boiled and cooled and set out at dusk. Then there is nothing to be "
    "done for weeks but to watch the gate and wait."
)


def lines_of(result: Result) -> list[dict[str, Any]]:
    """The JSON lines on standard output."""
    return [json.loads(line) for line in result.stdout.splitlines()]
