"""Steps on masks alone: classes grow and shrink, holes are filled, pieces dropped, numbers changed.

Each works on one class, or on all of them; 0 is background and no class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.volumes import UNITS
from ..spec import at_least, field, number, one_of
from ..tasks.surfaces import bounds, squares_within
from .files import affine_of, old_from_new
from .frame import Frame, Trouble
from .regions import holes_of, pieces_of

Raw = Mapping[str, Any]
Numbers = NDArray[Any]
# More are no classes that a step is done with one by one.
MOST_CLASSES = 256
# Squares of distances are sums of 32-bit floats.
NEARLY = 1 + 1e-5


def numbers_of(frame: Frame) -> Numbers:
    """(h, w) or (d, h, w) of whole numbers; grey that was saved as colours is grey."""
    pixels: Numbers = frame.pixels
    if not frame.is_volume and pixels.ndim == 3:
        colours = pixels[..., : 3 if pixels.shape[2] > 2 else 1]
        if not (colours == colours[..., :1]).all():
            raise Trouble("mask_coloured")
        pixels = np.ascontiguousarray(colours[..., 0])
    header = frame.header
    if header is not None and header.slope != 0.0 and (header.slope, header.intercept) != (1.0, 0.0):
        pixels = frame.values()
    if pixels.dtype.kind != "f":
        return pixels
    whole = np.rint(pixels)
    if not np.array_equal(whole, pixels) or np.abs(whole).max(initial=0) >= 2**31:
        raise Trouble("mask_values")
    return whole.astype(np.int32)


def numbered(frame: Frame, numbers: Numbers) -> Frame:
    """Of the type that the file had, where that holds the numbers."""
    palette = frame.palette if frame.pixels.ndim == 2 else None
    kind = kind_for(numbers, frame)
    header = None if frame.header is None else replace(frame.header, slope=1.0, intercept=0.0)
    return replace(frame, pixels=numbers.astype(kind, copy=False), palette=palette, header=header)


def kind_for(numbers: Numbers, frame: Frame) -> np.dtype[Any]:
    low, high = (int(numbers.min()), int(numbers.max())) if numbers.size else (0, 0)
    wider = ("u1", "u2", "i4") if frame.is_volume else ("u1", "u2")
    for kind in (frame.pixels.dtype, *map(np.dtype, wider)):
        if kind.kind in "iu" and np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return kind
    raise Trouble("mask_range", low=low, high=high)


def spacing_of(frame: Frame) -> tuple[float, ...] | None:
    """Sides of a voxel in mm, in the order of its axes, as it is by now. Pictures do not tell theirs."""
    header = frame.header
    if header is None:
        return None
    affine = affine_of(header)[0] @ old_from_new(frame.placement.matrix)
    sides = np.linalg.norm(affine[:3, :3], axis=0) * UNITS.get(header.units & 7, 1.0)
    return tuple(float(side) if np.isfinite(side) and side > 0 else 1.0 for side in sides[::-1])


def classes_in(numbers: Numbers, wanted: int) -> list[int]:
    """Those that are worked on: one, or all where `wanted` is 0."""
    found = [one for one in np.unique(numbers).tolist() if one != 0]
    if wanted != 0:
        return [wanted] if wanted in found else []
    if len(found) > MOST_CLASSES:
        raise Trouble("mask_classes", count=len(found), limit=MOST_CLASSES)
    return found


def each_class(numbers: Numbers, raw: Raw) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    for value in classes_in(numbers, at_least(raw, "value", 0)):
        yield value, numbers == value


def around(box: tuple[slice, ...], margins: tuple[int, ...]) -> tuple[slice, ...]:
    """The box with a margin; what lies beyond the picture is left out where it is used."""
    return tuple(
        slice(max(0, span.start - margin), span.stop + margin)
        for span, margin in zip(box, margins, strict=True)
    )


def grow(frame: Frame, raw: Raw) -> Frame:
    """By a distance between middles of pixels: exact, Euclidean, in mm where the sides of a voxel are known.

    Background alone is taken over; between two classes it goes to the nearer one. Beyond the picture is
    nothing that a class shrinks from.
    """
    numbers = numbers_of(frame)
    radius = number(raw, "radius")
    sides = np.array(spacing_of(frame) or (1.0,) * numbers.ndim)
    most = np.float32(radius**2 * NEARLY)
    made = numbers.copy()
    if one_of(raw, "how", ("grow", "shrink")) == "shrink":
        for _, own in each_class(numbers, raw):
            box = around(bounds(own), (1,) * own.ndim)
            made[box][own[box] & (squares_within(~own[box], sides, radius) <= most)] = 0
        return numbered(frame, made)
    nearest = np.full(numbers.shape, np.inf, np.float32)
    margins = tuple(int(radius / side) + 1 for side in sides)
    for value, own in each_class(numbers, raw):
        box = around(bounds(own), margins)
        squares = squares_within(own[box], sides, radius)
        taken = (squares <= most) & (numbers[box] == 0) & (squares < nearest[box])
        made[box][taken] = value
        nearest[box][taken] = squares[taken]
    return numbered(frame, made)


def fill(frame: Frame, raw: Raw) -> Frame:
    """Background that one class closes in all around becomes that class."""
    numbers = numbers_of(frame)
    made = numbers.copy()
    for value, own in each_class(numbers, raw):
        # With a margin, so that a hole of the picture's own edge is none.
        box = around(bounds(own), (1,) * own.ndim)
        made[box][holes_of(own[box]) & (made[box] == 0)] = value
    return numbered(frame, made)


def pieces(frame: Frame, raw: Raw) -> Frame:
    """The largest piece of each class, or those of at least a size: in mm³, of pictures in pixels."""
    numbers = numbers_of(frame)
    how = one_of(raw, "how", ("largest", "least"))
    least = number(raw, "least") / pixel_size(frame) if how == "least" else 0.0
    made = numbers.copy()
    for _, own in each_class(numbers, raw):
        box = bounds(own)
        found = pieces_of(own[box])
        dropped = found.sizes < least * (1 - 1e-9)
        if how == "largest":
            dropped = np.arange(found.count) != int(found.sizes.argmax())
        made[box][found.painted(dropped)] = 0
    return numbered(frame, made)


def pixel_size(frame: Frame) -> float:
    """In mm³; 1 where nobody knows."""
    return float(np.prod(spacing_of(frame) or (1.0,)))


def remap(frame: Frame, raw: Raw) -> Frame:
    """Numbers become other numbers; those that are not listed stay, or become background."""
    numbers = numbers_of(frame)
    found, inverse = np.unique(numbers, return_inverse=True)
    stay = one_of(raw, "rest", ("stay", "background")) == "stay"
    listed: dict[int, int] = {}
    for entry in field(raw, "map", list):
        assert isinstance(entry, Mapping), entry
        listed[at_least(entry, "from", 0)] = at_least(entry, "to", 0)
    changed = np.array([listed.get(one, one if stay else 0) for one in found.tolist()], np.int64)
    return numbered(frame, changed[inverse].reshape(numbers.shape))


MASK_STEPS: Mapping[str, Callable[[Frame, Any], Frame]] = {
    "grow": grow,
    "fill": fill,
    "pieces": pieces,
    "remap": remap,
}
