"""How two passages compare: which word corresponds to which, what was changed or moved, and why they match."""

from ibidem.comparison.compare import Comparer, Finding, Witness, compare
from ibidem.comparison.locators import Locators
from ibidem.comparison.model import Comparison, Locator, Reasons, Run, Side, Word
from ibidem.comparison.shares import Quotation, WordCounts
from ibidem.comparison.text_shares import Shares, count_shares
from ibidem.comparison.units import UnitPair, align_units
from ibidem.comparison.words import WordPair, align_words

__all__ = [
    "Comparer",
    "Comparison",
    "Finding",
    "Locator",
    "Locators",
    "Quotation",
    "Reasons",
    "Run",
    "Shares",
    "Side",
    "UnitPair",
    "Witness",
    "Word",
    "WordCounts",
    "WordPair",
    "align_units",
    "align_words",
    "compare",
    "count_shares",
]
