"""What the page shows of the findings of ``ibidem reuse``: the same view as of a report and of an answer of the app."""

from collections.abc import Iterator, Mapping

from ibidem.comparison import Comparison
from ibidem.comparison.locators import DescribedPlaces
from ibidem.web.indexes.holdings import Holdings, choose_reuse
from ibidem.web.report.findings import Source
from ibidem.web.report.view import Comparisons, View, make_view
from ibidem.web.requests import ReuseComparisonsRequest, ReuseViewRequest

_TITLED = 100
"""Clusters whose words are looked up in indexes if the findings do not have them."""


def read_view(holdings: Holdings, request: ReuseViewRequest) -> View:
    """All that the page shows but comparisons and texts."""
    findings = choose_reuse(holdings, request.reuse).findings.shown
    central = {cluster.witnesses[cluster.central].document for cluster in findings.clusters[:_TITLED]}
    known = _Sources(holdings)
    return make_view(findings, {name: known[name] for name in central}, kind="reuse")[0]


def list_comparisons(holdings: Holdings, request: ReuseComparisonsRequest) -> list[Comparison]:
    """Passages word by word, of the pairs and then of the clusters; texts are those of the findings or of indexes."""
    findings = choose_reuse(holdings, request.reuse).findings.shown
    frequencies = tokenizer = None
    for index in holdings.indexes.values():
        with index.reader() as reader:
            frequencies, tokenizer = reader.word_frequencies, reader.index.tokenizer
        break
    comparisons = Comparisons(findings, _Sources(holdings), tokenizer or "words", frequencies)
    last = min(request.first + request.count, len(comparisons))
    return [comparisons[number] for number in range(request.first, last)]


class _Sources(Mapping[str, Source]):
    """The documents of the served indexes; each is looked up when it is asked for."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._known: dict[str, Source] = {}

    def __getitem__(self, name: str) -> Source:
        if name not in self._known:
            self._known[name] = Source()
            for index in self._holdings.indexes.values():
                with index.reader() as reader:
                    content = reader.document(name)
                if content is not None:
                    self._known[name] = Source(content[0], None, DescribedPlaces.of(content[1]))
                    break
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
