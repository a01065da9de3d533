"""Old names that still work: one table, by which calls, commands, plugins and the package accept them with a warning.

A rename is one entry in ``DEPRECATED``, and nothing else: arguments of calls that ``ibidem.options`` declares, options
of commands, public names and groups of entry points look there. ``docs/policy.md`` says how long an entry stays; when
its version ``removed`` comes, a test fails until it is gone.
"""

import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

ENTRY_POINTS = "entry points"
"""The place of the names of groups of entry points."""


class Deprecated(NamedTuple):
    """An old name.

    Attributes:
        where: the call (``"find_reuse"``, ``"EvalIndex.find"``), the command (``"ibidem reuse"``), the module of a
            public name (``"ibidem"``), or ``ENTRY_POINTS``.
        name, instead: the old and the new name, options with their hyphens.
        since, removed: the version that deprecates the old name, and the one that no longer has it.
    """

    where: str
    name: str
    instead: str
    since: str
    removed: str

    def __str__(self) -> str:
        return (
            f"{self.name} ({self.where}) is deprecated since version {self.since} and will be removed in "
            f"{self.removed}; use {self.instead} instead"
        )


DEPRECATED: list[Deprecated] = []
"""Every old name that this version accepts. 0.1.0 is the first release, so it has none.

A call whose arguments ``ibidem.options`` does not declare calls ``rename_arguments`` itself, once it has an entry.
"""


def rename_arguments(call: str, arguments: dict[str, Any], *, stacklevel: int = 3) -> dict[str, Any]:
    """The arguments of a call with new names in place of deprecated ones.

    Args:
        stacklevel: that of ``warnings.warn``; 3 if the caller of the function that calls this one is to be warned.

    Raises:
        TypeError: an argument is given by its old name and by its new one.
    """
    for entry in _list_entries(call):
        if entry.name in arguments:
            if entry.instead in arguments:
                raise TypeError(f"{call}() got {entry.instead!r} twice, once by its old name {entry.name!r}")
            _warn(entry, stacklevel + 1)
            arguments = {entry.instead if name == entry.name else name: value for name, value in arguments.items()}
    return arguments


def rename_options(command: str, arguments: list[str], tell: Callable[[str], None]) -> list[str]:
    """The arguments of a command with new options in place of deprecated ones; ``tell`` gets a line for each.

    What follows ``--`` is no option.
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = arguments[:end]
    for entry in _list_entries(command):
        new_options = [_replace_option(entry, word) for word in options]
        if new_options != options:
            tell(str(entry))
        options = new_options
    return [*options, *arguments[end:]]


def find_renamed(module: str, name: str) -> str | None:
    """Find the new name of a deprecated name of a module, and warn; ``None`` if the name is not deprecated."""
    for entry in _list_entries(module):
        if entry.name == name:
            _warn(entry, 4)  # behind `__getattr__`
            return entry.instead
    return None


def find_earlier(group: str) -> list[Deprecated]:
    """The old names of a group of entry points."""
    return [entry for entry in _list_entries(ENTRY_POINTS) if entry.instead == group]


def _list_entries(where: str) -> Iterator[Deprecated]:
    return (entry for entry in DEPRECATED if entry.where == where)


def _replace_option(entry: Deprecated, word: str) -> str:
    option, equals, value = word.partition("=")
    return f"{entry.instead}{equals}{value}" if option == entry.name else word


def _warn(entry: Deprecated, stacklevel: int) -> None:
    warnings.warn(str(entry), DeprecationWarning, stacklevel=stacklevel)
