"""Alignment: the passages that two texts share, and the documents of a collection worth aligning."""
