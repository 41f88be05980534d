"""Reads volumes as NRRD with their voxels in the same file; files may be broken or hostile.

Fields after "Definition of NRRD File Format" (teem.sourceforge.net/nrrd/format.html). They become what a
NIfTI header says, so that nothing else has to know of it. Needs no torch.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import numpy as np

from .images import BadFile
from .volumes import MAX_SIDE, Floats, Header, Voxels, is_sound, letters_of

MAGIC = b"NRRD000"
# Scanners and segment editors write some kilobytes.
MOST_HEADER = 1 << 20
TYPES = {
    **dict.fromkeys(("signed char", "int8", "int8_t"), "i1"),
    **dict.fromkeys(("uchar", "unsigned char", "uint8", "uint8_t"), "u1"),
    **dict.fromkeys(("short", "short int", "signed short", "int16", "int16_t"), "i2"),
    **dict.fromkeys(("ushort", "unsigned short", "uint16", "uint16_t"), "u2"),
    **dict.fromkeys(("int", "signed int", "int32", "int32_t"), "i4"),
    **dict.fromkeys(("uint", "unsigned int", "uint32", "uint32_t"), "u4"),
    **dict.fromkeys(("longlong", "long long", "int64", "int64_t"), "i8"),
    **dict.fromkeys(("ulonglong", "unsigned long long", "uint64", "uint64_t"), "u8"),
    "float": "f4",
    "double": "f8",
}
# To right, front and head, as NIfTI counts; the file's own letters by their first ones.
SPACES = {
    "right-anterior-superior": (1, 1, 1),
    "ras": (1, 1, 1),
    "left-anterior-superior": (-1, 1, 1),
    "las": (-1, 1, 1),
    "left-posterior-superior": (-1, -1, 1),
    "lps": (-1, -1, 1),
}


def is_nrrd(start: bytes) -> bool:
    return start[: len(MAGIC)] == MAGIC


def read_nrrd(path: Path, max_voxels: int) -> tuple[Header, Voxels]:
    """Voxels (depth, height, width) of the stored type."""
    with path.open("rb") as file:
        fields, length = fields_of(file.read(MOST_HEADER))
        header = header_of(fields, max_voxels)
        file.seek(length)
        wanted = int(np.prod(header.size, dtype=np.int64)) * header.type.itemsize
        encoding = fields.get("encoding", "raw").lower()
        try:
            if encoding in ("gzip", "gz"):
                content = gzip.GzipFile(fileobj=BytesIO(file.read())).read(wanted)
            elif encoding == "raw":
                content = file.read(wanted)
            else:
                raise BadFile("unsupported_mode")
        except (OSError, EOFError, zlib.error) as error:
            raise BadFile("truncated") from error
    if len(content) < wanted:
        raise BadFile("truncated")
    voxels = np.frombuffer(content, header.type).reshape(header.size)
    return header, voxels.astype(header.type.newbyteorder("="), copy=False)


def read_nrrd_header(path: Path, max_voxels: int) -> Header:
    """Without the voxels."""
    with path.open("rb") as file:
        fields, _ = fields_of(file.read(MOST_HEADER))
    return header_of(fields, max_voxels)


def fields_of(start: bytes) -> tuple[Mapping[str, str], int]:
    """By their names in small letters, and where the voxels begin: behind the first empty line."""
    fields: dict[str, str] = {}
    place = 0
    while True:
        end = start.find(b"\n", place)
        if end < 0:
            raise BadFile("truncated")
        line = start[place:end].rstrip(b"\r").decode("latin-1")
        place = end + 1
        if line == "":
            return fields, place
        name, colon, value = line.partition(":")
        # Keys with `:=` are notes; a line without a colon is the magic.
        if colon and not value.startswith("=") and not line.startswith("#"):
            fields[name.strip().lower()] = value.strip()


def header_of(fields: Mapping[str, str], max_voxels: int) -> Header:
    """Of a volume of one number a voxel; any claim that cannot be true is refused."""
    kind = TYPES.get(fields.get("type", "").lower())
    if kind is None or any(name in fields for name in ("data file", "datafile", "line skip", "byte skip")):
        raise BadFile("unsupported_mode")
    try:
        sides = [int(side) for side in fields["sizes"].split()]
        directions, origin = place_of(fields)
    except (KeyError, ValueError, IndexError) as error:
        raise BadFile("not_a_volume") from error
    if len(sides) != 3 or fields.get("dimension") != "3" or min(sides) < 1:
        raise BadFile("not_a_volume")
    if float(np.prod(sides, dtype=np.float64)) > max_voxels or max(sides) > MAX_SIDE:
        raise BadFile("too_large")
    is_big = fields.get("endian", "little").lower() == "big"
    is_placed = "space directions" in fields
    lengths = np.linalg.norm(directions, axis=0)
    if directions.shape != (3, 3) or not (np.isfinite(lengths) & (lengths > 0)).all():
        raise BadFile("not_a_volume")
    if is_placed and not is_sound(directions):
        raise BadFile("not_a_volume")
    rows = np.column_stack([directions, origin]).reshape(-1)
    width, height, depth = (float(one) for one in lengths)
    return Header(
        size=(sides[2], sides[1], sides[0]),
        type=np.dtype((">" if is_big else "<") + kind),
        offset=0,
        slope=1.0,
        intercept=0.0,
        spacing=(depth, height, width),
        orientation=letters_of(directions) if is_placed else None,
        place=struct.pack("<2h18f", 0, int(is_placed), *[0.0] * 6, *rows),
        pixdim=(1.0, width, height, depth, 1.0, 1.0, 1.0, 1.0),
        units=2,
    )


def place_of(fields: Mapping[str, str]) -> tuple[Floats, Floats]:
    """(3, 3) with a column an axis, and where the first voxel's middle lies, as NIfTI counts."""
    text = fields.get("space directions")
    if text is None:
        sides = [float(one) for one in fields.get("spacings", "1 1 1").split()]
        return np.diag(sides[:3]), np.zeros(3)
    signs = np.array(SPACES.get(fields.get("space", "").lower(), (1, 1, 1)), np.float64)
    axes = [vector(one) for one in text.replace(", ", ",").split()]
    origin = vector(fields.get("space origin", "(0,0,0)").replace(" ", ""))
    return np.column_stack(axes[:3]) * signs[:, None], origin * signs


def vector(text: str) -> Floats:
    numbers = np.array([float(one) for one in text.strip("()").split(",")], np.float64)
    if numbers.shape != (3,) or not np.isfinite(numbers).all():
        raise ValueError(text)
    return numbers
