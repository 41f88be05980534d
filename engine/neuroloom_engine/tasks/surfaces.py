"""Distances between the outlines of two masks, of images in pixels and of volumes in mm."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# Numbers held at once while distances are looked for.
CHUNK_NUMBERS = 4_000_000
# Up to so many pairs of points are simply all measured.
FEW_PAIRS = 20_000_000
# Of the longest side of a pixel: how far is looked at first, and how much farther each next time.
FIRST_REACH, WIDER = 4, 4


def hd95_per_class(
    truth: NDArray[np.uint8], named: NDArray[np.uint8], classes: int, spacing: Sequence[float] | None = None
) -> list[float | None]:
    """For each foreground class of two masks of class indices; `spacing`: sides of a pixel, else 1."""
    return [hd95(truth == index, named == index, spacing) for index in range(1, classes)]


def hd95(truth: Bools, named: Bools, spacing: Sequence[float] | None = None) -> float | None:
    """The larger of the two directed 95th percentiles of distances between outlines.

    Huttenlocher et al. 1993, made robust as in the BraTS evaluation. None where one of the two is empty: then
    there is no distance.
    """
    if not truth.any() or not named.any():
        return None
    # Beyond the box is outside, as beyond the image.
    box = bounds(truth | named)
    first, second = outline(truth[box]), outline(named[box])
    there, back = distances(first, second, spacing), distances(second, first, spacing)
    return float(max(np.percentile(there, 95), np.percentile(back, 95)))


def bounds(mask: Bools) -> tuple[slice, ...]:
    """The smallest box around what is true."""
    others = [tuple(axis for axis in range(mask.ndim) if axis != own) for own in range(mask.ndim)]
    spans = [np.flatnonzero(mask.any(axis=axes)) for axes in others]
    return tuple(slice(int(span[0]), int(span[-1]) + 1) for span in spans)


def outline(mask: Bools) -> Bools:
    """Pixels of the mask that touch its outside by an edge, voxels by a face; beyond the image is outside."""
    inner = mask.copy()
    padded = np.pad(mask, 1)
    middle = slice(1, -1)
    for axis in range(mask.ndim):
        for side in (slice(0, -2), slice(2, None)):
            inner &= padded[tuple(side if one == axis else middle for one in range(mask.ndim))]
    return mask & ~inner


def distances(points: Bools, target: Bools, spacing: Sequence[float] | None = None) -> Floats:
    """From each true pixel of `points` to the nearest true one of `target`, exactly.

    Few are compared one by one. Of many, those that have a target within reach are answered by squares of
    distances along one axis after the other (Saito and Toriwaki 1994); the rest are looked for farther away.
    """
    sides = np.ones(points.ndim) if spacing is None else np.asarray(spacing, np.float64)
    places, goals = np.argwhere(points), np.argwhere(target)
    found = np.empty(len(places))
    waiting = np.arange(len(places))
    reach = FIRST_REACH * float(sides.max())
    while len(waiting) * len(goals) > FEW_PAIRS:
        near = squares_within(target, sides, reach)[tuple(places[waiting].T)]
        is_sure = near <= reach**2
        found[waiting[is_sure]] = np.sqrt(near[is_sure])
        waiting, reach = waiting[~is_sure], reach * WIDER
    found[waiting] = one_by_one(places[waiting] * sides, goals * sides)
    return found


def squares_within(target: Bools, sides: Floats, reach: float) -> NDArray[np.float32]:
    """Squared distance of every pixel to the nearest of `target`, exact up to `reach`, else too large."""
    squares = np.where(target, np.float32(0), np.float32(np.inf))
    for axis, side in enumerate(sides):
        before = np.moveaxis(squares.copy(), axis, 0)
        after = np.moveaxis(squares, axis, 0)
        for step in range(1, min(floor(reach / side), len(after) - 1) + 1):
            gap = np.float32((step * side) ** 2)
            np.minimum(after[step:], before[:-step] + gap, out=after[step:])
            np.minimum(after[:-step], before[step:] + gap, out=after[:-step])
    return squares


def one_by_one(points: Floats, goals: Floats) -> Floats:
    found = np.empty(len(points))
    size = max(1, CHUNK_NUMBERS // max(1, len(goals)))
    for start in range(0, len(points), size):
        part = points[start : start + size]
        squares = np.zeros((len(part), len(goals)))
        for axis in range(goals.shape[1]):
            squares += (part[:, axis, None] - goals[None, :, axis]) ** 2
        found[start : start + size] = np.sqrt(squares.min(1))
    return found
