"""Results of searches and alignments: sequences of values, which are also tables and notebook output."""

from ibidem.results.alignments import Alignments
from ibidem.results.matches import DocumentMatch, DocumentMatches, Matches
from ibidem.results.sequence import Results

__all__ = ["Alignments", "DocumentMatch", "DocumentMatches", "Matches", "Results"]
