"""Background phase (eddy currents): still tissue, and a polynomial through its velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .libraries import ndimage
from .masks import FACES, PER_MAD, otsu
from .study import Bools, Refusal, Study, Values, Vector

# Share of still tissue in the image that a fit of each order needs (ISMRM 2017, 2851).
NEEDED = {0: 0.0, 1: 0.25, 2: 0.60, 3: 0.75}
MOST_ORDER = 3
ROUNDS, TRIM = 3, 3.0
# Terms are fitted through so many voxels at most: more change nothing and take minutes.
MOST_POINTS = 200_000
# What is left is judged by a polynomial of so many orders more: noise of single voxels has no say in it.
LEFT_ORDERS = 2


@dataclass(frozen=True)
class Still:
    """Tissue that gives signal and does not move."""

    # (z, y, x)
    mask: Bools
    # Of all voxels of the image.
    share: float
    # The highest order that this share allows; None where there is none at all.
    most_order: int | None


@dataclass(frozen=True)
class Offset:
    order: int
    # (3, z, y, x), m/s.
    field: Values
    # m/s in still tissue, before and after: see `left_over`.
    before: float
    after: float
    # (z, y, x): what the last round kept.
    used: Bools


def still_tissue(study: Study) -> Still:
    """Bright on average, and whose velocity varies over time as noise alone does.

    Noise of velocity is inverse to magnitude, so their product is one number σ for all at rest, with a
    spread of σ/√(6(t - 1)) from three components of t frames. The limit is four of them above the lower
    quartile: a quarter of still tissue is what the lowest order needs anyway. With one frame all that is
    bright counts, and the fit's trimming must leave out what flows. Walls pulsate little: two voxels around
    whatever moves, specks of noise aside, are left out with it.
    """
    magnitude = study.magnitude.mean(axis=0)
    bright = magnitude > otsu(magnitude) / 2
    if study.frames > 1:
        varies = np.zeros(magnitude.shape)
        for component, venc in zip(study.velocity, study.venc, strict=True):
            varies += circular(component, venc)[1] ** 2
        varies = np.sqrt(varies / 3) * magnitude
        bright &= np.isfinite(varies)
        if bright.any():
            spread = 1 + 4 / np.sqrt(6 * (study.frames - 1))
            is_quiet = varies <= spread * np.percentile(varies[bright], 25)
            moving = ndimage.binary_opening(bright & ~is_quiet, FACES)
            bright &= is_quiet & ~ndimage.binary_dilation(moving, FACES, 2)
    share = float(bright.mean())
    allowed = [order for order, least in NEEDED.items() if share >= least]
    return Still(bright, share, max(allowed) if bright.any() else None)


def fit_offset(study: Study, order: int, still: Still) -> Offset:
    """A polynomial of `order` 0 to 3 through the mean velocity of still tissue, weighted by magnitude.

    Three rounds, each without what lies more than 3 · 1.48 · MAD off the last. Refuses `order_invalid`,
    `no_static_tissue`, and `static_tissue_little` for the order (`share`, `needed`, `allowed`).
    """
    if order not in NEEDED:
        raise Refusal("order_invalid", order=order, most=MOST_ORDER)
    if still.most_order is None:
        raise Refusal("no_static_tissue")
    if order > still.most_order:
        raise Refusal(
            "static_tissue_little",
            order=order,
            share=still.share,
            needed=NEEDED[order],
            allowed=still.most_order,
        )
    terms = polynomial_terms(still.mask.shape, study.spacing, order)
    weights = study.magnitude.mean(axis=0)
    means = np.stack([circular(v, venc)[0] for v, venc in zip(study.velocity, study.venc, strict=True)])
    fields = np.empty(means.shape, np.float32)
    used = still.mask.copy()
    for c, mean in enumerate(means):
        fields[c], kept = trimmed_fit(terms, mean, weights, still.mask)
        used &= kept
    return Offset(
        order=order,
        field=fields,
        before=left_over(means, used, study.spacing, order + LEFT_ORDERS),
        after=left_over(means - fields, used, study.spacing, order + LEFT_ORDERS),
        used=used,
    )


def wrapped(velocity: Values, venc: float) -> Values:
    """To (-VENC, VENC]. What lies there already stays as it is, to the last bit."""
    turns = np.ceil((velocity - venc) / (2 * venc))
    return velocity - (2 * venc) * turns.astype(velocity.dtype)


def circular(velocity: Values, venc: float) -> tuple[Values, Values]:
    """Mean and standard deviation over frames (the first axis), which wraps do not disturb (Mardia 1972)."""
    turn = (np.exp((1j * np.pi / venc) * velocity.astype(np.float32))).mean(axis=0)
    length = np.clip(np.abs(turn), 1e-6, 1)
    scale = venc / np.pi
    return np.angle(turn) * scale, np.sqrt(-2 * np.log(length)) * scale


def polynomial_terms(
    shape: tuple[int, ...], spacing: Vector, order: int, places: Values | None = None
) -> Values:
    """(terms, z, y, x), or (terms, n) at flat `places`: x^i y^j z^k with i + j + k up to `order`.

    In mm from the middle, over half the longest side: terms of one size make equations well conditioned.
    """
    sides = [(np.arange(n) - (n - 1) / 2) * h * 1000 for n, h in zip(shape, reversed(spacing), strict=True)]
    reach = max(float(side[-1]) for side in sides) or 1.0
    sides = [side / reach for side in sides]
    if places is None:
        z, y, x = np.meshgrid(*sides, indexing="ij", sparse=True)
    else:
        z, y, x = (side[at] for side, at in zip(sides, np.unravel_index(places, shape), strict=True))
    exponents = [
        (i, j, total - i - j)
        for total in range(order + 1)
        for i in range(total, -1, -1)
        for j in range(total - i, -1, -1)
    ]
    return np.stack(np.broadcast_arrays(*(x**i * y**j * z**k for i, j, k in exponents)))


def trimmed_fit(terms: Values, mean: Values, weights: Values, mask: Bools) -> tuple[Values, Bools]:
    """The polynomial everywhere, and which voxels of the mask it rests on in the end."""
    places = some_of(np.flatnonzero(mask & np.isfinite(mean)))
    rows = terms.reshape(len(terms), -1)[:, places].T
    values = mean.reshape(-1)[places].astype(np.float64)
    roots = np.sqrt(weights.reshape(-1)[places].astype(np.float64))
    keep = np.ones(len(values), np.bool_)
    limit, factors = np.inf, np.zeros(len(terms))
    for _ in range(ROUNDS):
        factors = np.linalg.lstsq(rows[keep] * roots[keep, None], values[keep] * roots[keep], rcond=None)[0]
        rest = values - rows @ factors
        limit = TRIM * PER_MAD * float(np.median(np.abs(rest[keep])))
        keep = np.abs(rest) <= max(limit, 1e-12)
    fitted = np.tensordot(factors, terms, 1)
    return fitted.astype(np.float32), mask & (np.abs(mean - fitted) <= max(limit, 1e-7))


def left_over(means: Values, mask: Bools, spacing: Vector, order: int) -> float:
    """m/s: 95th percentile of speed of a polynomial through what should stand still; NaN where nothing is."""
    places = some_of(np.flatnonzero(mask))
    if len(places) == 0:
        return float("nan")
    rows = polynomial_terms(mask.shape, spacing, order, places).T
    values = means.reshape(3, -1)[:, places].T.astype(np.float64)
    smooth = rows @ np.linalg.lstsq(rows.T @ rows, rows.T @ values, rcond=None)[0]
    return float(np.percentile(np.sqrt(np.square(smooth).sum(axis=1)), 95))


def some_of(places: Values) -> Values:
    """A fixed shuffle's first ones: every n-th voxel of a grid would see its own pattern."""
    if len(places) <= MOST_POINTS:
        return places
    return np.random.default_rng(0).choice(places, MOST_POINTS, replace=False)
