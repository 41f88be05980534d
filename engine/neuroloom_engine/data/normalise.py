"""Brings pixels to the range networks learn well in.

The same rule is stored with the weights and exported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from .grids import Grid

FLOOR = 0.02


@dataclass(frozen=True)
class Normalisation:
    """How pixels in 0..1 are brought to what the network sees.

    `data`: by mean and std per channel over the training part. `image`: each image by its own mean and std,
    then its far values drawn in by a logarithm, so that a few bright spots do not hide what is dim. `volume`:
    each volume by its own mean and std, on the grid that all volumes are brought to.
    """

    kind: Literal["data", "image", "volume"]
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    grid: Grid = Grid()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(raw: dict[str, Any]) -> Normalisation:
        kind = raw["kind"] if raw["kind"] in ("image", "volume") else "data"
        grid = raw.get("grid") or {"orientation": "", "spacing": []}
        return Normalisation(
            kind,
            tuple(map(float, raw["mean"])),
            tuple(map(float, raw["std"])),
            Grid(str(grid["orientation"]), tuple(map(float, grid["spacing"]))),
        )


@dataclass(frozen=True)
class Moments:
    """Pixel count, and per channel the sum and the sum of squares of pixels in 0..1.

    All that means need of an image.
    """

    count: int
    total: NDArray[np.float64]
    squares: NDArray[np.float64]

    @staticmethod
    def of(pixels: NDArray[np.uint8]) -> Moments:
        """Of one image (h, w, c)."""
        flat = pixels.reshape(-1, pixels.shape[-1])
        levels = np.arange(256) / 255
        counts = [np.bincount(flat[:, channel], minlength=256) for channel in range(flat.shape[1])]
        total = np.array([count @ levels for count in counts])
        return Moments(len(flat), total, np.array([count @ levels**2 for count in counts]))

    @staticmethod
    def joined(parts: Sequence[Moments]) -> Moments:
        total = np.sum([part.total for part in parts], axis=0)
        return Moments(
            sum(part.count for part in parts), total, np.sum([part.squares for part in parts], axis=0)
        )

    def normalisation(self) -> Normalisation:
        mean = self.total / self.count
        std = np.sqrt(np.maximum(self.squares / self.count - mean**2, 0))
        return Normalisation("data", tuple(mean.tolist()), tuple(np.maximum(std, FLOOR).tolist()))

    def overall(self) -> tuple[float, float]:
        """Mean and deviation over pixels and channels alike."""
        mean = float(self.total.mean() / self.count)
        variance = float(self.squares.mean() / self.count) - mean**2
        return mean, max(FLOOR, float(np.sqrt(max(0.0, variance))))


class Normalise(nn.Module):
    """The rule as a layer, for exported networks: raw pixels in 0..1 come in."""

    mean: Tensor
    std: Tensor

    def __init__(self, rule: Normalisation) -> None:
        super().__init__()
        self.rule = rule
        self.register_buffer("mean", torch.tensor(rule.mean))
        self.register_buffer("std", torch.tensor(rule.std))

    def forward(self, x: Tensor) -> Tensor:
        """(batch, c, …) of any number of axes."""
        if self.rule.kind == "data":
            per_channel = (1, -1, *[1] * (x.dim() - 2))
            return (x - self.mean.reshape(per_channel)) / self.std.reshape(per_channel)
        own = tuple(range(1, x.dim()))
        x = x - x.mean(own, keepdim=True)
        x = x / (x * x).mean(own, keepdim=True).sqrt().clamp(min=FLOOR)
        return x if self.rule.kind == "volume" else compress(x)


def compress(x: Tensor) -> Tensor:
    """Nearly the same around 0, logarithmic far from it."""
    return x.sign() * x.abs().log1p()
