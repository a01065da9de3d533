"""Reuse: every passage that stands twice in a collection, the clusters that these make, and who had them first."""
