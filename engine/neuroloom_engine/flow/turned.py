"""Known flows placed as one likes, and flow through a bent tube. Knows no grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .flows import Moving, from_centre
from .study import Bools, Values, Vector


@dataclass(frozen=True)
class Placed:
    """`flow` about the origin, turned by the rotation `turn` (3, 3) and moved to `centre`."""

    flow: Moving
    turn: Values
    centre: Vector

    def velocity(self, at: Values, time: float) -> Values:
        return np.tensordot(self.turn, self.flow.velocity(self.own(at), time), 1)

    def holds(self, at: Values, margin: float = 0.0) -> Bools:
        return self.flow.holds(self.own(at), margin)

    def own(self, at: Values) -> Values:
        return np.tensordot(self.turn.T, from_centre(at, self.centre), 1)


@dataclass(frozen=True)
class Bend:
    """A round tube bent to a ring about z, of which the origin lies on the axis.

    Along the ring a parabola that leans outwards by `lean`; across it Dean's pair of vortices (Dean 1927),
    outwards at `across` times the peak in the middle. Walls are at rest, and nothing is lost: along the ring
    nothing changes, and what goes across has a stream function. `radius` of the tube and `bow` of the ring in
    m, `peak` in m/s.
    """

    radius: float
    bow: float
    peak: float = 1.0
    lean: float = 0.0
    across: float = 0.0

    def velocity(self, at: Values, time: float) -> Values:
        out, ring, xi, eta, square = self.placed(at)
        inside = square < 1
        along = self.peak * (1 - square) * (1 + self.lean * xi)
        # ψ = η g(s), g = (1 - s)² (4 - s) / 4, s = ξ² + η².
        g = (1 - square) ** 2 * (4 - square) / 4
        slope = -(1 - square) * (9 - 3 * square) / 4
        strength = self.across * self.peak * self.bow / ring
        outwards = strength * (g + 2 * eta**2 * slope)
        up = -strength * 2 * xi * eta * slope
        made = np.stack([out[0] * outwards - out[1] * along, out[1] * outwards + out[0] * along, up])
        return np.where(inside, made, 0.0)

    def holds(self, at: Values, margin: float = 0.0) -> Bools:
        return np.sqrt(self.placed(at)[4]) * self.radius < self.radius + margin

    def placed(self, at: Values) -> tuple[Values, Values, Values, Values, Values]:
        """The unit vector away from z (2, ...), the distance to it, ξ outwards and η up from the tube's axis
        by its radius, and ξ² + η².
        """
        x, y, z = at
        x = x + self.bow
        ring = np.maximum(np.sqrt(x * x + y * y), 1e-9)
        xi, eta = (ring - self.bow) / self.radius, z / self.radius
        return np.stack([x, y]) / ring, ring, xi, eta, xi**2 + eta**2
