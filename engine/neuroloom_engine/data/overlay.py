"""Draws pictures for people: an image with the true and the predicted outline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

TRUTH, PREDICTED = (0, 230, 90), (255, 0, 200)
MAX_SIDE = 512
# Small pictures are drawn larger, so that an outline one pixel wide does not hide what it surrounds.
MIN_SIDE = 256


def draw(
    path: Path, pixels: NDArray[np.uint8], truth: NDArray[np.uint8] | None, predicted: NDArray[np.uint8]
) -> None:
    """Writes a PNG: truth green, prediction magenta on top."""
    height, width = predicted.shape
    scale = MAX_SIDE / max(height, width)
    if scale > 1:
        scale = max(1, MIN_SIDE // max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    canvas = np.array(Image.fromarray(grey).convert("RGB").resize(size, Image.Resampling.BILINEAR))
    for mask, colour in ((truth, TRUTH), (predicted, PREDICTED)):
        if mask is not None:
            canvas[outline(np.asarray(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST)))] = colour
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(canvas).save(path, compress_level=1)


def outline(mask: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Foreground pixels that touch another class above, below, left or right."""
    padded = np.pad(mask, 1, mode="edge")
    centre = padded[1:-1, 1:-1]
    differs = (
        (padded[:-2, 1:-1] != centre)
        | (padded[2:, 1:-1] != centre)
        | (padded[1:-1, :-2] != centre)
        | (padded[1:-1, 2:] != centre)
    )
    return differs & (centre > 0)
