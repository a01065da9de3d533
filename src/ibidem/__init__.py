"""ibidem finds where a text stands again, from whole documents down to the exact passage.

``align`` compares two texts, ``PassageIndex`` searches a collection, ``deduplicate`` finds its near-duplicates, and the
command ``ibidem`` does the same. Names are loaded when they are used, so that ``import ibidem`` costs
nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from ibidem.alignment.align import align
    from ibidem.auditing.audit import Audit, audit
    from ibidem.comparison import Comparison, UnitPair, WordPair, align_units, align_words, compare
    from ibidem.contamination.find import find_contamination
    from ibidem.contamination.result import Contamination
    from ibidem.corpus import read
    from ibidem.documents.dedup import Deduplication, deduplicate
    from ibidem.documents.index import DocumentIndex
    from ibidem.errors import (
        ConfigurationError,
        CorpusError,
        DamagedError,
        FormatVersionError,
        IbidemError,
        IndexExistsError,
        LockedError,
        MissingExtraError,
        NotAnIndexError,
        PlanError,
        StoreError,
    )
    from ibidem.passages.index import PassageIndex
    from ibidem.results import Alignments, DocumentMatch, DocumentMatches, Matches
    from ibidem.reuse.find import find_reuse
    from ibidem.reuse.outputs.result import Reuse
    from ibidem.reuse.removal.deduplicate import PassageDeduplication, deduplicate_passages
    from ibidem.similarity import containment, jaccard
    from ibidem.sketches.datasketch import MinHash, MinHashLSH
    from ibidem.sketches.one_text import TextSketch, sketch_of, windows_of
    from ibidem.sketches.windows import Windows
    from ibidem.spans import Alignment, Match, Passage
    from ibidem.text import Document, make_tokenizer
    from ibidem.tracing.rates import Rate
    from ibidem.tracing.spans import TracedOutput, TracedSpan
    from ibidem.tracing.trace import Trace, trace
    from ibidem.weights import DocumentFrequencies, Weighting

_HOMES = {
    "Alignment": "ibidem.spans",
    "Alignments": "ibidem.results",
    "Audit": "ibidem.auditing.audit",
    "Comparison": "ibidem.comparison",
    "ConfigurationError": "ibidem.errors",
    "Contamination": "ibidem.contamination.result",
    "CorpusError": "ibidem.errors",
    "DamagedError": "ibidem.errors",
    "Deduplication": "ibidem.documents.dedup",
    "Document": "ibidem.text",
    "DocumentFrequencies": "ibidem.weights",
    "DocumentIndex": "ibidem.documents.index",
    "DocumentMatch": "ibidem.results",
    "DocumentMatches": "ibidem.results",
    "FormatVersionError": "ibidem.errors",
    "IbidemError": "ibidem.errors",
    "IndexExistsError": "ibidem.errors",
    "LockedError": "ibidem.errors",
    "Match": "ibidem.spans",
    "Matches": "ibidem.results",
    "MinHash": "ibidem.sketches.datasketch",
    "MinHashLSH": "ibidem.sketches.datasketch",
    "MissingExtraError": "ibidem.errors",
    "NotAnIndexError": "ibidem.errors",
    "Passage": "ibidem.spans",
    "PassageDeduplication": "ibidem.reuse.removal.deduplicate",
    "PassageIndex": "ibidem.passages.index",
    "PlanError": "ibidem.errors",
    "Rate": "ibidem.tracing.rates",
    "Reuse": "ibidem.reuse.outputs.result",
    "StoreError": "ibidem.errors",
    "TextSketch": "ibidem.sketches.one_text",
    "Trace": "ibidem.tracing.trace",
    "TracedOutput": "ibidem.tracing.spans",
    "TracedSpan": "ibidem.tracing.spans",
    "UnitPair": "ibidem.comparison",
    "Weighting": "ibidem.weights",
    "Windows": "ibidem.sketches.windows",
    "WordPair": "ibidem.comparison",
    "align": "ibidem.alignment.align",
    "align_units": "ibidem.comparison",
    "align_words": "ibidem.comparison",
    "audit": "ibidem.auditing.audit",
    "compare": "ibidem.comparison",
    "containment": "ibidem.similarity",
    "deduplicate": "ibidem.documents.dedup",
    "deduplicate_passages": "ibidem.reuse.removal.deduplicate",
    "find_contamination": "ibidem.contamination.find",
    "find_reuse": "ibidem.reuse.find",
    "jaccard": "ibidem.similarity",
    "make_tokenizer": "ibidem.text",
    "read": "ibidem.corpus",
    "sketch_of": "ibidem.sketches.one_text",
    "trace": "ibidem.tracing.trace",
    "windows_of": "ibidem.sketches.one_text",
}

_MODULES = (
    "comparison",
    "corpus",
    "documents",
    "errors",
    "evaluation",
    "plans",
    "report",
    "results",
    "sketches",
    "text",
)
"""Modules that are public, and are loaded when they are used."""

__all__ = [
    "Alignment",
    "Alignments",
    "Audit",
    "Comparison",
    "ConfigurationError",
    "Contamination",
    "CorpusError",
    "DamagedError",
    "Deduplication",
    "Document",
    "DocumentFrequencies",
    "DocumentIndex",
    "DocumentMatch",
    "DocumentMatches",
    "FormatVersionError",
    "IbidemError",
    "IndexExistsError",
    "LockedError",
    "Match",
    "Matches",
    "MinHash",
    "MinHashLSH",
    "MissingExtraError",
    "NotAnIndexError",
    "Passage",
    "PassageDeduplication",
    "PassageIndex",
    "PlanError",
    "Rate",
    "Reuse",
    "StoreError",
    "TextSketch",
    "Trace",
    "TracedOutput",
    "TracedSpan",
    "UnitPair",
    "Weighting",
    "Windows",
    "WordPair",
    "align",
    "align_units",
    "align_words",
    "audit",
    "compare",
    "containment",
    "deduplicate",
    "deduplicate_passages",
    "find_contamination",
    "find_reuse",
    "jaccard",
    "make_tokenizer",
    "read",
    "sketch_of",
    "trace",
    "windows_of",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"ibidem.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'ibidem' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES, "__version__"])
