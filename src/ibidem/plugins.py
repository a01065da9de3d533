"""Entry points by which other packages add tokenizers, readers of files and exports of results."""

import warnings
from typing import TYPE_CHECKING, Any

from ibidem.deprecations import find_earlier
from ibidem.errors import ConfigurationError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def find_plugins(group: str) -> "dict[str, EntryPoint]":
    """The entry points of a group by their names; nothing is imported. One of a deprecated group gives a warning.

    Source: https://packaging.python.org/en/latest/specifications/entry-points/.
    """
    from importlib.metadata import entry_points

    plugins = {entry.name: entry for entry in entry_points(group=group)}
    for earlier in find_earlier(group):
        for entry in entry_points(group=earlier.name):
            if plugins.setdefault(entry.name, entry) is entry:
                warnings.warn(f"the plugin {entry.name!r}: {earlier}", DeprecationWarning, stacklevel=2)
    return plugins


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
