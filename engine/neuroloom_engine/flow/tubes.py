"""Flow through a straight round tube in any direction: Poiseuille, pulsatile, Womersley. Knows no grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from .flows import from_centre
from .libraries import special
from .study import Bools, Values, Vector

# kg/m³ and Pa s; of blood.
DENSITY, VISCOSITY = 1060.0, 0.004
# Radii between which profiles with Bessel functions are interpolated: the error is below 1e-6 of the peak.
TABLE = 2001


class Profile(Protocol):
    """Of the velocity along the tube. `share` is r/R, 0 to 1; `radius` R in m."""

    def speed(self, share: Values, radius: float, time: float) -> Values: ...
    def slope(self, share: Values, radius: float, time: float) -> Values: ...
    def flow(self, radius: float, time: float) -> float: ...


@dataclass(frozen=True)
class Parabola:
    """V(t) (1 - r²/R²), where V swings between `least` and 1 times `peak` (m/s) as sin² does in `period` s.

    `least` 1 is Poiseuille's steady flow.
    """

    peak: float
    least: float = 1.0
    period: float = 1.0

    def top(self, time: float) -> float:
        swing = np.sin(np.pi * time / self.period) ** 2
        return float(self.peak * (self.least + (1 - self.least) * swing))

    def speed(self, share: Values, radius: float, time: float) -> Values:
        return self.top(time) * (1 - share**2)

    def slope(self, share: Values, radius: float, time: float) -> Values:
        return -2 * self.top(time) / radius * share

    def flow(self, radius: float, time: float) -> float:
        return np.pi * radius**2 * self.top(time) / 2


@dataclass(frozen=True)
class Womersley:
    """A steady parabola of height `steady` and harmonics k = 1, 2, ... of the heart beat (Womersley 1955).

    Each is Re A_k e^{ikωt} (1 - J0(Λr/R) / J0(Λ)), Λ = i^{3/2} α √k, with A_k = G_k / (i ρ k ω) in m/s from
    the pressure gradient G_k e^{ikωt}.
    """

    steady: float
    amplitudes: tuple[complex, ...]
    period: float
    # α = R √(ω/ν) of the first harmonic.
    alpha: float

    def speed(self, share: Values, radius: float, time: float) -> Values:
        return np.interp(share, RADII, speeds(self, time))

    def slope(self, share: Values, radius: float, time: float) -> Values:
        total = -2 * self.steady * RADII
        for k, turn in self.turned(time):
            root = self.root(k)
            total = total + np.real(turn * root * special.jv(1, root * RADII) / special.jv(0, root))
        return np.interp(share, RADII, total) / radius

    def flow(self, radius: float, time: float) -> float:
        total = self.steady / 2
        for k, turn in self.turned(time):
            root = self.root(k)
            total += float(np.real(turn * (1 - 2 * special.jv(1, root) / (root * special.jv(0, root)))))
        return np.pi * radius**2 * total

    def root(self, k: int) -> complex:
        return complex(1j**1.5) * self.alpha * k**0.5

    def turned(self, time: float) -> list[tuple[int, complex]]:
        """A_k e^{ikωt} with their k."""
        turn = 2j * np.pi * time / self.period
        return [(k, complex(a * np.exp(k * turn))) for k, a in enumerate(self.amplitudes, 1)]


RADII = np.linspace(0.0, 1.0, TABLE)


@lru_cache(maxsize=256)
def speeds(profile: Womersley, time: float) -> Values:
    """(TABLE,): asked for again by each sample of each voxel."""
    total = profile.steady * (1 - RADII**2)
    for k, turn in profile.turned(time):
        root = profile.root(k)
        total = total + np.real(turn * (1 - special.jv(0, root * RADII) / special.jv(0, root)))
    return total


@dataclass(frozen=True)
class Tube:
    """A flow with walls at rest. `direction` need not have length 1."""

    profile: Profile
    radius: float
    centre: Vector
    direction: Vector = (0.0, 0.0, 1.0)

    def velocity(self, at: Values, time: float) -> Values:
        share, _, axis = self.placed(at)
        speed = np.where(share < 1, self.profile.speed(np.minimum(share, 1), self.radius, time), 0.0)
        return axis * speed

    def vorticity(self, at: Values, time: float) -> Values:
        """∇w × n, 0 outside."""
        share, outwards, axis = self.placed(at)
        slope = np.where(share < 1, self.profile.slope(np.minimum(share, 1), self.radius, time), 0.0)
        return slope * np.cross(outwards, axis, axis=0)

    def holds(self, at: Values, margin: float = 0.0) -> Bools:
        return self.placed(at)[0] * self.radius < self.radius + margin

    def flow(self, time: float) -> float:
        """m³/s along `direction`."""
        return self.profile.flow(self.radius, time)

    def placed(self, at: Values) -> tuple[Values, Values, Values]:
        """r/R, the unit vector away from the axis and that along it."""
        axis = np.array(self.direction) / np.linalg.norm(self.direction)
        axis = axis.reshape(3, *[1] * (at.ndim - 1))
        apart = from_centre(at, self.centre)
        apart = apart - axis * (axis * apart).sum(0)
        distance = np.sqrt((apart * apart).sum(0))
        return distance / self.radius, apart / np.maximum(distance, 1e-12), axis
