"""Where in an image a network that names classes looked: Grad-CAM (Selvaraju et al. 2017, arXiv 1610.02391).

Looks on while a test predicts and keeps the deepest map of few items; the gradient then flows through the
layers behind that map alone, so that no image passes through the network twice. Judges nothing.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from .look import MOST_EXTRA_TOKENS, grids_of
from .network import Network
from .spec import Plan, PlanNode

# Of a test: the items that went worst and those that went best, which are what people open first.
WORST, BEST = 60, 20
# What is kept of all of them together.
MOST_BYTES = 256_000_000
BATCH = 16
# Longest side of a heat map's picture: what is finer than the map itself is only smoothness.
SIDE = 224
STRONGEST_ALPHA = 215

# The score of each row, given the rows of a batch and the network's answer: low = bad.
Scores = Callable[[Sequence[int], Tensor], Sequence[float]]


@dataclass(frozen=True)
class Target:
    """The watched node, and how its channels lie over the image: `grid` fields behind `extra` tokens."""

    node: str
    grid: tuple[int, int]
    is_map: bool

    def as_maps(self, value: Tensor) -> Tensor:
        """(batch, channels, height, width)."""
        if self.is_map:
            return value
        extra = value.shape[1] - prod(self.grid)
        return value[:, extra:].transpose(1, 2).reshape(len(value), -1, *self.grid)


def target_of(plan: Plan, source: str) -> Target | None:
    """The last map with more than one pixel on the way to `source`; None where there is none.

    Of a transformer that answers from a class token, the norm before its last attention: behind it the
    patches say nothing any more to the answer, so that the map would be zero.
    """
    nodes = {node.id: node for node in plan.nodes}
    way = ancestors(nodes, source)
    grids = grids_of(plan)

    def target(name: str) -> Target | None:
        node = nodes.get(name)
        if node is None or node.id not in way:
            return None
        if node.type.kind == "map" and len(node.type.size) == 2 and prod(node.type.size) > 1:
            height, width = node.type.size
            return Target(node.id, (height, width), True)
        grid = grids.get(node.id, ())
        if node.type.kind != "seq" or len(grid) != 2 or prod(grid) < 2:
            return None
        extra = node.type.tokens - prod(grid)
        return Target(node.id, (grid[0], grid[1]), False) if 0 <= extra <= MOST_EXTRA_TOKENS else None

    found = [one for node in plan.nodes if (one := target(node.id)) is not None]
    if not found:
        return None
    last = found[-1]
    if last.is_map or nodes[last.node].type.tokens == prod(last.grid):
        return last
    attended = [
        one
        for node in plan.nodes
        if node.op == "attention" and node.id in way and (one := target(node.inputs["x"])) is not None
    ]
    return attended[-1] if attended else next((one for one in reversed(found) if one.is_map), None)


def ancestors(nodes: Mapping[str, PlanNode], source: str) -> set[str]:
    """The node itself and all that it is made from; without the plan's inputs."""
    way: set[str] = set()
    left = [source]
    while left:
        name = left.pop()
        if name in nodes and name not in way:
            way.add(name)
            left += nodes[name].inputs.values()
    return way


@dataclass(frozen=True)
class Kept:
    """An item's row and score, and what flows from the front half of the network into the back half."""

    row: int
    score: float
    values: Mapping[int, Tensor]


class Lens:
    """The network cut in two behind the watched node: `__call__` is its forward.

    It keeps what flows between the halves.
    """

    def __init__(self, network: Network, target: Target, scores: Scores) -> None:
        self._network = network
        self._target = target
        self._scores = scores
        nodes = network.plan.nodes
        cut = 1 + next(index for index, node in enumerate(nodes) if node.id == target.node)
        source = next(iter(network.heads.values())).source
        way = ancestors({node.id: node for node in nodes}, source)
        self._front, self._back = network.steps[:cut], network.steps[cut:]
        #: What the main head still needs of the back half.
        self._tail = [step for node, step in zip(nodes[cut:], self._back, strict=True) if node.id in way]
        self._watched = self._front[-1].target
        made = {step.target for step in self._tail}
        needed = {slot for step in self._tail for slot in step.sources} | {self._watched}
        self._between = sorted(needed - made)
        self._seen = 0
        self._worst: list[Kept] = []
        self._best: list[Kept] = []

    @property
    def grid(self) -> tuple[int, int]:
        return self._target.grid

    def __call__(self, images: Tensor) -> list[Tensor]:
        values = self._network.values_of([images])
        self._network.advance(values, self._front)
        # A layer behind may change them in place.
        between = {slot: value.clone() for slot in self._between if (value := values[slot]) is not None}
        self._network.advance(values, self._back)
        answers = self._network.answers_of(values)
        self._take(between, answers[0].float().cpu())
        return answers

    def _take(self, between: Mapping[int, Tensor], answer: Tensor) -> None:
        rows = range(self._seen, self._seen + len(answer))
        self._seen = rows.stop
        scores = self._scores(rows, answer)
        fresh = [Kept(row, float(score), {}) for row, score in zip(rows, scores, strict=True)]
        per_item = sum(value[0].numel() * 4 for value in between.values())
        most = min(WORST + BEST, MOST_BYTES // max(1, per_item))
        best = most * BEST // (WORST + BEST)
        self._worst = first(self._worst, fresh, most - best, 1)
        self._best = first(self._best, fresh, best, -1)

        def held(kept: Kept) -> Kept:
            index = kept.row - rows.start
            if kept.values:
                return kept
            return replace(
                kept, values={slot: value[index].float().cpu().clone() for slot, value in between.items()}
            )

        self._worst = [held(kept) for kept in self._worst]
        self._best = [held(kept) for kept in self._best]

    def maps(self, device: torch.device) -> dict[int, NDArray[np.float32]]:
        """By row, where the network looked for the class that it is surest of: 0 to 1 on the grid.

        Rows of which nothing in the map speaks for the class are left out. Call it in eval mode.
        """
        kept = list({one.row: one for one in (*self._worst, *self._best)}.values())
        found: dict[int, NDArray[np.float32]] = {}
        for start in range(0, len(kept), BATCH):
            part = kept[start : start + BATCH]
            between = {slot: torch.stack([one.values[slot] for one in part]) for slot in self._between}
            for one, heat in zip(part, self._heat(between, device), strict=True):
                if heat.max() > 0:
                    found[one.row] = heat / heat.max()
        return found

    def _heat(self, between: Mapping[int, Tensor], device: torch.device) -> NDArray[np.float32]:
        """(batch, height, width): the map's channels, weighted by the mean gradient of the class's score."""
        values = dict(between)
        watched = values[self._watched].to(device).requires_grad_()
        with torch.enable_grad():
            now = {slot: value.to(device) for slot, value in values.items()}
            # A copy: a layer behind may change its input in place, which a leaf does not allow.
            now[self._watched] = watched.clone()
            for step in self._tail:
                module = self._network.layer(step.module)
                now[step.target] = module(*[now[slot] for slot in step.sources])
            answer = now[self._network.outputs[0]]
            (gradient,) = torch.autograd.grad(answer.max(1).values.sum(), watched)
        channels, slopes = self._target.as_maps(watched.detach()), self._target.as_maps(gradient)
        weights = slopes.mean((2, 3), keepdim=True)
        heat = torch.nan_to_num((weights * channels).sum(1).relu())
        return heat.float().cpu().numpy()


def first(kept: list[Kept], fresh: list[Kept], count: int, sign: int) -> list[Kept]:
    """The `count` lowest scores (highest with `sign` -1), items of one score in the order of the test."""
    return sorted([*kept, *fresh], key=lambda one: (sign * one.score, one.row))[:count]


def lens_of(network: Network, scores: Scores | None) -> Lens | None:
    """None for tasks that name no class for the whole image, and for networks without a map."""
    if scores is None:
        return None
    target = target_of(network.plan, next(iter(network.heads.values())).source)
    return None if target is None else Lens(network, target, scores)


def draw_heats(lens: Lens, device: torch.device, size: tuple[int, int], out: Path) -> dict[int, Path]:
    """Pictures by row, below `out`.

    Whatever goes wrong costs only these pictures: the test's figures stand without them.
    """
    try:
        maps = lens.maps(device)
        folder = out / "heat"
        folder.mkdir(parents=True, exist_ok=True)
        return {row: draw_heat(folder / f"{row}.png", heat, size) for row, heat in maps.items()}
    except (RuntimeError, MemoryError, OSError):
        traceback.print_exc()
        return {}


def draw_heat(path: Path, heat: NDArray[np.float32], size: tuple[int, int]) -> Path:
    """A PNG to lay over the image: clear where the network did not look, by yellow to red where it did most.

    `size` is the network's (height, width); the picture has its proportions.
    """
    scale = min(1.0, SIDE / max(size))
    height, width = (max(1, round(side * scale)) for side in size)
    smooth = F.interpolate(
        torch.from_numpy(heat)[None, None], size=(height, width), mode="bilinear", align_corners=False
    )[0, 0]
    levels = (smooth.clamp(0, 1) * 255).round().byte().numpy()
    picture = Image.fromarray(levels, "P")
    ramp = np.linspace(0, 1, 256)
    # Yellow to red, which eyes that confuse red and green tell apart by brightness.
    colours = np.stack([255 - 75 * ramp, 235 * (1 - ramp) ** 0.8, 20 * (1 - ramp)], 1)
    picture.putpalette(colours.round().astype(np.uint8).tobytes())
    clear = (STRONGEST_ALPHA * ramp**0.7).round().astype(np.uint8).tobytes()
    picture.save(path, transparency=clear)
    return path
