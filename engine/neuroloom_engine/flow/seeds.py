"""Where lines start: places spread evenly and at random over a mask or a plane."""

from __future__ import annotations

import numpy as np

from .libraries import spatial
from .planes import Region
from .study import Bools, Refusal, Values, Vector


def mask_seeds(mask: Bools, spacing: Vector, distance: float, seed: int = 0) -> Values:
    """(k, 3) in m within a mask (z, y, x), none nearer to another than `distance` m; by a seed."""
    places = np.argwhere(mask)[:, ::-1]
    if len(places) == 0:
        raise Refusal("mask_empty")
    random = np.random.default_rng(seed)
    moved = places + random.uniform(-0.5, 0.5, places.shape)
    # Lines start between the middles of voxels alone.
    sides = np.array(mask.shape[::-1]) - 1
    return thinned(np.clip(moved, 0, sides) * spacing, distance, random)


def plane_seeds(region: Region, distance: float, seed: int = 0) -> Values:
    """As `mask_seeds`, of a region of a plane: what sends out particles."""
    return thinned(region.at.T, distance, np.random.default_rng(seed))


def thinned(points: Values, distance: float, random: np.random.Generator) -> Values:
    """Poisson discs by throwing darts: each point in random order that no kept one lies near."""
    if not distance > 0:
        raise Refusal("distance_not_positive", distance=distance)
    tree = spatial.cKDTree(points)
    is_free = np.ones(len(points), np.bool_)
    kept = []
    for index in random.permutation(len(points)):
        if is_free[index]:
            kept.append(index)
            is_free[tree.query_ball_point(points[index], distance)] = False
    return points[kept]
