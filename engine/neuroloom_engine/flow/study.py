"""What a 4D flow study is, and how this folder refuses. Computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]
Bools = NDArray[np.bool_]
Vector = tuple[float, float, float]


class Refusal(ValueError):
    """Why nothing was computed, or files are no study: a reason that has a sentence, and its parameters."""

    def __init__(self, reason: str, **params: str | int | float) -> None:
        super().__init__(f"{reason} {params}")
        self.reason = reason
        self.params: Mapping[str, str | int | float] = params


@dataclass(frozen=True)
class Study:
    """One measurement. Frames are sorted by time; all arrays lie on one grid."""

    # (3, t, z, y, x), m/s along +x, +y, +z of the grid.
    velocity: Values
    # (t, z, y, x), any unit.
    magnitude: Values
    # dx, dy, dz in m.
    spacing: Vector
    # (t,), s after the trigger.
    times: NDArray[np.float64]
    # RR interval in s; None where the last frame does not lead to the first (prospective gating).
    period: float | None
    # m/s of each component.
    venc: Vector
    # (4, 4), from voxel (x, y, z) to mm in RAS.
    affine: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.velocity.ndim != 5 or self.velocity.shape[0] != 3:
            raise Refusal("velocity_shape", shape=str(self.velocity.shape))
        if self.magnitude.shape != self.velocity.shape[1:]:
            raise Refusal(
                "unequal_grids", velocity=str(self.velocity.shape[1:]), magnitude=str(self.magnitude.shape)
            )
        if not all(np.isfinite(side) and side > 0 for side in self.spacing):
            raise Refusal("spacing_not_positive", spacing=str(self.spacing))
        if not all(np.isfinite(venc) and venc > 0 for venc in self.venc):
            raise Refusal("venc_unknown", venc=str(self.venc))
        check_times(self.times, self.period, self.frames)

    @property
    def frames(self) -> int:
        return int(self.velocity.shape[1])

    @property
    def voxel_volume(self) -> float:
        """m³."""
        return float(np.prod(self.spacing))


def check_times(times: NDArray[np.float64], period: float | None, frames: int) -> None:
    if len(times) != frames or not np.all(np.diff(times) > 0):
        raise Refusal("times_unfit", times=len(times), frames=frames)
    if period is not None and not period > times[-1] - times[0]:
        raise Refusal("period_too_short", period=period, span=float(times[-1] - times[0]))


def frame_seconds(times: NDArray[np.float64], period: float | None) -> NDArray[np.float64]:
    """(t,): how long each frame stands for by the trapezoid rule; periodic where `period` is given."""
    if period is not None:
        gaps = np.diff(times, append=times[0] + period)
        return (gaps + np.roll(gaps, 1)) / 2
    gaps = np.diff(times)
    return (np.concatenate([[0.0], gaps]) + np.concatenate([gaps, [0.0]])) / 2


def as_frames(mask: Bools | None, shape: tuple[int, ...]) -> Bools:
    """The mask (z, y, x) or (t, z, y, x) as (t, z, y, x); without one all voxels."""
    if mask is None:
        return np.ones(shape, np.bool_)
    if mask.shape not in (shape, shape[1:]):
        raise Refusal("mask_shape", mask=str(mask.shape), grid=str(shape))
    return np.broadcast_to(mask.astype(np.bool_, copy=False), shape)
