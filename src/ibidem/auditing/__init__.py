"""Auditing decontamination by items that are planted into training data."""
