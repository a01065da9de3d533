"""Index schemes: what an index keeps of a collection, and where a similar passage may start."""
