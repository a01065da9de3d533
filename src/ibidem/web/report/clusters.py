"""Clusters of matching passages, as a report shows them: a column for each witness."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ibidem.comparison import Comparer, Comparison, Witness
from ibidem.text.json_values import replace_surrogates
from ibidem.web.report.findings import Source

_COMPARED = 12
"""Witnesses of a cluster whose texts are shown; the others are named."""


class FoundWitness(NamedTuple):
    """A passage of a cluster.

    Attributes:
        document: the id of the document.
        start, end: the passage in the document.
        text: the passage, where it is known without the document.
        date: of the document, as the reader is to see it.
        source: the id of the document that it was likely taken from.
    """

    document: str
    start: int
    end: int
    text: str | None = None
    date: str | None = None
    source: str | None = None


class FoundCluster(NamedTuple):
    """A cluster of matching passages.

    Attributes:
        name: its name.
        weakest: the similarity at which it would fall apart.
        witnesses: its passages.
        central: the place among them of the one that is most similar to the others.
        boilerplate: why it is no reuse, if it is none.
    """

    name: str
    weakest: float
    witnesses: Sequence[FoundWitness]
    central: int = 0
    boilerplate: str | None = None

    @property
    def documents(self) -> int:
        """How many documents hold it."""
        return len({witness.document for witness in self.witnesses})


def order_clusters(clusters: Sequence[FoundCluster]) -> list[FoundCluster]:
    """The clusters, those first that most documents hold; boilerplate last."""
    return sorted(
        clusters,
        key=lambda cluster: (
            cluster.boilerplate is not None,
            -cluster.documents,
            -len(cluster.witnesses),
            cluster.name,
        ),
    )


def describe_cluster(
    cluster: FoundCluster,
    sources: Mapping[str, Source],
    comparer: Comparer,
    number: Callable[[str], int],
    dates: bool,
) -> tuple[dict[str, Any], list[Comparison]]:
    """A cluster as JSON, and its first witnesses, each compared with the central one.

    Args:
        number: gives the number of a document.
        dates: whether dates may be shown.
    """
    central = _witness(cluster.witnesses[cluster.central], sources)
    # The central witness comes first, the others in the order of their dates and documents.
    order = sorted(range(len(cluster.witnesses)), key=lambda row: (row != cluster.central, row))
    comparisons = [
        _without_first(comparer.compare(central, _witness(cluster.witnesses[row], sources)))
        for row in order[:_COMPARED]
    ]
    witnesses = [
        [
            number(witness.document),
            witness.start,
            witness.end,
            witness.date if dates else None,
            None if witness.source is None else number(witness.source),
        ]
        for witness in (cluster.witnesses[row] for row in order)
    ]
    description = {
        "weakest": cluster.weakest,
        "documents": cluster.documents,
        "boilerplate": cluster.boilerplate,
        "witnesses": witnesses,
        "compared": len(comparisons),
    }
    return description, comparisons


def _without_first(comparison: Comparison) -> Comparison:
    """Remove from a comparison the text of its first side, which a column of its own shows."""
    return msgspec.structs.replace(comparison, a=msgspec.structs.replace(comparison.a, text="", locators=()))


def _witness(witness: FoundWitness, sources: Mapping[str, Source]) -> Witness:
    source = sources.get(witness.document, Source())
    source.require_passage(witness.document, witness.end)
    name, text = replace_surrogates(witness.document), replace_surrogates(witness.text or "")
    return Witness(name, witness.start, witness.end, source.text, text, source.locators)
