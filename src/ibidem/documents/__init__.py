"""Near-duplicate documents: shingle sets, signatures, candidates by banding, verified pairs, clusters.

A document is the set of its w-shingles (Broder 1997), and the similarity of two documents is the resemblance of their
sets. Signatures and bands only say which pairs are worth a look: what is reported was counted on the sets themselves.
"""
