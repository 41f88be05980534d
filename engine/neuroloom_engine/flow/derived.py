"""What follows from velocity and its derivatives. Nothing here knows of scanners."""

from __future__ import annotations

import numpy as np

from .gradient import gradient
from .study import Bools, Refusal, Values, Vector
from .tubes import DENSITY, VISCOSITY


def jacobian(
    velocity: Values, spacing: Vector, window: int = 5, order: int = 1, mask: Bools | None = None
) -> Values:
    """J[c, a] = ∂v_c/∂x_a in 1/s, (3, 3, ..., z, y, x), of velocity (3, ..., z, y, x).

    Nine times as large as one component: of long studies take one frame at a time.
    """
    return gradient(velocity, spacing, window, order, mask).swapaxes(0, 1)


def central_jacobian(velocity: Values, spacing: Vector) -> Values:
    """As `jacobian` by central differences between neighbours, one-sided at the edges: blind to masks."""
    sides = dict(zip((-1, -2, -3), spacing, strict=True))
    return np.stack(
        [np.stack([np.gradient(one, side, axis=axis) for axis, side in sides.items()]) for one in velocity]
    )


def vorticity(j: Values) -> Values:
    """ω = ∇ × v (3, ...), 1/s."""
    return np.stack([j[2, 1] - j[1, 2], j[0, 2] - j[2, 0], j[1, 0] - j[0, 1]])


def divergence(j: Values) -> Values:
    """∇ · v (...), 1/s: 0 of blood."""
    return j[0, 0] + j[1, 1] + j[2, 2]


def divergence_ratio(j: Values) -> float:
    """rms(∇·v) / rms(‖∇v‖) where both are known: 0 for an incompressible flow without noise."""
    known = np.isfinite(j).all(axis=(0, 1))
    if not known.any():
        raise Refusal("mask_empty")
    div = np.square(divergence(j)[known], dtype=np.float64).mean()
    size = np.square(j[:, :, known], dtype=np.float64).sum(axis=(0, 1)).mean()
    return float(np.sqrt(div / size)) if size > 0 else 0.0


def q_criterion(j: Values) -> Values:
    """Q = (‖Ω‖² - ‖S‖²)/2, 1/s²: above 0 where the flow turns more than it is strained (Hunt 1988)."""
    return -0.5 * np.einsum("ab...,ba...->...", j, j)


def lambda2(j: Values) -> Values:
    """The middle eigenvalue of S² + Ω², 1/s²: below 0 within vortices (Jeong & Hussain 1995)."""
    known = np.isfinite(j).all(axis=(0, 1))
    m = j[:, :, known].astype(np.float64)
    strain, spin = (m + m.swapaxes(0, 1)) / 2, (m - m.swapaxes(0, 1)) / 2
    square = np.einsum("abv,bcv->acv", strain, strain) + np.einsum("abv,bcv->acv", spin, spin)
    made = np.full(j.shape[2:], np.nan, j.dtype)
    made[known] = middle_eigenvalue(square)
    return made


def middle_eigenvalue(m: Values) -> Values:
    """Of symmetric matrices (3, 3, n), in closed form (Smith 1961)."""
    mean = (m[0, 0] + m[1, 1] + m[2, 2]) / 3
    apart = m - mean * np.eye(3)[:, :, None]
    spread = np.sqrt(np.square(apart).sum(axis=(0, 1)) / 6)
    b = apart / np.maximum(spread, 1e-300)
    half = (
        b[0, 0] * (b[1, 1] * b[2, 2] - b[1, 2] * b[2, 1])
        - b[0, 1] * (b[1, 0] * b[2, 2] - b[1, 2] * b[2, 0])
        + b[0, 2] * (b[1, 0] * b[2, 1] - b[1, 1] * b[2, 0])
    ) / 2
    angle = np.arccos(np.clip(half, -1, 1)) / 3
    return mean + 2 * spread * np.cos(angle - 2 * np.pi / 3)


def helicity(velocity: Values, turning: Values) -> Values:
    """Helicity density v · ω (...), m/s²."""
    return (velocity * turning).sum(axis=0)


def normalised_helicity(velocity: Values, turning: Values) -> Values:
    """LNH = v · ω / (|v||ω|) in [-1, 1] (...); NaN where either is 0 but for rounding."""
    sizes = np.sqrt(np.square(velocity).sum(axis=0) * np.square(turning).sum(axis=0))
    least = 1e-12 * np.nanmax(sizes, initial=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sizes > least, np.clip(helicity(velocity, turning) / sizes, -1, 1), np.nan)


def kinetic_energy(
    velocity: Values, spacing: Vector, mask: Bools | None = None, density: float = DENSITY
) -> Values:
    """½ρ Σ|v|² ΔV in J: velocity (3, ..., z, y, x) gives (...); of the mask, without what has no value."""
    square = np.square(velocity, dtype=np.float64).sum(axis=0)
    return density / 2 * np.prod(spacing) * total(square, mask)


def viscous_loss(
    j: Values, spacing: Vector, mask: Bools | None = None, viscosity: float = VISCOSITY
) -> Values:
    """μ Σ 2 S:S ΔV in W, J (3, 3, ..., z, y, x) gives (...).

    Too low in vessels of few voxels, by how much depends on the derivative: see `loss_bias`.
    """
    rate = np.zeros(j.shape[2:], np.float64)
    for a in range(3):
        for b in range(3):
            rate += (j[a, b] + j[b, a]) ** 2 / 2
    return viscosity * np.prod(spacing) * total(rate, mask)


def loss_bias(voxels_across: float) -> float:
    """Relative error of the loss of a parabolic profile, by central differences with rest around the tube.

    Through -33, -17.4 and -11.6 %, measured at 8, 16 and 24 voxels across. The fit of order 1 over 3 voxels
    within the mask is nearer (about -20, -6 and -2 %), but depends more on where the wall cuts voxels.
    """
    return -2.872 / voxels_across + 1.536 / voxels_across**2


def total(values: Values, mask: Bools | None) -> Values:
    counted = np.isfinite(values) if mask is None else np.isfinite(values) & mask
    return np.where(counted, values, 0).sum(axis=(-3, -2, -1))
