"""What is used of SciPy: it has no stubs and its inferred types are wrong, so it counts as untyped."""

from __future__ import annotations

from typing import Any

import scipy.fft
import scipy.ndimage
import scipy.spatial
import scipy.special

fft: Any = scipy.fft
ndimage: Any = scipy.ndimage
spatial: Any = scipy.spatial
special: Any = scipy.special
