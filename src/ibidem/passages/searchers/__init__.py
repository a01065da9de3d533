"""Searchers that own segments of an index, on one machine or many."""
