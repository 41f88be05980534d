"""Reads MAT files: version 5 by SciPy, with nothing but numbers in them; what their variables mean, also
for version 7.3.

The layout of Sotelo's 4D Flow Matlab Toolbox: a struct of `MR_PCA_FH`, `MR_PCA_AP`, `MR_PCA_RL` in cm/s,
`MR_FFE_*`, `voxel_MR` in mm, `VENC` in cm/s, `heart_rate`. Its finite-element step puts velocities on the
axes (1, 2, 3) as (AP, −FH, −RL): so the first axis leads to the back, the second to the foot, the third to
the right. That orientation is the toolbox's and not the file's, so directions are unsure. In all MAT files
the first axis is taken for x.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...failures import RunFailure
from ..study import Refusal
from .found import (
    Clock,
    File,
    Floats,
    Found,
    Limits,
    Meaning,
    Place,
    Series,
    Values,
    id_of,
    unreadable,
)
from .naming import as_venc, meaning_of

SIGNATURE = b"MATLAB 5.0 MAT-file"
HEADER_BYTES = 128
COMPRESSED = 15
MOST_DEPTH = 8
MOST_ITEMS = 5_000
# Columns: where the toolbox's axes lead, to the right, the front and the head.
TOOLBOX = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class Variable:
    """With the name that MATLAB would call it by (`data.VENC`), axes as MATLAB counts them."""

    name: str
    shape: tuple[int, ...]
    # Of small ones.
    values: Values | None
    # (z, y, x) a frame.
    read: Callable[[], Iterator[Values]]


def read_mat(file: File, limits: Limits) -> Found:
    try:
        from scipy.io import loadmat, whosmat
    except ImportError as error:
        raise RunFailure("packages_missing", {"packages": ["scipy"]}) from error
    check_size(file, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, shape, kind in whosmat(file.path, appendmat=False):
                if kind in ("object", "function", "opaque"):
                    raise Refusal("mat_object", name=name)
                limits.check(int(np.prod(shape, dtype=object)))
            content = loadmat(file.path, appendmat=False)
    except (Refusal, MemoryError):
        raise
    except Exception as error:
        # What SciPy says of a broken file is of many types, also of plain ones such as TypeError.
        raise unreadable(file.name, "damaged") from error
    variables: list[Variable] = []
    for name, value in content.items():
        if not name.startswith("__"):
            gather(name, value, variables, 0)
    return Found("mat", series_of_variables(file, variables))


def check_size(file: File, limits: Limits) -> None:
    """Unpacks what is packed without keeping it: what comes of a small file may fill any memory."""
    total = 0
    with file.path.open("rb") as opened:
        order = {b"IM": "<", b"MI": ">"}.get(opened.read(HEADER_BYTES)[126:])
        if order is None:
            raise unreadable(file.name, "damaged")
        while len(tag := opened.read(8)) == 8:
            kind, count = struct.unpack(f"{order}2I", tag)
            if kind >> 16:
                raise unreadable(file.name, "damaged")
            unpacker = zlib.decompressobj()
            total += 0 if kind == COMPRESSED else count
            while count > 0:
                piece = opened.read(min(count, 1 << 16))
                if not piece:
                    raise unreadable(file.name, "truncated")
                count -= len(piece)
                while kind == COMPRESSED and piece:
                    total += len(unpacked_part(unpacker, piece, file))
                    piece = unpacker.unconsumed_tail
                    limits.check(total)
            limits.check(total)


def unpacked_part(unpacker: Any, piece: bytes, file: File) -> bytes:
    try:
        return unpacker.decompress(piece, 1 << 20)
    except zlib.error as error:
        raise unreadable(file.name, "damaged") from error


def gather(name: str, value: Any, variables: list[Variable], depth: int) -> None:
    """All arrays of numbers; structs of one element are looked into, tables of cells only for what is
    refused."""
    from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque

    if isinstance(value, MatlabObject | MatlabFunction | MatlabOpaque):
        raise Refusal("mat_object", name=name)
    if not isinstance(value, np.ndarray) or depth > MOST_DEPTH or len(variables) > MOST_ITEMS:
        return
    if value.dtype.names is not None:
        for row in value.reshape(-1)[:MOST_ITEMS]:
            for field in value.dtype.names:
                gather(f"{name}.{field}", row[field], variables, depth + 1)
    elif value.dtype.kind == "O":
        inner: list[Variable] = []
        for one in value.reshape(-1)[:MOST_ITEMS]:
            gather(name, one, inner, depth + 1)
    elif value.dtype.kind in "iuf":
        small = value.astype(np.float64) if value.size <= 10_000 else None
        variables.append(Variable(name, value.shape, small, lambda: frames_of(value)))


def frames_of(value: Values) -> Iterator[Values]:
    kind = np.result_type(value.dtype.newbyteorder("="), np.float32)
    for frame in [value] if value.ndim == 3 else np.moveaxis(value, 3, 0):
        yield frame.transpose(2, 1, 0).astype(kind)


def series_of_variables(file: File, variables: Sequence[Variable]) -> list[Series]:
    made = []
    for one in variables:
        if len(one.shape) not in (3, 4) or sum(side > 1 for side in one.shape[:3]) < 2:
            continue
        folder, _, base = one.name.rpartition(".")
        beside = {
            other.name.rpartition(".")[2]: other
            for other in variables
            if other.name.rpartition(".")[0] == folder
        }
        frames = one.shape[3] if len(one.shape) == 4 else 1
        place = place_of(one, beside)
        made.append(
            Series(
                id=id_of(file.name, one.name),
                name=f"{file.base}: {one.name}",
                place=place,
                frames=frames,
                files=(file,),
                read=one.read,
                meaning=meaning_in(base, beside),
                clock=clock_of(beside, frames),
            )
        )
    return made


def numbers(beside: dict[str, Variable], *names: str) -> list[float]:
    """Positive ones of the first variable that is there."""
    for name in names:
        values = beside[name].values if name in beside else None
        if values is not None and values.size and np.isfinite(values).all() and (values > 0).all():
            return [float(one) for one in values.reshape(-1)]
    return []


def place_of(one: Variable, beside: dict[str, Variable]) -> Place:
    sides = numbers(beside, "voxel_MR", "voxel_size", "spacing", "dx")
    x, y, z = one.shape[:3]
    if len(sides) not in (1, 3):
        return Place((x, y, z), None)
    a, b, c = sides if len(sides) == 3 else sides * 3
    if "voxel_MR" not in beside:
        return Place((x, y, z), (a, b, c))
    affine: Floats = np.zeros((3, 4))
    affine[:, :3] = TOOLBOX * np.array([a, b, c])
    return Place((x, y, z), (a, b, c), affine)


def meaning_in(base: str, beside: dict[str, Variable]) -> Meaning:
    meaning = meaning_of(base)
    if meaning.role != "velocity":
        return meaning
    vencs = numbers(beside, "VENC", "venc")
    if base.startswith("MR_PCA_"):
        venc = vencs[0] / 100 if vencs else None
        return replace(meaning, unit="cm/s", venc=venc, unsure=frozenset({"direction"}))
    if not vencs:
        return replace(meaning, unsure=meaning.unsure | {"direction"})
    venc, is_sure = as_venc(vencs[0])
    unsure = meaning.unsure | {"direction"} | (set() if is_sure else {"venc"})
    return replace(meaning, venc=venc, unsure=frozenset(unsure))


def clock_of(beside: dict[str, Variable], frames: int) -> Clock:
    rate = numbers(beside, "heart_rate", "heartrate", "HR")
    period = 60 / rate[0] if len(rate) == 1 and 20 <= rate[0] <= 300 else None
    return Clock((0.0,) if frames == 1 else None, period)
