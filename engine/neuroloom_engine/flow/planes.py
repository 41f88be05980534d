"""Flow through a plane: its samples, a region in it, curves over time and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .libraries import ndimage
from .sample import trilinear
from .study import Bools, Refusal, Study, Values, Vector, as_frames, frame_seconds

# `area`: samples every quarter of a voxel, on the edge by the area inside. `voxels`: one a voxel, in or out.
Rule = Literal["area", "voxels"]
FINE = 4
# Lines through each row of samples along which a polygon is measured.
SCANS = 16
# Of a region: where more lies beyond the grid or has no value, the flow would be too low without a word.
LEAST_KNOWN = 0.98


@dataclass(frozen=True)
class Plane:
    # m on the grid.
    centre: Vector
    # Counts as forwards; need not have length 1.
    normal: Vector
    # Half the side of the square in which a mask is looked at, m; polygons have their own.
    reach: float

    def axes(self) -> tuple[Values, Values, Values]:
        """Unit vectors along the plane's two coordinates and its normal; grid axes where they can be."""
        length = float(np.linalg.norm(self.normal))
        if not length > 0:
            raise Refusal("normal_zero")
        normal = np.array(self.normal) / length
        first = np.zeros(3)
        first[int(np.argmin(np.abs(normal)))] = 1
        first -= normal * (normal @ first)
        first /= np.linalg.norm(first)
        return first, np.cross(normal, first), normal

    def pitch(self, spacing: Vector) -> float:
        """Of a voxel along the plane, m: the larger of both directions."""
        return max(float(np.linalg.norm(axis * spacing)) for axis in self.axes()[:2])


@dataclass(frozen=True)
class Region:
    """Places in a plane, and the area that each stands for."""

    rule: Rule
    # (3, n), m.
    at: Values
    # (n,), m².
    weights: Values

    @property
    def area(self) -> float:
        return float(self.weights.sum())


@dataclass(frozen=True)
class PlaneFlow:
    """Along the plane's normal. Volumes are NaN where frames do not cover time."""

    rule: Rule
    is_periodic: bool
    # m: see `Plane.pitch`.
    pitch: float
    # (t,), m³/s, m², m/s: `mean` through the plane, `peak` and `p99` of speed within the region.
    rate: Values
    area: Values
    mean: Values
    peak: Values
    p99: Values
    # m³ per beat, or within the frames where time is not periodic; backward is positive.
    forward: float
    backward: float
    net: float
    # Backward over forward.
    regurgitant_fraction: float
    # (Qmax - Qmin) / Qmean.
    pulsatility: float


def flow_through(study: Study, plane: Plane, regions: Region | Sequence[Region]) -> PlaneFlow:
    """Q(t) = ∬ v·n dA and what follows; one region, or one of each frame.

    The volumes are trapezoids; they lead from the last frame to the first only where time is periodic.
    """
    every = [regions] * study.frames if isinstance(regions, Region) else list(regions)
    if len(every) != study.frames:
        raise Refusal("regions_unfit", regions=len(every), frames=study.frames)
    normal = plane.axes()[2]
    rows = np.array([through_region(study, frame, normal, region) for frame, region in enumerate(every)])
    rate, area, peak, p99 = rows.T
    seconds = frame_seconds(study.times, study.period)
    is_timed = bool(seconds.sum() > 0)
    forward = float((np.maximum(rate, 0) * seconds).sum()) if is_timed else float("nan")
    backward = float((np.maximum(-rate, 0) * seconds).sum()) if is_timed else float("nan")
    level = float((rate * seconds).sum() / seconds.sum()) if is_timed else float("nan")
    return PlaneFlow(
        rule=every[0].rule,
        is_periodic=study.period is not None,
        pitch=plane.pitch(study.spacing),
        rate=rate,
        area=area,
        mean=rate / area,
        peak=peak,
        p99=p99,
        forward=forward,
        backward=backward,
        net=forward - backward,
        regurgitant_fraction=backward / forward if forward > 0 else float("nan"),
        pulsatility=float(np.ptp(rate)) / level if level else float("nan"),
    )


def through_region(study: Study, frame: int, normal: Values, region: Region) -> tuple[float, ...]:
    """Rate, area, peak and 99th percentile of one frame; refuses `region_without_values`."""
    velocity = trilinear(study.velocity[:, frame], study.spacing, region.at)
    known = np.isfinite(velocity).all(axis=0) & (region.weights > 0)
    share = float(region.weights[known].sum()) / region.area
    if share < LEAST_KNOWN:
        raise Refusal("region_without_values", frame=frame, share=share)
    speed = np.sqrt(np.square(velocity[:, known]).sum(axis=0))
    weights = region.weights[known]
    rate = float((normal @ velocity[:, known] * weights).sum())
    return rate, float(weights.sum()), float(speed.max()), float(np.percentile(speed, 99))


def polygon_region(plane: Plane, spacing: Vector, polygon: Values, rule: Rule = "area") -> Region:
    """Within a polygon (k, 2) of plane coordinates in m from the centre; refuses `region_empty`."""
    if polygon.ndim != 2 or polygon.shape[1] != 2 or len(polygon) < 3:
        raise Refusal("polygon_invalid", corners=len(polygon))
    across, up = lattice(plane, spacing, rule, polygon.min(axis=0), polygon.max(axis=0))
    share = covered(polygon, across, up)
    return kept(plane, rule, across, up, share)


def mask_region(plane: Plane, spacing: Vector, mask: Bools, rule: Rule = "area") -> Region:
    """The piece of a mask (z, y, x) that holds the plane's centre, as the plane cuts it.

    Inside is where the mask, as 0 and 1 and interpolated, is above a half. Refuses `centre_outside_mask`.
    """
    reach = np.full(2, plane.reach)
    across, up = lattice(plane, spacing, rule, -reach, reach)
    inside = trilinear(mask[None].astype(np.float32), spacing, placed(plane, across, up))[0]
    shape = (len(up), len(across))
    numbers, _ = ndimage.label(np.nan_to_num(inside).reshape(shape) > 0.5)
    row, column = int(np.abs(up).argmin()), int(np.abs(across).argmin())
    if numbers[row, column] == 0:
        raise Refusal("centre_outside_mask")
    return kept(plane, rule, across, up, (numbers == numbers[row, column]).astype(np.float64))


def mask_regions(
    plane: Plane, spacing: Vector, mask: Bools, frames: int, rule: Rule = "area"
) -> Region | list[Region]:
    """As `mask_region`, of each frame where the mask is (t, z, y, x)."""
    if mask.ndim == 3:
        return mask_region(plane, spacing, mask, rule)
    every = as_frames(mask, (frames, *mask.shape[1:]))
    return [mask_region(plane, spacing, one, rule) for one in every]


def kept(plane: Plane, rule: Rule, across: Values, up: Values, share: Values) -> Region:
    if rule == "voxels":
        share = (share > 0.5).astype(np.float64)
    cell = float((across[1] - across[0]) * (up[1] - up[0]))
    flat = share.reshape(-1)
    if not (flat > 0).any():
        raise Refusal("region_empty")
    at = placed(plane, across, up)[:, flat > 0]
    return Region(rule, at, flat[flat > 0] * cell)


def lattice(plane: Plane, spacing: Vector, rule: Rule, low: Values, high: Values) -> tuple[Values, Values]:
    """Plane coordinates of samples from `low` to `high` (2,).

    A voxel's middle is one where the plane lies along the grid.
    """
    if not (high > low).all():
        raise Refusal("region_empty")
    nearest = np.rint(np.array(plane.centre) / spacing) * spacing
    found = []
    for axis, first, last in zip(plane.axes()[:2], low, high, strict=True):
        pitch = float(np.linalg.norm(axis * spacing))
        start = float((nearest - plane.centre) @ axis)
        # One more on either side, for the half of a pitch that a voxel reaches out.
        steps = np.arange(np.floor((first - start) / pitch) - 1, np.ceil((last - start) / pitch) + 2)
        whole = start + pitch * steps
        fine = ((np.arange(FINE) + 0.5) / FINE - 0.5) * pitch
        found.append(whole if rule == "voxels" else (whole[:, None] + fine).reshape(-1))
    return found[0], found[1]


def placed(plane: Plane, across: Values, up: Values) -> Values:
    """(3, n) in m, `across` the faster."""
    first, second, _ = plane.axes()
    at = np.array(plane.centre) + up[:, None, None] * second + across[None, :, None] * first
    return at.reshape(-1, 3).T


def covered(polygon: Values, across: Values, up: Values) -> Values:
    """(up, across): share of each cell within the polygon (even-odd), exact along each of `SCANS` lines."""
    wide, high = across[1] - across[0], up[1] - up[0]
    lines = (up[:, None] + ((np.arange(SCANS) + 0.5) / SCANS - 0.5) * high).reshape(-1, 1)
    (x0, y0), (x1, y1) = polygon.T, np.roll(polygon, -1, axis=0).T
    crosses = (y0 <= lines) != (y1 <= lines)
    with np.errstate(divide="ignore", invalid="ignore"):
        where = x0 + (lines - y0) / (y1 - y0) * (x1 - x0)
    where = np.sort(np.where(crosses, where, np.inf), axis=1)
    left = across - wide / 2
    share = np.zeros((len(lines), len(across)))
    for pair in range(0, int(crosses.sum(axis=1).max(initial=0)), 2):
        start, stop = (np.clip((where[:, pair + k, None] - left) / wide, 0, 1) for k in (0, 1))
        # Lines without this pair cross nothing: both ends are clipped alike.
        share += stop - start
    return share.reshape(len(up), SCANS, len(across)).mean(axis=1)


def circle(radius: float, middle: tuple[float, float] = (0.0, 0.0), corners: int = 256) -> Values:
    """(corners, 2) of the polygon around `middle` whose area is that of the circle."""
    turn = 2 * np.pi * np.arange(corners) / corners
    share = 2 * np.pi / corners
    fair = radius * np.sqrt(share / np.sin(share))
    return np.stack([np.cos(turn), np.sin(turn)], axis=1) * fair + middle
