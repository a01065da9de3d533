"""Passages: an index of all passages of a collection, and the search in it."""
