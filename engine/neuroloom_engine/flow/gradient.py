"""Derivatives by least squares over a window, with masks and at edges; vorticity of a plane and its error.

A polynomial of order 1 or 3 is fitted to the N x N (x N) voxels around each; its slopes in the middle are the
answer. Sums over the window are separable, so the cost grows with N and not with N³.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .study import Bools, Refusal, Values

# Valid voxels a fit needs for each number that it finds: 6 of a plane in 2D.
VOXELS_PER_TERM = 2
# Of the normal equations, in units of half the window: voxels in one line have an infinite one.
MOST_CONDITION = 1e4
# What is left of a term's length after those before it, squared.
LEAST_OWN = 1e-3
# Voxels whose equations are solved together: bounds memory.
CHUNK = 20_000
MOST_WINDOW = 15

Exponents = tuple[int, ...]


def gradient(
    field: Values,
    spacing: tuple[float, ...],
    window: int = 5,
    order: int = 1,
    mask: Bools | None = None,
) -> Values:
    """(d, ...) derivatives along x, y(, z) of a field (..., [z,] y, x); `spacing` (dx, dy[, dz]) says d.

    Only voxels of `mask` count, which has the field's shape or that of its last axes; beyond the edge there
    are none. NaN where fewer than twice as many voxels as terms lie in the window, or where these do not
    settle the fit. Refuses `window_invalid` and `order_invalid`.
    """
    dims = len(spacing)
    check_window(window, order, field.shape[-2:])
    lead = field.shape[:-dims]
    frames = field.reshape(-1, *field.shape[-dims:])
    valid = np.isfinite(frames)
    if mask is not None:
        valid &= np.broadcast_to(mask, field.shape).reshape(frames.shape)
    is_same = bool((valid == valid[:1]).all())
    made = np.empty((dims, *frames.shape), field.dtype)
    fit = None
    for frame, values in enumerate(frames):
        if fit is None or not is_same:
            fit = Fit.of(valid[frame], window, order)
        made[:, frame] = fit.slopes(values)
    scale = np.array(spacing, field.dtype).reshape(dims, *[1] * frames.ndim)
    made /= scale
    return made.reshape(dims, *lead, *field.shape[-dims:])


@dataclass(frozen=True)
class Fit:
    """The equations of one mask, solved; fields are put through them one after the other."""

    window: int
    exponents: list[Exponents]
    shape: tuple[int, ...]
    # What holds all valid voxels: nothing else is computed.
    box: tuple[slice, ...]
    valid: Bools
    # Where the whole window is valid, and the weights (d, terms) of sums there.
    full: Bools
    inner: Values
    # Other voxels by their flat place, and the weights (voxels, d, terms) of each.
    edge: NDArray[np.int64]
    edge_weights: Values

    @classmethod
    def of(cls, valid: Bools, window: int, order: int) -> Fit:
        dims = valid.ndim
        exponents = [e for e in itertools.product(range(order + 1), repeat=dims) if sum(e) <= order]
        box = bounds(valid)
        shape, valid = valid.shape, valid[box]
        ones = valid.astype(np.float64)
        count = sums(ones, window, [(0,) * dims])[(0,) * dims]
        full = valid & (count > window**dims - 0.5)
        some = valid & ~full & (count > VOXELS_PER_TERM * len(exponents) - 0.5)
        edge, weights = np.flatnonzero(some), np.empty((0, dims, len(exponents)))
        if len(edge):
            needed = sorted({added(one, other) for one in exponents for other in exponents})
            moments = {e: s.reshape(-1)[edge] for e, s in sums(ones, window, needed).items()}
            weights, is_good = solved(moments, exponents, window)
            edge, weights = edge[is_good], weights[is_good]
        return cls(
            window, exponents, shape, box, valid, full, full_weights(exponents, window, dims), edge, weights
        )

    def slopes(self, field: Values) -> Values:
        """(d, ...) per voxel."""
        dims = len(self.shape)
        made = np.full((dims, *self.shape), np.nan, field.dtype)
        # Cubics at an edge lean so far that sums in single precision are off by 1e-4.
        held = field[self.box].astype(np.float64 if len(self.exponents) > dims + 1 else field.dtype)
        whole = bool(self.valid.all())
        # What all share cancels out of slopes, but not out of rounding.
        if not whole:
            held = np.where(self.valid, held, 0)
        middle = held.dtype.type(held.sum() / max(int(self.valid.sum()), 1))
        held = held - middle if whole else np.where(self.valid, held - middle, 0)
        found = sums(held, self.window, self.exponents)
        part = made[(slice(None), *self.box)]
        for axis in range(dims):
            total = np.zeros_like(held)
            for weight, exponent in zip(self.inner[axis], self.exponents, strict=True):
                if weight != 0:
                    total += held.dtype.type(weight) * found[exponent]
            np.copyto(part[axis], total, where=self.full)
        if len(self.edge):
            right = np.stack([found[e].reshape(-1)[self.edge] for e in self.exponents], axis=1)
            values = np.einsum("vdt,vt->dv", self.edge_weights.astype(held.dtype, copy=False), right)
            places = np.unravel_index(self.edge, held.shape)
            part[(slice(None), *places)] = values
        return made


def check_window(window: int, order: int, plane: tuple[int, ...]) -> None:
    """An odd number from 3 (order 3: 5) to 15 that fits into the plane; never rounded."""
    if order not in (1, 3):
        raise Refusal("order_invalid", order=order, most=3)
    least, most = (3 if order == 1 else 5), min(MOST_WINDOW, *plane)
    if window % 2 == 0 or not least <= window <= most:
        raise Refusal("window_invalid", window=window, least=least, most=most)


def sums(field: Values, window: int, exponents: list[Exponents]) -> dict[Exponents, Values]:
    """Σ x^i y^j (z^k) · field over the window around each voxel, x from -1 to 1 across it."""
    half = window // 2
    dims = len(exponents[0])
    found: dict[Exponents, Values] = {(): field}
    for place in range(dims):
        axis = field.ndim - 1 - place
        wanted = sorted({e[: place + 1] for e in exponents})
        found = {e: along(found[e[:-1]], axis, half, e[-1]) for e in wanted}
    return found


def along(field: Values, axis: int, half: int, power: int) -> Values:
    moved = np.zeros_like(field)
    swapped_in, swapped_out = np.moveaxis(field, axis, 0), np.moveaxis(moved, axis, 0)
    side = field.shape[axis]
    for step in range(-half, half + 1):
        weight = field.dtype.type((step / half) ** power)
        low, high = max(0, -step), min(side, side - step)
        if weight == 0 or low >= high:
            continue
        source = swapped_in[low + step : high + step]
        if weight == 1:
            swapped_out[low:high] += source
        else:
            swapped_out[low:high] += weight * source
    return moved


def full_weights(exponents: list[Exponents], window: int, dims: int) -> Values:
    """(d, terms): from sums over a whole window to slopes per voxel."""
    return inverse_normal(exponents, window, dims)[slope_rows(exponents, dims)] / (window // 2)


def inverse_normal(exponents: list[Exponents], window: int, dims: int) -> Values:
    side = np.arange(-(window // 2), window // 2 + 1) / (window // 2)
    places = np.meshgrid(*[side] * dims, indexing="ij")
    rows = np.stack(
        [np.prod([p**k for p, k in zip(places, e, strict=True)], axis=0).reshape(-1) for e in exponents]
    )
    if window**dims < len(exponents):
        return np.full((len(exponents),) * 2, np.nan)
    inverse = np.linalg.inv(rows @ rows.T)
    # Symmetry makes most entries 0; rounding must not cost a pass over the field.
    return np.where(np.abs(inverse) < 1e-12 * np.abs(inverse).max(), 0, inverse)


def solved(moments: dict[Exponents, Values], exponents: list[Exponents], window: int) -> tuple[Values, Bools]:
    """(voxels, d, terms) as `full_weights`, of windows with gaps; and which of them settle their fit."""
    terms, count, dims = len(exponents), len(next(iter(moments.values()))), len(exponents[0])
    weights = np.zeros((count, dims, terms))
    is_good = np.zeros(count, np.bool_)
    rows = slope_rows(exponents, dims)
    for start in range(0, count, CHUNK):
        piece = slice(start, min(start + CHUNK, count))
        normal = np.empty((piece.stop - piece.start, terms, terms))
        for i, j in itertools.product(range(terms), repeat=2):
            normal[:, i, j] = moments[added(exponents[i], exponents[j])][piece]
        good = settled(normal, exponents)
        is_good[piece] = good
        places = np.flatnonzero(good) + start
        weights[places] = np.linalg.inv(normal[good])[:, rows]
    return weights / (window // 2), is_good


def settled(normal: Values, exponents: list[Exponents]) -> Bools:
    """(voxels,): whether the voxels of each window tell the terms apart; the browser's kernel asks the same.

    Of a plane fit by the scatter of places, of a cubic by what each term adds to those before it.
    """
    if sum(exponents[-1]) == 1:
        sizes = np.linalg.eigvalsh(normal)
        return sizes[:, 0] * MOST_CONDITION > sizes[:, -1]
    order = sorted(range(len(exponents)), key=lambda i: (sum(exponents[i]), [-p for p in exponents[i]]))
    left = normal[:, order][:, :, order]
    whole = np.diagonal(left, axis1=1, axis2=2).copy()
    good = np.ones(len(left), np.bool_)
    for term in range(len(order)):
        good &= left[:, term, term] > LEAST_OWN * whole[:, term]
        pivot = np.where(good, left[:, term, term], 1)[:, None]
        row = left[:, term, term + 1 :] / pivot
        left[:, term + 1 :, term + 1 :] -= left[:, term + 1 :, term, None] * row[:, None]
    return good


def slope_rows(exponents: list[Exponents], dims: int) -> list[int]:
    return [exponents.index(tuple(int(a == axis) for a in range(dims))) for axis in range(dims)]


def added(one: Exponents, other: Exponents) -> Exponents:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def bounds(mask: Bools) -> tuple[slice, ...]:
    """The smallest box with all of the mask."""
    box = []
    for axis in range(mask.ndim):
        hit = np.flatnonzero(mask.any(axis=tuple(a for a in range(mask.ndim) if a != axis)))
        box.append(slice(int(hit[0]), int(hit[-1]) + 1) if len(hit) else slice(0, 0))
    return tuple(box)
