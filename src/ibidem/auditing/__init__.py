"""Auditing decontamination: what it finds of items that are known to be in the training data."""
