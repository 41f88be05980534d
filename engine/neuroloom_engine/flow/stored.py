"""The containers of flow: a study's file in and out, and arrays with words beside them."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..spec import SpecError
from .files.reading import NO_VALUE, durable, header_bytes, padded
from .study import Refusal, Study, Values

MOST_HEAD = 1 << 24
TYPES = {"I8": "<i1", "U8": "<u1", "I16": "<i2", "F32": "<f4"}
LARGEST = 32_764
# Times the largest VENC: so far velocities reach, and farther where one does.
ROOM = 4


@dataclass(frozen=True)
class Stored:
    """A study's file, mapped: nothing is held."""

    # The contract's FlowStudy.
    head: Mapping[str, Any]
    # I16 (3, t, z, y, x), times `velocityScale` m/s.
    velocity: Values
    # I16 (t, z, y, x).
    magnitude: Values

    @property
    def unit(self) -> float:
        return float(self.head["velocityScale"])

    @property
    def affine(self) -> Values:
        """(3, 4), from voxel (x, y, z) to mm in RAS."""
        return np.array(self.head["affine"], np.float64)

    def study(self, velocity: Values, magnitude: Values | None = None) -> Study:
        """What functions of numbers take. Without any magnitude all voxels are equally bright.

        Throws SpecError where the head's numbers cannot be.
        """
        if magnitude is None:
            magnitude = np.broadcast_to(np.float32(1), velocity.shape[1:])
        dx, dy, dz = (side / 1000 for side in self.head["spacing"])
        try:
            return Study(
                velocity=velocity,
                magnitude=magnitude,
                spacing=(dx, dy, dz),
                times=np.array(self.head["times"], np.float64),
                period=self.head["period"],
                venc=tuple(self.head["venc"]),
                affine=np.vstack([self.affine, [0, 0, 0, 1]]),
            )
        except Refusal as refusal:
            raise SpecError(f"study: {refusal}") from refusal

    def components(self) -> Values:
        """Velocity (3, t, z, y, x) in m/s, single precision; NaN where there is no value."""
        velocity = np.empty(self.velocity.shape, np.float32)
        for c, component in enumerate(self.velocity):
            for frame, values in enumerate(component):
                velocity[c, frame] = decoded(values, self.unit)
        return velocity

    def measured(self) -> Study:
        """All of it, components as they were measured."""
        is_bright = any(bool((frame > 0).any()) for frame in self.magnitude)
        return self.study(self.components(), self.magnitude.astype(np.float32) if is_bright else None)


def read_study(path: Path) -> Stored:
    """Throws SpecError where the bytes are no study: only this engine and the server write them."""
    arrays, words = read_arrays(path)
    try:
        head = json.loads(words["flow"])
        x, y, z = head["size"]
        shape = (head["frames"], z, y, x)
        velocity, magnitude = arrays["velocity"], arrays["magnitude"]
    except (KeyError, TypeError, ValueError) as error:
        raise SpecError(f"{path.name}: no study of flow: {error!r:.100}") from error
    if velocity.shape != (3, *shape) or magnitude.shape != shape:
        raise SpecError(f"{path.name}: {velocity.shape} and {magnitude.shape} in a study of {shape}")
    return Stored(head, velocity, magnitude)


def read_arrays(path: Path) -> tuple[dict[str, Values], dict[str, str]]:
    """Mapped arrays by name and what stands beside them; every offset is checked before a byte is used."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if size < 8 or length > min(MOST_HEAD, size - 8):
            raise SpecError(f"{path.name}: a head of {length} bytes in a file of {size}")
        text = file.read(length)
    try:
        entries = json.loads(text)
        words = {str(key): str(value) for key, value in entries.pop("__metadata__", {}).items()}
        arrays = {}
        for name, entry in entries.items():
            type_, shape = np.dtype(TYPES[entry["dtype"]]), tuple(int(side) for side in entry["shape"])
            start, stop = (int(one) for one in entry["data_offsets"])
            count = math.prod(shape) * type_.itemsize
            if min(shape) < 1 or start < 0 or stop - start != count or 8 + length + stop > size:
                raise ValueError(f"{name:.80} at {start}..{stop}")
            arrays[name] = np.memmap(path, type_, "r", 8 + length + start, shape)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SpecError(f"{path.name}: no container of arrays: {error!r:.200}") from error
    return arrays, words


def write_arrays(path: Path, arrays: Mapping[str, Values], words: Mapping[str, str]) -> None:
    """Equal arrays give equal bytes."""
    names = {np.dtype(code): name for name, code in TYPES.items()}
    entries: dict[str, Any] = {"__metadata__": dict(words)}
    place = 0
    for name, values in arrays.items():
        entries[name] = {
            "dtype": names[values.dtype],
            "shape": list(values.shape),
            "data_offsets": [place, place + values.nbytes],
        }
        place += values.nbytes
    with durable(path) as file:
        file.write(padded(entries))
        for values in arrays.values():
            # Slice by slice of the first axis: a copy of the whole would be too much.
            for part in values:
                file.write(np.ascontiguousarray(part).tobytes())


def write_study(path: Path, stored: Stored, head: Mapping[str, Any], velocity: Values) -> None:
    """Velocity (3, t, z, y, x) in m/s, with the magnitude as it was."""
    with durable(path) as file:
        file.write(header_bytes(head))
        for component in velocity:
            for frame in component:
                file.write(encoded(frame, head["velocityScale"]).tobytes())
        for frame in stored.magnitude:
            file.write(frame.tobytes())


def unit_for(velocity: Values, venc: float) -> float:
    """m/s of one unit in which four times this VENC has room, and all of the velocity."""
    largest = max((float(np.nanmax(np.abs(frame), initial=0)) for frame in frames_of(velocity)), default=0.0)
    return max(ROOM * venc, largest) / LARGEST


def frames_of(velocity: Values) -> Iterator[Values]:
    yield from velocity.reshape(-1, *velocity.shape[-3:])


def encoded(values: Values, unit: float) -> Values:
    """Whole numbers of 16 bits; NaN is no value."""
    known = np.isfinite(values)
    whole = np.rint(np.where(known, values, 0) * (1 / unit))
    return np.where(known, np.clip(whole, -LARGEST, LARGEST), NO_VALUE).astype("<i2")


def decoded(values: Values, unit: float) -> Values:
    made = values.astype(np.float32)
    made *= np.float32(unit)
    made[values == NO_VALUE] = np.nan
    return made


def marked(head: Mapping[str, Any]) -> dict[str, Any]:
    """`sharpened` where a network made the study finer: it goes with all that comes of it."""
    return {"sharpened": head["sharpened"]} if "sharpened" in head else {}


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
