"""Builders for tests of restoration: pairs drawn on the spot, small networks, run folders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from .make import Json, Node, conv, make_plan, make_run, save_png, write_json


def restorer_nodes(channels: int, factor: int) -> list[Node]:
    nodes = [
        ("c1", "conv", ["@image"], conv(8)),
        ("r1", "relu", ["c1"], {}),
        ("c2", "conv", ["r1"], conv(channels * factor**2)),
    ]
    return [*nodes, ("up", "pixelshuffle", ["c2"], {"factor": factor})] if factor > 1 else nodes


def make_pairs_run(
    folder: Path, task: str, count: int = 12, channels: int = 1, bits: int = 8, **changes: Any
) -> Path:
    """A run folder for training with factor 2 (super-resolution) or 1 (denoising), crops of 8×8."""
    factor = 2 if task == "super_resolution" else 1
    network_task = {"super_resolution": "super-resolution"}.get(task, task)
    plan = make_plan(network_task, restorer_nodes(channels, factor), channels, 8)
    common = {"criterion": "l1", "imageSize": [8, 8], "numClass": 1, "plan": plan}
    make_run(folder, count=1, **common | changes)
    spec = json.loads((folder / "run.json").read_text())
    write_json(folder / "run.json", spec | {"task": task})
    write_json(folder / "manifest.json", draw_pairs(folder, count, (channels, factor, bits), task))
    return folder


def draw_pairs(folder: Path, count: int, form: tuple[int, int, int], task: str) -> Json:
    """Discs with sharp borders; given is the mean over `factor` pixels with a little noise. Sizes differ."""
    channels, factor, bits = form
    rng = np.random.default_rng(4)
    items = []
    for index in range(count):
        height, width = (14, 10) if index % 3 == 0 else (12, 6 if index == 1 else 12)
        y, x = np.ogrid[: height * factor, : width * factor]
        disc = (y - rng.integers(4, 12)) ** 2 + (x - rng.integers(4, 12)) ** 2 < rng.integers(9, 20)
        truth = np.repeat((60.0 + 120 * disc)[..., None], channels, 2) * np.linspace(1, 0.8, channels)
        given = truth.reshape(height, factor, width, factor, channels).mean((1, 3))
        given = given + rng.normal(0, 20 if factor == 1 else 1, given.shape)
        for name, pixels in (("given", given), ("truth", truth)):
            save_png(folder / "data" / name / f"{index}.png", levels(pixels, bits))
        paths = {"image": f"given/{index}.png", "label": f"truth/{index}.png"}
        items.append(
            {"id": f"i{index}", "name": f"{index}.png", **paths, "class": None, "group": f"g{index}"}
        )
    base = {"v": 1, "task": task, "classes": [], "channels": channels, "maskValues": {}}
    return base | {"factor": factor, "items": items}


def levels(pixels: Any, bits: int) -> Any:
    """Twelve bits in sixteen where not eight."""
    stored = (
        pixels.clip(0, 255).astype(np.uint8) if bits == 8 else (pixels.clip(0, 255) * 16).astype(np.uint16)
    )
    return stored[..., 0] if stored.shape[2] == 1 else stored


def save_float_tiff(path: Path, pixels: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.astype(np.float32)).save(path)
