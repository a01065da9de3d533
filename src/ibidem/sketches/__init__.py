"""Sketches of sets: a few numbers from which similarities are estimated, and the shingles that they are made of.

:class:`BottomS`, :class:`ModM`, :class:`SizeAdaptive`, :class:`KMins` and :class:`OnePermutation` are the sketches; the
guide has a page that says which is for what. The sketches that passage indexes use are in ``ibidem.sketches.families``,
``ibidem.sketches.kmins`` and ``ibidem.sketches.one_permutation``, which may change.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
