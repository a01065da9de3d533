"""Which documents of a collection a text may draw on."""
