"""The two things that are done with files of flow: looked at, and made into a study. See
`contract/src/flow/study.ts`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ...failures import RunFailure
from .found import File, Floats, Limits, Place, Values
from .gather import gather
from .guess import Row
from .settle import Settled, direction_in, largest_of, scale_of, settle

# Into so many units the largest VENC is parted; velocities reach four times as far.
VENC_UNITS = 8191
NO_VALUE = -32_768
MOST = 32_764


def nothing() -> None:
    """Nobody wants the work to end."""


def look(files: Sequence[File], limits: Limits, go_on: Callable[[], None] = nothing) -> dict[str, Any]:
    """The contract's FlowLook. Reads every number once; whatever is wrong with files is among its
    problems."""
    gathered = gather(files, limits, go_on)
    settled = settle(gathered, {}, limits)
    return {
        "source": gathered.source,
        "vendor": gathered.vendor,
        "series": [told(row) for row in settled.rows],
        "spacing": None
        if settled.place is None or settled.place.spacing is None
        else list(settled.place.spacing),
        "times": None if settled.times is None else list(settled.times),
        "period": settled.period,
        "gating": settled.gating,
        "leftOut": gathered.left_out,
        "problems": [problem.told() for problem in settled.problems],
    }


def told(row: Row) -> dict[str, Any]:
    series, meaning = row.series, row.meaning
    return {
        "id": series.id,
        "name": series.name[:200],
        "role": meaning.role,
        "direction": meaning.direction,
        "unit": meaning.unit,
        "venc": meaning.venc,
        "size": list(series.place.size),
        "frames": series.frames,
        "files": len(series.files),
        "unsure": sorted(meaning.unsure),
    }


def make(
    files: Sequence[File],
    look: Mapping[str, Any],
    answer: Mapping[str, Any],
    path: Path,
    limits: Limits,
    go_on: Callable[[], None] = nothing,
) -> dict[str, Any]:
    """Writes the study and answers its head, a FlowStudy.

    `look` is what the person answered to: files that no longer give the same series are refused. The grid
    that is written is right-handed: a left-handed one is mirrored along x with its place and directions, so
    that curls have their true sign. Throws RunFailure `flow_refused` with the first problem that stands,
    `data_missing` of other files.
    """
    gathered = gather(files, limits, go_on)
    here = {row.series.id for row in gathered.rows}
    gone = [str(one["name"]) for one in look.get("series", []) if one["id"] not in here]
    settled = settle(gathered, answer, limits)
    stands = next((problem for problem in settled.problems if problem.is_blocking), None)
    if stands is not None:
        raise RunFailure("flow_refused", {"problem": stands.reason, **stands.params})
    if gone:
        raise RunFailure("data_missing", {"files": gone[:20]})
    head = head_of(settled, gathered.source, gathered.vendor)
    write(path, settled, head, go_on)
    return head


def head_of(settled: Settled, source: str, vendor: str | None) -> dict[str, Any]:
    place = settled.place
    assert place is not None and place.spacing is not None and settled.times is not None
    affine, is_mirrored = right_handed(place)
    vencs = [float(row.meaning.venc or 0) for row in settled.velocity]
    directions = [directed(row, place, is_mirrored) for row in settled.velocity]
    return {
        "v": 1,
        "source": source,
        "vendor": vendor,
        "size": list(place.size),
        "frames": settled.velocity[0].series.frames,
        "spacing": list(place.spacing),
        "affine": affine.tolist(),
        "isPlaced": place.affine is not None,
        "directions": directions,
        "venc": vencs,
        "velocityScale": max(vencs) / VENC_UNITS,
        "times": list(settled.times),
        "period": settled.period,
        "gating": settled.gating,
        "sources": sources_of(settled),
    }


def right_handed(place: Place) -> tuple[Floats, bool]:
    """Where the grid lies, and whether its x had to be turned round for that."""
    assert place.spacing is not None
    if place.affine is None:
        return np.column_stack([np.diag(place.spacing), np.zeros(3)]), False
    if np.linalg.det(place.affine[:, :3]) > 0:
        return place.affine, False
    affine = place.affine.copy()
    affine[:, 3] += affine[:, 0] * (place.size[0] - 1)
    affine[:, 0] *= -1
    return affine, True


def directed(row: Row, place: Place, is_mirrored: bool) -> list[float]:
    assert row.meaning.direction is not None
    vector = direction_in(row.meaning.direction, place)
    assert vector is not None
    x, y, z = (float(one) + 0.0 for one in vector)
    return [-x if is_mirrored and x != 0 else x, y, z]


def sources_of(settled: Settled) -> str:
    """Over the digests of the files that are used, in the order of their names."""
    used = {
        file.name: file.path for row in (*settled.velocity, *settled.magnitude) for file in row.series.files
    }
    digest = hashlib.sha256()
    for name in sorted(used):
        with used[name].open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def write(path: Path, settled: Settled, head: Mapping[str, Any], go_on: Callable[[], None]) -> None:
    """A safetensors file, frame by frame."""
    with durable(path) as file:
        fill(file, settled, head, go_on)


@contextmanager
def durable(path: Path) -> Iterator[BinaryIO]:
    """A file that is there whole once the block ends; nothing is left of one that was not finished."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def fill(file: BinaryIO, settled: Settled, head: Mapping[str, Any], go_on: Callable[[], None]) -> None:
    x, y, z = head["size"]
    frames, volume = head["frames"], 2 * x * y * z
    start = file.write(header_bytes(head))
    file.truncate(start + 4 * frames * volume)
    is_mirrored = settled.place is not None and right_handed(settled.place)[1]
    loud = largest_of(settled.magnitude)
    streams = zip(
        *(row.series.read() for row in settled.velocity),
        *(repeated(row, frames) for row in settled.magnitude),
        strict=True,
    )
    for at, values in enumerate(streams):
        go_on()
        turned = [one[:, :, ::-1] if is_mirrored else one for one in values]
        for component, row in enumerate(settled.velocity):
            file.seek(start + (component * frames + at) * volume)
            file.write(stored_velocity(turned[component], row, head["velocityScale"]).tobytes())
        if settled.magnitude and loud > 0:
            file.seek(start + (3 * frames + at) * volume)
            file.write(stored_magnitude(turned[3:], loud).tobytes())


def repeated(row: Row, frames: int) -> Iterator[Values]:
    """A magnitude of one time stands for all."""
    if row.series.frames == frames:
        yield from row.series.read()
        return
    for frame in row.series.read():
        for _ in range(frames):
            yield frame


def stored_velocity(values: Values, row: Row, unit: float) -> Values:
    scale, zero = scale_of(row)
    with np.errstate(invalid="ignore"):
        whole = np.rint((values.astype(np.float64) - zero) * (scale / unit))
    return np.where(np.isfinite(values), np.clip(whole, -MOST, MOST), NO_VALUE).astype("<i2")


def stored_magnitude(values: Sequence[Values], largest: float) -> Values:
    """The mean of those there are, so that the largest number of all becomes 32767."""
    mean = sum(np.where(np.isfinite(one), one, 0.0).astype(np.float64) for one in values) / len(values)
    return np.rint(mean * (32_767 / largest)).astype("<i2")


def header_bytes(head: Mapping[str, Any]) -> bytes:
    x, y, z = head["size"]
    shape = [head["frames"], z, y, x]
    count = 2 * int(np.prod(shape))
    entries = {
        "__metadata__": {"flow": json.dumps(head, separators=(",", ":"))},
        "velocity": {"dtype": "I16", "shape": [3, *shape], "data_offsets": [0, 3 * count]},
        "magnitude": {"dtype": "I16", "shape": shape, "data_offsets": [3 * count, 4 * count]},
    }
    return padded(entries)


def padded(entries: Mapping[str, Any]) -> bytes:
    """Its length, then JSON that ends with blanks where numbers begin at a multiple of eight."""
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text
