"""Single pictures of DICOM, drawn as the product draws them for its networks: grey by a window, or colours.

Needs numpy alone, so it reads what is not compressed. What it cannot read as the product does is refused with
what helps instead.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

# Transfer syntaxes (PS3.5, annex A) whose pixels lie in the file as they are.
IMPLICIT, EXPLICIT = "1.2.840.10008.1.2", "1.2.840.10008.1.2.1"
DEFLATED, BIG_ENDIAN = "1.2.840.10008.1.2.1.99", "1.2.840.10008.1.2.2"
# Types of values whose length takes four bytes.
LONG_TYPES = tuple(b"OB OW OF OD OL OV SQ UC UN UR UT SV UV".split())
NUMBER_TYPES = {b"US": "H", b"SS": "h", b"UL": "I", b"SL": "i", b"FL": "f", b"FD": "d"}
ITEM, ITEM_END, ITEMS_END, UNDEFINED = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD, 0xFFFFFFFF
PIXELS, FUNCTIONAL_GROUPS, DOSE_SCALING = 0x7FE00010, (0x52009229, 0x52009230), 0x3004000E
# Machines of half the world write a comma.
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
INSTEAD = "convert it to PNG in the product's cloud storage, and take that file"
# How many values are looked at, which share is left out at either end, and of how few none.
SOME_VALUES, SHARE_LEFT, FEW_VALUES = 262_144, 0.005, 20
# From which share on the least value is a background, how much wider all values lie than the usual ones, and
# how many greys a screen has.
BACKGROUND, WIDER, GREYS = 0.1, 1.5, 255


def is_dicom(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(132)[128:] == b"DICM" or path.suffix.lower() in (".dcm", ".dicom")


def dicom_levels(path: Path, reading: dict[str, Any] | None) -> Any:
    """(h, w) or (h, w, 3) of uint8; `reading` has the window that was chosen for the training, or none."""
    if reading is None:
        raise ValueError(f"the network does not say how DICOM is shown to it: train it again, or {INSTEAD}")
    try:
        return drawn(DicomFile(path.read_bytes()), reading.get("window"))
    except (IndexError, KeyError, struct.error, zlib.error) as error:
        raise ValueError(f"it is no whole DICOM file with a picture: {error}") from error


class DicomFile:
    """Elements at the top of a file by their tags, up to the pixels."""

    def __init__(self, content: bytes) -> None:
        if content[128:132] != b"DICM":
            raise ValueError(f"it does not begin as DICOM files do: {INSTEAD}")
        self.order, self.is_explicit, self.content = "<", True, content
        self.found: dict[int, tuple[bytes, bytes]] = {}
        start = 132
        for tag, kind, at, length in self.elements(start):
            if tag >> 16 != 2:
                break
            self.found[tag], start = (kind, content[at : at + length]), at + length
        syntax = self.text(0x00020010)
        if syntax not in (IMPLICIT, EXPLICIT, DEFLATED, BIG_ENDIAN):
            raise ValueError(f"its pixels are compressed: {INSTEAD}")
        if syntax == DEFLATED:
            self.content, start = zlib.decompressobj(-15).decompress(content[start:]), 0
        self.order, self.is_explicit = ">" if syntax == BIG_ENDIAN else "<", syntax != IMPLICIT
        for tag, kind, at, length in self.elements(start):
            self.found[tag] = kind, b"" if length == UNDEFINED else self.content[at : at + length]
            if tag == PIXELS:
                break

    def elements(self, at: int) -> Iterator[tuple[int, bytes, int, int]]:
        """Tag, type, beginning and length of each value from `at` on."""
        while at + 8 <= len(self.content):
            group, element = struct.unpack_from(self.order + "2H", self.content, at)
            tag, kind = group << 16 | element, self.content[at + 4 : at + 6]
            if group == 0xFFFE or not self.is_explicit:
                kind, begin = b"", at + 8
                (length,) = struct.unpack_from(self.order + "I", self.content, at + 4)
            elif kind in LONG_TYPES:
                begin = at + 12
                (length,) = struct.unpack_from(self.order + "I", self.content, at + 8)
            else:
                begin = at + 8
                (length,) = struct.unpack_from(self.order + "H", self.content, at + 6)
            yield tag, kind, begin, length
            at = begin + length if length != UNDEFINED else self.after_items(begin)

    def after_items(self, at: int) -> int:
        """Where a sequence without a length ends."""
        while True:
            group, element, length = struct.unpack_from(self.order + "2HI", self.content, at)
            tag, at = group << 16 | element, at + 8
            if tag == ITEMS_END:
                return at
            if tag != ITEM:
                raise ValueError("it is damaged")
            if length != UNDEFINED:
                at += length
                continue
            for inner, _, begin, _ in self.elements(at):
                if inner == ITEM_END:
                    at = begin
                    break

    def text(self, tag: int) -> str:
        return self.found.get(tag, (b"", b""))[1].decode("latin-1").replace("\0", "").strip()

    def numbers(self, tag: int) -> list[float]:
        """None where there is nothing; what is no number is NaN."""
        kind, value = self.found.get(tag, (b"", b""))
        code = NUMBER_TYPES.get(kind or (b"US" if tag >> 16 == 0x28 and tag & 0xFFFF < 0x104 else b""))
        # Of files that name no types, these of this group are written as text.
        if kind == b"" and tag in (0x00280004, 0x00280008, 0x00280030, 0x00280034):
            code = None
        if code is not None:
            count = len(value) // struct.calcsize(code)
            return [float(one) for one in struct.unpack_from(f"{self.order}{count}{code}", value)]
        text = self.text(tag)
        return [] if text == "" else [number_of(one.strip()) for one in text.split("\\")]

    def number(self, tag: int, otherwise: float) -> float:
        found = self.numbers(tag)
        return found[0] if found else otherwise


def number_of(text: str) -> float:
    try:
        return float(text.replace(",", ".") if DECIMAL_COMMA.fullmatch(text) else text)
    except ValueError:
        return float("nan")


def drawn(file: DicomFile, window: dict[str, float] | None) -> Any:
    """As on a screen."""
    stored = stored_numbers(file)
    if stored.ndim == 3:
        return stored.astype(np.uint8) if stored.dtype == np.uint8 else (stored >> 8).astype(np.uint8)
    slope, intercept = file.number(0x00281053, 1.0), file.number(0x00281052, 0.0)
    if np.isnan(slope) or np.isnan(intercept):
        raise ValueError("its slope or intercept cannot be read: its numbers stand for no values")
    slope = slope or 1.0
    is_turned = file.text(0x00280004) == "MONOCHROME1"
    own = own_window(file)
    is_plain = stored.dtype == np.uint8 and (slope, intercept) == (1, 0) and not is_turned
    if window is None and own is None and is_plain:
        return stored
    values = stored.astype(np.float64) * slope + intercept
    if window is not None:
        own = window["center"], window["width"]
    center, width = own or usual_window(values)
    shades = np.floor(((values - (center - width / 2)) / width).clip(0, 1) * 255 + 0.5).astype(np.uint8)
    return 255 - shades if is_turned else shades


def stored_numbers(file: DicomFile) -> Any:
    """(h, w), or (h, w, 3) of red, green and blue."""
    rows, columns = int(file.number(0x00280010, 0)), int(file.number(0x00280011, 0))
    channels, bits = int(file.number(0x00280002, 1)), int(file.number(0x00280100, 0))
    stored = int(file.number(0x00280101, bits))
    high, is_signed = int(file.number(0x00280102, stored - 1)), file.number(0x00280103, 0) == 1
    if file.number(0x00280008, 1) != 1:
        raise ValueError(f"it holds several pictures, where one is needed: {INSTEAD}")
    colours = ("RGB",) if channels == 3 else ("MONOCHROME1", "MONOCHROME2")
    is_known = file.text(0x00280004) in colours and bits in (8, 16) and 0 < stored <= bits
    is_known = is_known and not any(tag in file.found for tag in (*FUNCTIONAL_GROUPS, DOSE_SCALING))
    if PIXELS not in file.found or not is_known:
        raise ValueError(f"it holds no picture of a kind that is read here: {INSTEAD}")
    kind, content = file.found[PIXELS]
    if file.order == ">" and bits == 8 and kind == b"OW":
        content = np.frombuffer(content, "<u2").byteswap().tobytes()
    dtype = np.dtype(f"{file.order}{'i' if is_signed else 'u'}{bits // 8}")
    count = rows * columns * channels
    if count == 0 or len(content) < count * dtype.itemsize:
        raise ValueError("it is not complete")
    numbers = np.frombuffer(content, dtype, count).astype(dtype.newbyteorder("="))
    if stored != bits:
        # Bits beyond those that count may hold anything, such as overlays.
        part = (numbers.astype(np.int64) >> max(high + 1 - stored, 0)) & ((1 << stored) - 1)
        numbers = (part - ((part >> (stored - 1) & int(is_signed)) << stored)).astype(numbers.dtype)
    if channels == 1:
        return numbers.reshape(rows, columns)
    if file.number(0x00280006, 0) == 1:
        return numbers.reshape(3, rows, columns).transpose(1, 2, 0)
    return numbers.reshape(rows, columns, 3)


def own_window(file: DicomFile) -> tuple[float, float] | None:
    centers, widths = file.numbers(0x00281050), file.numbers(0x00281051)
    pairs = (
        (center, width)
        for center, width in zip(centers, widths, strict=False)
        if np.isfinite(center) and width > 0
    )
    return next(pairs, None)


def usual_window(values: Any) -> tuple[float, float]:
    """Holds nearly all values: single outliers are left out."""
    flat = values.reshape(-1)
    low, high = least, most = float(flat.min()), float(flat.max())
    step = max(1, flat.size // SOME_VALUES) | 1
    some = np.sort(flat[::step])
    if most - least > GREYS and some.size >= FEW_VALUES:
        background = int(np.searchsorted(some, some[0], "right"))
        bright = some[background:] if background >= some.size * BACKGROUND else some
        start, end = float(some[left_out(some.size)]), most
        if bright.size > 0:
            end = float(bright[bright.size - 1 - left_out(bright.size)])
        if end > start and most - least > WIDER * (end - start):
            low, high = start, end
    return low / 2 + high / 2, max(high - low, 1e-9)


def left_out(count: int) -> int:
    return 0 if count < FEW_VALUES else int(np.ceil(count * SHARE_LEFT))
