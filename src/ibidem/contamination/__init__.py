"""Contamination: which items of evaluations occur in training data, and which of these occurrences are leaks."""
