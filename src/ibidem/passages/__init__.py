"""Passages: an index of all passages of a collection, the search in it, and the alignment of two texts."""
