"""Draws pictures for people: an image with the true and the predicted outline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

TRUTH, PREDICTED = (0, 230, 90), (255, 0, 200)
# Of what is found by its class, from the ninth on again; none is like the green of the truth. Pages explain
# them with the same (`web/src/ui/tokens.ts`).
CLASS_COLOURS = (
    *(PREDICTED, (0, 200, 255), (255, 170, 0), (170, 110, 255)),
    *((255, 240, 60), (255, 80, 80), (80, 140, 255), (255, 150, 190)),
)
MAX_SIDE = 512
# Small pictures are drawn larger, so that an outline one pixel wide does not hide what it surrounds.
MIN_SIDE = 256


def draw(
    path: Path, pixels: NDArray[np.uint8], truth: NDArray[np.uint8] | None, predicted: NDArray[np.uint8]
) -> None:
    """Writes a PNG: truth green; prediction on top, coloured by class, the first one magenta."""
    height, width = predicted.shape
    scale = MAX_SIDE / max(height, width)
    if scale > 1:
        scale = max(1, MIN_SIDE // max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    canvas = np.array(Image.fromarray(grey).convert("RGB").resize(size, Image.Resampling.BILINEAR))
    for mask, colours in ((truth, (TRUTH,)), (predicted, CLASS_COLOURS)):
        if mask is not None:
            classes = np.asarray(Image.fromarray(mask).resize(size, Image.Resampling.NEAREST))
            line = outline(classes)
            canvas[line] = np.array(colours, np.uint8)[(classes[line] - 1) % len(colours)]
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(canvas).save(path, compress_level=1)


def palette_of(classes: Sequence[str]) -> str | None:
    """What an `ItemResult` says of its colours: nothing where there is one class beside the background."""
    return "classes" if len(classes) > 2 else None


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
