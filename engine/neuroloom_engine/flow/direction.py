"""Which recorded component goes along which direction, with what sign: the choice of least divergence."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ..spec import SpecError
from .derived import central_jacobian
from .libraries import ndimage
from .masks import eroded
from .study import Bools, Refusal, Values, Vector

# Voxels of smoothing: without it noise of 10 % of the peak speed makes the choice wrong.
SIGMA = 2.5
# The runner-up's score over the best one's, below which nobody should trust the choice.
SURE_FROM = 1.3
# Volume of three unit vectors that span no space.
FLAT = 1e-6

Order = tuple[int, int, int]
AS_RECORDED: tuple[Order, Order] = ((0, 1, 2), (1, 1, 1))


@dataclass(frozen=True)
class Direction:
    """Component c goes along signs[c] · directions[order[c]] of those recorded.

    The first sign is +: that of all three together shows nowhere.
    """

    order: Order
    signs: Order
    # rms(∇·v) / rms(‖∇v‖)
    score: float

    @property
    def is_as_recorded(self) -> bool:
        return (self.order, self.signs) == AS_RECORDED


@dataclass(frozen=True)
class Checked:
    """Only ever an offer: data are changed by a person's click."""

    # All 24, the best first.
    ranked: tuple[Direction, ...]
    # Runner-up's score over the best one's.
    ratio: float

    @property
    def best(self) -> Direction:
        return self.ranked[0]

    @property
    def is_sure(self) -> bool:
        return self.ratio >= SURE_FROM

    def of(self, order: Order, signs: Order) -> Direction:
        return next(one for one in self.ranked if (one.order, one.signs) == (order, signs))


def check_direction(
    components: Values, spacing: Vector, mask: Bools, directions: Values | None = None
) -> Checked:
    """Of measured components (3, t, z, y, x) or (3, z, y, x), averaged over time, within the mask (z, y, x).

    `directions` (3, 3), rows along the grid's axes, are those recorded: the axes themselves if not given.
    Refuses `mask_too_thin` where nothing is left of the mask without its outermost voxels.
    """
    mean = components if components.ndim == 4 else components.mean(axis=1)
    known = mask & np.isfinite(mean).all(axis=0)
    inner = eroded(known)
    if not inner.any():
        raise Refusal("mask_too_thin", voxels=int(known.sum()))
    j = central_jacobian(smoothed(mean, known), spacing)[:, :, inner].astype(np.float64)
    recorded = np.eye(3) if directions is None else directions
    found = []
    for order in itertools.permutations(range(3)):
        for second, third in itertools.product((1, -1), repeat=2):
            place, signs = (order[0], order[1], order[2]), (1, second, third)
            found.append(Direction(place, signs, score(j, to_grid(turned(recorded, place, signs)))))
    ranked = tuple(sorted(found, key=lambda one: one.score))
    ratio = ranked[1].score / ranked[0].score if ranked[0].score > 0 else 1.0
    return Checked(ranked, ratio)


def score(j: Values, turn: Values) -> float:
    """Of the Jacobian (component, axis, n) of measured components, once `turn` makes a vector of them."""
    div = np.einsum("ac,can->n", turn, j)
    size = np.einsum("ac,cbn->abn", turn, j)
    whole = np.square(size).sum(axis=(0, 1)).mean()
    return float(np.sqrt(np.square(div).mean() / whole)) if whole > 0 else 0.0


def turned(directions: Values, order: Order, signs: Order) -> Values:
    """(3, 3): row c is where component c goes."""
    return np.array([sign * directions[place] for sign, place in zip(signs, order, strict=True)])


def to_grid(directions: Values) -> Values:
    """(3, 3): what makes a vector along the grid of components m_c = d_c · v, whose directions need not stand
    upright on each other."""
    if not abs(np.linalg.det(directions)) > FLAT:
        raise SpecError(f"study: directions {directions.tolist()} span no space")
    return np.linalg.inv(directions)


def smoothed(velocity: Values, mask: Bools) -> Values:
    """Gaussian means over the mask alone, so that what lies outside does not count as rest."""
    weight = ndimage.gaussian_filter(mask.astype(np.float32), SIGMA)
    return np.stack(
        [
            ndimage.gaussian_filter(np.where(mask, one, 0).astype(np.float32), SIGMA)
            / np.maximum(weight, 1e-6)
            for one in velocity
        ]
    )
