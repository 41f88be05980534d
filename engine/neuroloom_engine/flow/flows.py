"""Flows with a closed form: velocity and vorticity anywhere, exactly. Knows no grid.

Each has `velocity(at, time)` and `vorticity(at, time)`, (3, ...) of positions (3, ...) in m, and
`holds(at, margin)`: where there is fluid, `margin` metres wider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .study import Bools, Values, Vector

ORIGIN: Vector = (0.0, 0.0, 0.0)


class Moving(Protocol):
    """A flow of which nobody asks the vorticity."""

    def velocity(self, at: Values, time: float) -> Values: ...
    def holds(self, at: Values, margin: float = 0.0) -> Bools: ...


class Flow(Moving, Protocol):
    def vorticity(self, at: Values, time: float) -> Values: ...


class Unbounded:
    """Fluid everywhere."""

    def holds(self, at: Values, margin: float = 0.0) -> Bools:
        return np.ones(at.shape[1:], np.bool_)


@dataclass(frozen=True)
class LinearField(Unbounded):
    """v = A (x - centre); rows of `matrix` are components, in 1/s."""

    matrix: tuple[Vector, Vector, Vector]
    centre: Vector = ORIGIN

    def velocity(self, at: Values, time: float) -> Values:
        return np.tensordot(np.array(self.matrix), from_centre(at, self.centre), 1)

    def vorticity(self, at: Values, time: float) -> Values:
        a = np.array(self.matrix)
        curl = np.array([a[2, 1] - a[1, 2], a[0, 2] - a[2, 0], a[1, 0] - a[0, 1]])
        return np.broadcast_to(curl.reshape(3, *[1] * (at.ndim - 1)), at.shape).copy()


def solid_rotation(rate: float, centre: Vector = ORIGIN) -> LinearField:
    """About z, `rate` in rad/s; the vorticity is twice that."""
    return LinearField(((0.0, -rate, 0.0), (rate, 0.0, 0.0), (0.0, 0.0, 0.0)), centre)


@dataclass(frozen=True)
class LambOseen(Unbounded):
    """A vortex about z: v = Γ/(2πr) (1 - exp(-r²/r_c²)), ω = Γ/(πr_c²) exp(-r²/r_c²). Γ in m²/s, r_c in m."""

    circulation: float
    core: float
    centre: Vector = ORIGIN
    # Along z, m/s.
    axial: float = 0.0

    def velocity(self, at: Values, time: float) -> Values:
        x, y, _ = from_centre(at, self.centre)
        square = x * x + y * y
        # Towards the axis (1 - exp(-s)) / s tends to 1.
        ratio = square / self.core**2
        shape = np.where(ratio > 1e-12, -np.expm1(-ratio) / np.maximum(ratio, 1e-12), 1.0)
        turn = self.circulation / (2 * np.pi * self.core**2) * shape
        return np.stack([-turn * y, turn * x, np.full_like(x, self.axial)])

    def vorticity(self, at: Values, time: float) -> Values:
        x, y, _ = from_centre(at, self.centre)
        peak = self.circulation / (np.pi * self.core**2)
        return np.stack([np.zeros_like(x), np.zeros_like(x), peak * np.exp(-(x * x + y * y) / self.core**2)])


@dataclass(frozen=True)
class TaylorGreen(Unbounded):
    """Cells in x and y: stream function ψ = (U/k) cos kx cos ky, k = 2π / wavelength."""

    speed: float
    wavelength: float
    centre: Vector = ORIGIN

    def stream(self, at: Values) -> Values:
        """ψ in m²/s, constant along each streamline."""
        k = 2 * np.pi / self.wavelength
        x, y, _ = k * from_centre(at, self.centre)
        return self.speed / k * np.cos(x) * np.cos(y)

    def velocity(self, at: Values, time: float) -> Values:
        x, y, _ = 2 * np.pi / self.wavelength * from_centre(at, self.centre)
        u, v = -np.cos(x) * np.sin(y), np.sin(x) * np.cos(y)
        return self.speed * np.stack([u, v, np.zeros_like(u)])

    def vorticity(self, at: Values, time: float) -> Values:
        k = 2 * np.pi / self.wavelength
        x, y, _ = k * from_centre(at, self.centre)
        turn = 2 * k * self.speed * np.cos(x) * np.cos(y)
        return np.stack([np.zeros_like(turn), np.zeros_like(turn), turn])


@dataclass(frozen=True)
class ABC(Unbounded):
    """Arnold, Beltrami and Childress: ω = k v, so the helicity is as large as it can be (LNH 1)."""

    amplitudes: Vector
    wavelength: float
    centre: Vector = ORIGIN

    def velocity(self, at: Values, time: float) -> Values:
        a, b, c = self.amplitudes
        x, y, z = 2 * np.pi / self.wavelength * from_centre(at, self.centre)
        return np.stack(
            [
                a * np.sin(z) + c * np.cos(y),
                b * np.sin(x) + a * np.cos(z),
                c * np.sin(y) + b * np.cos(x),
            ]
        )

    def vorticity(self, at: Values, time: float) -> Values:
        return 2 * np.pi / self.wavelength * self.velocity(at, time)


@dataclass(frozen=True)
class HillVortex(Unbounded):
    """Hill's spherical vortex (1894) that moves along z with `speed` through fluid at rest.

    Inside ω = 7.5 U ρ / a² about the axis, outside it is 0 and the flow that of a moving sphere.
    """

    radius: float
    speed: float
    # Where the sphere is at time 0.
    centre: Vector = ORIGIN

    def velocity(self, at: Values, time: float) -> Values:
        x, y, z, square, is_in = self.placed(at, time)
        a = self.radius
        # Each over the radius, so that both forms are (x, y) times `across` and `along` on z.
        inner_across = 1.5 * z / a**2
        inner_along = 1.5 * (1 - (2 * (x * x + y * y) + z * z) / a**2) + 1
        far = np.where(is_in, a, np.sqrt(square))
        outer_across = 1.5 * a**3 * z / far**5
        outer_along = 0.5 * a**3 * (3 * z * z / far**5 - 1 / far**3)
        across = np.where(is_in, inner_across, outer_across)
        along = np.where(is_in, inner_along, outer_along)
        return self.speed * np.stack([x * across, y * across, along])

    def vorticity(self, at: Values, time: float) -> Values:
        x, y, _, _, is_in = self.placed(at, time)
        turn = np.where(is_in, 7.5 * self.speed / self.radius**2, 0.0)
        return np.stack([-turn * y, turn * x, np.zeros_like(x)])

    def placed(self, at: Values, time: float) -> tuple[Values, Values, Values, Values, Bools]:
        x, y, z = from_centre(at, self.centre)
        z = z - self.speed * time
        square = x * x + y * y + z * z
        return x, y, z, square, square <= self.radius**2


def from_centre(at: Values, centre: Vector) -> Values:
    return at - np.array(centre).reshape(3, *[1] * (at.ndim - 1))
