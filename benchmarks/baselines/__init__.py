"""The papers' own algorithms, one readable page each: oracles of the tests, rivals of the benchmarks.

The plain pages keep the symbols, the numbering from 1 and the steps of "Near-Duplicate Text Alignment under Weighted
Jaccard Similarity" (Zhang, Qiao, Peng, Deng, PVLDB 2026), here "the paper". Nothing that a user calls imports them.

- :mod:`~baselines.brute_force`: the min-hash of every passage, one by one.
- :mod:`~baselines.monoall`: monotonic partitioning over all keys (Algorithms 3 and 4).
- :mod:`~baselines.monoactive`: the same over the active keys (Algorithms 5 and 4).
- :mod:`~baselines.allalign`: recursive partitioning (Section 6.4, after Allign, SIGMOD 2021).
- :mod:`~baselines.jitted`: these three, compiled, for texts of real length.
- :mod:`~baselines.one_permutation`: the windows of one permutation hashing, by divide and conquer.
- :mod:`~baselines.permutations`: signatures by permutations that are written down, as courses do them by hand.
- :mod:`~baselines.interval_scan`: the plane sweep over the windows that collide, after the same paper.

The passages similar to a query, each on its own page, for texts that are searched without an index:

- :mod:`~baselines.every_passage`: brute force with incremental counts.
- :mod:`~baselines.faerie`: Faerie's filter (SIGMOD 2011).
- :mod:`~baselines.seed_extension`: seeds clustered by an adaptive maximal gap, a heuristic.

One permutation hashing and the interval scan follow "Near-duplicate text alignment with one permutation hashing" (Peng,
Zhang, Deng, SIGMOD 2024). Each other partition has the signature ``partition(ids, values) -> Windows`` of production.
"""
