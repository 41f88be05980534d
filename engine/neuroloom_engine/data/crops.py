"""Crops of volumes for training: where they lie, and cheap random changes of them.

Sizes are (depth, height, width).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from .augment import BRIGHTNESS, CONTRAST, FOREGROUND_SHARE
from .changes import CHANGES

Size = tuple[int, int, int]

MAX_TURN = np.pi / 12
MAX_ZOOM = 0.1
MAX_NOISE = 0.1
# Of the crop's side, kept around it so that turning brings in what is there and no filling.
MARGIN = 0.2
# Enough places of each class to draw from.
MAX_MARKS = 4096


class Crop(NamedTuple):
    pixels: Tensor  # float32
    mask: Tensor  # uint8


def marks_of(mask: NDArray[np.uint8], classes: int) -> list[NDArray[np.int64]]:
    """Places in the flat mask, evenly drawn, of each foreground class that occurs."""
    flat = mask.reshape(-1)
    found = (np.flatnonzero(flat == index) for index in range(1, classes))
    return [places[:: -(-len(places) // MAX_MARKS)] for places in found if len(places)]


def choose_start(
    shape: Sequence[int], marks: Sequence[NDArray[np.int64]], size: Size, rng: np.random.Generator
) -> Size:
    """A random place for a crop, every second time around a voxel of a random class that occurs.

    Negative along an axis on which the volume is smaller: the crop then lies around its middle.
    """
    free = [have - want for have, want in zip(shape, size, strict=True)]
    place, wish = rng.random(3), rng.random()
    start = [int(part * (room + 1)) for part, room in zip(place, free, strict=True)]
    if wish < FOREGROUND_SHARE and marks:
        of_class = marks[int(rng.integers(len(marks)))]
        centre = np.unravel_index(int(of_class[int(rng.integers(len(of_class)))]), shape)
        start = [int(at) - side // 2 for at, side in zip(centre, size, strict=True)]
    fitted = [min(max(0, at), room) if room >= 0 else room // 2 for at, room in zip(start, free, strict=True)]
    return fitted[0], fitted[1], fitted[2]


def cut(volume: NDArray[Any], start: Size, size: Size) -> NDArray[Any]:
    """What lies beyond the volume is filled by reflection."""
    stops = [at + side for at, side in zip(start, size, strict=True)]
    inner = volume[tuple(slice(max(0, at), stop) for at, stop in zip(start, stops, strict=True))]
    sides = [
        (max(0, -at), max(0, stop - have)) for at, stop, have in zip(start, stops, volume.shape, strict=True)
    ]
    return np.pad(inner, sides, mode="symmetric") if any(map(any, sides)) else inner


def plain_crop(pixels: NDArray[Any], mask: NDArray[np.uint8], start: Size, size: Size) -> Crop:
    return Crop(
        torch.from_numpy(cut(pixels, start, size).astype(np.float32)),
        torch.from_numpy(np.ascontiguousarray(cut(mask, start, size))),
    )


def changed_crop(
    pixels: NDArray[Any],
    mask: NDArray[np.uint8],
    start: Size,
    size: Size,
    spacing: Sequence[float],
    mirrors: Sequence[int],
    rng: np.random.Generator,
    changes: frozenset[str] = CHANGES,
) -> Crop:
    """Turned, zoomed and mirrored around the crop's middle, then brighter or darker, with some noise.

    `mirrors`: axes that may be mirrored. The turn is one of the body, whatever the voxels' sides.
    """
    margins = [int(side * MARGIN) + 1 for side in size]
    low = [max(0, at - margin) for at, margin in zip(start, margins, strict=True)]
    high = [
        min(have, at + side + margin)
        for have, at, side, margin in zip(pixels.shape, start, size, margins, strict=True)
    ]
    block = tuple(slice(first, last) for first, last in zip(low, high, strict=True))
    around = np.array(high) - np.array(low)
    middle = np.array(start) + np.array(size) / 2 - np.array(low)
    grid = sampling_grid(random_turn(spacing, mirrors, rng, changes), around, middle, size)
    image = torch.from_numpy(pixels[block].astype(np.float32))[None, None]
    marks = torch.from_numpy(mask[block].astype(np.float32))[None, None]
    taken = F.grid_sample(image, grid, mode="bilinear", padding_mode="reflection", align_corners=False)
    named = F.grid_sample(marks, grid, mode="nearest", padding_mode="reflection", align_corners=False)
    contrast, bias = (
        float(np.exp(rng.uniform(-CONTRAST, CONTRAST) * ("contrast" in changes))),
        float(rng.uniform(-BRIGHTNESS, BRIGHTNESS)) * ("brightness" in changes),
    )
    noise = rng.standard_normal(size, np.float32) * np.float32(
        rng.uniform(0, MAX_NOISE) * ("noise" in changes)
    )
    return Crop(
        taken[0, 0].mul_(contrast).add_(bias).add_(torch.from_numpy(noise)), named[0, 0].to(torch.uint8)
    )


def random_turn(
    spacing: Sequence[float],
    mirrors: Sequence[int],
    rng: np.random.Generator,
    changes: frozenset[str] = CHANGES,
) -> NDArray[np.float64]:
    """A matrix (3, 3) in voxels: small turns about the three axes, a zoom, and mirrors."""
    matrix = np.eye(3)
    for first, second in ((0, 1), (0, 2), (1, 2)):
        angle = rng.uniform(-MAX_TURN, MAX_TURN) * ("turn" in changes)
        turn = np.eye(3)
        turn[first, first] = turn[second, second] = np.cos(angle)
        turn[first, second], turn[second, first] = -np.sin(angle), np.sin(angle)
        matrix = matrix @ turn
    matrix *= np.exp(rng.uniform(-MAX_ZOOM, MAX_ZOOM) * ("zoom" in changes))
    for axis, is_mirrored in enumerate(rng.random(3) < 0.5):
        if is_mirrored and axis in mirrors and "mirror" in changes:
            matrix[:, axis] *= -1
    sides = np.array(spacing)
    return matrix * sides[None] / sides[:, None]


def sampling_grid(
    matrix: NDArray[np.float64], around: NDArray[np.int64], middle: NDArray[np.float64], size: Size
) -> Tensor:
    """Where in a block of sides `around` the voxels of a crop about `middle` lie, for `grid_sample`."""
    theta = np.empty((3, 4))
    theta[:, :3] = matrix * np.array(size)[None] / around[:, None]
    theta[:, 3] = 2 * middle / around - 1
    # torch counts the axes from the last.
    theta[:, :3] = theta[::-1, 2::-1].copy()
    theta[:, 3] = theta[::-1, 3].copy()
    return F.affine_grid(torch.from_numpy(theta.astype(np.float32))[None], [1, 1, *size], align_corners=False)
