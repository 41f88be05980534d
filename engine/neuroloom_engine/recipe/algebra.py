"""Several masks of one picture become one, on the grid of the first; then steps on masks follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..data.images import BadFile
from ..data.nrrd import is_nrrd, read_nrrd_header
from ..data.volumes import Header, read_header
from ..spec import SpecError, field, one_of
from .files import affine_of, head_of, is_nifti, read_frame
from .frame import Frame, Trouble
from .joins import JOINS, Reader, join
from .mask_steps import MASK_STEPS, numbered, numbers_of
from .steps import parse_recipe, prepare

Named = tuple[Path, str]
# Volumes lie on one grid when no corner is farther away than this share of a voxel's smallest side.
OFF_GRID = 0.01


@dataclass(frozen=True)
class Grid:
    """(h, w), or (d, h, w) of a volume and where it lies."""

    size: tuple[int, ...]
    header: Header | None


def joined(files: Sequence[Named], work: Mapping[str, Any], max_pixels: int) -> tuple[Frame, list[Reader]]:
    frames = [read_part(path, name, max_pixels) for path, name in files]
    return of_frames(frames, [name for _, name in files], work)


def of_frames(
    frames: Sequence[Frame], names: Sequence[str], work: Mapping[str, Any]
) -> tuple[Frame, list[Reader]]:
    how = one_of(work, "join", (*JOINS, "staple"))
    recipe = parse_recipe({"v": 1, "steps": field(work, "steps", list)})
    if any(step["do"] not in MASK_STEPS for step in recipe):
        raise SpecError(f"steps: {recipe} are not of masks alone")
    for frame, name in zip(frames[1:], names[1:], strict=True):
        refuse_other_grid(grid_of(frames[0]), grid_of(frame), name)
    made, readers = join(how, [frame.pixels for frame in frames], classes_of(work))
    return next(iter(prepare(recipe, numbered(frames[0], made)))), readers


def classes_of(work: Mapping[str, Any]) -> str | int:
    value = work.get("classes")
    return value if isinstance(value, int) else one_of(work, "classes", ("each", "any"))


def read_part(path: Path, name: str, max_pixels: int) -> Frame:
    """As whole numbers."""
    try:
        frame = read_frame(path, True, max_pixels)
    except BadFile as error:
        raise Trouble("part_unread", file=name, why=error.reason) from error
    return numbered(frame, numbers_of(frame))


def grid_of(frame: Frame) -> Grid:
    return Grid(frame.pixels.shape, frame.header)


def grid_at(path: Path, max_pixels: int) -> Grid | None:
    """Of a volume, by its header alone; of pictures more is to be read than this."""
    start = head_of(path)
    if not is_nifti(start) and not is_nrrd(start):
        return None
    header = (read_header if is_nifti(start) else read_nrrd_header)(path, max_pixels)
    return Grid(header.size, header)


def foresee(files: Sequence[Named], max_pixels: int) -> bool:
    """Raises the trouble that a group will meet, as far as headers tell; whether they told all."""
    grids: list[Grid] = []
    for path, name in files:
        try:
            grid = grid_at(path, max_pixels)
        except BadFile as error:
            raise Trouble("part_unread", file=name, why=error.reason) from error
        if grid is None:
            return False
        grids.append(grid)
        refuse_other_grid(grids[0], grid, name)
    return True


def refuse_other_grid(first: Grid, grid: Grid, name: str) -> None:
    if first.size != grid.size:
        raise Trouble("sizes_differ", file=name, width=grid.size[-1], height=grid.size[-2])
    if first.header is None or grid.header is None:
        return
    (own, own_form), (other, other_form) = affine_of(first.header), affine_of(grid.header)
    # (4, 8): the corners of the volume.
    sides = [(0, side - 1) for side in first.size[::-1]]
    corners = np.stack([one.ravel() for one in np.meshgrid(*sides, (1,))]).astype(np.float64)
    steps = own[:3] - other[:3]
    if own_form == 0 or other_form == 0:
        # Where it lies nobody knows; the sides of a voxel are told all the same.
        lengths = [np.linalg.norm(affine[:3, :3], axis=0) for affine in (own, other)]
        steps = np.diag([*(lengths[0] - lengths[1]), 0.0])[:3]
    smallest = float(np.linalg.norm(own[:3, :3], axis=0).min())
    if np.linalg.norm(steps @ corners, axis=0).max() > OFF_GRID * smallest:
        raise Trouble("grids_differ", file=name)
