"""Lets one image flow through a network and writes down what chosen nodes make of it.

Reads a folder with `look.json`, the image and perhaps weights; writes `seen.json`. Trains nothing.
"""

from __future__ import annotations

import base64
import json
import resource
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from .control import answer_folders
from .data.images import BadFile, Picture, as_uint8, read_picture, resize
from .data.normalise import Moments, Normalisation, Normalise
from .events import Emitter
from .export import load_weights
from .failures import is_out_of_memory
from .network import Network, channels_last
from .spec import Plan, PlanNode, TensorType, field, optional, parse_plan, read_json
from .state import restore

SEED = 7
# Sequences may carry a few tokens before those of the picture's patches.
MOST_EXTRA_TOKENS = 8
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class LookSpec:
    folder: Path
    plan: Plan
    task: str
    image: Path
    weights: Path | None
    nodes: frozenset[str]
    channels: int
    side: int
    values: int
    threads: int
    max_pixels: int
    memory_bytes: int


def serve(emitter: Emitter) -> int:
    return answer_folders(emitter, try_look)


def try_look(folder: Path) -> str | None:
    """None, or why it failed: a locale key below `look`."""
    try:
        look(read_look(folder))
    except BadFile:
        return "image"
    except Exception as error:
        if is_out_of_memory(error):
            return "too_big"
        traceback.print_exc()
        return "internal"
    return None


def read_look(folder: Path) -> LookSpec:
    raw = read_json(folder / "look.json")
    weights = optional(raw, "weights", str)
    return LookSpec(
        folder=folder,
        plan=parse_plan(field(raw, "plan", dict)),
        task=field(raw, "task", str),
        image=folder / field(raw, "image", str),
        weights=None if weights is None else folder / weights,
        nodes=frozenset(str(node) for node in field(raw, "nodes", list)),
        channels=field(raw, "channels", int),
        side=field(raw, "side", int),
        values=field(raw, "values", int),
        threads=field(raw, "threads", int),
        max_pixels=field(raw, "maxPixels", int),
        memory_bytes=field(raw, "memoryBytes", int),
    )


def look(spec: LookSpec) -> None:
    """From the image to `seen.json`."""
    resource.setrlimit(resource.RLIMIT_DATA, (spec.memory_bytes, resource.RLIM_INFINITY))
    torch.set_num_threads(spec.threads)
    torch.set_flush_denormal(True)

    # The network with its first or its trained weights
    torch.manual_seed(SEED)
    network = Network(spec.plan)
    rule: Normalisation | None = None
    if spec.weights is not None:
        tensors, about = load_weights(spec.weights)
        restore(network, tensors)
        rule = Normalisation.from_json(about["normalisation"])
    channels_last(network).eval()
    if rule is None:
        take_own_statistics(network)

    # The image as each input wants it
    picture = read_picture(spec.image, spec.max_pixels)
    shown = shown_pixels(spec, picture)
    inputs = [input_of(spec, kind, picture, rule) for kind in spec.plan.inputs.values()]

    # Every asked node, one after the other
    grids = grids_of(spec.plan)
    seen: list[dict[str, Any]] = []
    values: list[dict[str, Any]] = []
    with torch.no_grad():
        for node, value in flow(network, inputs, spec.nodes):
            maps = as_maps(node.type, torch.nan_to_num(value[0].float()), grids.get(node.id))
            if maps is None:
                numbers = torch.nan_to_num(value[0].float()).flatten()[: spec.values]
                values.append({"node": node.id, "values": numbers.tolist()})
            else:
                seen.append({"node": node.id, **describe(maps, spec)})
    answer = {"image": as_png(shown), "seen": seen, "values": values}
    (spec.folder / "seen.json").write_text(json.dumps(answer, allow_nan=False))


def take_own_statistics(network: Network) -> None:
    """Before any training batch normalisation knows no data: like a first step, it takes the image's own."""
    for node in network.plan.nodes:
        if node.op == "bn" and node.share is None and prod(node.type.size) > 1:
            network.layer(node.id).train()


def flow(
    network: Network, inputs: Sequence[Tensor], wanted: frozenset[str]
) -> Iterator[tuple[PlanNode, Tensor]]:
    """What comes out of the wanted nodes, each before a layer behind it may change it in place."""
    left = set(wanted)
    values: list[Tensor | None] = [*inputs, *network.spare_slots]
    for node, step in zip(network.plan.nodes, network.steps, strict=True):
        if not left:
            return
        value = network.layer(step.module)(*[values[source] for source in step.sources])
        values[step.target] = value
        for slot in step.done_with:
            values[slot] = None
        if node.id in left:
            left.remove(node.id)
            yield node, value


def shown_pixels(spec: LookSpec, picture: Picture) -> Pixels:
    """The image as the network is given it: in the size and the colours of its first picture input."""
    for kind in spec.plan.inputs.values():
        if kind.kind == "map" and len(kind.size) > 1:
            return fitted(spec, kind, picture)
    return as_uint8(picture, 1)


def fitted(spec: LookSpec, kind: TensorType, picture: Picture) -> Pixels:
    """(h, w, c).

    Segmentation learns from crops at the images' own scale, everything else from whole images.
    """
    if kind.channels in (1, 3):
        pixels = as_uint8(picture, kind.channels)
    else:
        pixels = np.repeat(as_uint8(picture, 1), kind.channels, axis=2)
    height, width = kind.size[-2:]
    top, left = pixels.shape[0] - height, pixels.shape[1] - width
    if spec.task == "segmentation" and spec.weights is not None and min(top, left) >= 0:
        return np.ascontiguousarray(pixels[top // 2 : top // 2 + height, left // 2 : left // 2 + width])
    return resize_channels(pixels, height, width)


def resize_channels(pixels: Pixels, height: int, width: int) -> Pixels:
    if pixels.shape[2] in (1, 3):
        return resize(pixels, height, width)
    # Equal channels, see `fitted`.
    return np.repeat(resize(pixels[..., :1], height, width), pixels.shape[2], axis=2)


def input_of(spec: LookSpec, kind: TensorType, picture: Picture, rule: Normalisation | None) -> Tensor:
    """One sample for an input: the image, in a volume strongest in the middle; else a smooth pattern."""
    if kind.kind != "map" or len(kind.size) < 2:
        count = prod(kind.shape)
        return torch.sin(torch.linspace(0, 12.0, count)).view(1, *kind.shape)
    pixels = fitted(spec, kind, picture)
    image = torch.from_numpy(pixels.copy()).permute(2, 0, 1)[None].float() / 255
    flat = Normalise(rule_for(spec, pixels, rule))(image)
    if len(kind.size) == 2:
        return flat.contiguous(memory_format=torch.channels_last)
    depth = torch.hann_window(kind.size[0] + 2, periodic=False)[1:-1]
    return flat[:, :, None] * depth.view(1, 1, -1, 1, 1)


def rule_for(spec: LookSpec, pixels: Pixels, rule: Normalisation | None) -> Normalisation:
    """As the weights were trained; before any training each image by itself."""
    if rule is not None and len(rule.mean) in (0, pixels.shape[2]):
        return rule
    return Normalisation("image") if spec.task == "segmentation" else Moments.of(pixels).normalisation()


def grids_of(plan: Plan) -> dict[str, tuple[int, ...]]:
    """For sequences made of a picture: how its patches stood there."""
    types: Mapping[str, TensorType] = {f"@{name}": kind for name, kind in plan.inputs.items()} | {
        node.id: node.type for node in plan.nodes
    }
    grids: dict[str, tuple[int, ...]] = {}
    for node in plan.nodes:
        source = next(iter(node.inputs.values()))
        size = types[source].size
        if node.op == "patches":
            patch = node.params["size"]
            grids[node.id] = tuple(side // part for side, part in zip(size, patch, strict=True))
        elif node.op == "to_tokens":
            grids[node.id] = size
        elif node.type.kind == "seq" and source in grids:
            grids[node.id] = grids[source]
    return grids


def as_maps(kind: TensorType, value: Tensor, grid: tuple[int, ...] | None) -> Tensor | None:
    """(c, h, w), of a volume its middle slice; None for what is no picture."""
    if kind.kind == "map":
        maps = value
    else:
        extra = kind.tokens - prod(grid or ())
        if kind.kind != "seq" or grid is None or not 0 <= extra <= MOST_EXTRA_TOKENS:
            return None
        maps = value[extra:].T.reshape(kind.channels, *grid)
    if maps.dim() == 2:
        return maps[:, None]
    return maps[:, maps.shape[1] // 2] if maps.dim() == 4 else maps


def describe(maps: Tensor, spec: LookSpec) -> dict[str, Any]:
    """The first channels, averaged down to the largest side that is shown, each between its own extremes."""
    part = maps[: spec.channels]
    height, width = part.shape[1:]
    scale = min(1.0, spec.side / max(height, width))
    size = (max(1, round(height * scale)), max(1, round(width * scale)))
    small = F.adaptive_avg_pool2d(part[None].contiguous(), size)[0]
    low = small.amin((1, 2), keepdim=True)
    span = small.amax((1, 2), keepdim=True) - low
    # An even map is shown black.
    levels = (small - low) / torch.where(span > 0, span, torch.ones_like(span)) * 255
    return {
        "channels": part.shape[0],
        "allChannels": maps.shape[0],
        "width": size[1],
        "height": size[0],
        "min": float(part.min()),
        "max": float(part.max()),
        "data": base64.b64encode(levels.round().byte().numpy().tobytes()).decode(),
    }


def as_png(pixels: Pixels) -> str:
    """A data address."""
    flat = pixels if pixels.shape[2] == 3 else pixels[..., 0]
    buffer = BytesIO()
    Image.fromarray(np.ascontiguousarray(flat)).save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
