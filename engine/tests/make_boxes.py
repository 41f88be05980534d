"""Builders for tests of detection: pictures with squares and bars, plans with heads of each style."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.tasks.average_precision import Boxes

from .make import BN, Json, Node, conv, make_plan, make_run, save_png, write_json

SIZE = 32
CLASSES = ["square", "bar"]
CHANNELS = {"cls": len(CLASSES), "box": 4, "obj": 1, "ctr": 1, "heat": len(CLASSES), "size": 2, "offset": 2}


def make_boxes(
    *rows: tuple[int, float, float, float, float] | tuple[int, float, float, float, float, float],
) -> Boxes:
    """Each row a class, corners, and of found boxes a score."""
    return Boxes(
        np.array([row[0] for row in rows], np.int64),
        np.array([row[1:5] for row in rows], np.float32).reshape(-1, 4),
        np.array([row[5] if len(row) == 6 else 1 for row in rows], np.float32),
    )


def detector_plan(ports: tuple[str, ...] = ("cls", "box", "obj"), levels: int = 2, size: int = SIZE) -> Json:
    """Levels of strides 4, 8 … each with a part for each port."""
    nodes: list[Node] = [
        ("s1", "conv", ["@image"], conv(8, stride=2)),
        ("b1", "bn", ["s1"], BN),
        ("r1", "relu", ["b1"], {}),
    ]
    heads: Json = {}
    below = "r1"
    for level in range(levels):
        step, norm, act = f"s{level + 2}", f"b{level + 2}", f"r{level + 2}"
        nodes += [
            (step, "conv", [below], conv(16, stride=2)),
            (norm, "bn", [step], BN),
            (act, "relu", [norm], {}),
        ]
        below = act
        prefix = "main" if ports[0] == "heat" else f"main.{level}"
        for port in ports:
            nodes.append((f"{port}{level}", "conv", [act], conv(CHANNELS[port], 1)))
            heads[f"{prefix}.{port}"] = {"task": "detection", "from": f"{port}{level}", "weight": 1}
    return make_plan("detection", nodes, size=size) | {"heads": heads}


def make_detection(folder: Path, count: int = 30, **changes: Any) -> Path:
    """A run folder for training; `manifest` among the changes is merged into the manifest."""
    about = changes.pop("manifest", {})
    classes = len(about.get("classes", CLASSES))
    hyper = {"criterion": "boxes", "imageSize": [SIZE, SIZE], "numClass": classes}
    make_run(folder, **{"task": "detection", "plan": detector_plan(), **hyper, **changes})
    # Over the pictures that `make_run` drew.
    manifest = draw_shapes(folder, count) | about
    write_json(folder / "manifest.json", manifest)
    return folder


def draw_shapes(folder: Path, count: int) -> Json:
    """Bright squares and lying bars on noise, twice as large as the network sees; every fifth is empty."""
    rng = np.random.default_rng(4)
    items = []
    for index in range(count):
        pixels = rng.integers(0, 60, (2 * SIZE, 2 * SIZE)).astype(np.uint8)
        boxes = []
        for half in range(0 if index % 5 == 4 else 2):
            kind = int(rng.integers(2))
            width, height = (20, 20) if kind == 0 else (26, 8)
            x, y = int(rng.integers(2, 36)), 32 * half + int(rng.integers(1, 32 - height))
            pixels[y : y + height, x : x + width] += 150
            boxes.append({"class": kind, "x0": x, "y0": y, "x1": x + width, "y1": y + height})
        save_png(folder / "data" / f"{index}.png", pixels)
        name = f"{index}.png"
        about = {"id": f"i{index}", "name": name, "image": name, "group": f"g{index}"}
        items.append(about | {"label": None, "class": None, "boxes": boxes})
    task = {"v": 1, "task": "detection", "classes": CLASSES}
    return {**task, "channels": 1, "maskValues": {}, "items": items}
