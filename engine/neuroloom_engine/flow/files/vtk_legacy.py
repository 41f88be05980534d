"""Reads legacy VTK files: STRUCTURED_POINTS and evenly spaced RECTILINEAR_GRID, ASCII or binary (most
significant byte first).

After "VTK File Formats" (vtk.org/VTK/img/file-formats.pdf), which has arrays behind keywords, one after the
other.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from .found import File, Limits, Values, guarded, unreadable
from .vtk_grid import Image, check_sides, even_spacing

SIGNATURE = b"# vtk DataFile"
LINE = 4096
MOST_ARRAYS = 100
TYPES = {
    "unsigned_char": "u1",
    "char": "i1",
    "unsigned_short": "u2",
    "short": "i2",
    "unsigned_int": "u4",
    "int": "i4",
    "unsigned_long": "u8",
    "long": "i8",
    "vtkidtype": "i8",
    "float": "f4",
    "double": "f8",
}
KINDS = {"VECTORS": 3, "NORMALS": 3, "TENSORS": 9}


@dataclass(frozen=True)
class Block:
    """Where an array lies; `type` is None in text."""

    offset: int
    count: int
    parts: int
    type: np.dtype | None


class Reader:
    """Goes through a file once and notes where its arrays lie."""

    def __init__(self, file: File, opened: BinaryIO, limits: Limits) -> None:
        self.file, self.opened, self.limits = file, opened, limits
        self.size: list[int] = []
        self.spacing = [1.0, 1.0, 1.0]
        self.arrays: dict[str, Block] = {}
        self.fields: dict[str, float] = {}
        self.points = 0
        self.is_binary = False

    def line(self) -> list[str] | None:
        """The next words; None at the end."""
        while raw := self.opened.readline(LINE):
            if words := raw.decode("latin-1").split():
                return words
        return None

    def read(self) -> None:
        self.opened.readline(LINE)
        self.opened.readline(LINE)
        kind = self.line()
        dataset = self.line()
        if kind not in (["ASCII"], ["BINARY"]) or dataset is None or dataset[0] != "DATASET":
            raise unreadable(self.file.name, "damaged")
        self.is_binary = kind == ["BINARY"]
        if dataset[1:] not in (["STRUCTURED_POINTS"], ["RECTILINEAR_GRID"]):
            raise unreadable(self.file.name, "unsupported_type")
        is_in_points = True
        while (words := self.line()) is not None and len(self.arrays) < MOST_ARRAYS:
            if words[0] in ("POINT_DATA", "CELL_DATA"):
                self.points = int(words[1])
                is_in_points = words[0] == "POINT_DATA"
                check_sides(self.file, self.size, self.spacing, self.limits)
            else:
                self.part(words, is_in_points)

    def part(self, words: list[str], is_in_points: bool) -> None:
        """One keyword and what follows it."""
        name = words[0].upper()
        if name == "DIMENSIONS":
            self.size = [int(one) for one in words[1:4]]
        elif name in ("SPACING", "ASPECT_RATIO"):
            self.spacing = [float(one) for one in words[1:4]]
        elif name in ("X_COORDINATES", "Y_COORDINATES", "Z_COORDINATES"):
            block = self.block(int(words[1]), 1, words[2])
            self.spacing["XYZ".index(name[0])] = even_spacing(self.file, self.values(block)[:, 0])
        elif name == "SCALARS":
            parts = int(words[3]) if len(words) > 3 else 1
            self.opened.readline(LINE)
            self.keep(words[1], self.block(self.points, parts, words[2]), is_in_points)
        elif name in KINDS:
            self.keep(words[1], self.block(self.points, KINDS[name], words[2]), is_in_points)
        elif name == "FIELD":
            for _ in range(min(int(words[2]), MOST_ARRAYS)):
                self.field(is_in_points)
        elif name == "COLOR_SCALARS":
            self.block(self.points, int(words[2]), "unsigned_char" if self.is_binary else "float")
        elif name == "LOOKUP_TABLE":
            self.block(int(words[2]), 4, "unsigned_char" if self.is_binary else "float")
        elif name == "METADATA":
            # Ends with an empty line.
            while self.opened.readline(LINE).strip():
                pass

    def field(self, is_in_points: bool) -> None:
        words = self.line()
        while words is not None and words[0] == "METADATA":
            while self.opened.readline(LINE).strip():
                pass
            words = self.line()
        if words is None or len(words) < 4:
            raise unreadable(self.file.name, "truncated")
        block = self.block(int(words[2]), int(words[1]), words[3])
        if self.points and block.count == self.points:
            self.keep(words[0], block, is_in_points)
        elif block.count * block.parts == 1:
            self.fields["TimeValue" if words[0] == "TIME" else words[0]] = float(self.values(block)[0, 0])

    def keep(self, name: str, block: Block, is_in_points: bool) -> None:
        if is_in_points and block.count == int(np.prod(self.size)):
            self.arrays[name] = block

    def block(self, count: int, parts: int, kind: str) -> Block:
        """Where an array begins, whose end the file goes on from."""
        if not (count > 0 and 0 < parts <= 9) or kind.lower() not in TYPES:
            raise unreadable(self.file.name, "damaged" if kind.lower() in TYPES else "unsupported_type")
        self.limits.check(8 * count * parts)
        stored = np.dtype(">" + TYPES[kind.lower()])
        block = Block(self.opened.tell(), count, parts, stored if self.is_binary else None)
        if self.is_binary:
            end = block.offset + count * parts * stored.itemsize
            if end > self.file.path.stat().st_size:
                raise unreadable(self.file.name, "truncated")
            self.opened.seek(end)
        else:
            numbers_in_text(self.file, self.opened, block)
        return block

    def values(self, block: Block) -> Values:
        here = self.opened.tell()
        values = read_block(self.file, self.opened, block)
        self.opened.seek(here)
        return values


def open_legacy(file: File, limits: Limits) -> Image:
    with file.path.open("rb") as opened:
        reader = Reader(file, opened, limits)
        guarded(file.name, reader.read)
    check_sides(file, reader.size, reader.spacing, limits)
    x, y, z = reader.size
    a, b, c = reader.spacing
    arrays = {name: block.parts for name, block in reader.arrays.items()}
    return Image(file, (x, y, z), (a, b, c), arrays, partial(load, file, reader.arrays), fields=reader.fields)


def load(file: File, blocks: dict[str, Block], name: str) -> Values:
    with file.path.open("rb") as opened:
        return read_block(file, opened, blocks[name])


def read_block(file: File, opened: BinaryIO, block: Block) -> Values:
    """(points, parts)."""
    opened.seek(block.offset)
    if block.type is None:
        return numbers_in_text(file, opened, block)
    content = opened.read(block.count * block.parts * block.type.itemsize)
    return np.frombuffer(content, block.type).reshape(block.count, block.parts)


def numbers_in_text(file: File, opened: BinaryIO, block: Block) -> Values:
    wanted = block.count * block.parts
    with warnings.catch_warnings():
        # Where a word is no number it warns, and gives fewer.
        warnings.simplefilter("ignore", DeprecationWarning)
        values = np.fromfile(opened, np.float64, wanted, sep=" ")
    if values.size < wanted:
        raise unreadable(file.name, "truncated")
    return values.reshape(block.count, block.parts)


def is_legacy(path: Path) -> bool:
    with path.open("rb") as opened:
        return opened.read(len(SIGNATURE)) == SIGNATURE
