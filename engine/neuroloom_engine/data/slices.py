"""Pictures of volumes for people: one slice, upright, in the proportions of the body."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import overlay
from .volumes import Header

# Share of a slice's pixels, in percent, that may be drawn black or white whatever they are.
DARKEST, BRIGHTEST = 1, 99
# Thick slices seen from the side: sides that differ by less are drawn as squares.
SQUARE = 0.1


@dataclass(frozen=True)
class DrawnSlice:
    """A picture of one slice: `plain` is the same slice without outlines, beside the overlay."""

    plain: Path
    # Counted from 1, as the viewer counts: towards the right, the front or the head where the file says so.
    number: int
    count: int

    def fields(self, folder: Path) -> dict[str, Any]:
        """The fields of an `ItemResult` that say which slice is shown; paths are relative to `folder`."""
        place = {"number": self.number, "count": self.count}
        return {"plain": self.plain.relative_to(folder).as_posix(), "slice": place}

    def remove(self) -> None:
        self.plain.unlink()


def draw_slice(
    path: Path,
    voxels: NDArray[Any],
    masks: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    header: Header,
) -> DrawnSlice:
    """Draws the slice with the most of what is true or predicted, with both outlines and without."""
    truth, predicted = masks
    index, count = fullest(truth, predicted), len(voxels)
    pixels = shown(grey(voxels[index]), header, Image.Resampling.BILINEAR)
    both = [shown(np.ascontiguousarray(mask[index]), header, Image.Resampling.NEAREST) for mask in masks]
    overlay.draw(path, pixels[..., None], both[0], both[1])
    plain = path.with_name(f"{path.stem}-plain.png")
    overlay.draw(plain, pixels[..., None], None, np.zeros_like(both[1]))
    is_upwards = header.orientation is None or header.orientation[0] in "RAS"
    return DrawnSlice(plain, index + 1 if is_upwards else count - index, count)


def fullest(truth: NDArray[np.uint8], predicted: NDArray[np.uint8]) -> int:
    """The slice with the most voxels of any class, the middle one where there is none."""
    counts = [
        int(np.count_nonzero(one)) + int(np.count_nonzero(other))
        for one, other in zip(truth, predicted, strict=True)
    ]
    most = max(counts)
    return counts.index(most) if most else len(counts) // 2


def grey(values: NDArray[Any]) -> NDArray[np.uint8]:
    """From the first to the last percentile of the values, which a few bright spots do not darken."""
    values = values.astype(np.float32)
    low, high = (float(value) for value in np.percentile(values, [DARKEST, BRIGHTEST]))
    if high <= low:
        low, high = float(values.min()), float(values.max())
    return ((values - low).clip(0, max(high - low, 1e-12)) * (255 / max(high - low, 1e-12))).astype(np.uint8)


def shown(pixels: NDArray[np.uint8], header: Header, resampling: Image.Resampling) -> NDArray[np.uint8]:
    """Head or front upwards and the body's right on the left, as radiologists look; sides in proportion."""
    if header.orientation is not None:
        rows, columns = (-1 if letter in "RAS" else 1 for letter in header.orientation[1:])
        pixels = np.ascontiguousarray(pixels[::rows, ::columns])
    _, high, wide = header.spacing
    if abs(high / wide - 1) <= SQUARE:
        return pixels
    height, width = pixels.shape
    # The longer side of a pixel is stretched, within reason.
    scale = min(high / wide, 16.0) if high > wide else 1 / min(wide / high, 16.0)
    size = (width, round(height * scale)) if scale > 1 else (round(width / scale), height)
    return np.asarray(Image.fromarray(pixels).resize(size, resampling))
