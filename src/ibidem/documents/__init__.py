"""Whole documents: which of them are near-duplicates of each other, and which of those to keep."""
