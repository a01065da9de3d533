"""Normalization: which spellings of a word count as the same."""

from ibidem.text.normalization.chain import Normalization, parse_names

__all__ = ["Normalization", "parse_names"]
