"""Steps that change values: grey, window, normalise, CLAHE, and colours of masks to numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..data.images import Pixels, without_alpha
from ..spec import at_least, field, number, one_of
from .frame import Frame, Trouble, slices

Raw = dict[str, object]
Values = NDArray[np.float32]
# Of grey values deeper than 8 bits: as many steps as screens for radiographs show, and more.
DEEP_LEVELS = 4096
COLOURS_NAMED = 3


def grey(frame: Frame, raw: Raw) -> Frame:
    """Luminance of ITU-R BT.601. What shines through is laid over black, as it is when networks learn."""
    pixels = frame.pixels
    if frame.is_volume or pixels.ndim == 2:
        return frame
    if pixels.shape[2] == 2:
        pixels = pixels[..., [0, 0, 0, 1]]
    return frame.having(np.asarray(Image.fromarray(without_alpha(pixels)).convert("L")))


def window(frame: Frame, raw: Raw) -> Frame:
    """DICOM PS3.3 C.11.2.1.3.2 (LINEAR_EXACT): below black, above white, in 8 bits."""
    centre, width = number(raw, "centre"), number(raw, "width")
    colours, alpha = split(frame.values(), frame)
    shares = np.clip((colours - np.float32(centre)) / np.float32(width) + np.float32(0.5), 0, 1)
    made = np.rint(shares * 255).astype(np.uint8)
    return frame.measured(joined(made, None if alpha is None else alpha.astype(np.uint8)))


def normalise(frame: Frame, raw: Raw) -> Frame:
    how = one_of(raw, "how", ("minmax", "percentile", "zscore"))
    colours, alpha = split(frame.values(), frame)
    if how == "zscore":
        refuse_floats(frame.pixels.shape, frame.is_volume)
        deviation = float(colours.std(dtype=np.float64))
        mean = float(colours.mean(dtype=np.float64))
        made = (colours - np.float32(mean)) / np.float32(deviation or 1.0)
        return replace(frame.measured(made), kind=frame.kind if frame.is_volume else "tiff")
    ends = (0.0, 100.0) if how == "minmax" else (number(raw, "low"), number(raw, "high"))
    low, high = (float(end) for end in np.percentile(colours, ends))
    shares = np.clip((colours - np.float32(low)) / np.float32((high - low) or 1.0), 0, 1)
    kind = frame.pixels.dtype
    if frame.is_volume or kind.kind == "f":
        return frame.measured(shares)
    made = np.rint(shares * np.iinfo(kind).max).astype(kind)
    return frame.having(joined(made, None if alpha is None else alpha.astype(kind)))


def refuse_floats(shape: tuple[int, ...], is_volume: bool) -> None:
    """No common format holds colours with fractions."""
    if len(shape) > 2 and not is_volume:
        raise Trouble("colour_floats")


def split(values: Values, frame: Frame) -> tuple[Values, Values | None]:
    """Colours or grey values, and alpha, which stays what it is."""
    if frame.is_volume or values.ndim == 2 or values.shape[2] == 3:
        return values, None
    return values[..., :-1], values[..., -1:]


def joined(colours: Pixels, alpha: Pixels | None) -> Pixels:
    return colours if alpha is None else np.concatenate([colours, alpha], axis=2)


def clahe(frame: Frame, raw: Raw) -> Frame:
    """Contrast limited adaptive histogram equalisation (Zuiderveld 1994), of colours their luminance."""
    tiles, clip = at_least(raw, "tiles", 1), number(raw, "clip")

    def one(plane: Pixels) -> Pixels:
        if plane.ndim == 2:
            return equalised(plane, tiles, clip)
        colours, alpha = (plane, None) if plane.shape[2] == 3 else (plane[..., :-1], plane[..., -1:])
        if colours.shape[2] == 1:
            return joined(equalised(colours[..., 0], tiles, clip)[..., None], alpha)
        parts = np.array(Image.fromarray(np.ascontiguousarray(colours)).convert("YCbCr"))
        parts[..., 0] = equalised(parts[..., 0], tiles, clip)
        return joined(np.asarray(Image.fromarray(parts, "YCbCr").convert("RGB")), alpha)

    return frame.having(slices(frame, one))


def equalised(plane: Pixels, tiles: int, clip: float) -> Pixels:
    """(h, w) of any type, in its own range: bytes over all of theirs, others between their extremes."""
    low, high, levels = 0.0, 255.0, 256
    if plane.dtype != np.uint8:
        low, high, levels = float(plane.min()), float(plane.max()), DEEP_LEVELS
    if high <= low:
        return plane
    scale = (levels - 1) / (high - low)
    bins = ((plane.astype(np.float32) - np.float32(low)) * np.float32(scale) + np.float32(0.5)).astype(
        np.int32
    )
    tables = tables_of(bins, tiles, clip, levels)
    made = blended(bins, tables) / np.float32(scale) + np.float32(low)
    if plane.dtype.kind == "f":
        return made.astype(plane.dtype)
    return np.rint(made).astype(plane.dtype)


def tables_of(bins: NDArray[np.int32], tiles: int, clip: float, levels: int) -> Values:
    """(tiles, tiles, levels): for each tile, what becomes of each level."""
    height, width = bins.shape
    down, across = -(-height // tiles), -(-width // tiles)
    edges = ((0, down * tiles - height), (0, across * tiles - width))
    # Mirrored until it is divided evenly; of pictures smaller than that the edge is repeated.
    whole = np.pad(bins, edges, "symmetric" if min(height, width) >= tiles else "edge")
    parts = whole.reshape(tiles, down, tiles, across).transpose(0, 2, 1, 3).reshape(tiles * tiles, -1)
    places = parts + np.arange(tiles * tiles, dtype=np.int64)[:, None] * levels
    counts = np.bincount(places.reshape(-1), minlength=tiles * tiles * levels)
    counts = counts.reshape(-1, levels).astype(np.float64)
    pixels = down * across
    limit = max(1.0, clip * pixels / levels)
    above = np.maximum(counts - limit, 0).sum(axis=1, keepdims=True)
    counts = np.minimum(counts, limit) + above / levels
    shares = np.cumsum(counts, axis=1) / pixels
    return (shares * (levels - 1)).astype(np.float32).reshape(tiles, tiles, levels)


def blended(bins: NDArray[np.int32], tables: Values) -> Values:
    """Each pixel by the tables of the four tiles whose middles lie around it."""
    tiles = len(tables)
    (top, bottom, lower), (left, right, later) = (between(side, tiles) for side in bins.shape)
    lower, later = lower[:, None], later[None, :]
    upper_left, upper_right = tables[top[:, None], left[None], bins], tables[top[:, None], right[None], bins]
    lower_left, lower_right = (
        tables[bottom[:, None], left[None], bins],
        tables[bottom[:, None], right[None], bins],
    )
    upper = upper_left + (upper_right - upper_left) * later
    below = lower_left + (lower_right - lower_left) * later
    made: Values = upper + (below - upper) * lower
    return made


def between(side: int, tiles: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Values]:
    """For each row or column the tiles before and behind it, and how far it is on the way."""
    place = (np.arange(side) + 0.5) / -(-side // tiles) - 0.5
    first = np.floor(place)
    share = (place - first).astype(np.float32)
    return (
        np.clip(first, 0, tiles - 1).astype(np.int64),
        np.clip(first + 1, 0, tiles - 1).astype(np.int64),
        share,
    )


def index(frame: Frame, raw: Raw) -> Frame:
    """Each listed colour becomes its number; others become 0, or stop the file where that is wanted."""
    if frame.is_volume:
        raise Trouble("volume_colours")
    listed: dict[int, int] = {}
    for entry in field(raw, "colours", list):
        assert isinstance(entry, Mapping), entry
        listed[int(str(entry["colour"])[1:], 16)] = at_least(entry, "value", 0)
    codes, inverse = np.unique(colours_of(frame), return_inverse=True)
    unknown = [f"#{code:06x}" for code in codes.tolist() if code not in listed]
    if unknown and one_of(raw, "others", ("background", "refuse")) == "refuse":
        raise Trouble("colour_unknown", count=len(unknown), colours=", ".join(unknown[:COLOURS_NAMED]))
    numbers = np.array([listed.get(code, 0) for code in codes.tolist()], np.uint8)
    made = numbers[inverse].reshape(frame.pixels.shape[:2])
    return replace(frame, pixels=made, palette=None)


def colours_of(frame: Frame) -> NDArray[np.uint32]:
    """(h, w): red, green and blue as one number."""
    pixels: NDArray[Any] = frame.pixels
    if pixels.dtype != np.uint8:
        raise Trouble("not_colours")
    if frame.palette is not None:
        table = np.zeros((256, 3), np.uint32)
        known = np.array(frame.palette[: 256 * 3], np.uint32).reshape(-1, 3)
        table[: len(known)] = known
        pixels = table[pixels]
    elif pixels.ndim == 2 or pixels.shape[2] == 2:
        pixels = np.repeat((pixels if pixels.ndim == 2 else pixels[..., 0])[..., None], 3, axis=2)
    wide = pixels[..., :3].astype(np.uint32)
    return np.asarray(wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2], np.uint32)
