"""A match as a line of JSON."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ibidem.cli.terminal import write_json

if TYPE_CHECKING:
    from ibidem import Match

__all__ = ["write_matches"]


def write_matches(matches: Iterable["Match"]) -> None:
    """Write a line for each match, with all fields but those that say nothing."""
    for match in matches:
        write_json(_record(match))


def _record(match: "Match") -> dict[str, Any]:
    import msgspec

    fields: dict[str, Any] = msgspec.to_builtins(match)
    silent = [name for name in ("metadata", "starts", "ends") if not fields[name]]
    silent += ["estimate"] * (match.estimate is None)
    silent += ["kind", "containment"] * (match.containment is None)
    return {name: value for name, value in fields.items() if name not in silent}
