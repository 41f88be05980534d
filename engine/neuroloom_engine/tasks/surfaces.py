"""Distances between the outlines of two masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Numbers held at once while distances are looked for.
CHUNK_NUMBERS = 4_000_000


def hd95_per_class(truth: NDArray[np.uint8], named: NDArray[np.uint8], classes: int) -> list[float | None]:
    """For each foreground class of two masks of class indices (h, w), in pixels."""
    return [hd95(truth == index, named == index) for index in range(1, classes)]


def hd95(truth: Bools, named: Bools) -> float | None:
    """The larger of the two directed 95th percentiles of distances between outlines.

    Huttenlocher et al. 1993, made robust as in the BraTS evaluation. None where one of the two is empty: then
    there is no distance.
    """
    if not truth.any() or not named.any():
        return None
    first, second = outline(truth), outline(named)
    there, back = distances(first, second), distances(second, first)
    return float(max(np.percentile(there, 95), np.percentile(back, 95)))


def outline(mask: Bools) -> Bools:
    """Pixels of the mask that touch its outside by an edge; beyond the image is outside."""
    inner = mask.copy()
    padded = np.pad(mask, 1)
    for shifted in (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]):
        inner &= shifted
    return mask & ~inner


def distances(points: Bools, target: Bools) -> Floats:
    """From each true pixel of `points` to the nearest true one of `target`, exactly.

    Along rows first, then over the rows of each point's column (Saito and Toriwaki 1994).
    """
    height, width = target.shape
    far = height + width
    along = np.full((height, width), far, np.int64)
    along[target] = 0
    for x in range(1, width):
        np.minimum(along[:, x], along[:, x - 1] + 1, out=along[:, x])
    for x in range(width - 2, -1, -1):
        np.minimum(along[:, x], along[:, x + 1] + 1, out=along[:, x])
    ys, xs = np.nonzero(points)
    rows = np.arange(height)[:, None]
    found = np.empty(len(ys))
    size = max(1, CHUNK_NUMBERS // height)
    for start in range(0, len(ys), size):
        y, x = ys[start : start + size], xs[start : start + size]
        found[start : start + size] = ((rows - y) ** 2 + along[:, x] ** 2).min(0)
    return np.sqrt(found)
