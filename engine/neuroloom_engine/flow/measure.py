"""What velocities within a mask come to, frame by frame. Holds one frame and what lies inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .derived import (
    central_jacobian,
    divergence,
    kinetic_energy,
    lambda2,
    q_criterion,
    viscous_loss,
    vorticity,
)
from .gradient import Fit, bounds
from .masks import eroded
from .study import Bools, Study, Values, Vector

# Voxels around the mask that are looked at too: differences between neighbours reach so far.
MARGIN = 1


@dataclass
class Curves:
    """One value a frame, SI units; NaN where there is none."""

    most: list[float] = field(default_factory=list)
    p99: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    energy: list[float] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    turn_p99: list[float] = field(default_factory=list)
    turn_mean: list[float] = field(default_factory=list)
    # Shares of the mask's voxels that have a derivative.
    swirl_q: list[float] = field(default_factory=list)
    swirl_lambda2: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Derived:
    curves: Curves
    # (t, n), 1/s²: of the mask's voxels in their order.
    q: Values
    lambda2: Values
    # rms(∇·v) / rms(‖∇v‖) in the mask without its outermost voxels; NaN where it is too thin.
    divergence: float


def measure(study: Study, mask: Bools, window: int, order: int, tick: Callable[[], None]) -> Derived:
    """Of velocities along the grid, within the mask (z, y, x). `tick` follows each frame and may raise.

    Derivatives are fits over `window` voxels of the mask alone, but for the viscous loss: that takes
    differences to neighbours with rest outside, whose error is known (`loss_bias`).
    """
    box = widened(bounds(mask), mask.shape)
    inside = mask[box]
    inner = eroded(mask)[box]
    curves = Curves()
    q = np.empty((study.frames, int(mask.sum())), np.float32)
    middle = np.empty_like(q)
    fits = Fits(window, order, study.spacing)
    total = np.zeros(2)
    for frame in range(study.frames):
        velocity = study.velocity[(slice(None), frame, *box)]
        speeds(curves, velocity[:, inside])
        curves.energy.append(float(kinetic_energy(velocity, study.spacing, inside)))
        curves.loss.append(loss_of(velocity, study.spacing, inside))
        j = fits.jacobian(velocity, inside)
        held = j[:, :, inside]
        q[frame], middle[frame] = q_criterion(held), lambda2(held)
        curves.swirl_q.append(share_of(q[frame] > 0, q[frame]))
        curves.swirl_lambda2.append(share_of(middle[frame] < 0, middle[frame]))
        within = j[:, :, inner]
        total += squares(within)
        turns = np.sqrt(np.square(vorticity(within)).sum(axis=0))
        curves.turn_p99.append(percentile(turns))
        curves.turn_mean.append(mean(turns))
        tick()
    return Derived(curves, q, middle, float(np.sqrt(total[0] / total[1])) if total[1] > 0 else float("nan"))


class Fits:
    """The equations of a mask's windows, solved anew only where other voxels have a value."""

    def __init__(self, window: int, order: int, spacing: Vector) -> None:
        self._window, self._order = window, order
        self._spacing = np.array(spacing, np.float32).reshape(3, 1, 1, 1)
        self._known: Bools | None = None
        self._fit: Fit | None = None

    def jacobian(self, velocity: Values, inside: Bools) -> Values:
        """J[c, a] = ∂v_c/∂x_a (3, 3, z, y, x) in 1/s."""
        known = inside & np.isfinite(velocity).all(axis=0)
        if self._fit is None or self._known is None or not np.array_equal(known, self._known):
            self._known, self._fit = known, Fit.of(known, self._window, self._order)
        held = np.where(known, velocity, 0)
        return np.stack([self._fit.slopes(one) / self._spacing for one in held])


def speeds(curves: Curves, velocity: Values) -> None:
    """Of (3, n)."""
    speed = np.sqrt(np.square(velocity).sum(axis=0))
    held = speed[np.isfinite(speed)]
    curves.most.append(float(held.max()) if held.size else float("nan"))
    curves.p99.append(percentile(held))
    curves.mean.append(mean(held))


def loss_of(velocity: Values, spacing: Vector, inside: Bools) -> float:
    """NaN where the volume is too thin for a difference."""
    if min(inside.shape) < 2:
        return float("nan")
    return float(viscous_loss(central_jacobian(np.where(inside, velocity, 0), spacing), spacing, inside))


def squares(j: Values) -> Values:
    """Sums of (∇·v)² and ‖∇v‖² where both are known, of (3, 3, n)."""
    known = j[:, :, np.isfinite(j).all(axis=(0, 1))].astype(np.float64)
    return np.array([np.square(divergence(known)).sum(), np.square(known).sum()])


def share_of(hit: Bools, values: Values) -> float:
    known = int(np.isfinite(values).sum())
    return float(hit.sum()) / known if known else float("nan")


def percentile(values: Values) -> float:
    held = values[np.isfinite(values)]
    return float(np.percentile(held.astype(np.float64), 99)) if held.size else float("nan")


def mean(values: Values) -> float:
    held = values[np.isfinite(values)]
    return float(held.mean(dtype=np.float64)) if held.size else float("nan")


def widened(box: tuple[slice, ...], shape: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(
        slice(max(0, part.start - MARGIN), min(side, part.stop + MARGIN))
        for part, side in zip(box, shape, strict=True)
    )
