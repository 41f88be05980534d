"""Bicubic enlargement, the way every paper on super-resolution does it; knows no network."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

# Keys 1981; a = -0.5, as in MATLAB and Pillow (torch's own takes -0.75). Four neighbours along each axis.
A = -0.5
REACH = 2


def enlarge(images: Tensor, factor: int) -> Tensor:
    """(batch, c, h, w) to (batch, c, factor·h, factor·w); nothing is clipped.

    Beyond the border are no pixels: what is left of the kernel counts for the whole, as in Pillow.
    """
    height, width = images.shape[2:]
    lines = images.reshape(-1, 1, height, width)
    weights = phases(factor).to(images)
    wide = along_width(lines, weights)
    tall = along_width(wide.transpose(2, 3), weights).transpose(2, 3)
    return tall.reshape(-1, images.shape[1], height * factor, width * factor)


def along_width(lines: Tensor, weights: Tensor) -> Tensor:
    """(n, 1, h, w) to (n, 1, h, factor·w)."""
    factor = len(weights)
    kernel = weights.view(factor, 1, 1, 2 * REACH + 1)
    there = F.conv2d(torch.ones_like(lines[:1, :, :1]), kernel, padding=(0, REACH))
    found = F.conv2d(lines, kernel, padding=(0, REACH)) / there  # (n, factor, h, w)
    return found.permute(0, 2, 3, 1).reshape(-1, 1, lines.shape[2], lines.shape[3] * factor)


def phases(factor: int) -> Tensor:
    """Weights of the pixels -2…2 around a pixel, for each of the `factor` new pixels in its place."""
    offset = (torch.arange(factor, dtype=torch.float64) + 0.5) / factor - 0.5
    distance = (torch.arange(-REACH, REACH + 1) - offset.view(-1, 1)).abs()
    near = (A + 2) * distance**3 - (A + 3) * distance**2 + 1
    far = A * (distance**3 - 5 * distance**2 + 8 * distance - 4)
    return torch.where(distance <= 1, near, far * (distance < 2)).float()
