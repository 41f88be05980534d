"""Brings images with boxes to one size, and changes them at random for training, boxes along with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from .changes import CHANGES
from .images import resize

Floats = NDArray[np.float32]

# Natural logarithms: how much more or less of the image is seen; of one side against the other.
ZOOM, MAX_STRETCH = (-0.4, 0.25), 0.1
# Beyond what the zoom leaves room for, as a share of half the image.
MAX_SHIFT = 0.1
# A box of which less is left in view is not looked for any more.
LEAST_LEFT, LEAST_SIDE = 0.3, 2.0


class Fitted(NamedTuple):
    """An image at the upper left of its frame: pixels (h, w, c), and its scale along x and y."""

    pixels: NDArray[np.uint8]
    scale: tuple[float, float]


def fit(pixels: NDArray[np.uint8], height: int, width: int) -> Fitted:
    """Scaled until it fills the frame in one direction, the rest filled with its mean colour."""
    tall, wide = pixels.shape[:2]
    factor = min(height / tall, width / wide)
    new_tall = min(height, max(1, round(tall * factor)))
    new_wide = min(width, max(1, round(wide * factor)))
    small = resize(pixels, new_tall, new_wide)
    scale = (new_wide / wide, new_tall / tall)
    if (new_tall, new_wide) == (height, width):
        return Fitted(small, scale)
    frame = np.empty((height, width, pixels.shape[2]), np.uint8)
    frame[:] = small.mean((0, 1)).round().astype(np.uint8)
    frame[:new_tall, :new_wide] = small
    return Fitted(frame, scale)


def vary(
    images: Tensor, boxes: list[Floats], rng: np.random.Generator, changes: frozenset[str] = CHANGES
) -> tuple[Tensor, list[Floats]]:
    """Mirrors, zooms, stretches and shifts each of the images (batch, c, h, w).

    Boxes are (n, 5): class and corners in pixels. What comes into view from beyond the image is 0.
    """
    count, height, width = len(images), images.shape[2], images.shape[3]
    zoom = np.exp(rng.uniform(*ZOOM, (count, 1)) * ("zoom" in changes))
    stretch = np.exp(rng.uniform(-MAX_STRETCH, MAX_STRETCH, (count, 1)) / 2 * ("stretch" in changes))
    mirror = rng.choice([-1.0, 1.0], (count, 2)) ** ("mirror" in changes)
    gain = mirror * zoom * np.concatenate([stretch, 1 / stretch], 1)  # of x and y
    room = np.abs(1 - np.abs(gain)) + MAX_SHIFT
    shift = rng.uniform(-1, 1, (count, 2)) * room * ("shift" in changes)
    matrix = np.zeros((count, 2, 3), np.float32)
    matrix[:, 0, 0], matrix[:, 1, 1] = gain.T
    matrix[:, :, 2] = shift
    grid = F.affine_grid(torch.from_numpy(matrix), list(images.shape), align_corners=False)
    varied = F.grid_sample(images, grid, align_corners=False).contiguous(memory_format=torch.channels_last)
    size = np.array([width, height])
    return varied, [moved(own, gain[i], shift[i], size) for i, own in enumerate(boxes)]


def moved(
    boxes: Floats, gain: NDArray[np.float64], shift: NDArray[np.float64], size: NDArray[np.int64]
) -> Floats:
    """Where boxes come to lie when a place p of the new image shows `gain * p + shift` of the old one.

    Places in -1..1. Cut to the image; boxes of which too little is left are dropped.
    """
    corners = boxes[:, 1:].reshape(-1, 2, 2) / size * 2 - 1
    placed = ((corners - shift) / gain + 1) / 2 * size
    low, high = placed.min(1), placed.max(1)
    cut_low, cut_high = np.clip(low, 0, size), np.clip(high, 0, size)
    sides = cut_high - cut_low
    left = sides.prod(1) / np.maximum((high - low).prod(1), 1e-9)
    seen = (left >= LEAST_LEFT) & (sides.min(1) >= LEAST_SIDE)
    return np.concatenate([boxes[:, :1], cut_low, cut_high], 1)[seen].astype(np.float32)


def padded(boxes: list[Floats]) -> Tensor:
    """One tensor (batch, most boxes, 5); class -1 where an image has fewer."""
    most = max(1, *(len(own) for own in boxes))
    out = np.zeros((len(boxes), most, 5), np.float32)
    out[..., 0] = -1
    for index, own in enumerate(boxes):
        out[index, : len(own)] = own
    return torch.from_numpy(out)
