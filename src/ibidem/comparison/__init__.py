"""How two passages compare: which word stands for which, what was changed or moved, and why they match."""

from ibidem.comparison.compare import Comparer, Finding, Witness, compare
from ibidem.comparison.locators import Locators
from ibidem.comparison.model import Comparison, Expectation, Locator, Reasons, Run, Side, Word
from ibidem.comparison.units import UnitPair, align_units
from ibidem.comparison.words import WordPair, align_words

__all__ = [
    "Comparer",
    "Comparison",
    "Expectation",
    "Finding",
    "Locator",
    "Locators",
    "Reasons",
    "Run",
    "Side",
    "UnitPair",
    "Witness",
    "Word",
    "WordPair",
    "align_units",
    "align_words",
    "compare",
]
