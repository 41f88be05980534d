"""Reads velocities and magnitudes from NIfTI-1 and -2: three or four dimensions a component, or five with a
vector.

Fields after nifti1.h (2007) and nifti2.h (2011). The first dimension is x. A vector is the fifth dimension,
or the fourth where the intent says so (1007). `vx` goes along the grid's x; where the grid does not lie as
the patient does (RAS), it may as well have meant the patient's, so its direction is unsure. A JSON file of
the same name, or one for all, tells what names do not.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...data.images import BadFile
from ...data.volumes import HEADER_BYTES, MAX_OFFSET, TYPES, UNITS, Source, is_sound, turn_of, version_of
from .found import (
    Clock,
    File,
    Floats,
    Found,
    Limits,
    Meaning,
    Place,
    Series,
    Size,
    Values,
    guarded,
    id_of,
    unreadable,
)
from .naming import meaning_of, unit_of, venc_of
from .sidecar import NOTHING, Sidecar, read_sidecar

VECTOR_INTENT = 1007
SECONDS = {8: 1.0, 16: 1e-3, 24: 1e-6}
ENDING = re.compile(r"\.nii(\.gz)?$", re.IGNORECASE)
# `vx_t03`, `mag-frame12`: frames in files of their own.
STEP = re.compile(
    r"^(?P<stem>.*?)[ _.-]*(?P<mark>t|tt|time|frame|fr|trig|trigger|step)[ _.-]*(?P<step>\d+)$", re.IGNORECASE
)
AXES = ("+x", "+y", "+z")
# Cosines of columns that do not stand upright on each other.
SHEAR = 1e-3


@dataclass(frozen=True)
class Head:
    size: Size
    frames: int
    components: int
    type: np.dtype
    offset: int
    slope: float
    intercept: float
    place: Place
    # Seconds from frame to frame, and of the first; None where the unit of time is not told.
    step: float | None
    first: float
    text: str


def read_nifti(files: Sequence[File], sidecars: Sequence[File], limits: Limits) -> Found:
    found = Found("nifti")
    notes = {ENDING.sub("", file.name.removesuffix(".json")): read_sidecar(file) for file in sidecars}
    stems = {ENDING.sub("", file.name) for file in files}
    common = [one for name, one in notes.items() if name not in stems]
    shared = common[0] if len(common) == 1 else NOTHING
    heads = {file.name: read_head(file, limits) for file in files}
    for steps in grouped(files, heads):
        beside = notes.get(ENDING.sub("", steps[0].name), NOTHING)
        found.vendor = found.vendor or beside.vendor or shared.vendor
        found.series += series_of(steps, [heads[file.name] for file in steps], (shared, beside))
    return found


def grouped(files: Sequence[File], heads: dict[str, Head]) -> list[list[File]]:
    """Files of one frame each that a number of a time tells apart become one series, in the order of the
    numbers."""
    groups: dict[tuple[str, ...], list[tuple[int, File]]] = {}
    for file in files:
        match = STEP.match(ENDING.sub("", file.name))
        is_step = match is not None and heads[file.name].frames == 1 and heads[file.name].components == 1
        key = (match["stem"], match["mark"].lower()) if match is not None and is_step else (file.name,)
        groups.setdefault(key, []).append((int(match["step"]) if match is not None else 0, file))
    return [
        [file for _, file in sorted(group, key=lambda one: (one[0], one[1].name))]
        for group in groups.values()
    ]


def series_of(steps: Sequence[File], heads: Sequence[Head], notes: tuple[Sidecar, Sidecar]) -> list[Series]:
    head = heads[0]
    for file, other in zip(steps, heads, strict=True):
        if other.size != head.size:
            raise unreadable(file.name, "other_size")
    frames = head.frames if len(steps) == 1 else len(steps)
    match = STEP.match(ENDING.sub("", steps[0].name)) if len(steps) > 1 else None
    stem = match["stem"] if match is not None else ENDING.sub("", steps[0].name)
    step = head.step if len(steps) == 1 else None
    times = (
        (0.0,)
        if frames == 1
        else None
        if step is None
        else tuple(head.first + i * step for i in range(frames))
    )
    clock = Clock(times)
    for one in notes:
        clock = one.clock(clock, frames)
    made = []
    for component in range(head.components):
        meaning = component_meaning(stem, head, component, notes)
        part = f"{component + 1}" if head.components > 1 else ""
        made.append(
            Series(
                id=id_of(steps[0].name, part),
                name=f"{steps[0].name}{f' [{part}]' if part else ''}",
                place=head.place,
                frames=frames,
                files=tuple(steps),
                read=partial(read_frames, tuple(steps), tuple(heads), component),
                meaning=meaning,
                clock=clock,
            )
        )
    return made


def component_meaning(stem: str, head: Head, component: int, notes: tuple[Sidecar, Sidecar]) -> Meaning:
    folder, _, base = stem.rpartition("/")
    meaning = meaning_of(base)
    if meaning.role == "unused" and "role" in meaning.unsure and folder:
        meaning = meaning_of(folder.rpartition("/")[2])
    if head.components == 3:
        is_other = meaning.role == "unused" and "role" not in meaning.unsure
        meaning = Meaning() if is_other else Meaning("velocity", AXES[component], meaning.unit, meaning.venc)
    if meaning.role == "magnitude" or (meaning.role == "unused" and "role" not in meaning.unsure):
        return meaning
    venc, is_sure = venc_of(head.text)
    if meaning.venc is None and venc is not None:
        meaning = replace(meaning, venc=venc, unsure=meaning.unsure | (set() if is_sure else {"venc"}))
    meaning = replace(meaning, unit=meaning.unit or unit_of(head.text))
    if meaning.direction in AXES and not is_upright(head.place.affine):
        meaning = replace(meaning, unsure=meaning.unsure | {"direction"})
    # What stands beside the file wins over what is told of all.
    for one in notes:
        meaning = one.meaning(meaning, component)
    return meaning


def is_upright(affine: Floats | None) -> bool:
    """The grid's axes lead to the right, the front and the head."""
    if affine is None:
        return True
    columns = affine[:, :3] / np.linalg.norm(affine[:, :3], axis=0)
    return bool(np.allclose(columns, np.eye(3), atol=1e-3))


def read_frames(steps: Sequence[File], heads: Sequence[Head], component: int) -> Iterator[Values]:
    for file, head in zip(steps, heads, strict=True):
        with Source(file.path) as source:
            count = int(np.prod(head.size, dtype=np.int64)) * head.type.itemsize
            skip(source, head.offset + component * head.frames * count)
            for _ in range(head.frames):
                content = source.take(count)
                if len(content) < count:
                    raise unreadable(file.name, "truncated")
                raw = np.frombuffer(content, head.type).reshape(head.size[::-1])
                values = raw.astype(np.result_type(head.type.newbyteorder("="), np.float32))
                yield values if head.slope == 0 else values * head.slope + head.intercept


def skip(source: Source, count: int) -> None:
    while count > 0 and (piece := source.take(min(count, 1 << 20))):
        count -= len(piece)


def read_head(file: File, limits: Limits) -> Head:
    try:
        with Source(file.path) as source:
            start = source.take(HEADER_BYTES[2])
        version, order = version_of(start)
        if len(start) < HEADER_BYTES[version]:
            raise BadFile("truncated")
    except BadFile as error:
        is_short = error.reason in ("truncated", "empty")
        raise unreadable(file.name, "truncated" if is_short else "damaged") from error
    return guarded(file.name, lambda: parse_head(file, start, (version, order), limits))


def parse_head(file: File, start: bytes, version: tuple[int, str], limits: Limits) -> Head:
    def read(first: tuple[str, int], second: tuple[str, int]) -> tuple:
        code, place = first if version[0] == 1 else second
        return struct.unpack_from(version[1] + code, start, place)

    dim = read(("8h", 40), ("8q", 16))
    (code,) = read(("h", 70), ("h", 12))
    (intent,) = read(("h", 68), ("i", 504))
    pixdim = tuple(float(one) for one in read(("8f", 76), ("8d", 104)))
    (offset,) = read(("f", 108), ("q", 168))
    slope, intercept = (float(one) for one in read(("2f", 112), ("2d", 176)))
    (units,) = read(("b", 123), ("i", 500))
    (first,) = read(("f", 136), ("d", 224))
    (text,) = read(("80s", 148), ("80s", 240))
    if code not in TYPES:
        raise unreadable(file.name, "unsupported_type")
    if not (np.isfinite(offset) and HEADER_BYTES[version[0]] <= offset <= MAX_OFFSET):
        raise unreadable(file.name, "damaged")
    if not (np.isfinite(slope) and np.isfinite(intercept)):
        slope, intercept = 0.0, 0.0
    size, frames, components = shape_of(file, dim, intent)
    type_ = np.dtype(version[1] + TYPES[code])
    limits.check(int(np.prod(size, dtype=object)) * type_.itemsize)
    scale = SECONDS.get(units & 56)
    step = pixdim[4] * scale if scale is not None and np.isfinite(pixdim[4]) else 0.0
    qform, sform = read(("2h", 252), ("2i", 344))
    quaternion = tuple(float(one) for one in read(("6f", 256), ("6d", 352)))
    rows = np.array(read(("12f", 280), ("12d", 400)), np.float64).reshape(3, 4)
    affine = (
        rows
        if sform > 0
        else np.column_stack([turn_of(quaternion, pixdim), quaternion[3:]])
        if qform > 0
        else None
    )
    return Head(
        size=size,
        frames=frames,
        components=components,
        type=type_,
        offset=int(offset),
        slope=slope,
        intercept=intercept,
        place=place_of(file, size, affine, pixdim, units & 7),
        # A whole second from frame to frame is what writers put who do not know.
        step=step if 0 < step < 1 else None,
        first=float(first) * scale if scale is not None and np.isfinite(first) else 0.0,
        text=text.split(b"\0")[0].decode("latin-1"),
    )


def shape_of(file: File, dim: Sequence[int], intent: int) -> tuple[Size, int, int]:
    """Size, frames, components; 1 or 3 of these."""
    axes = dim[0]
    if not 1 <= axes <= 7 or any(not 1 <= side <= 32_767 for side in dim[1 : axes + 1]):
        raise unreadable(file.name, "damaged")
    sides = [dim[axis] if axis <= axes else 1 for axis in range(1, 8)]
    size, frames, components = (sides[0], sides[1], sides[2]), sides[3], sides[4]
    if components == 1 and frames == 3 and intent == VECTOR_INTENT:
        frames, components = 1, 3
    if components not in (1, 3) or sides[5:] != [1, 1]:
        raise unreadable(file.name, "too_many_dimensions")
    return size, frames, components


def place_of(file: File, size: Size, affine: Floats | None, pixdim: Sequence[float], unit: int) -> Place:
    """In mm; the form of the affine wins over the voxel sizes."""
    scale = UNITS.get(unit, 1.0)
    if affine is None or not is_sound(affine[:, :3]) or not np.isfinite(affine).all():
        sides = np.abs(np.array(pixdim[1:4], np.float64)) * scale
        is_told = bool((np.isfinite(sides) & (sides > 0)).all())
        x, y, z = sides.tolist()
        return Place(size, (x, y, z) if is_told else None, is_unit_told=unit != 0)
    turn = affine[:, :3] / np.linalg.norm(affine[:, :3], axis=0)
    if np.abs(turn.T @ turn - np.eye(3)).max() > SHEAR:
        raise unreadable(file.name, "sheared")
    affine = affine * scale
    x, y, z = np.linalg.norm(affine[:, :3], axis=0).tolist()
    return Place(size, (x, y, z), affine)
