"""Vorticity of a plane by the window of the options, and what that window does to it: noise and bias."""

from __future__ import annotations

import itertools

import numpy as np

from .gradient import check_window, gradient, inverse_normal, slope_rows
from .planes import covered
from .sample import trilinear
from .study import Bools, Refusal, Values


def plane_vorticity(
    across: Values,
    up: Values,
    spacing: tuple[float, float],
    window: int = 5,
    order: int = 1,
    mask: Bools | None = None,
) -> Values:
    """ω = ∂v/∂x - ∂u/∂y in 1/s of velocities u `across` and v `up` (..., y, x); NaN as in `gradient`."""
    along_x = gradient(up, spacing, window, order, mask)[0]
    along_y = gradient(across, spacing, window, order, mask)[1]
    return along_x - along_y


def vorticity_noise(sigma: float, spacing: tuple[float, float], window: int = 5, order: int = 1) -> float:
    """σ_ω in 1/s of white noise σ_v (m/s) where the whole window is valid.

    Order 1 on square pixels: (σ_v/h) √(24 / (N²(N² - 1))). Exact for both orders: the covariance of a least
    squares fit is σ² (AᵀA)⁻¹.
    """
    check_window(window, order, (window, window))
    exponents = [e for e in itertools.product(range(order + 1), repeat=2) if sum(e) <= order]
    inverse = inverse_normal(exponents, window, 2)
    variance = sum(
        inverse[row, row] / (window // 2 * side) ** 2
        for row, side in zip(slope_rows(exponents, 2), spacing, strict=True)
    )
    return float(sigma * np.sqrt(variance))


def slope_bias(window: int, spacing: float, third: float, mixed: float) -> float:
    """Leading error of ∂v/∂x by the fit of order 1 from v_xxx (`third`) and v_xyy (`mixed`)."""
    n = window * window
    return spacing**2 * ((3 * n - 7) / 120 * third + (n - 1) / 24 * mixed)


def core_bias(window: int, spacing: float, core: float) -> float:
    """Leading Δω/ω₀ in the middle of a Lamb-Oseen vortex of core radius `core` (m), fit of order 1.

    Within 10 % where the window is at most 0.85 core radii wide.
    """
    n = window * window
    return -((3 * n - 7) / 40 + (n - 1) / 24) * (spacing / core) ** 2


def circulation_within(omega: Values, spacing: tuple[float, float], polygon: Values) -> float:
    """∬ω dA in m²/s of a plane (y, x), in a polygon (k, 2) of x, y in m; voxels on its edge by area."""
    share = covered(polygon, *sides(omega, spacing))
    if not np.isfinite(omega[share > 0]).all():
        raise Refusal("region_without_values")
    return float((np.where(share > 0, omega, 0) * share).sum() * np.prod(spacing))


def circulation_along(across: Values, up: Values, spacing: tuple[float, float], polygon: Values) -> float:
    """∮v·dl in m²/s around a polygon, in the order of its corners, by steps of a quarter voxel."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    count = int(np.ceil(4 * np.linalg.norm(edges, axis=1).max() / min(spacing)))
    shares = (np.arange(count) + 0.5) / count
    places = (polygon[:, None] + shares[:, None] * edges[:, None]).reshape(-1, 2)
    at = np.concatenate([places, np.zeros((len(places), 1))], axis=1).T
    velocity = trilinear(np.stack([across, up])[:, None], (*spacing, 1.0), at)
    if not np.isfinite(velocity).all():
        raise Refusal("region_without_values")
    return float((velocity.T * np.repeat(edges / count, count, axis=0)).sum())


def sides(plane: Values, spacing: tuple[float, float]) -> tuple[Values, Values]:
    return np.arange(plane.shape[1]) * spacing[0], np.arange(plane.shape[0]) * spacing[1]
