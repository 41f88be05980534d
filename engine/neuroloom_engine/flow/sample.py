"""Values between voxels: trilinear at any place, and grids twice as fine."""

from __future__ import annotations

import itertools

import numpy as np

from .libraries import ndimage
from .study import Bools, Refusal, Values, Vector

# Voxels by which the edge is repeated before splines are fitted; fine slices that are worked out together.
EDGE, SLAB = 12, 8


def trilinear(field: Values, spacing: Vector, at: Values) -> Values:
    """(c, n) of a field (c, z, y, x) at places (3, n) in m; NaN outside the middles of the outer voxels.

    Never of wrapped velocities: unwrap first.
    """
    sides = np.array(field.shape[:0:-1])
    place = at / np.array(spacing)[:, None]
    # On the face itself counts as inside, whatever rounding says.
    is_in = ((place >= -1e-9) & (place <= sides[:, None] - 1 + 1e-9)).all(axis=0)
    place = np.where(is_in, place, 0)
    low = np.clip(np.floor(place).astype(np.int64), 0, np.maximum(sides - 2, 0)[:, None])
    share = place - low
    flat = field.reshape(len(field), -1)
    strides = np.array([1, sides[0], sides[0] * sides[1]])
    # A grid of one slice has no next one.
    steps = np.where(sides > 1, strides, 0)
    base = strides @ low
    made = np.zeros((len(field), at.shape[1]))
    for corner in itertools.product((0, 1), repeat=3):
        weight = np.prod([s if c else 1 - s for s, c in zip(share, corner, strict=True)], axis=0)
        made += flat[:, base + int(steps @ np.array(corner))] * weight
    made[:, ~is_in] = np.nan
    return made


def known_velocity(velocity: Values, known: Bools, spacing: Vector, at: Values) -> tuple[Values, Bools]:
    """(3, n) of a field (3, z, y, x) at places (3, n) in m, and where there is one; 0 elsewhere.

    Where the nearest voxel is known (halves go up). Corners that are not are left out, and the weights of the
    others made to fill 1: nothing outside of the mask reaches in. As the browser's kernel does.
    """
    sides = np.array(known.shape[::-1])
    place = at / np.array(spacing)[:, None]
    strides = np.array([1, sides[0], sides[0] * sides[1]])
    flat, is_known = velocity.reshape(3, -1), known.reshape(-1)

    def looked_up(corner: Values) -> tuple[Values, Bools]:
        is_in = ((corner >= 0) & (corner < sides[:, None])).all(axis=0)
        index = strides @ np.where(is_in, corner, 0)
        return index, is_in & is_known[index]

    has = looked_up(np.floor(place + 0.5).astype(np.int64))[1]
    low = np.floor(place).astype(np.int64)
    share = place - low
    made, whole = np.zeros((3, at.shape[1])), np.zeros(at.shape[1])
    for corner in itertools.product((0, 1), repeat=3):
        index, is_here = looked_up(low + np.array(corner)[:, None])
        weight = np.prod([s if c else 1 - s for s, c in zip(share, corner, strict=True)], axis=0) * is_here
        made += np.where(weight > 0, flat[:, index], 0) * weight
        whole += weight
    return np.where(has, made / np.where(has, whole, 1), 0), has


def refined(field: Values, factor: int = 2, order: int = 1, shift: float = 0.0) -> Values:
    """A field (..., z, y, x) on a grid `factor` times as fine: what a learned method has to beat.

    Fine voxel `factor` · j lies on coarse voxel j, plus `shift` coarse voxels; splines of `order` 1 or 3, the
    edge repeated.
    """
    if factor < 2 or order not in (1, 3):
        raise Refusal("refining_invalid", factor=factor, order=order)
    sides = field.shape[-3:]
    # As SciPy does itself, but once for all slabs: the places of a whole volume would be six times as much.
    frames = np.pad(field.reshape(-1, *sides), [(0, 0), *[(EDGE, EDGE)] * 3], mode="edge")
    z, y, x = (np.arange(factor * n) / factor + shift + EDGE for n in sides)
    made = np.empty((len(frames), len(z), len(y), len(x)), np.result_type(field, np.float32))
    for one, fine in zip(frames, made, strict=True):
        spline = ndimage.spline_filter(one, order, np.float64, mode="nearest") if order > 1 else one
        for start in range(0, len(z), SLAB):
            places = np.meshgrid(z[start : start + SLAB], y, x, indexing="ij")
            fine[start : start + SLAB] = ndimage.map_coordinates(
                spline, places, order=order, mode="nearest", prefilter=False
            )
    return made.reshape(*field.shape[:-3], *made.shape[1:])
