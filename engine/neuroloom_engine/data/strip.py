"""Draws what a restoration did: input and result side by side, then truth and error where it is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Levels = NDArray[Any]

# Of larger images the part with the most detail is shown, so that a phone can show four of them in a row.
MOST, LEAST = 192, 96
GAP = 4
# An error of this share of the range is as bright as can be.
FULL_ERROR = 1 / 5


def draw(path: Path, given: Levels, found: Levels, truth: Levels | None) -> None:
    """Writes a PNG; all (h, w, c), `given` perhaps smaller by a whole factor."""
    factor = found.shape[0] // given.shape[0]
    known = found if truth is None else truth
    top, left, height, width = busiest(known, factor)
    window = (slice(top, top + height), slice(left, left + width))
    small = tuple(slice(part.start // factor, part.stop // factor) for part in window)
    shown = np.repeat(np.repeat(given[small], factor, 0), factor, 1)
    low, high = (0, 255) if known.dtype == np.uint8 else (int(known.min()), max(1, int(known.max())))
    panels = [shades(part, low, high) for part in (shown, found[window])]
    if truth is not None:
        error = np.abs(found[window].astype(np.float32) - truth[window]).mean(2) / max(1, high - low)
        panels += [shades(truth[window], low, high), heat(error)]
    times = max(1, -(-LEAST // max(height, width)))
    gap = np.full((height * times, GAP, 3), 255, np.uint8)
    large = [np.repeat(np.repeat(panel, times, 0), times, 1) for panel in panels]
    row = [part for panel in large for part in (panel, gap)][:-1]
    path.parent.mkdir(parents=True, exist_ok=True)
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
