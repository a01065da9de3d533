"""Tracing the outputs of a model: which passages of a collection they repeat, from where, and how much."""
