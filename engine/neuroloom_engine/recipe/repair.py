"""Steps that make a mask fit its image: turned, resized, cut, renumbered, or placed where the image lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.images import Pixels
from ..data.volumes import UNITS, Header
from ..spec import at_least, field, number, one_of
from .files import affine_of
from .frame import Frame, Matrix, Placement, Trouble
from .geometry import size as sized
from .tones import colours_of

Repair = Mapping[str, Any]
# Values that a mask may have and still be listed; more are no classes.
MOST_VALUES = 64


def repaired(mask: Frame, image: Frame, repairs: Sequence[Repair]) -> Frame:
    """A mask of its image's size, or none."""
    for repair in repairs:
        mask = WORKS[one_of(repair, "do", tuple(WORKS))](mask, image, repair)
    if mask.pixels.shape[: 3 if mask.is_volume else 2] != image.pixels.shape[: 3 if image.is_volume else 2]:
        raise misfit(mask, image)
    return mask


def misfit(mask: Frame, image: Frame) -> Trouble:
    sides = {"imageWidth": image.width, "imageHeight": image.height}
    return Trouble("mask_size", width=mask.width, height=mask.height, **sides)


def turn(mask: Frame, _: Frame, repair: Repair) -> Frame:
    """First mirrored left to right, then so many quarters clockwise."""
    if mask.is_volume:
        raise Trouble("volume_turn")
    pixels = mask.pixels[:, ::-1] if field(repair, "isMirrored", bool) else mask.pixels
    made = np.rot90(pixels, -at_least(repair, "quarters", 0), (0, 1))
    return mask.having(np.ascontiguousarray(made))


def stretch(mask: Frame, image: Frame, _: Repair) -> Frame:
    """Each new pixel takes the old one that its middle lies in."""
    return sized(mask, {"how": "stretch", "width": image.width, "height": image.height})


def cut(mask: Frame, image: Frame, _: Repair) -> Frame:
    """What lies beyond the image's right and lower edge goes; what is missing there is background."""
    height, width = image.height, image.width
    if mask.is_volume:
        kept = mask.pixels[:, :height, :width]
        made = np.zeros((len(kept), height, width), kept.dtype)
        made[:, : kept.shape[1], : kept.shape[2]] = kept
    else:
        kept = mask.pixels[:height, :width]
        made = np.zeros((height, width, *kept.shape[2:]), kept.dtype)
        made[: kept.shape[0], : kept.shape[1]] = kept
    return mask.having(made)


def values(mask: Frame, _: Frame, repair: Repair) -> Frame:
    """Numbers or colours become other numbers; what is not listed becomes background."""
    listed: dict[str, int] = {}
    for entry in field(repair, "map", list):
        assert isinstance(entry, Mapping), entry
        listed[str(entry["from"])] = at_least(entry, "to", 0)
    codes, inverse = np.unique(codes_of(mask), return_inverse=True)
    is_colour = is_coloured(mask)
    names = [f"#{code:06x}" if is_colour else str(code) for code in codes.tolist()]
    numbers = np.array([listed.get(name, 0) for name in names])
    kind = np.uint8 if numbers.max(initial=0) < 256 else np.uint16
    return numbered(mask, numbers.astype(kind)[inverse].reshape(shape_of(mask)))


def threshold(mask: Frame, _: Frame, repair: Repair) -> Frame:
    """Foreground is what is at least so bright."""
    least = number(repair, "least")
    grey = mask.pixels if mask.is_volume or mask.pixels.ndim == 2 else mask.pixels[..., :3].max(axis=2)
    return numbered(mask, (grey >= least).astype(np.uint8))


def numbered(mask: Frame, pixels: Pixels) -> Frame:
    header = None if mask.header is None else replace(mask.header, slope=1.0, intercept=0.0)
    return replace(mask, pixels=pixels, palette=None, header=header, kind=plain_kind(mask.kind))


# Pillow writes no lossy numbers.
def plain_kind(kind: str) -> str:
    return kind if kind in ("nifti", "tiff") else "png"


def place(mask: Frame, image: Frame, _: Repair) -> Frame:
    """The voxels stay; they are said to lie where those of the image lie."""
    own, other = both(mask, image)
    if own.size != other.size:
        raise misfit(mask, image)
    return replace(mask, header=placed_like(own, other), placement=Placement())


def grid(mask: Frame, image: Frame, _: Repair) -> Frame:
    """Each voxel of the image takes the mask's voxel that lies nearest to it in the body."""
    own, other = both(mask, image)
    way = np.linalg.inv(in_millimetres(own)) @ in_millimetres(other)
    depth, height, width = image.pixels.shape
    made = np.zeros((depth, height, width), mask.pixels.dtype)
    # (3, h, w) of the mask's places (i, j, k) in the first slice of the image.
    across = np.arange(width)[None, None, :] * way[:3, 0, None, None]
    down = np.arange(height)[None, :, None] * way[:3, 1, None, None]
    first = across + down + way[:3, 3, None, None]
    limits = np.array(mask.pixels.shape[::-1])[:, None, None]
    for slice_number in range(depth):
        places = np.rint(first + slice_number * way[:3, 2, None, None]).astype(np.int64)
        inside = ((places >= 0) & (places < limits)).all(axis=0)
        i, j, k = places[:, inside]
        made[slice_number][inside] = mask.pixels[k, j, i]
    return replace(mask, pixels=made, header=placed_like(own, other), placement=Placement())


def both(mask: Frame, image: Frame) -> tuple[Header, Header]:
    if mask.header is None or image.header is None:
        raise misfit(mask, image)
    return mask.header, image.header


def placed_like(own: Header, other: Header) -> Header:
    return replace(other, type=own.type, slope=own.slope, intercept=own.intercept)


def in_millimetres(header: Header) -> Matrix:
    affine, _ = affine_of(header)
    scale = UNITS.get(header.units & 7, 1.0)
    return np.diag([scale, scale, scale, 1.0]) @ affine


def is_coloured(mask: Frame) -> bool:
    return not mask.is_volume and mask.pixels.ndim == 3


def codes_of(mask: Frame) -> NDArray[Any]:
    """(h, w) or (d, h, w): a number for each value, of colours red, green and blue together."""
    if is_coloured(mask):
        return colours_of(mask)
    if mask.pixels.dtype.kind == "f":
        whole = np.rint(mask.pixels)
        if not np.array_equal(whole, mask.pixels):
            raise Trouble("not_colours")
        return whole.astype(np.int64)
    return mask.pixels


def shape_of(mask: Frame) -> tuple[int, ...]:
    return mask.pixels.shape if mask.is_volume else mask.pixels.shape[:2]


WORKS: Mapping[str, Callable[[Frame, Frame, Repair], Frame]] = {
    "turn": turn,
    "size": stretch,
    "cut": cut,
    "values": values,
    "threshold": threshold,
    "place": place,
    "grid": grid,
}
