"""Draws pictures for people: an image with true and found boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from .overlay import PREDICTED, TRUTH

# Small pictures are drawn larger and large ones smaller: lines keep their share of the picture.
LEAST_SIDE, MOST_SIDE = 320, 640
# Of the longer side: two pixels where a picture is shown 320 wide.
LINE = 1 / 160


def draw_boxes(
    path: Path, pixels: NDArray[np.uint8], truth: NDArray[np.float32], found: NDArray[np.float32]
) -> None:
    """Writes a PNG: true boxes green, found ones magenta and thinner on top: both show where they agree.

    `pixels` (h, w, c); boxes (n, 4) as corners in its pixels.
    """
    height, width = pixels.shape[:2]
    longer = max(height, width)
    scale = min(max(longer, LEAST_SIDE), MOST_SIDE) / longer
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    grey = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    canvas = Image.fromarray(grey).convert("RGB").resize(size, Image.Resampling.BILINEAR)
    line = max(2, round(max(size) * LINE))
    pen = ImageDraw.Draw(canvas)
    for boxes, colour, thick in ((truth, TRUTH, line + line // 2), (found, PREDICTED, line // 2 + 1)):
        for x0, y0, x1, y1 in (boxes * scale).round().astype(int).tolist():
            right, below = min(max(x1, x0 + 1), size[0] - 1), min(max(y1, y0 + 1), size[1] - 1)
            pen.rectangle((min(x0, right), min(y0, below), right, below), outline=colour, width=thick)
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.save(path, compress_level=1)
