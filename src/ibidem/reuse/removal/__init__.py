"""Near-duplicate passages of a collection: one of each stays, the others are removed, masked or listed."""
