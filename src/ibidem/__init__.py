"""ibidem finds near-duplicate text, from whole documents down to the exact passage.

``align`` compares two texts, ``PassageIndex`` searches a collection, ``find_reuse`` finds the passages that occur more
than once in it, ``deduplicate`` its near-duplicate documents, and the command ``ibidem`` does the same. Names are
loaded when they are used, so that ``import ibidem`` costs nothing. ``__init__.pyi`` lists them.
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
