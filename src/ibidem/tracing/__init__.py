"""Tracing the outputs of a model: what they repeat of a collection, where it comes from, and how much it is."""
