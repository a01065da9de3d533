"""Results of searches and alignments: sequences of values that are tables and notebook pages too."""

from ibidem.results.alignments import Alignments
from ibidem.results.matches import DocumentMatch, DocumentMatches, Matches
from ibidem.results.sequence import Results

__all__ = ["Alignments", "DocumentMatch", "DocumentMatches", "Matches", "Results"]
