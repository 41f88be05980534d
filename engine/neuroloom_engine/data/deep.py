"""Colours of 16 bits a channel, of which Pillow keeps the upper 8 alone.

What a camera of 12 bits wrote would be nearly black, and numbers of classes would all be 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Deep = NDArray[np.uint16]

KINDS = {"png": "PNG", "tiff": "TIFF"}
MODES = ("RGB", "RGBX", "RGBA", "LA")
# What Pillow calls the order of the two bytes of a channel; read the other way round, the lower one is kept.
OTHER = {";16B": ";16L", ";16L": ";16B", ";16N": ";16B" if sys.byteorder == "little" else ";16L"}
GREY_AND_ALPHA = "LA;16B"


def has_deep_colours(image: Image.Image) -> bool:
    """Of a picture that is open and not loaded."""
    return image.mode in MODES and any(";16" in raw for raw in raws_of(image))


def read_deep(path: Path, kind: str, prepare: Callable[[Image.Image], None]) -> Deep | None:
    """(h, w, 3) or (h, w, 4) of a file that was read before without an error; None without such colours.

    `prepare` makes an open picture ready to be loaded, as it was the first time.
    """
    if kind not in KINDS:
        return None
    with opened(path, kind) as image:
        if not has_deep_colours(image):
            return None
        is_grey = raws_of(image) == [GREY_AND_ALPHA]
    if is_grey:
        # Four bytes a pixel: both of the grey, both of the alpha.
        stored = half(path, kind, prepare, lambda _: "RGBA")
        return joined(stored[..., 0::2], stored[..., 1::2])[..., [0, 0, 0, 1]]
    upper = half(path, kind, prepare, lambda raw: raw)
    lower = half(path, kind, prepare, lambda raw: raw[:-4] + OTHER[raw[-4:]])
    return joined(upper, lower)


def joined(upper: NDArray[np.uint8], lower: NDArray[np.uint8]) -> Deep:
    return np.bitwise_or(np.left_shift(upper, 8, dtype=np.uint16), lower, dtype=np.uint16)


def opened(path: Path, kind: str) -> Image.Image:
    return Image.open(path, formats=(KINDS[kind],))


def half(
    path: Path, kind: str, prepare: Callable[[Image.Image], None], rename: Callable[[str], str]
) -> NDArray[np.uint8]:
    """The bytes that Pillow keeps where it takes the pixels for `rename` of what they are."""
    with opened(path, kind) as image:
        prepare(image)
        tiles = cast(Any, image).tile
        cast(Any, image).tile = [with_raw(tile, rename(raw_of(tile))) for tile in tiles]
        if raws_of(image) == ["RGBA"]:
            # Later versions of Pillow know a mode of grey and alpha, which has no place for all bytes.
            setattr(image, "_mode" if hasattr(image, "_mode") else "mode", "RGBA")
        image.load()
        return np.asarray(image)


def raws_of(image: Image.Image) -> list[str]:
    return sorted({raw_of(tile) for tile in getattr(image, "tile", [])})


def raw_of(tile: Any) -> str:
    """How the bytes of a pixel lie in the file, as its decoder is told."""
    told = tile[3]
    return str(told if isinstance(told, str) else told[0])


def with_raw(tile: Any, raw: str) -> Any:
    told = raw if isinstance(tile[3], str) else (raw, *tile[3][1:])
    return tile._replace(args=told) if hasattr(tile, "_replace") else (*tile[:3], told)
