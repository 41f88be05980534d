"""Which outputs of a network speak of which level, and where on the image their cells lie."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from ..failures import RunFailure
from ..network import heads_of
from ..spec import Plan, TensorType

# What the ports of a head are called tells its style.
PORTS = {
    "anchor-free": ("cls", "box", "obj"),
    "fcos": ("cls", "box", "ctr"),
    "centernet": ("heat", "size", "offset"),
}
# Channels of ports that do not depend on the classes.
CHANNELS = {"box": 4, "obj": 1, "ctr": 1, "size": 2, "offset": 2}


@dataclass(frozen=True)
class Layout:
    """Levels from fine to coarse as the plan has them: of each its stride in pixels and where each port's
    tensor stands among the network's outputs.
    """

    style: str
    strides: tuple[float, ...]
    ports: tuple[Mapping[str, int], ...]


@dataclass(frozen=True)
class Cells:
    """All cells of all levels in a row: middles in pixels (cells, 2) as x, y, and strides (cells,)."""

    points: Tensor
    strides: Tensor


def layout_of(plan: Plan) -> Layout:
    """Of the plan's leading detection head; fails where its parts make no style."""
    heads = heads_of(plan, "detection")
    names = list(heads)
    leading = names[0].split(".")[0]
    levels: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        level, _, port = name.rpartition(".")
        if level.split(".")[0] == leading:
            levels.setdefault(level, {})[port] = index
    types = {node.id: node.type for node in plan.nodes}
    image = next(iter(plan.inputs.values()))
    maps = [types[heads[names[next(iter(own.values()))]].source] for own in levels.values()]
    strides = tuple(stride_of(image, kind) for kind in maps)
    for style, ports in PORTS.items():
        if all({*own} == {*ports} for own in levels.values()):
            return Layout(style, strides, tuple(levels.values()))
    parts = ", ".join(next(iter(levels.values())))
    raise RunFailure("plan_invalid", {"reason": f"head {leading}: {parts} make no way of detection"})


def check_channels(plan: Plan, layout: Layout, classes: int) -> None:
    """A part for the classes has as many channels as there are classes, the others their own number."""
    heads = list(heads_of(plan, "detection").items())
    types = {node.id: node.type for node in plan.nodes}
    for ports in layout.ports:
        for port, index in ports.items():
            name, head = heads[index]
            have, want = types[head.source].channels, CHANNELS.get(port, classes)
            if have != want:
                raise RunFailure("plan_invalid", {"reason": f"{name}: {have} and {want} do not fit"})


def stride_of(image: TensorType, level: TensorType) -> float:
    """Pixels from cell to cell: the quotient of the sizes where it is whole, else the nearest power of two.

    A side that is no multiple is rounded up at each halving, so that the plain quotient comes out too small.
    """
    quotients = [have / cells for have, cells in zip(image.size, level.size, strict=True)]
    if all(quotient == quotients[0] and quotient.is_integer() for quotient in quotients):
        return quotients[0]
    return float(2 ** round(math.log2(max(quotients))))


def rows(outputs: Sequence[Tensor], layout: Layout, port: str) -> Tensor:
    """A port's answers of all levels in a row: (batch, cells, channels)."""
    return torch.cat([outputs[ports[port]].flatten(2).transpose(1, 2) for ports in layout.ports], 1)


def cells(outputs: Sequence[Tensor], layout: Layout) -> Cells:
    """Of the very maps that came out, which may be of another size than the plan's."""
    points, strides = [], []
    for ports, stride in zip(layout.ports, layout.strides, strict=True):
        first = outputs[next(iter(ports.values()))]
        height, width = first.shape[2], first.shape[3]
        y = (torch.arange(height, device=first.device) + 0.5) * stride
        x = (torch.arange(width, device=first.device) + 0.5) * stride
        grid = torch.stack([x.expand(height, width), y[:, None].expand(height, width)], -1).reshape(-1, 2)
        points.append(grid)
        strides.append(torch.full_like(grid[:, 0], stride))
    return Cells(torch.cat(points), torch.cat(strides))


def size_ranges(layout: Layout) -> list[tuple[float, float]]:
    """FCOS: from each level's reach to the next, in pixels from a point to the farthest side of its box.

    Eight strides a level, which for strides of 8, 16, 32 … are the paper's 64, 128, 256 …
    """
    ends = [0.0, *(8 * stride for stride in layout.strides[:-1]), math.inf]
    return list(pairwise(ends))
