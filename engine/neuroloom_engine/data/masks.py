"""Reads masks: the grey value or colour of each pixel, also where JPEG smeared it; makes one of several.

A colour is a number above all grey values. What the numbers mean is said by the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .images import (
    MAX_PIXELS,
    BadFile,
    Picture,
    Pixels,
    deep_colours,
    open_image,
    sixteen_bit,
    without_alpha,
)

MAX_MASK_VALUES = 256
COLOUR = 1 << 24
# How far JPEG moves a grey value or a channel of a colour: at edges, and inside of areas.
REACH, CALM_REACH = 40, 12
# So much of the pixels, and of those inside of areas, must lie so near to a value of its own.
NEAR_SHARE = 0.95
# In a mask so much lies inside of areas; in a photograph next to nothing.
CALM_SHARE = 0.3
# What covers less is noise.
LEAST_SHARE = 0.0001
# A piece fills so much of the rectangle around it; what is spread over the image does not.
COMPACT = 0.4
# Programs that scale labels into whole numbers and back miss them by so little.
WHOLE_REACH = 0.01
# So many greys that are nothing but edges come of enlarging.
STEPS = 3
# Values up to here count classes: two of them are never one smeared value.
MAX_INDEX = 63

How = Literal["any", "most", "kinds"]
Codes = NDArray[Any]


def read_mask(path: Path, max_pixels: int = MAX_PIXELS) -> Picture:
    """Raw values: palette files give their index, grey stored as colour one channel, colours their codes."""
    if is_numpy(path):
        return read_numpy(path, max_pixels)
    image, kind, turn = open_image(path, max_pixels)
    mode = image.mode
    if mode in ("P", "PA"):
        numbers, palette = numbers_of(image)
        return Picture(numbers, kind, 8, turn, palette)
    if mode in ("I", "I;16", "I;16B", "I;16L", "I;16N"):
        return Picture(sixteen_bit(image), kind, 16, turn)
    if mode in ("1", "L"):
        return Picture(np.asarray(image.convert("L")), kind, 1 if mode == "1" else 8, turn)
    if mode not in ("RGB", "RGBA", "RGBX", "LA", "La", "CMYK", "YCbCr"):
        raise BadFile("unsupported_mode")
    deep = deep_colours(path, kind, turn)
    if deep is not None:
        return deep_mask(without_alpha(deep), kind, turn)
    pixels = without_alpha(np.asarray(image.convert("RGBA" if mode in ("RGBA", "LA", "La") else "RGB")))
    return Picture(codes_of(pixels), kind, 8, turn)


def deep_mask(pixels: Pixels, kind: str, turn: int) -> Picture:
    """Of 16 bits a channel: greys as they are; colours of 8 bits, whether these were stretched or not."""
    first = pixels[..., 0]
    if np.array_equal(first, pixels[..., 1]) and np.array_equal(first, pixels[..., 2]):
        return Picture(np.ascontiguousarray(first), kind, 16, turn)
    shallow = pixels if int(pixels.max()) < 256 else pixels >> 8
    return Picture(codes_of(shallow.astype(np.uint8)), kind, 8, turn)


def numbers_of(image: Image.Image) -> tuple[Codes, Codes | None]:
    """The numbers of a palette file, by which programs count classes, and the colour behind each.

    0 is the background. Where black stands at another number, a program numbered the colours as they came,
    in another way in each file. Then colours count: of two, the one that is not black is marked. Whether the
    files of a set agree in their numbers, only the set can tell. Colours that do not tell the numbers apart
    say nothing.
    """
    numbers = np.asarray(image if image.mode == "P" else image.getchannel("P"))
    table = np.array(image.getpalette("RGB") or [], np.uint8).reshape(-1, 3)
    used, _ = count(numbers)
    if len(table) <= int(used[-1]):
        return numbers, None
    black = used[(table[used] == 0).all(1)]
    if not len(black) or not table[0].any():
        is_clear = len(np.unique(table[used], axis=0)) == len(used)
        return numbers, colour_codes(table) if is_clear else None
    if len(used) > 2:
        return codes_of(table[numbers]), None
    marked = used[used != black[0]]
    return (numbers != black[0]).astype(np.uint8), colour_codes(table[[*black, *marked]])


def is_numpy(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(6) == b"\x93NUMPY"


def read_numpy(path: Path, max_pixels: int) -> Picture:
    """An array of whole numbers, (h, w); further axes of length 1 say nothing. Never unpickles."""
    try:
        stored = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError, SyntaxError) as error:
        raise BadFile("truncated") from error
    if stored.dtype.kind not in "buif":
        raise BadFile("unsupported_mode")
    if stored.size > max_pixels:
        raise BadFile("too_large")
    sides = [side for side in stored.shape if side != 1] if stored.ndim > 2 else stored.shape
    if len(sides) != 2 or not stored.size:
        raise BadFile("unsupported_mode")
    values = np.asarray(stored).reshape(sides)
    if values.dtype.kind == "f":
        if not np.isfinite(values).all():
            raise BadFile("not_finite")
        if float(np.abs(values - np.rint(values)).max()) > WHOLE_REACH:
            raise BadFile("mask_values")
        values = np.rint(values)
    if int(values.min()) < 0 or int(values.max()) > 65_535:
        raise BadFile("mask_values")
    bits = 8 if int(values.max()) < 256 else 16
    return Picture(values.astype(np.uint8 if bits == 8 else np.uint16), "numpy", bits)


def codes_of(pixels: Pixels) -> Codes:
    """(h, w, 3) to (h, w): grey values where all channels are equal, else codes of colours."""
    first = pixels[..., 0]
    if np.array_equal(first, pixels[..., 1]) and np.array_equal(first, pixels[..., 2]):
        return np.ascontiguousarray(first)
    return colour_codes(pixels)


def colour_codes(pixels: Pixels) -> Codes:
    """(..., 3) to (...)."""
    wide = pixels.astype(np.uint32)
    return np.uint32(COLOUR) | wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def as_colours(codes: Codes, palette: Codes | None = None) -> Codes:
    """Grey values of 8 bits, or numbers of a palette, as codes of colours."""
    if codes.dtype == np.uint32:
        return codes
    return codes.astype(np.uint32) * 0x010101 + COLOUR if palette is None else palette[codes]


def text_of(code: int) -> str:
    """`#ff0000`, or the grey value."""
    return f"#{code - COLOUR:06x}" if code >= COLOUR else str(code)


def code_of(text: str) -> int:
    """The other way round; raises ValueError for anything else."""
    return COLOUR + int(text[1:], 16) if text.startswith("#") else int(text)


def channels_of(codes: Codes) -> NDArray[np.int32]:
    """(n,) to (n, 3) or (n, 1): what distances are measured in."""
    flat = codes.astype(np.int64)
    if len(flat) and int(flat.max()) >= COLOUR:
        return np.stack([flat >> 16 & 255, flat >> 8 & 255, flat & 255], 1).astype(np.int32)
    return flat[:, None].astype(np.int32)


def nearest(codes: Codes, known: Codes) -> Codes:
    """Of each code the place of the nearest known one."""
    ours, theirs = channels_of(codes), channels_of(known)
    found = np.empty(len(ours), np.int64)
    for start in range(0, len(ours), 4096):
        part = ours[start : start + 4096]
        found[start : start + 4096] = np.abs(part[:, None] - theirs[None]).max(2).argmin(1)
    return found


def mask_facts(picture: Picture) -> dict[str, Any]:
    """Pixel count of each value, by its text; of smeared values, and of things that are counted."""
    values, counts = count(picture.pixels)
    is_coloured = bool(len(values) and values[-1] >= COLOUR)
    if is_smeared(values, picture.format) or may_be_scaled(values):
        peaks = peaks_of(picture.pixels)
        if peaks is not None and is_less(peaks, values, picture.format):
            shares = np.bincount(nearest(values, peaks), counts, len(peaks)).astype(np.int64)
            told = {text_of(int(peak)): int(count) for peak, count in zip(peaks, shares, strict=True)}
            return {"values": told, "smeared": True}
    if len(values) <= MAX_MASK_VALUES:
        told = {text_of(int(value)): int(count) for value, count in zip(values, counts, strict=True)}
        pieces = 0 if is_coloured else pieces_of(picture.pixels, values)
        return {"values": told} | ({"things": pieces} if pieces else {}) | palette_facts(picture, values)
    if is_coloured:
        raise BadFile("mask_colour")
    return counted_things(values, counts)


def palette_facts(picture: Picture, values: Codes) -> dict[str, Any]:
    """The colour behind each number."""
    palette = picture.palette
    if palette is None:
        return {}
    return {"palette": {text_of(int(value)): text_of(int(palette[value])) for value in values}}


def count(codes: Codes) -> tuple[Codes, Codes]:
    """The values that there are, in order, and how many pixels each has."""
    if codes.dtype == np.uint32:
        return np.unique(codes, return_counts=True)
    counts = np.bincount(codes.reshape(-1))
    values = np.flatnonzero(counts)
    return values.astype(codes.dtype), counts[values]


def pieces_of(codes: Codes, values: Codes) -> int:
    """How many values there are besides 0, where they count from 1 and each is one compact piece; else 0."""
    marks = values[values > 0]
    if len(marks) < 2 or int(marks[-1]) != len(marks):
        return 0
    rows, columns = np.nonzero(codes)
    labels = codes[rows, columns].astype(np.int64)
    sides = []
    for places in (rows, columns):
        low, high = np.full(len(marks) + 1, codes.size), np.zeros(len(marks) + 1, np.int64)
        np.minimum.at(low, labels, places)
        np.maximum.at(high, labels, places)
        sides.append(high[1:] - low[1:] + 1)
    filled = np.bincount(labels, minlength=len(marks) + 1)[1:] / (sides[0] * sides[1])
    return len(marks) if float(np.median(filled)) >= COMPACT else 0


def counted_things(values: Codes, counts: Codes) -> dict[str, Any]:
    """More values than classes can be: each a thing of its own where they count from 1 with few gaps."""
    things = values[values > 0]
    if int(values[0]) < 0 or len(things) * 2 < int(things[-1]):
        raise BadFile("mask_values")
    empty = int(counts[values == 0].sum())
    return {"values": {"0": empty, "1": int(counts.sum()) - empty}, "things": len(things)}


def is_smeared(values: Codes, kind: str) -> bool:
    """Many values round a few."""
    if len(values) > 1 and int(values[-1]) < COLOUR:
        drawn = values[values != 255]
        if int(drawn[-1]) <= MAX_INDEX:
            return False
        return int(np.diff(values.astype(np.int64)).min()) <= 3 and int(values[-1]) < 256
    return len(values) > (2 if kind == "jpeg" else MAX_MASK_VALUES)


def may_be_scaled(values: Codes) -> bool:
    """Black, white and greys between them, as a mask of two values gets when it is enlarged."""
    return len(values) >= 2 + STEPS and int(values[0]) == 0 and int(values[-1]) == 255


def is_less(peaks: Codes, values: Codes, kind: str) -> bool:
    """Whether some values are none of their own.

    A single grey that is nowhere more than a line may be a class, as of borders; several of them are edges.
    """
    lost = len(values) - len(peaks)
    return lost > 0 and (is_smeared(values, kind) or lost >= STEPS)


def peaks_of(codes: Codes) -> Codes | None:
    """What smeared values are smeared from; None where they are not near few of them."""
    inner = codes[1:-1, 1:-1]
    is_calm = np.ones(inner.shape, np.bool_)
    for neighbour in (codes[:-2, 1:-1], codes[2:, 1:-1], codes[1:-1, :-2], codes[1:-1, 2:]):
        is_calm &= inner == neighbour
    values, left = np.unique(inner[is_calm], return_counts=True)
    total, calm, near = codes.size, int(left.sum()), 0
    if calm < CALM_SHARE * total:
        return None
    channels = channels_of(values)
    peaks: list[int] = []
    while len(peaks) <= MAX_MASK_VALUES and left.max() >= max(1.0, LEAST_SHARE * total):
        top = int(left.argmax())
        away = np.abs(channels - channels[top]).max(1)
        near += int(left[away <= CALM_REACH].sum())
        left[away <= REACH] = 0
        peaks.append(int(values[top]))
    if near < NEAR_SHARE * calm:
        return None
    found = np.array(sorted(peaks), values.dtype)
    all_values, counts = count(codes)
    places = nearest(all_values, found)
    away = np.abs(channels_of(all_values) - channels_of(found)[places]).max(1)
    return found if int(counts[away <= REACH].sum()) >= NEAR_SHARE * total else None


def to_classes(
    mask: Picture, meaning: Mapping[int, int], others: int | None, is_nearest: bool
) -> NDArray[np.uint8]:
    """Class index of each pixel; else `others`, or the nearest of smeared masks."""
    codes = mask.pixels
    known = np.array(sorted(meaning))
    if known[-1] >= COLOUR:
        if mask.bits == 16:
            raise BadFile("mask_values")
        codes = as_colours(codes, mask.palette)
    elif codes.dtype == np.uint32:
        raise BadFile("mask_colour")
    values, _ = count(codes)
    spots = np.searchsorted(known, values).clip(max=len(known) - 1)
    is_known = known[spots] == values
    if not is_known.all():
        if others is None and not is_nearest and mask.format != "jpeg":
            raise BadFile("mask_values")
        spots = np.where(is_known, spots, nearest(values, known))
    classes = np.array([meaning[int(value)] for value in known], np.uint8)[spots]
    if others is not None:
        classes = np.where(is_known, classes, np.uint8(others))
    if codes.dtype == np.uint32:
        return classes[np.searchsorted(values, codes)]
    table = np.zeros(int(values[-1]) + 1, np.uint8)
    table[values] = classes
    return table[codes]


def table_of(values: Sequence[int]) -> NDArray[Any]:
    """Values of classes as pixels of a PNG: (n,), or (n, 3) where they are colours."""
    if max(values) >= COLOUR:
        whole = [value if value >= COLOUR else COLOUR + value * 0x010101 for value in values]
        return channels_of(np.array(whole, np.uint32)).astype(np.uint8)
    return np.array(values, np.uint8 if max(values) < 256 else np.uint16)


def classes_from(pixels: Pixels, table: NDArray[Any]) -> NDArray[np.uint8]:
    """The class indices of a picture that was made with `table_of`."""
    codes, known = (as_colours(codes_of(part)) if table.ndim == 2 else part for part in (pixels, table[None]))
    known = known.reshape(-1)
    order = np.argsort(known, kind="stable")
    return order[np.searchsorted(known[order], codes)].astype(np.uint8)


@dataclass(frozen=True)
class MaskCode:
    """What values mean in all masks of a data set: the class of each, -1 for what does not count."""

    values: Mapping[int, int]
    others: int | None = None
    # Masks were smeared: a value is as good as the nearest known one.
    is_nearest: bool = False

    @property
    def is_coloured(self) -> bool:
        return max(self.values) >= COLOUR

    def classes_of(self, codes: Codes) -> NDArray[np.int16]:
        """The class index of each pixel."""
        known = np.array(sorted(self.values))
        if self.is_coloured:
            if codes.dtype not in (np.uint8, np.uint32):
                raise BadFile("mask_values")
            codes = as_colours(codes)
        elif codes.dtype == np.uint32:
            raise BadFile("mask_colour")
        values, places = np.unique(codes, return_inverse=True)
        spots = np.searchsorted(known, values).clip(max=len(known) - 1)
        is_known = known[spots] == values
        if not is_known.all() and self.others is None:
            if not self.is_nearest:
                raise BadFile("mask_values")
            spots = np.where(is_known, spots, nearest(values, known))
        classes = np.array([self.values[int(value)] for value in known], np.int16)[spots]
        if self.others is not None:
            classes = np.where(is_known, classes, np.int16(self.others))
        return classes[places].reshape(codes.shape)

    def codes_of(self, classes: NDArray[np.int16]) -> Codes:
        """A value of each class, so that the masks of a set keep one code."""
        found = np.unique(classes)
        chosen = [self.value_of(int(index)) for index in found]
        if self.is_coloured:
            kind: Any = np.uint32
        elif min(chosen) < 0 or max(chosen) > 65_535:
            kind = np.int32
        else:
            kind = np.uint8 if max(chosen) < 256 else np.uint16
        return np.array(chosen, kind)[np.searchsorted(found, classes)]

    def value_of(self, index: int) -> int:
        values = [value for value, of in self.values.items() if of == index]
        if values:
            return min(values)
        # A class of all other values: any that is not known.
        free = (COLOUR + 0xFFFFFF, COLOUR) if self.is_coloured else range(1, 256)
        return next(value for value in free if value not in self.values)


def mix(
    masks: Sequence[Codes], how: How, kinds: Sequence[int] | None = None, code: MaskCode | None = None
) -> Codes:
    """One mask of several of the same picture; of one alone itself.

    `any`: the first that marks a pixel. `most`: what most say, background where they are even. `kinds`: each
    mask's own value. With the code of their data set the result has the values of that code; without one,
    masks that mark one thing become 0 and 1.
    """
    first = masks[0]
    if len(masks) == 1 and how != "kinds":
        return first
    if any(mask.shape != first.shape for mask in masks):
        raise BadFile("parts_differ")
    if code is not None and how != "kinds":
        classes = [code.classes_of(mask) for mask in masks]
        return code.codes_of(first_of(classes) if how == "any" else voted(classes))
    drawn = alike([drawn_of(mask) for mask in masks])
    if how == "kinds":
        return kinds_of(drawn, kinds or range(1, len(masks) + 1))
    return first_of(drawn) if how == "any" else voted(drawn)


def first_of(masks: Sequence[Codes]) -> Codes:
    """What the first mask says that marks a pixel; 0 is no mark."""
    found = masks[0].copy()
    for mask in masks[1:]:
        found[found == 0] = mask[found == 0]
    return found


def drawn_of(mask: Codes) -> Codes:
    """Without noise, background 0; a mask of two values marks what is not the darker one."""
    values, _ = count(mask)
    if int(values[-1]) >= COLOUR:
        peaks = values if len(values) <= 2 else peaks_of(mask)
        if peaks is None or len(peaks) > 2:
            raise BadFile("mask_colour")
        return (nearest(mask.reshape(-1), peaks) > 0).astype(np.uint8).reshape(mask.shape)
    if is_smeared(values, "jpeg"):
        return (mask > int(values[-1]) // 2).astype(np.uint8)
    if len(values) == 2:
        return (mask == values[1]).astype(np.uint8)
    return mask


def alike(masks: Sequence[Codes]) -> list[Codes]:
    """Where all mark one thing, it is called 1 in each: one reader may have drawn in 1, another in 255."""
    if any(len(count(mask)[0]) > 2 for mask in masks):
        return [np.asarray(mask) for mask in masks]
    return [(mask > 0).astype(np.uint8) for mask in masks]


def kinds_of(masks: Sequence[Codes], kinds: Sequence[int]) -> Codes:
    found = np.zeros(masks[0].shape, np.uint8 if max(kinds) < 256 else np.uint16)
    for mask, kind in zip(masks, kinds, strict=True):
        found[mask > 0] = kind
    return found


def voted(masks: Sequence[Codes]) -> Codes:
    """More than one value may have the most votes: then nothing is marked."""
    values = np.unique(np.concatenate([np.unique(mask) for mask in masks]))
    if len(values) > MAX_MASK_VALUES:
        raise BadFile("mask_values")
    best = np.zeros(masks[0].shape, np.int16)
    found = np.zeros(masks[0].shape, np.result_type(*masks))
    for value in values:
        votes = np.sum([mask == value for mask in masks], axis=0, dtype=np.int16)
        found[votes == best] = 0
        found[votes > best] = value
        best = np.maximum(best, votes)
    return found


def agreement(masks: Sequence[Codes]) -> float | None:
    """Mean Dice of what each two of them mark; None where nobody marks anything."""
    marks = [drawn_of(mask) > 0 for mask in masks]
    scores: list[float] = []
    for index, one in enumerate(marks):
        for other in marks[index + 1 :]:
            both = int(one.sum()) + int(other.sum())
            if one.shape == other.shape and both:
                scores.append(2 * int((one & other).sum()) / both)
    return sum(scores) / len(scores) if scores else None


def as_picture(codes: Codes, palette: Codes | None = None) -> Image.Image:
    """To be saved without loss."""
    if palette is not None:
        image = Image.fromarray(codes.astype(np.uint8), "P")
        image.putpalette(channels_of(palette).astype(np.uint8).tobytes())
        return image
    if codes.dtype == np.uint32:
        return Image.fromarray(channels_of(codes.reshape(-1)).astype(np.uint8).reshape(*codes.shape, 3))
    return Image.fromarray(codes)
