"""Cheap random changes of training images.

All randomness comes from the generator that the caller seeds by position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from ..spec import Hyper
from .changes import CHANGES

CONTRAST = 0.25
BRIGHTNESS = 0.25
MAX_SLOPE, SLOPE_SHARE = 1.5, 0.5
MAX_TURN = np.pi / 12
MAX_ZOOM = 0.12
MAX_SHIFT = 0.12
# Every second crop is centred on foreground, so that small structures are seen often enough.
FOREGROUND_SHARE = 0.5


@dataclass(frozen=True)
class Light:
    """Contrast factor and brightness offset per image, (batch, 1, 1, 1), in units of the normalised image."""

    gain: Tensor
    bias: Tensor


class Window(NamedTuple):
    top: int
    left: int
    height: int
    width: int


def light(count: int, rng: np.random.Generator, changes: frozenset[str] = CHANGES) -> Light:
    gain = np.exp(rng.uniform(-CONTRAST, CONTRAST, count) * ("contrast" in changes))
    bias = rng.uniform(-BRIGHTNESS, BRIGHTNESS, count) * ("brightness" in changes)
    return Light(*(torch.from_numpy(part.astype(np.float32)).view(-1, 1, 1, 1) for part in (gain, bias)))


def slope(count: int, size: tuple[int, int], rng: np.random.Generator) -> Tensor:
    """Uneven illumination: every second image gets brighter towards a random side; (batch, 1, h, w)."""
    strength = rng.uniform(0, MAX_SLOPE, count) * (rng.random(count) < SLOPE_SHARE)
    angle = rng.uniform(0, 2 * np.pi, count)
    down, right = (
        torch.from_numpy((strength * part).astype(np.float32)).view(-1, 1, 1, 1)
        for part in (np.sin(angle), np.cos(angle))
    )
    return down * torch.linspace(-1, 1, size[0]).view(-1, 1) + right * torch.linspace(-1, 1, size[1])


def turn_a_little(images: Tensor, rng: np.random.Generator, changes: frozenset[str] = CHANGES) -> Tensor:
    """Mirrors left-right, turns, zooms and shifts each image by a small amount; edges are repeated."""
    count = len(images)
    angle = rng.uniform(-MAX_TURN, MAX_TURN, count) * ("turn" in changes)
    zoom = np.exp(rng.uniform(-MAX_ZOOM, MAX_ZOOM, count) * ("zoom" in changes))
    mirror = rng.choice([-1.0, 1.0], count) ** ("mirror" in changes)
    shift = rng.uniform(-MAX_SHIFT, MAX_SHIFT, (count, 2)) * ("shift" in changes)
    matrix = np.empty((count, 2, 3), np.float32)
    matrix[:, 0, 0] = mirror * zoom * np.cos(angle)
    matrix[:, 0, 1] = -zoom * np.sin(angle)
    matrix[:, 1, 0] = mirror * zoom * np.sin(angle)
    matrix[:, 1, 1] = zoom * np.cos(angle)
    matrix[:, :, 2] = shift
    grid = F.affine_grid(torch.from_numpy(matrix).to(images.device), list(images.shape), align_corners=False)
    turned = F.grid_sample(images, grid, padding_mode="border", align_corners=False)
    return turned.contiguous(memory_format=torch.channels_last)


def choose_pose(hyper: Hyper, rng: np.random.Generator) -> int:
    """One of the eight that `posed` knows; a number is drawn wherever training draws one."""
    pose = int(rng.integers(8)) if hyper.augment else 0
    return pose if "pose" in hyper.changes else 0


def choose_window(mask: NDArray[np.uint8], size: tuple[int, int], rng: np.random.Generator) -> Window:
    """A random place for a crop. It may be smaller than asked where the image is."""
    height, width = (min(want, have) for want, have in zip(size, mask.shape, strict=True))
    free = (mask.shape[0] - height, mask.shape[1] - width)
    if free == (0, 0):
        return Window(0, 0, height, width)
    place, wish = rng.random(2), rng.random()
    top, left = (int(part * (room + 1)) for part, room in zip(place, free, strict=True))
    if wish < FOREGROUND_SHARE and len(pixels := np.flatnonzero(mask)):
        centre = divmod(int(pixels[int(rng.integers(len(pixels)))]), mask.shape[1])
        top = min(max(0, centre[0] - height // 2), free[0])
        left = min(max(0, centre[1] - width // 2), free[1])
    return Window(top, left, height, width)


def cut(pixels: NDArray[Any], window: Window) -> NDArray[Any]:
    return pixels[window.top : window.top + window.height, window.left : window.left + window.width]


def posed(pixels: NDArray[Any], pose: int, size: tuple[int, int]) -> NDArray[Any]:
    """One of the eight turns and mirrors of a square (four of an oblong), filled up to `size` by
    reflection.
    """
    if pose & 1:
        pixels = pixels[::-1]
    if pose & 2:
        pixels = pixels[:, ::-1]
    if pose & 4 and size[0] == size[1]:
        pixels = pixels.swapaxes(0, 1)
    missing = [want - have for want, have in zip(size, pixels.shape[:2], strict=True)]
    if any(missing):
        sides = [(part // 2, part - part // 2) for part in missing] + [(0, 0)] * (pixels.ndim - 2)
        pixels = np.pad(pixels, sides, mode="reflect" if min(pixels.shape[:2]) > 1 else "edge")
    return pixels
