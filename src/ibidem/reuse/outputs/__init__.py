"""Results of a search for reuse, as tables and in the formats of other programs."""
