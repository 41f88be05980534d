"""Streamlines of one moment and pathlines through time, all seeds at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .sample import known_velocity
from .study import Bools, Refusal, Values, Vector

STEP = 0.5
# Of the reference speed: below it a direction is noise.
SLOW = 0.01
# Longest sides of the grid that a line may be long, to either end.
MOST_SIDES = 4.0
# Why a line ends: its length, the edge of mask or grid, too slow, back at its seed, the time asked for.
LENGTH, MASK, STILL, CLOSED, TIME = "length", "mask", "still", "closed", "time"

# From places (3, n) and seconds of the step to velocities or directions (3, n), and where they hold.
Field = Callable[[Values, float], tuple[Values, Values, Bools]]


@dataclass(frozen=True)
class Lines:
    # (k, n, 3) in m; NaN behind and before the ends.
    points: Values
    # (k, n), m/s.
    speeds: Values
    # (k,): why each ends, at its last point; of streamlines also at its first.
    ends: NDArray[np.str_]
    starts: NDArray[np.str_] | None

    def line(self, index: int) -> Values:
        """(m, 3): one line without padding."""
        points = self.points[index]
        return points[np.isfinite(points[:, 0])]


def reference_speed(velocity: Values, mask: Bools | None = None) -> float:
    """99th percentile of speed in m/s over all frames, so that frames compare."""
    speed = np.sqrt(np.square(velocity).sum(axis=0))
    held = speed if mask is None else speed[np.broadcast_to(mask, speed.shape)]
    held = held[np.isfinite(held)]
    if held.size == 0:
        raise Refusal("mask_empty")
    return float(np.percentile(held, 99))


def streamlines(
    velocity: Values,
    spacing: Vector,
    seeds: Values,
    mask: Bools | None = None,
    step: float = STEP,
    reference: float | None = None,
    longest: float | None = None,
    is_closing: bool = True,
) -> Lines:
    """dx/ds = v/|v| by RK4 from seeds (k, 3) to both sides, of one frame (3, z, y, x).

    `step` is in voxels of the smallest side, `longest` in m to either side. A line ends at the edge of the
    mask, below 1 % of `reference` (m/s, else the 99th percentile), at its length, or back at its seed.
    """
    reference = reference_speed(velocity, mask) if reference is None else reference
    sides = np.array(velocity.shape[:0:-1]) * spacing
    longest = MOST_SIDES * float(sides.max()) if longest is None else longest
    length = step * min(spacing)
    count = round(longest / length)
    known = known_of(velocity, mask)

    def field(at: Values, _: float) -> tuple[Values, Values, Bools]:
        v, is_in = known_velocity(velocity, known, spacing, at)
        speed = np.sqrt(np.square(v).sum(axis=0))
        return v / np.maximum(speed, 1e-300), speed, is_in

    halves = [
        march(field, seeds, sign * length, count, SLOW * reference, length if is_closing else 0.0)
        for sign in (-1, 1)
    ]
    (before, slow, starts), (after, fast, ends) = halves
    # Once around is enough: the way back would draw the same loop again.
    looped = ends == CLOSED
    before[1:, :, looped], slow[1:, looped] = np.nan, np.nan
    points = np.concatenate([before[:0:-1], after])
    speeds = np.concatenate([slow[:0:-1], fast])
    return Lines(points.transpose(2, 0, 1), speeds.T, ends, np.where(looped, CLOSED, starts))


def pathlines(
    velocity: Values,
    times: Values,
    period: float | None,
    spacing: Vector,
    seeds: Values,
    start: float,
    seconds: float,
    mask: Bools | None = None,
    step: float = STEP,
) -> Lines:
    """dx/dt = v(x, t) by RK4 from seeds (k, 3), `seconds` long from `start`, of frames (3, t, z, y, x).

    Linear between frames; after the last comes the first where time has a period, else particles end there
    (`time`). The step divides the shortest gap between frames and moves the fastest by `step` voxels at most.
    Those that leave the mask end (`mask`): count them.
    """
    if period is None:
        seconds = min(seconds, float(times[-1]) - start)
    # A study of one frame stands still: its gap is all the time there is.
    gap = float(np.diff(times).min()) if len(times) > 1 else seconds
    if not seconds > 0:
        raise Refusal("time_empty", seconds=seconds)
    fastest = float(np.sqrt(np.nanmax(np.square(velocity).sum(axis=0))))
    length = gap / max(1, np.ceil(gap * fastest / (step * min(spacing))))
    count = max(1, round(seconds / length))
    known = [known_of(velocity[:, frame], frame_of(mask, frame)) for frame in range(len(times))]

    def field(at: Values, passed: float) -> tuple[Values, Values, Bools]:
        first, second, share = between(times, period, start + passed)
        v, is_in = known_velocity(velocity[:, first], known[first], spacing, at)
        if share > 0:
            later, is_later = known_velocity(velocity[:, second], known[second], spacing, at)
            v, is_in = v * (1 - share) + later * share, is_in & is_later
        return v, np.sqrt(np.square(v).sum(axis=0)), is_in

    points, speeds, ends = march(field, seeds, seconds / count, count, -1.0, 0.0)
    ends = np.where(ends == LENGTH, TIME, ends)
    return Lines(points.transpose(2, 0, 1), speeds.T, ends, None)


def march(
    field: Field, seeds: Values, step: float, count: int, slowest: float, closing: float
) -> tuple[Values, Values, NDArray[np.str_]]:
    """Points (n, 3, k), speeds (n, k), why each of k lines ends; half of `closing` m to its seed is back."""
    at = np.array(seeds, np.float64).T
    points = np.full((count + 1, *at.shape), np.nan)
    speeds = np.full((count + 1, at.shape[1]), np.nan)
    ends = np.full(at.shape[1], LENGTH)
    live = np.arange(at.shape[1])
    first, speed, is_in = field(at, 0.0)
    for index in range(count + 1):
        is_slow = is_in & (speed <= slowest)
        ends[live[~is_in]], ends[live[is_slow]] = MASK, STILL
        # A place outside is no part of the line.
        points[index, :, live[is_in]], speeds[index, live[is_in]] = at[:, is_in].T, speed[is_in]
        go = is_in & ~is_slow
        if closing > 0 and index > 4:
            is_back = go & (np.linalg.norm(at - points[0][:, live], axis=0) < 0.5 * closing)
            ends[live[is_back]] = CLOSED
            go &= ~is_back
        live, at, first = live[go], at[:, go], first[:, go]
        if index == count or len(live) == 0:
            break
        passed = index * step
        second, _, in_2 = field(at + step / 2 * first, passed + step / 2)
        third, _, in_3 = field(at + step / 2 * second, passed + step / 2)
        fourth, _, in_4 = field(at + step * third, passed + step)
        at = at + step / 6 * (first + 2 * second + 2 * third + fourth)
        first, speed, is_in = field(at, passed + step)
        is_in &= in_2 & in_3 & in_4
    last = int(np.isfinite(points[:, 0]).any(axis=1).sum())
    return points[: max(last, 1)], speeds[: max(last, 1)], ends


def known_of(velocity: Values, mask: Bools | None) -> Bools:
    """(z, y, x): where there is a velocity, and a line may go."""
    known = np.isfinite(velocity).all(axis=0)
    return known if mask is None else known & mask


def frame_of(mask: Bools | None, frame: int) -> Bools | None:
    return mask[frame] if mask is not None and mask.ndim == 4 else mask


def between(times: Values, period: float | None, time: float) -> tuple[int, int, float]:
    """The frames around a moment, and how far it is on the way from the first to the second."""
    count = len(times)
    if count == 1:
        return 0, 0, 0.0
    if period is not None:
        time = times[0] + (time - times[0]) % period
    first = int(np.clip(np.searchsorted(times, time, "right") - 1, 0, count - 1))
    if first == count - 1:
        if period is None:
            return first, first, 0.0
        return first, 0, float((time - times[-1]) / (times[0] + period - times[-1]))
    return first, first + 1, float((time - times[first]) / (times[first + 1] - times[first]))
