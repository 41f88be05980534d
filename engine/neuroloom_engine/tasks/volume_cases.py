"""A volume with its mask, as it is stored and as the network sees it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..data.crops import marks_of
from ..data.grids import Grid, Place, nearest, resample
from ..data.loading import Store
from ..data.volumes import Header
from ..spec import Item

Bytes = NDArray[np.uint8]
Pixels = NDArray[np.float16]


@dataclass(frozen=True)
class Laid:
    """A volume as the network sees it."""

    pixels: Pixels
    mask: Bytes
    place: Place
    marks: list[NDArray[np.int64]]

    @property
    def own_bytes(self) -> int:
        """Turning alone takes none."""
        return self.pixels.nbytes + self.mask.nbytes if self.place.is_resampled else 0


@dataclass(frozen=True)
class Case:
    pixels: Pixels  # as stored, mean 0 and deviation 1
    mask: Bytes  # class indices
    header: Header
    laid: Laid


@dataclass(frozen=True)
class Dataset:
    store: Store[Case]
    voxel_counts: list[NDArray[np.int64]]
    classes: tuple[str, ...]
    # None in a test: there the weights bring it.
    grid: Grid | None

    @property
    def items(self) -> list[Item]:
        return self.store.items


def lay(pixels: Pixels, mask: Bytes, place: Place, classes: int) -> Laid:
    turned, marked = place.turn(pixels), place.turn(mask)
    if place.is_resampled:
        turned, marked = resample(turned, place.size).astype(np.float16), nearest(marked, place.size)
    return Laid(turned, marked, place, marks_of(marked, classes))
