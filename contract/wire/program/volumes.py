"""Finds structures in volumes (NIfTI, .nii or .nii.gz), for networks that learned from such ones.

Needs numpy beside the network. A volume is brought to the network's grid and brightness, looked at in
overlapping blocks, and what is found is laid back on the grid that it is stored in: as in training and tests.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pictures import Array, Facts, Run, values_of

Size = tuple[int, ...]

# By the header's `datatype`, nifti1.h.
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
# Millimetres in the unit of the header; 0 is unknown and taken for millimetres.
UNITS = {0: 1.0, 1: 1000.0, 2: 1.0, 3: 0.001}
LETTERS = (("L", "R"), ("P", "A"), ("I", "S"))
OPPOSITE = {"R": "L", "L": "R", "A": "P", "P": "A", "S": "I", "I": "S"}
# What is darker or brighter than these percentiles tells nothing more; of so many voxels at most.
DARKEST, BRIGHTEST, LOOKED_AT = 0.5, 99.5, 1_000_000
FLOOR = 0.02
# Voxels whose sides differ by less are taken for equal.
TOLERANCE = 0.1
# Neighbouring blocks share half of their side; what lies near a block's middle counts most.
STEP, SIGMA = 0.5, 1 / 8


class Volume(NamedTuple):
    """`voxels` (depth, height, width); `spacing` in mm and `letters` (of L/R, A/P, S/I) in the same order."""

    voxels: Array
    spacing: tuple[float, float, float]
    letters: str | None
    # What a NIfTI-1 header needs to place another volume there.
    pixdim: tuple[float, ...]
    units: int
    place: bytes


def mark_volume(run: Run, facts: Facts, path: Path) -> Array:
    """A mask (depth, height, width) with the values of the masks that were trained on, as stored."""
    volume = read_volume(path)
    grid = facts["normalisation"].get("grid") or {"orientation": "", "spacing": []}
    order, mirrors = turn_to(volume.letters, grid["orientation"])
    oriented = standardised(volume.voxels).transpose(order)[mirrors]
    size = size_on([volume.spacing[axis] for axis in order], oriented.shape, grid["spacing"])
    laid = oriented if size is None else resampled(oriented, size).astype(np.float16)
    sums, weights = stitched(run, laid, tuple(facts["input"]["shape"][2:]))
    named = sums.argmax(0)
    if size is not None:
        named = np.stack([resampled(one / weights, oriented.shape) for one in sums]).argmax(0)
    return values_of(facts)[named[mirrors].transpose(np.argsort(order))]


def save_volume(mask: Array, facts: Facts, path: Path, out: Path) -> str:
    """On the grid of the volume; returns how much of each class it holds."""
    volume = read_volume(path)
    target = out / f"{path.name.removesuffix('.gz').removesuffix('.nii')}-mask.nii.gz"
    write_mask(target, mask, volume)
    named = zip(facts["classes"][1:], values_of(facts)[1:], strict=True)
    found = [
        f"{name} {(mask == value).sum() * np.prod(volume.spacing) / 1000:.2f} ml" for name, value in named
    ]
    return f"{target} ({', '.join(found)})"


def standardised(voxels: Array) -> Array:
    """Mean 0 and deviation 1, after the darkest and the brightest voxels are drawn in; in 16 bits."""
    flat = voxels.reshape(-1)[:: -(-voxels.size // LOOKED_AT)]
    low, high = (float(value) for value in np.percentile(flat.astype(np.float64), [DARKEST, BRIGHTEST]))
    shares = (voxels.astype(np.float32) - np.float32(low)) / np.float32(max(high - low, 1e-12))
    shares = shares.clip(0, 1)
    mean, deviation = float(shares.mean(dtype=np.float64)), float(shares.std(dtype=np.float64))
    return ((shares - np.float32(mean)) / np.float32(max(FLOOR, deviation))).astype(np.float16)


def turn_to(have: str | None, want: str) -> tuple[tuple[int, ...], tuple[slice, ...]]:
    """The stored axis for each axis wanted, and which of these are mirrored."""
    if have is None or not want:
        return (0, 1, 2), (slice(None),) * 3
    axes = tuple(have.index(one) if one in have else have.index(OPPOSITE[one]) for one in want)
    return axes, tuple(slice(None) if one in have else slice(None, None, -1) for one in want)


def size_on(spacing: list[float], size: Size, wanted: list[float]) -> Size | None:
    """Sides in voxels of the wanted spacing; None where it is near enough already."""
    shares = [have / want for have, want in zip(spacing, wanted or spacing, strict=True)]
    if all(abs(share - 1) <= TOLERANCE for share in shares):
        return None
    return tuple(max(1, round(side * share)) for side, share in zip(size, shares, strict=True))


def resampled(values: Array, size: Size) -> Array:
    """Linear between the middles of voxels, one axis after the other, as PyTorch does it in 32 bits."""
    values = values.astype(np.float32)
    for axis in (2, 1, 0):
        have, want = values.shape[axis], size[axis]
        steps = np.arange(want, dtype=np.float32) + np.float32(0.5)
        at = (steps * (np.float32(have) / np.float32(want)) - np.float32(0.5)).clip(0)
        low = np.minimum(at.astype(int), have - 1)
        high = np.minimum(low + 1, have - 1)
        share = (at - low).astype(np.float32).reshape([-1 if one == axis else 1 for one in range(3)])
        values = values.take(low, axis) * (1 - share) + values.take(high, axis) * share
    return values


def stitched(run: Run, laid: Array, block: Size) -> tuple[Array, Array]:
    """Weighed sums of what overlapping blocks say, (class, d, h, w), and the weights.

    That are numbers of which the largest is the likeliest class: logits, or logarithms of probabilities.
    """
    weight = bell(block)
    weights = np.zeros(laid.shape, np.float32)
    sums: Array = None
    along = [block_starts(have, want) for have, want in zip(laid.shape, block, strict=True)]
    for start in product(*along):
        said = run(cut(laid, start, block)[None].astype(np.float32))[0]
        if sums is None:
            sums = np.zeros((len(said), *laid.shape), np.float32)
        stops = [at + side for at, side in zip(start, block, strict=True)]
        here = tuple(slice(max(0, at), stop) for at, stop in zip(start, stops, strict=True))
        inside = tuple(
            slice(max(0, -at), min(stop, have) - at)
            for at, stop, have in zip(start, stops, laid.shape, strict=True)
        )
        sums[(slice(None), *here)] += said[(slice(None), *inside)] * weight[inside]
        weights[here] += weight[inside]
    return sums, weights


def bell(size: Size) -> Array:
    """1 in the middle, (d, h, w)."""
    lines = [np.exp(-0.5 * ((np.arange(side) - (side - 1) / 2) / (side * SIGMA)) ** 2) for side in size]
    whole = lines[0][:, None, None] * lines[1][:, None] * lines[2]
    return whole.clip(min=1e-4).astype(np.float32)


def block_starts(length: int, side: int) -> list[int]:
    if length <= side:
        return [(length - side) // 2]
    count = int(np.ceil((length - side) / (side * STEP))) + 1
    return [round(float(at)) for at in np.linspace(0, length - side, count)]


def cut(laid: Array, start: Size, block: Size) -> Array:
    """What lies beyond the volume is its mirror image."""
    stops = [at + side for at, side in zip(start, block, strict=True)]
    inner = laid[tuple(slice(max(0, at), stop) for at, stop in zip(start, stops, strict=True))]
    missing = [
        (max(0, -at), max(0, stop - have)) for at, stop, have in zip(start, stops, laid.shape, strict=True)
    ]
    return np.pad(inner, missing, mode="symmetric")


def read_volume(path: Path) -> Volume:
    """NIfTI-1 or NIfTI-2 of one scan. Raises ValueError for anything else."""
    content = b"" if path.is_dir() else path.read_bytes()
    if path.is_dir() or content[128:132] == b"DICM":
        raise ValueError(
            "a DICOM series is not put together here: convert it to NIfTI in the product's cloud storage, "
            "or with dcm2niix, and take that file"
        )
    try:
        return volume_of(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    except (ArithmeticError, EOFError, struct.error, zlib.error) as error:
        raise ValueError(f"it is broken: {error}") from error


def volume_of(content: bytes) -> Volume:
    version, order = version_of(content)

    def read(first: tuple[str, int], second: tuple[str, int]) -> tuple[Any, ...]:
        code, at = first if version == 1 else second
        return struct.unpack_from(order + code, content, at)

    dim = read(("8h", 40), ("8q", 16))
    (code,) = read(("h", 70), ("h", 12))
    if any(side != 1 for side in dim[4 : dim[0] + 1]) or code not in TYPES:
        raise ValueError("it holds several volumes, or no plain numbers")
    size = [dim[axis] if axis <= dim[0] else 1 for axis in (3, 2, 1)]
    (offset,) = read(("f", 108), ("q", 168))
    kind = np.dtype(order + TYPES[code])
    if len(content) < int(offset) + int(np.prod(size)) * kind.itemsize:
        raise ValueError("it is not complete")
    voxels = np.frombuffer(content, kind, int(np.prod(size)), int(offset)).reshape(size)
    slope, intercept = read(("2f", 112), ("2d", 176))
    if np.isfinite([slope, intercept]).all() and slope != 0 and (slope, intercept) != (1, 0):
        voxels = voxels.astype(np.float32) * np.float32(slope) + np.float32(intercept)
    if not np.isfinite(voxels).all():
        raise ValueError("it holds values that are no numbers")
    return placed(voxels, read)


def version_of(content: bytes) -> tuple[int, str]:
    """1 or 2, and the byte order."""
    for order in "<>":
        length = struct.unpack_from(order + "i", content)[0] if len(content) >= 540 else 0
        if length == 348 and content[344:347] == b"n+1":
            return 1, order
        if length == 540 and content[4:7] == b"n+2":
            return 2, order
    raise ValueError("it is no NIfTI file")


def placed(voxels: Array, read: Callable[..., tuple[Any, ...]]) -> Volume:
    """Where the voxels lie in the body, by the matrix of the header, else by its quaternion."""
    pixdim = read(("8f", 76), ("8d", 104))
    (units,) = read(("b", 123), ("i", 500))
    qform, sform = read(("2h", 252), ("2i", 344))
    quaternion, rows = read(("6f", 256), ("6d", 352)), read(("12f", 280), ("12d", 400))
    matrix = np.array(rows).reshape(3, 4)[:, :3] if sform > 0 else turn_of(quaternion, pixdim)
    lengths = np.linalg.norm(matrix, axis=0)
    is_placed = bool((sform > 0 or qform > 0) and np.isfinite(matrix).all() and (lengths > 0).all())
    is_placed = is_placed and abs(np.linalg.det(matrix / lengths)) > 1e-3
    sides = lengths if is_placed else np.abs(pixdim[1:4])
    sides = np.where(np.isfinite(sides) & (sides > 0), sides, 1.0) * UNITS.get(units & 7, 1.0)
    codes = (min(max(code, 0), 5) for code in (qform, sform))
    return Volume(
        voxels,
        (float(sides[2]), float(sides[1]), float(sides[0])),
        letters_of(matrix / lengths) if is_placed else None,
        tuple(map(float, pixdim)),
        units & 7,
        struct.pack("<2h18f", *codes, *quaternion, *rows),
    )


def turn_of(quaternion: tuple[float, ...], pixdim: tuple[float, ...]) -> Array:
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
    return turn * np.array([pixdim[1], pixdim[2], -pixdim[3] if pixdim[0] < 0 else pixdim[3]])


def letters_of(turn: Array) -> str:
    """Where depth, height and width point most; every line of the body is taken once."""
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    best = max(orders, key=lambda order: sum(abs(turn[order[i], i]) for i in range(3)))
    return "".join(LETTERS[best[i]][int(turn[best[i], i] > 0)] for i in (2, 1, 0))


def write_mask(path: Path, values: Array, like: Volume) -> None:
    """A gzipped NIfTI-1 file where `like` lies."""
    kind, code = ("<u1", 2) if int(values.max()) < 256 else ("<u2", 512)
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, 3, *reversed(values.shape), 1, 1, 1, 1)
    struct.pack_into("<2h", header, 70, code, np.dtype(kind).itemsize * 8)
    struct.pack_into("<8f", header, 76, *like.pixdim[:4], 1.0, 1.0, 1.0, 1.0)
    struct.pack_into("<3f", header, 108, 352.0, 1.0, 0.0)
    struct.pack_into("<b", header, 123, like.units)
    header[252 : 252 + len(like.place)] = like.place
    header[344:348] = b"n+1\0"
    path.write_bytes(gzip.compress(bytes(header) + values.astype(kind).tobytes(), 6, mtime=0))
