"""Lays volumes of differing orientation and voxel size on one grid, and answers back on their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from .volumes import Header

Voxels = NDArray[Any]
Size = tuple[int, int, int]

# Volumes that point to different sides are all turned to right, front and top: "RAS", read from depth.
COMMON = "SAR"
# Voxels that differ by less are taken for equal: resampling would blur more than it helps.
TOLERANCE = 0.1
OPPOSITE = {"R": "L", "L": "R", "A": "P", "P": "A", "S": "I", "I": "S"}


@dataclass(frozen=True)
class Grid:
    """What the volumes that a network sees have in common; '' and () where nothing is known."""

    orientation: str = ""
    # In mm, along depth, height and width of the turned volume.
    spacing: tuple[float, ...] = ()


@dataclass(frozen=True)
class Place:
    """From a stored volume to the grid: its axes in another order, some of them mirrored, then resampled."""

    order: Size
    mirrored: tuple[bool, bool, bool]
    size: Size
    spacing: tuple[float, ...]
    is_resampled: bool

    def turn(self, voxels: Voxels) -> Voxels:
        """A view."""
        return voxels.transpose(self.order)[self._mirror()]

    def turn_back(self, voxels: Voxels) -> Voxels:
        """A view."""
        back = tuple(int(axis) for axis in np.argsort(self.order))
        return voxels[self._mirror()].transpose(back)

    def _mirror(self) -> tuple[slice, ...]:
        return tuple(slice(None, None, -1) if is_mirrored else slice(None) for is_mirrored in self.mirrored)


def common_grid(headers: Sequence[Header]) -> Grid:
    """The orientation that all have, else `COMMON`; the median spacing."""
    named = {header.orientation for header in headers if header.orientation is not None}
    orientation = named.pop() if len(named) == 1 else COMMON if named else ""
    if not headers:
        return Grid(orientation)
    turned = [place_on(header, Grid(orientation)).spacing for header in headers]
    return Grid(orientation, tuple(float(value) for value in np.median(turned, axis=0)))


def place_on(header: Header, grid: Grid) -> Place:
    order, mirrored = turn_to(header.orientation, grid.orientation)
    sides, spacing = [header.size[axis] for axis in order], [header.spacing[axis] for axis in order]
    is_near = all(
        abs(have / want - 1) <= TOLERANCE for have, want in zip(spacing, grid.spacing or spacing, strict=True)
    )
    if not is_near:
        sides = [
            max(1, round(side * have / want))
            for side, have, want in zip(sides, spacing, grid.spacing, strict=True)
        ]
        spacing = list(grid.spacing)
    return Place(order, mirrored, (sides[0], sides[1], sides[2]), tuple(spacing), not is_near)


def turn_to(have: str | None, want: str) -> tuple[Size, tuple[bool, bool, bool]]:
    """For each axis wanted the stored one along the same line of the body, and whether that is mirrored."""
    if have is None or not want:
        return (0, 1, 2), (False, False, False)
    axes = [have.index(letter) if letter in have else have.index(OPPOSITE[letter]) for letter in want]
    mirrored = [letter not in have for letter in want]
    return (axes[0], axes[1], axes[2]), (mirrored[0], mirrored[1], mirrored[2])


def resample(values: NDArray[np.floating[Any]], size: Size) -> NDArray[np.float32]:
    """Linear between the middles of voxels."""
    image = torch.from_numpy(np.ascontiguousarray(values, np.float32))[None, None]
    return F.interpolate(image, size=size, mode="trilinear", align_corners=False)[0, 0].numpy()


def nearest(mask: Voxels, size: Size) -> Voxels:
    """The value of the voxel that each new middle lies in."""
    places = [
        ((np.arange(want) + 0.5) * (have / want)).astype(np.int64).clip(max=have - 1)
        for have, want in zip(mask.shape, size, strict=True)
    ]
    return mask[np.ix_(*places)]
