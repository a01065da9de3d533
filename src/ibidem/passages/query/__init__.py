"""A query: its options, its weighed tokens, its plan, and the statistics of the work."""
