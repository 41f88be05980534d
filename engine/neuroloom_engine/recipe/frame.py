"""What flows through the steps of a recipe: pixels, and where in the file they came from.

Reads and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..data.images import Pixels
from ..data.volumes import Header

Matrix = NDArray[np.float64]
Params = Mapping[str, "str | int | float"]
# Palettes are kept for masks, whose numbers mean something and whose colours only show it.
Palette = list[int]


class Trouble(ValueError):
    """Why a file cannot be prepared: one of the contract's reasons, with the numbers of its sentence."""

    def __init__(self, reason: str, **params: str | int | float) -> None:
        super().__init__(f"{reason} {params}")
        self.reason = reason
        self.params: Params = params


@dataclass(frozen=True)
class Placement:
    """From places in the file's picture to places in the frame: x' = m[0, 0] x + m[0, 1] y + m[0, 2].

    Likewise y'. Places are counted from the left and upper edge: a pixel's middle lies at half a pixel.
    """

    matrix: Matrix = field(default_factory=lambda: np.eye(3))
    # Boxes stay boxes, and nothing was guessed.
    is_exact: bool = True

    def then(self, step: Matrix, is_exact: bool = True) -> Placement:
        return Placement(step @ self.matrix, self.is_exact and is_exact)


@dataclass(frozen=True)
class Frame:
    """(h, w) of grey values, (h, w, 2 to 4) of colours and alpha, (d, h, w) of a volume."""

    pixels: Pixels
    # Of the file it came from, as Pillow names it, or `nifti`.
    kind: str
    is_mask: bool = False
    header: Header | None = None
    palette: Palette | None = None
    placement: Placement = Placement()
    # Appended to the name, where one file gives several.
    mark: str = ""

    @property
    def is_volume(self) -> bool:
        return self.header is not None

    @property
    def height(self) -> int:
        return int(self.pixels.shape[1 if self.is_volume else 0])

    @property
    def width(self) -> int:
        return int(self.pixels.shape[2 if self.is_volume else 1])

    def having(self, pixels: Pixels) -> Frame:
        return replace(self, pixels=pixels)

    def moved(self, pixels: Pixels, step: Matrix, is_exact: bool = True) -> Frame:
        return replace(self, pixels=pixels, placement=self.placement.then(step, is_exact))

    def values(self) -> NDArray[np.float32]:
        """As they were measured: of a volume with its slope and intercept."""
        values = self.pixels.astype(np.float32)
        if self.header is None or self.header.slope == 0.0:
            return values
        return values * np.float32(self.header.slope) + np.float32(self.header.intercept)

    def measured(self, values: Pixels) -> Frame:
        """Holds values that need no slope any more."""
        header = None if self.header is None else replace(self.header, slope=1.0, intercept=0.0)
        return replace(self, pixels=values, header=header)


def slices(frame: Frame, work: Callable[[Pixels], Pixels]) -> Pixels:
    """What is done with each slice of a volume, or with the picture itself."""
    if not frame.is_volume:
        return work(frame.pixels)
    return np.stack([work(plane) for plane in frame.pixels])


def channels(pixels: Pixels, work: Callable[[Pixels], Pixels]) -> Pixels:
    """What is done with each channel by itself."""
    if pixels.ndim == 2:
        return work(pixels)
    return np.stack([work(pixels[..., one]) for one in range(pixels.shape[2])], axis=2)


def as_type(values: NDArray[Any], kind: np.dtype[Any]) -> Pixels:
    """Rounded into the range of whole numbers; floats as they are."""
    if kind.kind == "f":
        return values.astype(kind, copy=False)
    limits = np.iinfo(kind)
    return np.clip(np.rint(values), limits.min, limits.max).astype(kind)


def by_pillow(pixels: Pixels, work: Callable[[Image.Image], Image.Image]) -> Pixels:
    """Whatever Pillow does to pictures: bytes as they are, anything else channel by channel as floats."""
    if pixels.dtype == np.uint8:
        return np.asarray(work(Image.fromarray(pixels)))

    def one(plane: Pixels) -> Pixels:
        made = np.asarray(work(Image.fromarray(plane.astype(np.float32))))
        return as_type(made, plane.dtype)

    return channels(pixels, one)
