"""The kinds of indexes, for the commands that work on several: opening them, and the options that each has."""

import inspect
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ibidem.cli.options import find_function, list_given

if TYPE_CHECKING:
    from ibidem import DocumentIndex, PassageIndex, SketchIndex

KINDS = {
    "passages": "ibidem.passages.index:PassageIndex",
    "sketches": "ibidem.sketches.index.index:SketchIndex",
    "documents": "ibidem.documents.index:DocumentIndex",
}
"""The class of each kind of index."""


def open_index(path: str) -> "PassageIndex | SketchIndex | DocumentIndex":
    """The index at ``path``, of whichever kind it is."""
    from ibidem.store import Store

    with Store.open(path) as store:
        kind = store.config.get("kind", "passages")
    index: PassageIndex | SketchIndex | DocumentIndex = find_class(kind).open(path)
    return index


def find_class(kind: str) -> Any:
    """The class of a kind of index."""
    return find_function(KINDS[kind])


def list_methods(method: str, cases: Sequence[str]) -> dict[str, str]:
    """The names of this method of each kind, by the case in which a command calls it."""
    return {case: f"{name}.{method}" for case, name in zip(cases, KINDS.values(), strict=True)}


def take_arguments(
    kind: str, methods: Sequence[str], settings: Mapping[str, Any], others: Mapping[str, Collection[str]]
) -> dict[str, Any]:
    """The ``settings`` of a command that are arguments of methods of this kind of index; their defaults for ``None``.

    Args:
        others: options that are no arguments of the methods, and the kinds that they are for.

    Raises:
        UsageError: the user gave one of these options, which other kinds have, and this one has not.
    """
    parameters = {each: _list_parameters(find_class(each), methods) for each in KINDS}
    given = {name: option for name, option in list_given().items() if name in settings or name in others}
    for name, option in given.items():
        kinds = [each for each in KINDS if name in parameters[each] or each in others.get(name, ())]
        if kinds and kind not in kinds:
            raise click.UsageError(f"{option} is for an index of {' or '.join(kinds)}, not for one of {kind}")
    arguments = {name: value for name, value in settings.items() if name in parameters[kind]}
    return {name: parameters[kind][name].default if value is None else value for name, value in arguments.items()}


def _list_parameters(index: Any, methods: Sequence[str]) -> ChainMap[str, inspect.Parameter]:
    """The parameters of those of the methods that an index has."""
    signatures = [inspect.signature(getattr(index, method)) for method in methods if hasattr(index, method)]
    return ChainMap(*(dict(signature.parameters) for signature in signatures))


def kind_of(index: "PassageIndex | SketchIndex | DocumentIndex") -> str:
    """The kind of an index."""
    return getattr(index.configuration, "kind", "passages")
