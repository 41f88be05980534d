"""What a reader finds in files of flow, before anything of it is settled. Opens nothing."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..study import Refusal, Values, Vector

Floats = NDArray[np.float64]
Size = tuple[int, int, int]
T = TypeVar("T")
# What libraries throw at broken bytes.
FAULTS = (
    OSError,
    RuntimeError,
    LookupError,
    TypeError,
    ArithmeticError,
    ValueError,
    struct.error,
    zlib.error,
)


def unreadable(name: str, why: str) -> Refusal:
    """`why` is one of the contract's `flowFileFaults`."""
    return Refusal("unreadable", name=name, why=why)


def guarded(name: str, read: Callable[[], T]) -> T:
    """What a broken file makes of numbers, names and libraries is one refusal."""
    try:
        return read()
    except Refusal:
        raise
    except FAULTS as error:
        raise unreadable(name, "damaged") from error


@dataclass(frozen=True)
class Problem:
    reason: str
    params: Mapping[str, str | int | float]
    is_blocking: bool

    def told(self) -> dict[str, Any]:
        return {"reason": self.reason, "params": dict(self.params), "isBlocking": self.is_blocking}


def blocking(reason: str, **params: str | int | float) -> Problem:
    return Problem(reason, params, True)


def note(reason: str, **params: str | int | float) -> Problem:
    return Problem(reason, params, False)


@dataclass(frozen=True)
class Limits:
    # Of the study that is made, and of what any file may claim.
    max_bytes: int
    # Of this process.
    memory_bytes: int

    @property
    def most_at_once(self) -> int:
        """Bytes of one frame as it is stored, or of what can be had only whole: it is held a few times
        over."""
        return self.memory_bytes // 8

    def check(self, count: int) -> None:
        if count > self.most_at_once:
            raise Refusal("too_large", bytes=count, most=self.most_at_once)


@dataclass(frozen=True)
class File:
    path: Path
    # As the member calls it, with folders; never a path to open.
    name: str

    @property
    def base(self) -> str:
        return self.name.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Place:
    """Where a grid lies. `affine` (3, 4) goes from voxels to mm in RAS; None: nothing tells of the
    patient."""

    size: Size
    # mm; None where it is not told.
    spacing: Vector | None
    affine: Floats | None = None
    # (3, 3), columns: what `+x`, `+y`, `+z` name, in the axes of the grid; None: those axes themselves.
    axes: Floats | None = None
    # The file gave lengths without a unit; `spacing` took them for mm.
    is_unit_told: bool = True


@dataclass(frozen=True)
class Clock:
    # Seconds, one a frame.
    times: tuple[float, ...] | None = None
    period: float | None = None
    gating: str = "unknown"


@dataclass(frozen=True)
class Meaning:
    """What a series is. `venc` in m/s; `unsure` names what was guessed."""

    role: str = "unused"
    direction: str | None = None
    unit: str | None = None
    venc: float | None = None
    unsure: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Series:
    """One number a voxel and time. `read` gives the frames one after the other, each (z, y, x)."""

    id: str
    name: str
    place: Place
    frames: int
    files: tuple[File, ...]
    read: Callable[[], Iterator[Values]]
    meaning: Meaning
    clock: Clock = Clock()


@dataclass
class Found:
    source: str
    series: list[Series] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    vendor: str | None = None
    left_out: int = 0


def id_of(name: str, part: str = "") -> str:
    """The same for the same name; at most 200 letters, as the contract counts them (UTF-16)."""
    whole = f"{name}#{part}" if part else name
    if len(whole.encode("utf-16-le", "replace")) <= 400:
        return whole
    return f"{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:16]}~{whole[-90:]}"
