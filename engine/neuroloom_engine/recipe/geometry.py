"""Steps that move pixels: size, crop, pad, rotate, flip, tiles. Masks go along by nearest neighbour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from PIL import Image

from ..data.images import Pixels
from ..spec import at_least, number, one_of
from .frame import Frame, Matrix, Trouble, by_pillow, slices

Raw = dict[str, object]
Size = tuple[int, int]
# Of one picture: more would be a mistake in the numbers.
MOST_TILES = 4096
PADDING = {"black": "constant", "edge": "edge", "mirror": "symmetric"}


def size(frame: Frame, raw: Raw) -> Frame:
    how = one_of(raw, "how", ("stretch", "inside", "filled"))
    width, height = inner_size(raw, (frame.width, frame.height))
    resample = Image.Resampling.NEAREST if frame.is_mask else Image.Resampling.BILINEAR
    made = slices(frame, lambda plane: resized(plane, (width, height), resample))
    step = scaling(width / frame.width, height / frame.height)
    frame = frame.moved(made, step)
    return padded(frame, sides_of(raw), "constant") if how == "filled" else frame


def inner_size(raw: Raw, before: Size) -> Size:
    """Exactly as asked for, or the largest of the same shape that fits in."""
    width, height = sides_of(raw)
    if raw.get("how") == "stretch":
        return width, height
    scale = min(width / before[0], height / before[1])
    return max(1, round(before[0] * scale)), max(1, round(before[1] * scale))


def resized(plane: Pixels, size: Size, resample: Image.Resampling) -> Pixels:
    if (plane.shape[1], plane.shape[0]) == size:
        return plane
    if resample == Image.Resampling.NEAREST:
        # Numbers of any type stay what they are; a new pixel takes the one that its middle lies in.
        rows, columns = (
            np.minimum((np.arange(new) + 0.5) * old / new, old - 1).astype(np.int64)
            for new, old in ((size[1], plane.shape[0]), (size[0], plane.shape[1]))
        )
        return plane[rows[:, None], columns[None, :]]
    return by_pillow(plane, lambda image: image.resize(size, resample))


def crop(frame: Frame, raw: Raw) -> Frame:
    left, top, width, height = crop_box(raw, (frame.width, frame.height))
    made = slices(frame, lambda plane: plane[top : top + height, left : left + width])
    return frame.moved(np.ascontiguousarray(made), shifting(-left, -top))


def crop_box(raw: Raw, before: Size) -> tuple[int, int, int, int]:
    """Left, top, width, height; fails where the picture is smaller."""
    width, height = sides_of(raw)
    is_centre = one_of(raw, "how", ("centre", "box")) == "centre"
    left = (before[0] - width) // 2 if is_centre else at_least(raw, "left", 0)
    top = (before[1] - height) // 2 if is_centre else at_least(raw, "top", 0)
    if min(left, top) < 0 or left + width > before[0] or top + height > before[1]:
        raise Trouble("crop_outside", width=before[0], height=before[1])
    return left, top, width, height


def is_to_content(raw: Raw) -> bool:
    return raw.get("do") == "crop" and raw.get("how") == "content"


def content_crop(picture: Frame, raw: Raw) -> Raw:
    """The step as a crop at a place: around all that differs from the border's middle value."""
    margin = at_least(raw, "margin", 0)
    values = picture.values()
    planes = values[..., None] if picture.is_volume or values.ndim == 2 else values
    around = (planes[..., 0, :, :], planes[..., -1, :, :], planes[..., :, 0, :], planes[..., :, -1, :])
    ground = np.median(np.concatenate([edge.reshape(-1, planes.shape[-1]) for edge in around]), axis=0)
    least = (float(planes.max()) - float(planes.min())) * number(raw, "above") / 100
    differs = (np.abs(planes - ground) > least).any(axis=-1)
    seen = differs.any(axis=0) if picture.is_volume else differs
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    if len(rows) == 0:
        raise Trouble("crop_empty")
    left, top = max(0, int(columns[0]) - margin), max(0, int(rows[0]) - margin)
    right = min(picture.width, int(columns[-1]) + 1 + margin)
    lower = min(picture.height, int(rows[-1]) + 1 + margin)
    size: Raw = {"width": right - left, "height": lower - top}
    return {"do": "crop", "how": "box", "left": left, "top": top} | size


def pad(frame: Frame, raw: Raw) -> Frame:
    return padded(frame, sides_of(raw), PADDING[one_of(raw, "fill", tuple(PADDING))])


def padded(frame: Frame, wanted: Size, mode: str) -> Frame:
    """At least so large, the picture in the middle."""
    across, down = max(0, wanted[0] - frame.width), max(0, wanted[1] - frame.height)
    if across == 0 and down == 0:
        return frame
    left, top = across // 2, down // 2
    edges = [(top, down - top), (left, across - left)]

    def one(plane: Pixels) -> Pixels:
        around = edges + [(0, 0)] * (plane.ndim - 2)
        return np.pad(plane, around, mode)  # type: ignore[call-overload]

    return frame.moved(slices(frame, one), shifting(left, top))


def rotate(frame: Frame, raw: Raw) -> Frame:
    """Clockwise. Quarter turns move pixels; other angles make new ones, in a picture that all fits in."""
    degrees = number(raw, "degrees")
    if degrees % 90 == 0:
        return turned(frame, int(degrees // 90) % 4)
    refuse_turn(degrees, frame.is_volume)
    resample = Image.Resampling.NEAREST if frame.is_mask else Image.Resampling.BILINEAR
    made = by_pillow(frame.pixels, lambda image: image.rotate(-degrees, resample, expand=True))
    return frame.moved(made, np.eye(3), is_exact=False)


def refuse_turn(degrees: float, is_volume: bool) -> None:
    if is_volume and degrees % 90 != 0:
        raise Trouble("volume_turn")


def turned(frame: Frame, quarters: int) -> Frame:
    for _ in range(quarters):
        made = slices(frame, lambda plane: np.rot90(plane, -1))
        # The former lower edge is the left one now.
        step = np.array([[0.0, -1.0, frame.height], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
        frame = frame.moved(np.ascontiguousarray(made), step)
    return frame


def flip(frame: Frame, raw: Raw) -> Frame:
    is_across = one_of(raw, "axis", ("horizontal", "vertical")) == "horizontal"
    axis = 1 if is_across else 0
    made = slices(frame, lambda plane: np.flip(plane, axis))
    step = np.diag([-1.0, 1.0, 1.0]) if is_across else np.diag([1.0, -1.0, 1.0])
    step[axis ^ 1, 2] = frame.width if is_across else frame.height
    return frame.moved(np.ascontiguousarray(made), step)


def tiles(frame: Frame, raw: Raw) -> Iterator[Frame]:
    """Named by where they lie, so that they can be put together again."""
    width, height = sides_of(raw)
    overlap = at_least(raw, "overlap", 0)
    refuse_tiles((frame.width, frame.height), raw, frame.is_volume)
    for top in starts(frame.height, height, overlap):
        for left in starts(frame.width, width, overlap):
            made = frame.pixels[top : top + height, left : left + width]
            one = frame.moved(np.ascontiguousarray(made), shifting(-left, -top))
            yield replace(one, mark=frame.mark + tile_mark(left, top, frame.width, frame.height))


def refuse_tiles(before: Size, raw: Raw, is_volume: bool) -> None:
    if is_volume:
        raise Trouble("volume_tiles")
    width, height = sides_of(raw)
    overlap = at_least(raw, "overlap", 0)
    count = len(starts(before[0], width, overlap)) * len(starts(before[1], height, overlap))
    if count > MOST_TILES:
        raise Trouble("too_many_tiles", count=count, limit=MOST_TILES)


def starts(length: int, side: int, overlap: int) -> list[int]:
    """The last one ends at the edge, so nothing is filled up and nothing is lost."""
    last = max(0, length - side)
    return [*range(0, last, max(1, side - overlap)), last]


def tile_mark(left: int, top: int, width: int, height: int) -> str:
    return f"__y{top:05}_x{left:05}_of_{height}x{width}"


def sides_of(raw: Raw) -> Size:
    return at_least(raw, "width", 1), at_least(raw, "height", 1)


def scaling(across: float, down: float) -> Matrix:
    return np.diag([across, down, 1.0])


def shifting(right: float, down: float) -> Matrix:
    step = np.eye(3)
    step[:2, 2] = right, down
    return step
