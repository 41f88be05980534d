"""What is found in a file of weights, of whichever kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Beyond these a file is no network that anybody looks through by eye.
MOST_TENSORS, MOST_AXES, NAME_LENGTH = 20_000, 16, 300

# Number formats by the names of safetensors: how they are read; of None only the size is known.
FORMATS: dict[str, tuple[int, str | None]] = {
    "F64": (8, "<f8"),
    "F32": (4, "<f4"),
    "F16": (2, "<f2"),
    # The upper half of a 32-bit number.
    "BF16": (2, "<u2"),
    "I64": (8, "<i8"),
    "I32": (4, "<i4"),
    "I16": (2, "<i2"),
    "I8": (1, "i1"),
    "U64": (8, "<u8"),
    "U32": (4, "<u4"),
    "U16": (2, "<u2"),
    "U8": (1, "u1"),
    "BOOL": (1, "u1"),
    "F8_E4M3": (1, None),
    "F8_E5M2": (1, None),
    "C64": (8, None),
    "C128": (16, None),
}


class Refused(ValueError):
    """A file that is not looked into; `reason` is one of the contract's."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Weights:
    name: str
    layer: str
    format: str
    shape: tuple[int, ...]
    # None where they lie in another file, which is not opened, or in a format that cannot be read.
    raw: memoryview | None

    @property
    def count(self) -> int:
        return prod(self.shape)

    @property
    def bytes(self) -> int:
        return self.count * FORMATS[self.format][0]


@dataclass(frozen=True)
class Layer:
    name: str
    op: str
    output: str | None


@dataclass(frozen=True)
class Found:
    kind: str
    weights: list[Weights]
    # In their order; empty where the file tells of tensors alone.
    layers: list[Layer] = field(default_factory=list)
    # Tensors that name another file for their numbers.
    external: list[str] = field(default_factory=list)


def shape_of(raw: Any) -> tuple[int, ...]:
    """Of whole numbers that a file claims."""
    if not isinstance(raw, list) or len(raw) > MOST_AXES:
        raise Refused("damaged")
    if not all(isinstance(side, int) and not isinstance(side, bool) and 0 <= side < 2**48 for side in raw):
        raise Refused("damaged")
    return tuple(raw)


def numbers_of(weights: Weights, start: int, stop: int) -> NDArray[Any]:
    """A stretch of the tensor's numbers, as they are."""
    size, kind = FORMATS[weights.format]
    assert weights.raw is not None and kind is not None
    values = np.frombuffer(weights.raw[start * size : stop * size], kind)
    if weights.format == "BF16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values
