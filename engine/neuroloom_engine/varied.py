"""Shows what the random changes of training make of a few images, by the very functions that training calls.

Reads a folder with `vary.json`, a training's `run.json` and its data; writes `varied.json`. Trains nothing.
"""

from __future__ import annotations

import json
import resource
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from torch import Tensor

from .control import Control
from .data.images import Pixels
from .data.normalise import Normalisation
from .data.overlay import outline
from .data.slices import fullest, grey
from .recipe.examine import COLOURS
from .recipe.trial import address_of
from .spec import Hyper, Manifest, NetworkSpec, field, read_json, read_manifest, read_spec
from .tasks.losses import NOT_COUNTED
from .tasks.task import task_of

STRENGTH = 0.3
THREADS = 2


@dataclass(frozen=True)
class Shown:
    """One image with what is marked in it: classes per pixel, or boxes as class and corners."""

    pixels: Pixels  # (h, w) or (h, w, 3)
    mask: NDArray[np.uint8] | None = None
    boxes: NDArray[np.float32] | None = None


def vary(folder: Path) -> None:
    raw = read_json(folder / "vary.json")
    resource.setrlimit(resource.RLIMIT_DATA, (field(raw, "memoryBytes", int), resource.RLIM_INFINITY))
    torch.set_num_threads(THREADS)
    spec = read_spec(folder)
    assert isinstance(spec, NetworkSpec), spec.kind
    manifest = read_manifest(spec.manifest_path)
    changes = frozenset(str(name) for name in field(raw, "changes", list))
    answer = {"samples": samples(spec, manifest, changes, (field(raw, "seed", int), field(raw, "side", int)))}
    (folder / "varied.json").write_text(json.dumps(answer, allow_nan=False))


def samples(
    spec: NetworkSpec, manifest: Manifest, changes: frozenset[str], how: tuple[int, int]
) -> list[dict[str, Any]]:
    """In the order of the manifest: each image at the same place without any change, and with these."""
    seed, side = how
    task = task_of(spec.task)
    data, bad = task.load(spec, manifest, manifest.items, Control())
    rows = list(range(len(data.items)))
    told: dict[str, dict[str, Any]] = {entry.item.id: refused(entry.reason) for entry in bad}
    # By the images that are shown: a training knows all of its own, and differs by as little.
    rule = task.normalisation(data, rows) if rows else Normalisation("image")
    for row in rows:
        pair: list[Shown] = []
        for made in (frozenset[str](), changes):
            hyper = replace(spec.hyper, changes=made, batch_size=1)
            images, targets = task.batch(data, [row], rule, hyper, np.random.default_rng((seed, row)))
            pair.append(shown(data, row, rule, hyper, images[0], targets[0], spec.task))
        if spec.task == "volume_segmentation":
            pair = of_slices(pair)
        told[data.items[row].id] = {
            "before": drawn(pair[0], side),
            "after": drawn(pair[1], side),
            "marks": marks_of(pair[1]),
            "reason": None,
        }
    return [told.get(item.id, refused("pair")) for item in manifest.items]


def refused(reason: str) -> dict[str, Any]:
    return {"before": None, "after": None, "marks": [], "reason": reason}


def shown(
    data: Any, row: int, rule: Normalisation, hyper: Hyper, image: Tensor, target: Tensor, task: str
) -> Shown:
    """What the network is given, brought back to grey values or colours."""
    if task == "volume_segmentation":
        return Shown(image[0].numpy(), target.numpy().astype(np.uint8))
    if task == "segmentation":
        mean, deviation = data.moments[row]
        # `compress`, undone.
        values = image.sign() * image.abs().expm1() * deviation + mean
        return Shown(as_bytes(values), target.numpy().astype(np.uint8))
    mean, std = (torch.tensor(part).view(-1, 1, 1) for part in (rule.mean, rule.std))
    pixels = as_bytes(image * std + mean)
    if task == "detection":
        return Shown(pixels, boxes=target[target[:, 0] >= 0].numpy())
    return Shown(pixels)


def as_bytes(values: Tensor) -> Pixels:
    """(c, h, w) in about 0..1."""
    levels = (values.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).contiguous().numpy()
    return levels[..., 0] if levels.shape[2] == 1 else levels


def of_slices(pair: list[Shown]) -> list[Shown]:
    """The slice of each crop in which most is marked, the middle one where nothing is; greys on one scale."""
    before, after = pair
    assert before.mask is not None and after.mask is not None
    index = fullest(after.mask, after.mask)
    planes = np.stack([one.pixels[index] for one in pair])
    return [
        Shown(pixels, mask[index])
        for pixels, mask in zip(grey(planes), (before.mask, after.mask), strict=True)
    ]


def marks_of(one: Shown) -> list[int]:
    """Classes that are to be seen."""
    if one.boxes is not None:
        return np.unique(one.boxes[:, 0]).astype(int).tolist()
    if one.mask is None:
        return []
    found = np.unique(one.mask)
    return found[(found > 0) & (found != NOT_COUNTED)].tolist()


def colour_of(index: int) -> tuple[int, int, int]:
    return COLOURS[index % len(COLOURS)]


def drawn(one: Shown, side: int) -> str:
    height, width = one.pixels.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    image = Image.fromarray(one.pixels).convert("RGB").resize(size, Image.Resampling.BILINEAR)
    if one.boxes is not None:
        pen = ImageDraw.Draw(image)
        for index, *corners in one.boxes.tolist():
            x0, y0, x1, y1 = (round(at * scale) for at in corners)
            right, below = min(max(x1, x0 + 1), size[0] - 1), min(max(y1, y0 + 1), size[1] - 1)
            pen.rectangle(
                (min(x0, right), min(y0, below), right, below), outline=colour_of(int(index)), width=2
            )
    if one.mask is not None:
        image = Image.fromarray(marked(np.array(image), one.mask))
    return address_of(image, is_exact=False)


def marked(canvas: Pixels, mask: NDArray[np.uint8]) -> Pixels:
    known = np.where(mask == NOT_COUNTED, np.uint8(0), mask)
    large = np.asarray(
        Image.fromarray(known).resize((canvas.shape[1], canvas.shape[0]), Image.Resampling.NEAREST)
    )
    edges = outline(large)
    for index in np.unique(large[large > 0]).tolist():
        colour = np.array(colour_of(index), np.float32)
        inside = large == index
        canvas[inside] = (canvas[inside] * (1 - STRENGTH) + colour * STRENGTH).astype(np.uint8)
        canvas[inside & edges] = colour.astype(np.uint8)
    return canvas
