"""Reads and writes volumes as NIfTI-1 and NIfTI-2, plain or gzipped, and reads arrays of NumPy.

Fields after nifti1.h of the NIfTI data format working group (2007) and nifti2.h (2011). What a file is, its
bytes tell, never its name; it may be broken or hostile. Needs no torch.
"""

from __future__ import annotations

import gzip
import io
import math
import struct
import zlib
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from .images import MAX_PIXELS, BadFile, as_bad_file
from .masks import MAX_MASK_VALUES, WHOLE_REACH, counted_things

Voxels = NDArray[Any]
Floats = NDArray[np.float64]

# By the header's `datatype`; colours, complex numbers and 128-bit floats are no measured values.
TYPES = {
    2: "u1",
    4: "i2",
    8: "i4",
    16: "f4",
    64: "f8",
    256: "i1",
    512: "u2",
    768: "u4",
    1024: "i8",
    1280: "u8",
}
KNOWN_TYPES = {*TYPES, 1, 32, 128, 1536, 1792, 2048, 2304}
# Millimetres in the unit that `xyzt_units` names; 0 is unknown and taken for millimetres.
UNITS = {0: 1.0, 1: 1000.0, 2: 1.0, 3: 0.001}
HEADER_BYTES = {1: 348, 2: 540}
# Extensions between header and voxels hold tables of scanners, some kilobytes.
MAX_OFFSET = 64_000_000
# Sides are stored as 16-bit numbers in NIfTI-1, which results are written in.
MAX_SIDE = 32_767
CHUNK = 1 << 20
NUMPY_MAGIC = b"\x93NUMPY"
PLACE_BYTES = struct.calcsize("<2h18f")
LETTERS = (("L", "R"), ("P", "A"), ("I", "S"))


@dataclass(frozen=True)
class Header:
    """What a file says of its voxels. `size` and `spacing` in the order depth, height, width."""

    size: tuple[int, int, int]
    type: np.dtype[Any]
    offset: int
    slope: float
    intercept: float
    # In mm.
    spacing: tuple[float, float, float]
    # Where depth, height and width point, as letters of L/R, A/P, S/I; None where the file does not say.
    orientation: str | None
    # The fields that place the volume in space, as they are written to a NIfTI-1 file.
    place: bytes
    pixdim: tuple[float, ...]
    units: int
    # What lies in the file; an array of NumPy says neither how large its voxels are nor where it lies.
    format: str = "nifti"
    # The first axis runs fastest (NumPy).
    is_fortran: bool = False


@dataclass(frozen=True)
class Volume:
    """Voxels as (depth, height, width): of the stored type, or float32 where the header scales them."""

    voxels: Voxels
    header: Header


def read_volume(path: Path, max_voxels: int = MAX_PIXELS) -> Volume:
    """A volume of finite numbers."""
    header, raw = read_stored(path, max_voxels)
    is_plain = header.slope in (0.0, 1.0) and (header.slope == 0.0 or header.intercept == 0.0)
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        raise BadFile("not_finite")
    if is_plain:
        return Volume(raw, header)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = raw.astype(np.float32) * np.float32(header.slope) + np.float32(header.intercept)
    if not np.isfinite(scaled).all():
        raise BadFile("not_finite")
    return Volume(scaled, header)


def read_volume_mask(path: Path, max_voxels: int = MAX_PIXELS) -> Volume:
    """A mask's values as whole numbers."""
    volume = read_volume_labels(path, max_voxels)
    if volume.voxels.dtype.kind == "f":
        raise BadFile("mask_values")
    return volume


def read_volume_labels(path: Path, max_voxels: int = MAX_PIXELS) -> Volume:
    """A mask's values: as whole numbers, where they are so but for rounding, else as they are."""
    volume = read_volume(path, max_voxels)
    voxels = volume.voxels
    if voxels.size and (float(voxels.min()) < -(2**31) or float(voxels.max()) >= 2**31):
        raise BadFile("mask_values")
    if voxels.dtype.kind == "f":
        whole = np.rint(voxels)
        if voxels.size and float(np.abs(voxels - whole).max()) > WHOLE_REACH:
            return volume
        voxels = whole
    return Volume(voxels.astype(np.int32), volume.header)


def voxel_facts(mask: Voxels) -> dict[str, Any]:
    """Voxel count of each value, by its text; things that are counted are told as one."""
    if mask.dtype.kind == "f":
        values, times = np.unique(np.round(mask.astype(np.float64), 3), return_counts=True)
        if len(values) > MAX_MASK_VALUES:
            raise BadFile("mask_values")
        texts = [f"{value:.3f}".rstrip("0").rstrip(".") for value in values]
        return {"values": dict(zip(texts, times.tolist(), strict=True))}
    low = int(mask.min())
    if int(mask.max()) - low < 1 << 16:
        counts = np.bincount((mask.reshape(-1) - low).astype(np.int64))
        places = np.flatnonzero(counts)
        values, times = places + low, counts[places]
    else:
        values, times = np.unique(mask, return_counts=True)
    if len(values) > MAX_MASK_VALUES:
        return counted_things(values, times)
    told = {str(value): count for value, count in zip(values.tolist(), times.tolist(), strict=True)}
    return {"values": told}


def read_header(path: Path, max_voxels: int = MAX_PIXELS) -> Header:
    """Without the voxels."""
    with Source(path) as source:
        return parse_header(source.take(HEADER_BYTES[2]), max_voxels)


def read_stored(path: Path, max_voxels: int) -> tuple[Header, Voxels]:
    with Source(path) as source:
        start = source.take(HEADER_BYTES[2])
        header = parse_header(start, max_voxels)
        length = int(np.prod(header.size, dtype=np.int64)) * header.type.itemsize
        wanted = header.offset + length
        content = start + source.take(wanted - len(start)) if wanted > len(start) else start[:wanted]
    if len(content) < wanted:
        raise BadFile("truncated")
    order: Literal["C", "F"] = "F" if header.is_fortran else "C"
    voxels = np.frombuffer(content, header.type, offset=header.offset).reshape(header.size, order=order)
    return header, voxels.astype(header.type.newbyteorder("="), copy=False)


class Source:
    """A file's bytes, unpacked as far as they are asked for.

    What a file claims costs no memory, only what is there.
    """

    def __init__(self, path: Path) -> None:
        if path.stat().st_size == 0:
            raise BadFile("empty")
        self._file: BinaryIO = path.open("rb")
        self._is_packed = self._file.read(2) == b"\x1f\x8b"
        self._file.seek(0)
        self._unpacker = zlib.decompressobj(31)
        self._rest = b""

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def take(self, count: int) -> bytes:
        """The next bytes, fewer where the file ends or its packing breaks."""
        parts = bytearray()
        while len(parts) < count:
            piece = self._piece(min(CHUNK, count - len(parts)))
            if not piece:
                break
            parts += piece
        return bytes(parts)

    def _piece(self, most: int) -> bytes:
        if not self._is_packed:
            return self._file.read(most)
        while True:
            packed = self._rest or self._file.read(CHUNK)
            try:
                piece = self._unpacker.decompress(packed, most)
            except zlib.error:
                return b""
            self._rest = self._unpacker.unconsumed_tail
            if self._unpacker.eof:
                # Some programs pack a file in several members, one behind the other.
                self._rest = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(31)
                if not piece and not self._rest:
                    return b""
            if piece or not (packed or self._rest):
                return piece


def parse_header(start: bytes, max_voxels: int) -> Header:
    """Of a file's first bytes; any claim that cannot be true is refused."""
    if start.startswith(NUMPY_MAGIC):
        return numpy_header(start, max_voxels)
    version, order = version_of(start)
    if len(start) < HEADER_BYTES[version]:
        raise BadFile("truncated")
    try:
        header = fields_of(start, version, order)
    except BadFile:
        # A ValueError that says why already.
        raise
    except (struct.error, ValueError, OverflowError) as error:
        raise as_bad_file(error, "not_a_volume") from error
    if np.prod(header.size, dtype=np.float64) > max_voxels or max(header.size) > MAX_SIDE:
        raise BadFile("too_large")
    return header


def numpy_header(start: bytes, max_voxels: int) -> Header:
    """Of an array of depth, height and width; further axes of length 1 say nothing. Never unpickles."""
    stream = io.BytesIO(start)
    try:
        version = np.lib.format.read_magic(stream)
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, is_fortran, kind = read(stream)
    except (ValueError, SyntaxError, TypeError) as error:
        raise BadFile("truncated" if len(start) < HEADER_BYTES[2] else "not_a_volume") from error
    if kind.kind not in "buif" or kind.itemsize > 8 or kind.str[1:] == "f2":
        raise BadFile("unsupported_mode")
    sides_told = tuple(side for side in shape if side != 1) if len(shape) > 3 else shape
    if len(sides_told) > 3:
        raise BadFile("several_volumes")
    if len(sides_told) != 3 or any(side < 1 for side in sides_told):
        raise BadFile("not_a_volume")
    depth, height, width = sides_told
    if math.prod(sides_told) > max_voxels or max(sides_told) > MAX_SIDE:
        raise BadFile("too_large")
    return Header(
        size=(depth, height, width),
        type=np.dtype("u1") if kind.kind == "b" else kind,
        offset=stream.tell(),
        slope=0.0,
        intercept=0.0,
        spacing=(1.0, 1.0, 1.0),
        orientation=None,
        place=bytes(PLACE_BYTES),
        pixdim=(1.0,) * 8,
        units=0,
        format="numpy",
        is_fortran=bool(is_fortran),
    )


def version_of(start: bytes) -> tuple[int, str]:
    """1 or 2, and the byte order: both versions begin with the length of their header."""
    for order in "<>":
        length = struct.unpack_from(order + "i", start)[0] if len(start) >= 4 else 0
        if length == 348 and start[344:347] == b"n+1":
            return 1, order
        if length == 540 and start[4:7] == b"n+2":
            return 2, order
        if length in (348, 540) and len(start) < length:
            raise BadFile("truncated")
    raise BadFile("not_a_volume")


def fields_of(start: bytes, version: int, order: str) -> Header:
    def read(first: tuple[str, int], second: tuple[str, int]) -> tuple[Any, ...]:
        code, place = first if version == 1 else second
        return struct.unpack_from(order + code, start, place)

    dim = read(("8h", 40), ("8q", 16))
    (code,) = read(("h", 70), ("h", 12))
    pixdim = tuple(float(value) for value in read(("8f", 76), ("8d", 104)))
    (offset,) = read(("f", 108), ("q", 168))
    slope, intercept = (float(value) for value in read(("2f", 112), ("2d", 176)))
    (units,) = read(("b", 123), ("i", 500))
    qform, sform = read(("2h", 252), ("2i", 344))
    quaternion = tuple(float(value) for value in read(("6f", 256), ("6d", 352)))
    rows = tuple(float(value) for value in read(("12f", 280), ("12d", 400)))
    size = sides(dim)
    if code not in TYPES:
        raise BadFile("unsupported_mode" if code in KNOWN_TYPES else "not_a_volume")
    if not (np.isfinite(offset) and HEADER_BYTES[version] <= offset <= MAX_OFFSET):
        raise BadFile("not_a_volume")
    if not (np.isfinite(slope) and np.isfinite(intercept)):
        slope, intercept = 0.0, 0.0
    unit = UNITS.get(units & 7, 1.0)
    matrix = np.array(rows).reshape(3, 4)[:, :3] if sform > 0 else turn_of(quaternion, pixdim)
    is_placed = (sform > 0 or qform > 0) and is_sound(matrix)
    lengths = np.linalg.norm(matrix, axis=0) if is_placed else np.abs(pixdim[1:4])
    lengths = np.where(np.isfinite(lengths) & (lengths > 0), lengths, 1.0) * unit
    return Header(
        size=size,
        type=np.dtype(order + TYPES[code]),
        offset=int(offset),
        slope=slope,
        intercept=intercept,
        spacing=(float(lengths[2]), float(lengths[1]), float(lengths[0])),
        orientation=letters_of(matrix) if is_placed else None,
        place=struct.pack("<2h18f", *(min(max(code, 0), 5) for code in (qform, sform)), *quaternion, *rows),
        pixdim=pixdim,
        units=units & 7,
    )


def sides(dim: tuple[int, ...]) -> tuple[int, int, int]:
    """Depth, height, width; a further axis must be of length 1."""
    axes = dim[0]
    if not 1 <= axes <= 7 or any(side < 1 for side in dim[1 : axes + 1]):
        raise BadFile("not_a_volume")
    if any(side != 1 for side in dim[4 : axes + 1]):
        raise BadFile("several_volumes")
    width, height, depth = (dim[axis] if axis <= axes else 1 for axis in (1, 2, 3))
    return depth, height, width


def turn_of(quaternion: tuple[float, ...], pixdim: tuple[float, ...]) -> Floats:
    """The matrix (3, 3) of the quaternion form, nifti1.h "METHOD 2"."""
    b, c, d = quaternion[:3]
    a = np.sqrt(max(0.0, 1.0 - (b * b + c * c + d * d)))
    turn = np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b],
        ]
    )
    third = -pixdim[3] if pixdim[0] < 0 else pixdim[3]
    steps: Floats = np.array([pixdim[1], pixdim[2], third], np.float64)
    return np.asarray(turn * steps, np.float64)


def affine_of(header: Header) -> Floats | None:
    """From voxels (x, y, z) to the patient in mm (3, 4); None where the file does not say where it lies."""
    if header.orientation is None:
        return None
    qform, sform, *numbers = struct.unpack("<2h18f", header.place)
    rows = np.array(numbers[6:], np.float64).reshape(3, 4)
    if sform <= 0:
        if qform <= 0:
            return None
        rows = np.column_stack([turn_of(tuple(numbers[:6]), header.pixdim), numbers[3:6]])
    affine: Floats = np.asarray(rows * UNITS.get(header.units, 1.0), np.float64)
    return affine if np.isfinite(affine).all() else None


def is_sound(matrix: Floats) -> bool:
    return bool(np.isfinite(matrix).all()) and abs(float(np.linalg.det(unit_columns(matrix)))) > 1e-3


def unit_columns(matrix: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(matrix, axis=0)
    return np.divide(matrix, np.where(lengths > 0, lengths, 1.0), dtype=np.float64)


def letters_of(matrix: Floats) -> str:
    """Where depth, height and width point most; every line of the body is taken once."""
    share = unit_columns(matrix)
    best = max(permutations(range(3)), key=lambda order: sum(abs(share[order[i], i]) for i in range(3)))
    across = [LETTERS[best[i]][int(share[best[i], i] > 0)] for i in range(3)]
    return "".join(reversed(across))


def write_volume(voxels: Voxels, like: Header) -> bytes:
    """A gzipped NIfTI-1 file of whole numbers where `like` lies; equal voxels give equal bytes."""
    low, high = int(voxels.min()), int(voxels.max())
    code, kind = (
        (2, "<u1")
        if low >= 0 and high < 256
        else (4, "<i2")
        if low >= -(2**15) and high < 2**15
        else (8, "<i4")
    )
    depth, height, width = voxels.shape
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, width, height, depth, 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, code, np.dtype(kind).itemsize * 8)
    struct.pack_into("<8f", header, 76, *like.pixdim[:4], 1.0, 1.0, 1.0, 1.0)
    struct.pack_into("<3f", header, 108, 352.0, 1.0, 0.0)
    struct.pack_into("<b", header, 123, like.units)
    header[252 : 252 + len(like.place)] = like.place
    header[344:348] = b"n+1\0"
    return gzip.compress(bytes(header) + voxels.astype(kind).tobytes(), 6, mtime=0)
