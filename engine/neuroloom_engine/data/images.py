"""Reads image files that may be broken or hostile.

Size by header first, few formats, one reason per refusal.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile

from .deep import Deep, read_deep

# Readers that never start another program and that people's data comes in.
FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF", "PPM")
# Kinds in which cameras note how they were held, and how a picture is turned for each note (EXIF 0x0112).
TURNED = ("jpeg", "tiff", "webp")
SUBFILE_TAG, MAX_PAGES = 0x00FE, 10_000
TURN_TAG, WIDTH_TAG, HEIGHT_TAG = 0x0112, 0x0100, 0x0101
# How grey is meant in TIFF; 0: the smallest number is white.
PHOTOMETRIC_TAG = 0x0106
BITS_TAG, PLANES_TAG = 0x0102, 0x011C
TIFF_STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
MAX_PIXELS = 100_000_000

Pixels = NDArray[Any]

# The limit is checked by `open_image`, by name and before a pixel is decoded; PIL's own guess only warns.
Image.MAX_IMAGE_PIXELS = None
warnings.filterwarnings("ignore", module="PIL")


class BadFile(ValueError):
    """A file that cannot be used; `reason` is one of the contract's file reasons."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Picture:
    """Pixels as (h, w) when grey, else (h, w, 3); uint8, or uint16 for deeper files.

    Of floats (32 bits) from their darkest to their brightest value: nothing else tells what is black.
    """

    pixels: Pixels
    format: str
    bits: int
    # The camera's note that was followed; 1: none.
    turn: int = 1
    # Of a mask whose pixels are numbers of a palette: the code of the colour behind each.
    palette: Pixels | None = None

    @property
    def channels(self) -> int:
        return 1 if self.pixels.ndim == 2 else 3


def read_picture(path: Path, max_pixels: int = MAX_PIXELS) -> Picture:
    """An image.

    Alpha and equal colour channels are dropped, palettes resolved; turned as its camera noted (EXIF).
    """
    image, kind, turn = open_image(path, max_pixels)
    mode = image.mode
    if mode == "F":
        values = np.asarray(image, np.float32)
        return Picture(stretched(-values if is_white_zero(path, kind) else values), kind, 32, turn)
    if mode in ("I", "I;16", "I;16B", "I;16L", "I;16N"):
        numbers = sixteen_bit(image)
        # Of 8 bits and less Pillow turns it round itself.
        return Picture(65_535 - numbers if is_white_zero(path, kind) else numbers, kind, 16, turn)
    deep = deep_colours(path, kind, turn)
    if deep is not None:
        return Picture(without_colour(without_alpha(deep)), kind, 16, turn)
    if mode in ("1", "L"):
        return Picture(np.asarray(image.convert("L")), kind, 1 if mode == "1" else 8, turn)
    if mode not in ("LA", "La", "P", "PA", "RGB", "RGBA", "RGBX", "RGBa", "CMYK", "YCbCr"):
        raise BadFile("unsupported_mode")
    has_alpha = mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info
    pixels = np.asarray(image.convert("RGBA" if has_alpha else "RGB"))
    return Picture(without_colour(without_alpha(pixels)), kind, 8, turn)


def deep_colours(path: Path, kind: str, turn: int) -> Deep | None:
    """Colours of 16 bits a channel; of a file that `open_image` has read."""

    def prepare(image: Image.Image) -> None:
        if kind == "tiff" and turn != 1:
            as_stored(image)

    return read_deep(path, kind, prepare)


def is_white_zero(path: Path, kind: str) -> bool:
    """Whether a TIFF counts from white to black, as scanned films do."""
    if kind != "tiff":
        return False
    with Image.open(path, formats=("TIFF",)) as image:
        return getattr(image, "tag_v2", {}).get(PHOTOMETRIC_TAG) == 0


def noted_turn(image: Image.Image, kind: str) -> int:
    """How its camera was held (EXIF); an unreadable note says nothing."""
    if kind not in TURNED:
        return 1
    try:
        turn = int(image.getexif().get(TURN_TAG, 1))
    except Exception:  # decoders raise errors of many kinds for broken notes
        return 1
    return turn if turn in TURNS else 1


def open_image(path: Path, max_pixels: int) -> tuple[Image.Image, str, int]:
    """The decoded image as it was seen when it was taken, its format and the note that said so.

    Only the first frame is read.
    """
    if path.stat().st_size == 0:
        raise BadFile("empty")
    try:
        image = Image.open(path, formats=FORMATS)
    except Exception as error:
        reason = "unsupported_mode" if is_other_tiff(path) else "not_an_image"
        raise as_bad_file(error, reason) from error
    with image:
        width, height = image.size
        if width * height > max_pixels:
            raise BadFile("too_large")
        kind = (image.format or "").lower()
        # Several pictures in one JPEG, as phones write them: the first one.
        kind = "jpeg" if kind == "mpo" else kind
        if kind == "tiff" and has_deep_planes(image):
            raise BadFile("unsupported_mode")
        # Pillow turns a TIFF when it loads it, and later ones then forget the note.
        turn = noted_turn(image, kind)
        if kind == "tiff" and turn != 1:
            as_stored(image)
        try:
            image.load()
        except Exception as error:
            raise as_bad_file(error, "truncated") from error
        if turn != 1 and kind != "tiff":
            image = image.transpose(TURNS[turn])
        return image.copy() if kind == "gif" else image, kind, turn


def has_deep_planes(image: Image.Image) -> bool:
    """Of a TIFF whose channels lie one behind the other: Pillow takes each byte of theirs for a pixel."""
    tags = getattr(image, "tag_v2", {})
    return tags.get(PLANES_TAG) == 2 and len(tags.get(BITS_TAG, ())) > 1 and max(tags[BITS_TAG]) > 8


def is_other_tiff(path: Path) -> bool:
    """Whether it is a TIFF of pixels that are not known here: of two or five channels, of complex numbers."""
    with path.open("rb") as file:
        if file.read(4) not in TIFF_STARTS:
            return False
    try:
        TiffImageFile(path).close()
    except SyntaxError as error:
        return "unknown" in str(error)
    except Exception:  # decoders raise errors of many kinds for broken files
        return False
    return False


def pages_of(path: Path, kind: str) -> int:
    """How many pictures of the first one's size the file holds; only the first is read.

    Previews and coarser levels of the same picture are no pages.
    """
    if kind not in ("tiff", "gif", "webp", "png"):
        return 1
    try:
        with Image.open(path, formats=FORMATS) as image:
            frames = min(int(getattr(image, "n_frames", 1)), MAX_PAGES)
            if kind != "tiff":
                return frames
            first, pages = image.size, 0
            for frame in range(frames):
                image.seek(frame)
                is_preview = int(getattr(image, "tag_v2", {}).get(SUBFILE_TAG, 0)) & 1
                pages += image.size == first and not is_preview
            return max(1, pages)
    except Exception:  # decoders raise errors of many kinds for broken files; what is read is the first page
        return 1


def as_stored(image: Image.Image) -> None:
    """Gives a TIFF the size of its rows as they lie in the file.

    Pillow 12 tells the size that a turned one will have, and reads one without compression by that: its rows
    come out torn.
    """
    tags = getattr(image, "tag_v2", {})
    stored = (int(tags.get(WIDTH_TAG, image.width)), int(tags.get(HEIGHT_TAG, image.height)))
    if sorted(stored) == sorted(image.size):
        image._size = stored


def as_bad_file(error: Exception, reason: str) -> Exception:
    """Memory and missing files stay what they are; whatever else a decoder raises means a bad file."""
    return error if isinstance(error, MemoryError | FileNotFoundError) else BadFile(reason)


def sixteen_bit(image: Image.Image) -> Pixels:
    pixels = np.asarray(image)
    if pixels.min() < 0 or pixels.max() > 65535:
        raise BadFile("unsupported_mode")
    return pixels.astype(np.uint16)


def stretched(values: NDArray[np.float32]) -> Pixels:
    """Finite floats over the whole range of uint16."""
    if not np.isfinite(values).all():
        raise BadFile("not_finite")
    low, high = float(values.min()), float(values.max())
    shares = (values.astype(np.float64) - low) / ((high - low) or 1.0)
    return (shares * 65535 + 0.5).astype(np.uint16)


def without_alpha(pixels: Pixels) -> Pixels:
    """Constant alpha says nothing and is dropped; varying alpha is laid over black.

    Where nothing but black is left, it was drawn in black on nothing: the alpha is what is seen.
    """
    if pixels.shape[2] == 3:
        return pixels
    alpha = pixels[..., 3]
    if int(alpha.min()) == int(alpha.max()):
        return pixels[..., :3]
    top = int(np.iinfo(pixels.dtype).max)
    laid = (pixels[..., :3].astype(np.uint32) * alpha[..., None] // top).astype(pixels.dtype)
    return laid if laid.any() else np.repeat(alpha[..., None], 3, 2)


def without_colour(pixels: Pixels) -> Pixels:
    """Three equal channels are one."""
    first = pixels[..., 0]
    if np.array_equal(first, pixels[..., 1]) and np.array_equal(first, pixels[..., 2]):
        return np.ascontiguousarray(first)
    return np.ascontiguousarray(pixels)


def as_uint8(picture: Picture, channels: int) -> NDArray[np.uint8]:
    """(h, w, channels) for the network.

    Deep files are stretched from their darkest to their brightest pixel.
    """
    pixels = picture.pixels
    if pixels.dtype == np.uint16:
        low, high = int(pixels.min()), int(pixels.max())
        pixels = ((pixels.astype(np.float32) - low) * (255 / max(1, high - low)) + 0.5).astype(np.uint8)
    if pixels.ndim == 3 and channels == 1:
        pixels = np.asarray(Image.fromarray(pixels).convert("L"))
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], channels, axis=2)
    return np.ascontiguousarray(pixels)


def resize(pixels: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """Antialiased resize of (h, w, c)."""
    if pixels.shape[:2] == (height, width):
        return pixels
    flat = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    image = Image.fromarray(flat).resize((width, height), Image.Resampling.BILINEAR)
    return cast(NDArray[np.uint8], np.asarray(image).reshape(height, width, pixels.shape[2]))
