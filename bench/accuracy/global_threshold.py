"""What no network is needed for: one grey threshold per picture, to judge a segmentation's figure by.

`python bench/accuracy/global_threshold.py <folder with images/ and labels/> <name> …` prints the mean
Dice over the named pictures. Otsu, A Threshold Selection Method from Gray-Level Histograms, 1979; on
bright pictures (median above the middle) what is dark counts.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def main(folder: Path, names: list[str]) -> None:
    print(np.mean([dice(folder, name) for name in names]))


def dice(folder: Path, name: str) -> float:
    grey = np.array(Image.open(folder / "images" / name).convert("L"))
    truth = np.array(Image.open(folder / "labels" / name)) > 0
    found = grey > otsu(grey)
    if np.median(grey) > 127:
        found = ~found
    return float(2 * (found & truth).sum() / (found.sum() + truth.sum()))


def otsu(grey: NDArray[np.uint8]) -> int:
    """The level with the most variance between the two sides."""
    counts = np.bincount(grey.ravel(), minlength=256).astype(float)
    below = np.cumsum(counts)[:-1]
    above = counts.sum() - below
    sums = np.cumsum(counts * np.arange(256))
    gap = sums[-1] * below / counts.sum() - sums[:-1]
    return int((gap**2 / np.maximum(below * above, 1)).argmax())


main(Path(sys.argv[1]), sys.argv[2:])
