"""The papers' line: an index of the min-hashes of all passages, and what is *estimated* to be similar to a query.

Zhang, Qiao, Peng, Deng: "Near-duplicate text alignment under weighted Jaccard similarity" (PVLDB 2026) partition the
passages of a text into compact windows of one min-hash each, put the windows into posting lists, and find the passages
that collide with a query under enough functions by a plane sweep. Peng, Zhang, Deng: "Near-duplicate text alignment
with one permutation hashing" (SIGMOD 2024) do it with the bins of one function, and sweep by an interval scan with a
segment tree. ``index.py`` is both from end to end; the windows are made in ``ibidem.sketches.windows``.
"""
