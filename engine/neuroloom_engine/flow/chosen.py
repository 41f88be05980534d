"""The mask of a run: the angiogram above a level, or a volume that was drawn or found elsewhere."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data.images import BadFile
from ..data.nrrd import is_nrrd, read_nrrd, read_nrrd_header
from ..data.volumes import UNITS, Header, is_sound, read_header, read_stored, turn_of
from .masks import above, first_level, largest_piece, piece_at, top_of
from .stored import Stored
from .study import Bools, Refusal, Values

# Voxels by which corners of the same grid may lie apart.
SAME_PLACE = 0.25
# Of its cosines, for an axis of one grid to be one of the other's.
SAME_AXIS = 0.02
MOST_VOXELS = 1 << 28


@dataclass(frozen=True)
class Chosen:
    # (z, y, x)
    inside: Bools
    # Share of the angiogram's top; None of a file.
    level: float | None


def above_level(angiogram: Values, level: float | None, grow: Sequence[tuple[int, int, int]]) -> Chosen:
    """Pieces above a share of the angiogram's top that hold one of the voxels x, y, z, else the largest.

    Refuses `mask_empty`, and `seed_outside_mask` with the voxel from 1.
    """
    top = top_of(angiogram)
    if not top > 0:
        raise Refusal("mask_empty")
    level = first_level(angiogram, top) if level is None else level
    bright = above(angiogram, level * top)
    if not grow:
        return Chosen(largest_piece(bright), level)
    inside = np.zeros(bright.shape, np.bool_)
    for x, y, z in grow:
        try:
            inside |= piece_at(bright, (z, y, x))
        except Refusal as refusal:
            raise Refusal(refusal.reason, x=x + 1, y=y + 1, z=z + 1) from refusal
    return Chosen(inside, level)


def of_file(path: Path, stored: Stored) -> Chosen:
    """Where a NIfTI or NRRD volume is not 0, brought to the study's grid by what both tell of the patient.

    Where either tells nothing, or they are told of places apart while the study's is none, equal sizes are
    the same grid. Refuses `mask_unreadable`, `mask_other_grid`, `mask_empty`.
    """
    try:
        with path.open("rb") as file:
            is_other = is_nrrd(file.read(8))
        header = (read_nrrd_header if is_other else read_header)(path, MOST_VOXELS)
        check_size(header, stored)
        header, voxels = (read_nrrd if is_other else read_stored)(path, MOST_VOXELS)
    except (BadFile, OSError, struct.error, ValueError, LookupError, OverflowError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal("mask_unreadable") from error
    if header.slope not in (0.0, 1.0) or (header.slope == 1.0 and header.intercept != 0):
        voxels = voxels * header.slope + header.intercept
    inside = brought(np.nan_to_num(voxels) != 0, header, stored)
    if not inside.any():
        raise Refusal("mask_empty")
    return Chosen(inside, None)


def check_size(header: Header, stored: Stored) -> None:
    """Before any voxel is read."""
    if sorted(header.size) != sorted(stored.head["size"]):
        raise other_grid(header, stored)


def other_grid(header: Header, stored: Stored) -> Refusal:
    mask, study = (" × ".join(map(str, size)) for size in (header.size[::-1], stored.head["size"]))
    return Refusal("mask_other_grid", mask=mask, study=study)


def brought(inside: Bools, header: Header, stored: Stored) -> Bools:
    """(z, y, x) of the study's grid."""
    affine = affine_of(header)
    size = np.array(header.size[::-1])
    turn = None if affine is None else axes_between(affine, size, stored)
    if turn is not None:
        # Of axis a of the study: which axis of the file runs along it, and whether backwards.
        along = [int(np.flatnonzero(row)[0]) for row in turn]
        moved = inside.transpose(*reversed([2 - axis for axis in along]))
        flips = tuple(slice(None, None, int(turn[axis, along[axis]])) for axis in (2, 1, 0))
        return np.ascontiguousarray(moved[flips])
    is_told = affine is not None and stored.head["isPlaced"]
    if is_told or list(size) != list(stored.head["size"]):
        raise other_grid(header, stored)
    return inside


def axes_between(affine: Values, size: Values, stored: Stored) -> Values | None:
    """(3, 3) of 0 and ±1 from axes of the file to axes of the study, where both are one grid; else None."""
    back = np.linalg.inv(stored.affine[:, :3])
    exact, start = back @ affine[:, :3], back @ (affine[:, 3] - stored.affine[:, 3])
    turn = np.rint(exact)
    if np.abs(exact - turn).max() > SAME_AXIS or not (np.abs(turn).sum(axis=0) == 1).all():
        return None
    if not (np.abs(turn).sum(axis=1) == 1).all() or (np.abs(turn) @ size != stored.head["size"]).any():
        return None
    # An axis that runs backwards begins at the study's end.
    begins = np.where((turn < 0).any(axis=1), np.array(stored.head["size"]) - 1, 0)
    corners = np.array(list(itertools.product(*((0, side - 1) for side in size)))).T
    apart = (exact @ corners + start[:, None]) - (turn @ corners + begins[:, None])
    return turn if np.abs(apart).max() <= SAME_PLACE else None


def affine_of(header: Header) -> Values | None:
    """(3, 4) in mm; None where the file tells nothing."""
    qform, sform, *numbers = struct.unpack("<2h18f", header.place)
    quaternion, rows = tuple(numbers[:6]), np.array(numbers[6:], np.float64).reshape(3, 4)
    if qform <= 0 and sform <= 0:
        return None
    affine: Any = rows
    if sform <= 0:
        affine = np.column_stack([turn_of(quaternion, header.pixdim), quaternion[3:]])
    if not np.isfinite(affine).all() or not is_sound(affine[:, :3]):
        return None
    return affine * UNITS.get(header.units, 1.0)
