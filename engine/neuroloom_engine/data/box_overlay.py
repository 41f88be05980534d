"""Draws pictures for people: an image with true and found boxes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from .overlay import CLASS_COLOURS, TRUTH

# Small pictures are drawn larger and large ones smaller: lines keep their share of the picture.
LEAST_SIDE, MOST_SIDE = 320, 640
# Of the longer side: two pixels where a picture is shown 320 wide.
LINE = 1 / 160


@dataclass(frozen=True)
class DrawnBoxes:
    """Corners (n, 4) in the image's pixels, classes (n,), and which have no true box to belong to."""

    corners: NDArray[np.float32]
    classes: NDArray[np.int64]
    wrong: NDArray[np.bool_]


def draw_boxes(path: Path, pixels: NDArray[np.uint8], truth: NDArray[np.float32], found: DrawnBoxes) -> None:
    """Writes a PNG: true boxes green; found ones on top, coloured by class and thinner, wrong ones dashed.

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
    for box in on_canvas(truth * scale, size):
        pen.rectangle(box, outline=TRUTH, width=line + line // 2)
    for box, index, is_wrong in zip(
        on_canvas(found.corners * scale, size), found.classes.tolist(), found.wrong.tolist(), strict=True
    ):
        colour = CLASS_COLOURS[index % len(CLASS_COLOURS)]
        if is_wrong:
            dash(pen, box, colour, line // 2 + 1)
        else:
            pen.rectangle(box, outline=colour, width=line // 2 + 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    canvas.save(path, compress_level=1)


def on_canvas(boxes: NDArray[np.float32], size: tuple[int, int]) -> list[tuple[int, int, int, int]]:
    """Of whole pixels, at least one wide, inside."""
    placed: list[tuple[int, int, int, int]] = []
    for x0, y0, x1, y1 in boxes.round().astype(int).tolist():
        right, below = min(max(x1, x0 + 1), size[0] - 1), min(max(y1, y0 + 1), size[1] - 1)
        placed.append((min(x0, right), min(y0, below), right, below))
    return placed


def dash(
    pen: ImageDraw.ImageDraw, box: tuple[int, int, int, int], colour: tuple[int, int, int], thick: int
) -> None:
    """The outline of a box, every other piece left out."""
    left, top, right, below = box
    piece, inner = 4 * thick, thick - 1
    for start in range(left, right + 1, 2 * piece):
        end = min(start + piece - 1, right)
        pen.rectangle((start, top, end, min(top + inner, below)), fill=colour)
        pen.rectangle((start, max(below - inner, top), end, below), fill=colour)
    for start in range(top, below + 1, 2 * piece):
        end = min(start + piece - 1, below)
        pen.rectangle((left, start, min(left + inner, right), end), fill=colour)
        pen.rectangle((max(right - inner, left), start, right, end), fill=colour)
