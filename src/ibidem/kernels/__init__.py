"""Kernels: inner loops that run as machine code, and all that knows about machine code.

``kernel`` makes a function a kernel, and ``inlined`` a step that is written into kernels (``decorators.py``). A wheel
for Linux brings the machine code of its kernels, which ``machine_code.py`` loads; what it has no code for is compiled
by Numba, which ``compiler.py`` alone imports. ``release/machine_code`` builds the code. ``docs/decisions/0053`` says
what all of this relies on in Python, numpy and Numba, and how one notices that it broke.
"""

from ibidem.kernels.decorators import KERNELS, LANES, inlined, kernel, not_greater

__all__ = ["KERNELS", "LANES", "inlined", "kernel", "not_greater"]
