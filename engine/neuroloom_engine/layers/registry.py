"""What a builder is and how it reads parameters; knows no single operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from ..spec import SpecError, TensorType


@dataclass(frozen=True)
class Params:
    """A node's evaluated parameters; a missing or mistyped one names itself."""

    op: str
    values: Mapping[str, Any]

    def int(self, name: str) -> int:
        return int(self._get(name, int, float))

    def float(self, name: str) -> float:
        return float(self._get(name, int, float))

    def flag(self, name: str) -> bool:
        return bool(self._get(name, bool, int))

    def text(self, name: str) -> str:
        return str(self._get(name, str))

    def axis(self, name: str) -> tuple[int, ...]:
        return tuple(int(value) for value in self._get(name, list))

    def floats(self, name: str) -> list[float]:  # type: ignore[valid-type]
        return [float(value) for value in self._get(name, list)]

    def _get(self, name: str, *kinds: type) -> Any:
        value = self.values.get(name)
        if not isinstance(value, kinds):
            raise SpecError(
                f"{self.op}.{name}: {value!r:.80} is not {' or '.join(kind.__name__ for kind in kinds)}"
            )
        return value


Inputs = Sequence[TensorType]
Builder = Callable[[Params, Inputs], nn.Module]
BUILDERS: dict[str, Builder] = {}

# Ports of operations with several named inputs, in the order in which the module takes them.
PORTS: dict[str, tuple[str, ...]] = {
    "sub": ("a", "b"),
    "resize_like": ("x", "ref"),
    "crop_like": ("x", "ref"),
    "tokens_to_map": ("x", "ref"),
    "attention": ("x", "ctx"),
}


def builds(*ops: str) -> Callable[[Builder], Builder]:
    def register(builder: Builder) -> Builder:
        for op in ops:
            BUILDERS[op] = builder
        return builder

    return register


def ports_in_order(op: str, inputs: Mapping[str, str]) -> list[str]:
    """Sources in the order of the module's arguments; variadic ports are `x0`, `x1`, … `x10`."""
    if op in PORTS:
        return [inputs[port] for port in PORTS[op] if port in inputs]
    return [inputs[port] for port in sorted(inputs, key=lambda port: (len(port), port))]


def channel_axis(kind: TensorType) -> int:
    """Where channels stand in a batch: maps and vectors are channel-first, sequences channel-last."""
    return -1 if kind.kind == "seq" else 1


def split_axis(x: Tensor, axis: int, *sizes: int) -> Tensor:
    """Parts one axis into several.

    All but the batch are plain numbers, so that an export records no arithmetic.
    """
    before = [int(side) for side in x.shape[1:axis]]
    after = [int(side) for side in x.shape[axis + 1 :]]
    return x.reshape(-1, *before, *sizes, *after)


def batch_of(x: Tensor) -> int:
    """The first number of a new shape: an export leaves it open, anything else must not mix samples."""
    return -1 if torch.onnx.is_in_onnx_export() else x.shape[0]


def wrap(x: Tensor, amount: Sequence[int]) -> Tensor:
    """Circular padding of each axis of a map, spelled out."""
    for axis, pixels in enumerate(amount, start=2):
        if pixels > 0:
            before = (slice(None),) * axis
            x = torch.cat([x[(*before, slice(-pixels, None))], x, x[(*before, slice(0, pixels))]], axis)
    return x


def rank(kind: TensorType) -> int:
    """Spatial axes; 1 for everything that is not a map."""
    return len(kind.size) or 1
