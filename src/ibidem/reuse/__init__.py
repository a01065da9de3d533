"""Text reuse: the passages that occur more than once in a collection, their clusters, and their likely sources."""
