"""Entry points by which other packages add tokenizers, readers of files and exports of results."""

from typing import TYPE_CHECKING, Any

from ibidem.errors import ConfigurationError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def find_plugins(group: str) -> "dict[str, EntryPoint]":
    """The entry points of a group by their names; nothing is imported.

    Source: https://packaging.python.org/en/latest/specifications/entry-points/.
    """
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=group)}


def load_plugin(entry: "EntryPoint", kind: str) -> Any:
    """Import what an entry point names.

    Args:
        entry: one of ``find_plugins``.
        kind: what it is, for the message: ``"tokenizer"``.

    Raises:
        ConfigurationError: its import fails, whatever that raises.
    """
    try:
        return entry.load()
    except Exception as error:  # whatever the import of another package raises
        raise ConfigurationError(f"the {kind} {entry.name!r}, {entry.value}, cannot be loaded: {error}") from error
