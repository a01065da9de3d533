"""Postings: lists of places for each key of each hash function, and the packed blocks that hold them on disk."""
