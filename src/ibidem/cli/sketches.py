"""Searches of an index of sketches, which have few of the options of a search of passages."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ibidem.cli.query_notes import QueryNotes
from ibidem.cli.terminal import write_json
from ibidem.locators import without_locators

if TYPE_CHECKING:
    from ibidem import Document, SketchIndex, SketchMatches

_OPTIONS = ("threshold", "select", "verify")
"""The options that say what is reported."""

_OTHERS = ("index", "files", "query", "text", "id", "encoding", "failures", "within", "as_json", "with_text", "pager")
"""The arguments and options that any search has."""


def take_choices(context: click.Context, index: str) -> dict[str, Any]:
    """The arguments of ``SketchIndex.search`` that the caller of the command gave.

    Raises:
        UsageError: an option was given that a search of sketches does not have.
    """
    given = [
        param for param in context.command.params if context.get_parameter_source(param.name or "") not in _UNCHOSEN
    ]
    for param in given:
        if param.name not in (*_OPTIONS, *_OTHERS):
            raise click.UsageError(f"{max(param.opts, key=len)} is not for an index of sketches, which {index} is")
    return {param.name: context.params[param.name] for param in given if param.name in _OPTIONS}


_UNCHOSEN = (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)


def search_sketches(
    index: "SketchIndex", queries: Iterable["Document"], notes: QueryNotes, *, strict: bool, **choices: Any
) -> Iterator[tuple["Document", "SketchMatches"]]:
    """Each query and its matches. One that holds no word ends the work if it is ``strict``, or is reported."""
    from ibidem import SketchMatches
    from ibidem.weights import NoWeightError

    for query in queries:
        try:
            matches = index.search(query.text, name=query.id, **choices)
        except NoWeightError as error:
            if strict:
                raise
            notes.add(query.id, error)
            matches = SketchMatches()
        notes.count(query.id, len(matches))
        yield query, matches


def write_sketch_matches(results: Iterable[tuple["Document", "SketchMatches"]], *, with_text: bool) -> None:
    """Write a line of JSON for each match, with its fields that are not empty and the columns of the query."""
    import msgspec

    for query, matches in results:
        metadata = without_locators(query.metadata)
        for match in matches:
            fields: dict[str, Any] = msgspec.to_builtins(match)
            fields |= {
                "metadata": without_locators(match.metadata),
                "locator": match.locator,
                "query_metadata": metadata,
            }
            silent = {name for name, value in fields.items() if value in (None, {}, "")}
            if not with_text:
                silent.add("text")
            write_json({name: value for name, value in fields.items() if name not in silent})
