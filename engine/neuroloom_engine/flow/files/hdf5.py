"""Reads arrays of velocity from HDF5, also from MAT of version 7.3. Follows nothing that leads out of the
file.

4DFlowNet's layout (Ferdian et al. 2020): `u`, `v`, `w` of (rows, x, y, z) in m/s along these axes, `mag_u`
… `mag_w`, `venc_u` … `venc_w` in m/s, `dx` in mm; rows are frames. Other arrays are taken in that order of
axes, too, and their directions are unsure. MATLAB counts its axes from the other end: what it calls (1, 2,
3, 4) lies here as (4, 3, 2, 1). Only hard links are followed: soft ones lead to what is met elsewhere,
external ones out of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ...failures import RunFailure
from ..study import Refusal
from .found import (
    FAULTS,
    Clock,
    File,
    Found,
    Limits,
    Meaning,
    Place,
    Series,
    Values,
    guarded,
    id_of,
    unreadable,
)
from .matlab import Variable, series_of_variables
from .naming import meaning_of, unit_of

SIGNATURE = b"\x89HDF\r\n\x1a\n"
MATLAB_SIGNATURE = b"MATLAB 7.3 MAT-file"
MOST_ITEMS = 5_000
MOST_DEPTH = 16
# Deflate, shuffle, Fletcher, SZIP, n-bit, scale and offset, LZF: no other is looked for on this machine.
FILTERS = {1, 2, 3, 4, 5, 6, 32000}
AXES = {"u": "+x", "v": "+y", "w": "+z"}
# Tables of times and the like.
MOST_SMALL = 10_000


@dataclass(frozen=True)
class Item:
    """An array in a file; opened anew for every reading."""

    file: File
    name: str
    shape: tuple[int, ...]
    type: np.dtype
    # Frames that one piece of the file holds.
    chunk: tuple[int, ...] | None
    attributes: dict[str, Any]


def library() -> Any:
    try:
        import h5py
    except ImportError as error:
        raise RunFailure("packages_missing", {"packages": ["h5py"]}) from error
    return h5py


def read_hdf5(file: File, limits: Limits) -> Found:
    h5py = library()
    with file.path.open("rb") as head:
        is_matlab = head.read(len(MATLAB_SIGNATURE)) == MATLAB_SIGNATURE
    items, small = guarded(file.name, lambda: contents(h5py, file, limits))
    if is_matlab:
        variables = [as_variable(item, small.get(item.name), limits) for item in items]
        return Found("mat", series_of_variables(file, variables))
    found = Found("hdf5")
    for item in items:
        found.series += array_series(item, small, limits)
    return found


def contents(h5py: Any, file: File, limits: Limits) -> tuple[list[Item], dict[str, Values]]:
    """All arrays, and the numbers of the small ones."""
    with h5py.File(file.path, "r") as opened:
        items = list(walk(h5py, opened.id, file, limits))
        return items, {item.name: small_values(h5py, opened.id, item) for item in items if is_small(item)}


def walk(h5py: Any, group: Any, file: File, limits: Limits) -> Iterator[Item]:
    """All arrays of numbers below a group, in the order of their names."""
    seen: set[int] = set()
    count = 0
    waiting = [(group, "", 0)]
    while waiting:
        here, path, depth = waiting.pop()
        for raw in sorted(here):
            count += 1
            name = f"{path}{raw.decode('utf-8', 'replace')}"
            if count > MOST_ITEMS or depth > MOST_DEPTH:
                raise unreadable(file.name, "too_many_items")
            if name in ("#subsystem#", "#refs#"):
                if name == "#subsystem#":
                    raise Refusal("mat_object", name=file.base)
                continue
            kind = here.links.get_info(raw).type
            if kind == h5py.h5l.TYPE_SOFT:
                continue
            if kind != h5py.h5l.TYPE_HARD:
                raise Refusal("outside_link", name=name)
            info = h5py.h5o.get_info(here, raw)
            if info.type == h5py.h5o.TYPE_GROUP and info.addr not in seen:
                seen.add(info.addr)
                inner = h5py.h5g.open(here, raw)
                refuse_objects(h5py, inner, name)
                waiting.append((inner, f"{name}/", depth + 1))
            if info.type == h5py.h5o.TYPE_DATASET:
                item = item_of(h5py, h5py.h5d.open(here, raw), file, (name, limits))
                if item is not None:
                    yield item


def refuse_objects(h5py: Any, opened: Any, name: str) -> None:
    """Classes and functions of MATLAB, which only MATLAB can make sense of."""
    for key in ("MATLAB_class", "MATLAB_object_decode"):
        if not h5py.h5a.exists(opened, key.encode()):
            continue
        value = attribute(h5py, opened, key)
        if key == "MATLAB_object_decode" or str(value) in ("function_handle", "opaque", "object"):
            raise Refusal("mat_object", name=name)


def item_of(h5py: Any, opened: Any, file: File, named: tuple[str, Limits]) -> Item | None:
    """Asks how the array is kept before anything of it is read."""
    name, limits = named
    kept = opened.get_create_plist()
    if kept.get_layout() == h5py.h5d.VIRTUAL or kept.get_external_count() > 0:
        raise Refusal("outside_link", name=name)
    refuse_objects(h5py, opened, name)
    if opened.get_type().get_class() not in (h5py.h5t.INTEGER, h5py.h5t.FLOAT):
        return None
    if any(kept.get_filter(i)[0] not in FILTERS for i in range(kept.get_nfilters())):
        raise unreadable(file.name, "compression")
    if opened.shape is None:
        return None
    shape = tuple(int(side) for side in opened.shape)
    type_ = np.dtype(opened.dtype)
    total = int(np.prod(shape, dtype=object)) * type_.itemsize
    if total > 8 * limits.max_bytes:
        raise Refusal("too_large", bytes=total, most=8 * limits.max_bytes)
    chunk = kept.get_chunk() if kept.get_layout() == h5py.h5d.CHUNKED else None
    if chunk is not None:
        limits.check(int(np.prod(chunk, dtype=object)) * type_.itemsize)
    attributes = {key: attribute(h5py, opened, key) for key in ("units", "unit", "Units")}
    return Item(file, name, shape, type_, chunk, attributes)


def attribute(h5py: Any, opened: Any, key: str) -> str:
    """A short text; empty where there is none."""
    if not h5py.h5a.exists(opened, key.encode()):
        return ""
    stored = h5py.h5a.open(opened, key.encode())
    is_text = stored.get_type().get_class() == h5py.h5t.STRING
    if not is_text or stored.get_storage_size() > MOST_SMALL:
        return ""
    holder = h5py.Dataset(opened) if isinstance(opened, h5py.h5d.DatasetID) else h5py.Group(opened)
    value = holder.attrs.get(key)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def is_small(item: Item) -> bool:
    return int(np.prod(item.shape, dtype=object)) <= MOST_SMALL


def small_values(h5py: Any, group: Any, item: Item) -> Values:
    return np.asarray(h5py.Dataset(h5py.h5d.open(group, item.name.encode()))[()], np.float64)


def array_series(item: Item, small: dict[str, Values], limits: Limits) -> list[Series]:
    """One for a scalar, three for an array that begins or ends with three components; none of what is no
    grid in space."""
    shape = item.shape
    base = item.name.rpartition("/")[2]
    meaning = meaning_of(base)
    is_vector = len(shape) in (4, 5) and 3 in (shape[0], shape[-1]) and meaning.direction is None
    is_vector = is_vector and meaning.role != "magnitude" and (len(shape) == 5 or meaning.role == "velocity")
    if is_vector:
        axis = len(shape) - 1 if shape[-1] == 3 else 0
        return [one_series(item, (axis, part), small, limits) for part in range(3)]
    if len(shape) not in (3, 4) or min(shape) < 1 or sum(side > 1 for side in shape[-3:]) < 2:
        return []
    return [one_series(item, None, small, limits)]


def one_series(item: Item, part: tuple[int, int] | None, small: dict[str, Values], limits: Limits) -> Series:
    sides = list(item.shape)
    if part is not None:
        del sides[part[0]]
    frames = sides[0] if len(sides) == 4 else 1
    x, y, z = sides[-3:]
    limits.check(x * y * z * item.type.itemsize)
    folder, _, base = item.name.rpartition("/")
    prefix = f"{folder}/" if folder else ""
    spacing = spacing_of(small.get(f"{prefix}dx", small.get(f"{prefix}spacing")))
    times = next(
        (
            small[f"{prefix}{key}"]
            for key in ("times", "time", "t", "trigger_times")
            if f"{prefix}{key}" in small
        ),
        None,
    )
    label = f"{item.name} [{part[1] + 1}]" if part is not None else item.name
    return Series(
        id=id_of(item.file.name, label),
        name=f"{item.file.base}: {label}",
        place=Place((x, y, z), spacing),
        frames=frames,
        files=(item.file,),
        read=partial(read_frames, item, part, frames, limits, False),
        meaning=meaning_in(base, part, item, small),
        clock=Clock((0.0,) if frames == 1 else clock_of(times, frames)),
    )


def meaning_in(base: str, part: tuple[int, int] | None, item: Item, small: dict[str, Values]) -> Meaning:
    folder, _, _ = item.name.rpartition("/")
    prefix = f"{folder}/" if folder else ""
    meaning = meaning_of(base)
    if part is not None and meaning.role != "unused":
        meaning = replace(meaning, role="velocity", direction=("+x", "+y", "+z")[part[1]])
    if meaning.role != "velocity":
        return meaning
    told = unit_of(" ".join(item.attributes.values()))
    venc = small.get(f"{prefix}venc_{base}", small.get(f"{prefix}venc"))
    is_known = base in AXES and f"{prefix}dx" in small
    value = (
        float(venc.max())
        if venc is not None and venc.size and np.isfinite(venc).all() and venc.max() > 0
        else None
    )
    return Meaning(
        "velocity",
        AXES[base] if is_known else meaning.direction,
        told or meaning.unit or ("m/s" if is_known else None),
        value,
        frozenset(set() if is_known else {"direction", *({"venc"} if value else ())}),
    )


def spacing_of(values: Values | None) -> tuple[float, float, float] | None:
    """Of `dx`: one number, three, or three a row; in mm."""
    if values is None or values.size == 0 or not (np.isfinite(values).all() and (values > 0).all()):
        return None
    row = values.reshape(-1)[:3] if values.size >= 3 else np.repeat(values.reshape(-1)[:1], 3)
    x, y, z = row.tolist()
    return x, y, z


def clock_of(values: Values | None, frames: int) -> tuple[float, ...] | None:
    """In seconds; the unit is not told, but no beat takes 10 s."""
    if values is None or values.size != frames or not np.isfinite(values).all():
        return None
    times = values.reshape(-1) * (1e-3 if values.max() > 10 else 1.0)
    return tuple(times.tolist()) if (np.diff(times) > 0).all() else None


def read_frames(
    item: Item, part: tuple[int, int] | None, frames: int, limits: Limits, is_matlab: bool
) -> Iterator[Values]:
    """(z, y, x) each; several at a time where one piece of the file holds several."""
    h5py = library()
    axes = [axis for axis in range(len(item.shape)) if part is None or axis != part[0]]
    time = axes[0] if len(axes) == 4 else None
    volume = int(np.prod([item.shape[axis] for axis in axes[-3:]])) * item.type.itemsize
    held = item.chunk[time] if item.chunk is not None and time is not None else 1
    block = max(1, min(held, frames, limits.most_at_once // max(1, volume)))
    try:
        with h5py.File(item.file.path, "r") as opened:
            data = h5py.Dataset(h5py.h5d.open(opened.id, item.name.encode()))
            for start in range(0, frames, block):
                place: list[Any] = [slice(None)] * len(item.shape)
                if part is not None:
                    place[part[0]] = part[1]
                if time is not None:
                    place[time] = slice(start, min(frames, start + block))
                values = data[tuple(place)]
                for frame in values if time is not None else [values]:
                    kind = np.result_type(item.type.newbyteorder("="), np.float32)
                    yield (frame if is_matlab else frame.transpose(2, 1, 0)).astype(kind, copy=False)
    except FAULTS as error:
        raise unreadable(item.file.name, "damaged") from error


def as_variable(item: Item, small: Values | None, limits: Limits) -> Variable:
    """As MATLAB sees it, axes in its order."""
    shape = item.shape[::-1]
    frames = shape[3] if len(shape) == 4 else 1
    if len(shape) in (3, 4):
        limits.check(int(np.prod(shape[:3], dtype=object)) * item.type.itemsize)
    read = partial(read_frames, item, None, frames, limits, True)
    return Variable(item.name.replace("/", "."), shape, None if small is None else small.T, read)
