"""The records of windows by which a collection is joined with itself: of bands, and of rare tokens."""
