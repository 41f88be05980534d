"""What a picture looks like in 512 bits: copies are known again after re-encoding, scaling or trimming.

After the perceptual hash of C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions"
(2010), section 3.2: the signs of the low frequencies of a small grey copy about their median. Half of them
are ones whatever the picture, so wide even backgrounds cost none, and brighter or harder copies keep them.
Trimming shifts everything: so a second hash is of what lies within a border of 2 %, and that of the whole of
one picture is compared with both of the other. Figures stand in `README.md`. Needs no torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .volumes import Voxels

SIDE = 32
BITS = 256
# Left out at each side, of the first hash and of the second.
BORDERS = (0.0, 0.02)
# Sides of this many pixels tell all that there is to tell.
ENOUGH = 256
# A picture whose small copy varies by less, of 255, shows nothing that it could be known by.
FLATTEST = 1.0
# Where a volume is cut, in shares of its depth.
CUTS = (0.4, 0.5, 0.6)
# The cosine transform of a line of SIDE values, as a matrix.
COSINES = np.cos(np.pi * np.arange(SIDE)[:, None] * (np.arange(SIDE)[None] + 0.5) / SIDE)

Copy = NDArray[np.float32]


def fingerprint_of(pixels: NDArray[np.uint8]) -> str | None:
    """128 hex digits of pixels (h, w) or (h, w, 3): the hash of the whole, then that within the border.

    None where there is nothing but an even area.
    """
    image = Image.fromarray(pixels).convert("L")
    # As floats, wide scans would take a lot of memory.
    grey = np.asarray(image.reduce(max(1, min(image.size) // ENOUGH)))
    return of_copies([[small_copy(grey, border)] for border in BORDERS])


def volume_fingerprint_of(voxels: Voxels) -> str | None:
    """The same of voxels (depth, height, width): of three slices about the middle, which share the bits."""
    slices = [voxels[round(share * (len(voxels) - 1))].astype(np.float32) for share in CUTS]
    low = min(float(one.min()) for one in slices)
    high = max(float(one.max()) for one in slices)
    greys = [((one - low) * (255 / max(high - low, 1e-12))).astype(np.uint8) for one in slices]
    return of_copies([[small_copy(grey, border) for grey in greys] for border in BORDERS])


def of_copies(copies: Sequence[Sequence[Copy]]) -> str | None:
    """Of the small copies of all slices, without the border and within it."""
    if all(is_flat(copy) for copy in copies[0]):
        return None
    return "".join(hash_of(slices) for slices in copies)


def small_copy(grey: NDArray[np.uint8], border: float) -> Copy:
    """(SIDE, SIDE) of what lies within the border, antialiased."""
    height, width = grey.shape
    within = (border * width, border * height, (1 - border) * width, (1 - border) * height)
    image = Image.fromarray(grey).convert("F")
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.BILINEAR, box=within), np.float32)


def is_flat(copy: Copy) -> bool:
    return float(copy.std()) < FLATTEST


def hash_of(slices: Sequence[Copy]) -> str:
    """64 hex digits; slices share the bits."""
    shares = [BITS // len(slices) + (index < BITS % len(slices)) for index in range(len(slices))]
    signs = [signs_of(copy, count) for copy, count in zip(slices, shares, strict=True)]
    return np.packbits(np.concatenate(signs)).tobytes().hex()


def signs_of(copy: Copy, count: int) -> NDArray[np.bool_]:
    """So many of the lowest frequencies but the mean, row by row: above their median or not."""
    side = math.isqrt(count) + 1
    lowest = (COSINES @ copy @ COSINES.T)[:side, :side].reshape(-1)[1 : count + 1]
    return np.asarray(lowest > np.median(lowest))
