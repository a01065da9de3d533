"""Indexes that keep sketches: the schemes, their postings, filters, and the sweep of collisions."""
