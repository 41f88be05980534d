"""Streamlines through a mask at one moment, as many as a density asks for."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .lines import reference_speed, streamlines
from .seeds import mask_seeds
from .study import Bools, Study, Values

# A density of 1 is so many separations over the grid's longest side, as lines in a plane have it.
SEPARATIONS = 30
MOST_LINES = 2000
# Lines that are followed side by side: bounds memory.
CHUNK = 250


def drawn(
    study: Study, mask: Bools, frame: int, density: float, seed: int, go_on: Callable[[], None]
) -> list[tuple[Values, Values]]:
    """Points (n, 3) in m and speeds (n,) in m/s of each line, of velocities along the grid.

    Seeds are at random and evenly apart; the first `MOST_LINES` of them are used.
    """
    velocity = study.velocity[:, frame]
    known = mask & np.isfinite(velocity).all(axis=0)
    if not known.any():
        return []
    longest = max(side * step for side, step in zip(mask.shape[::-1], study.spacing, strict=True))
    seeds = mask_seeds(known, study.spacing, longest / (SEPARATIONS * density), seed)[:MOST_LINES]
    reference = reference_speed(velocity, known)
    made = []
    for start in range(0, len(seeds), CHUNK):
        go_on()
        lines = streamlines(velocity, study.spacing, seeds[start : start + CHUNK], known, reference=reference)
        for points, speeds in zip(lines.points, lines.speeds, strict=True):
            is_there = np.isfinite(points[:, 0])
            if is_there.sum() > 1:
                made.append((points[is_there], speeds[is_there]))
    return made


def length_of(points: Values) -> float:
    """In m."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
