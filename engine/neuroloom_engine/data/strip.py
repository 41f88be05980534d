"""Draws what a restoration did: input and result side by side, then truth and error where it is known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .bicubic import enlarge
from .pairs import as_levels, as_tensor

Levels = NDArray[Any]

# Of larger images the part with the most detail is shown, so that a phone can show four of them in a row.
MOST, LEAST = 192, 96
GAP = 4
# Larger images have no picture of the whole: four parts of this size are about 12 MB.
MOST_WHOLE = 1024
# An error of this share of the range is as bright as can be.
FULL_ERROR = 1 / 5


@dataclass(frozen=True)
class DrawnWhole:
    """A picture with the same parts as the overlay, of the whole image and each pixel once."""

    path: Path

    def fields(self, folder: Path) -> dict[str, Any]:
        return {"whole": self.path.relative_to(folder).as_posix()}

    def remove(self) -> None:
        self.path.unlink()


def draw(
    path: Path, given: Levels, found: Levels, truth: Levels | None, is_whole: bool = False
) -> DrawnWhole | None:
    """Writes a PNG; all (h, w, c). A `given` that is smaller by a whole factor is enlarged as it is measured.

    With `is_whole`, a second picture shows the whole image where the first shows a part of it.
    """
    factor = found.shape[0] // given.shape[0]
    known = found if truth is None else truth
    top, left, height, width = busiest(known, factor)
    low, high = (0, 255) if known.dtype == np.uint8 else (int(known.min()), max(1, int(known.max())))
    before = given if factor == 1 else as_levels(enlarge(as_tensor([given]), factor)[0], given.dtype)
    panels = [shades(part, low, high) for part in (before, found)]
    if truth is not None:
        error = np.abs(found.astype(np.float32) - truth).mean(2) / max(1, high - low)
        panels += [shades(truth, low, high), heat(error)]
    path.parent.mkdir(parents=True, exist_ok=True)
    times = max(1, -(-LEAST // max(height, width)))
    details = [panel[top : top + height, left : left + width] for panel in panels]
    save(path, [np.repeat(np.repeat(detail, times, 0), times, 1) for detail in details])
    if not is_whole or max(found.shape[:2]) > MOST_WHOLE or (height, width) == found.shape[:2]:
        return None
    whole = path.with_name(f"{path.stem}-whole.png")
    save(whole, panels)
    return DrawnWhole(whole)


def save(path: Path, panels: list[NDArray[np.uint8]]) -> None:
    gap = np.full((panels[0].shape[0], GAP, 3), 255, np.uint8)
    row = [part for panel in panels for part in (panel, gap)][:-1]
    Image.fromarray(np.concatenate(row, 1)).save(path, compress_level=1)


def busiest(truth: Levels, factor: int) -> tuple[int, int, int, int]:
    """Top, left, height, width of the part with the greatest differences between neighbours."""
    most = MOST // factor * factor
    height, width = (min(side, most) for side in truth.shape[:2])
    light = truth.astype(np.float32).mean(2)
    change = np.zeros_like(light)
    change[1:] += np.abs(np.diff(light, axis=0))
    change[:, 1:] += np.abs(np.diff(light, axis=1))
    sums = np.pad(change.cumsum(0, dtype=np.float64).cumsum(1), ((1, 0), (1, 0)))
    inside = sums[height:, width:] - sums[:-height, width:] - sums[height:, :-width] + sums[:-height, :-width]
    places = inside[::factor, ::factor]
    top, left = divmod(int(places.argmax()), places.shape[1])
    return top * factor, left * factor, height, width


def shades(pixels: Levels, low: int, high: int) -> NDArray[np.uint8]:
    """(h, w, 3) in 0..255."""
    grey = (pixels.astype(np.float32) - low) * (255 / max(1, high - low))
    colours = grey if grey.shape[2] == 3 else np.repeat(grey[..., :1], 3, axis=2)
    return (colours.clip(0, 255) + 0.5).astype(np.uint8)


def heat(error: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Black, red, yellow, white, from no error to a full one."""
    share = error[..., None] / FULL_ERROR * 3 - np.arange(3, dtype=np.float32)
    return (share.clip(0, 1) * 255 + 0.5).astype(np.uint8)
