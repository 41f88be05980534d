"""Trains small networks of every task on drawn pictures and tests them, for those who run what was exported.

`python -m tests.make_exports FOLDER` reads `FOLDER/cases.json`, a list of {name, task, plan, size, channels,
bits}, and leaves for each a run folder `FOLDER/<name>` with the exported network and the engine's answers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from .make import Json, edit_spec, make_run, of_type, run_here, save_png, write_json

# Sides that no network halves evenly, wide and tall; cut into tiles where networks take one size alone.
SIZES = ((37, 45), (64, 50), (51, 96), (90, 61))
COUNT = 8
CRITERIA = {
    "detection": "boxes",
    "multilabel": "bce",
    "segmentation": "ce_dice",
    "classification": "cross_entropy",
}


def make_case(folder: Path, case: Json) -> None:
    task, classes = case["task"], [] if case["task"] in ("super_resolution", "denoising") else ["a", "b"]
    hyper = {
        "criterion": CRITERIA.get(task, "l1"),
        "imageSize": case["size"],
        "numClass": max(1, len(classes)),
    }
    make_run(folder, count=1, plan=case["plan"], epochs=1, batchSize=4, **hyper)
    edit_spec(folder, task=task)
    # Over the picture that `make_run` drew.
    manifest = {"v": 1, "task": task, "classes": classes, "channels": case["channels"], "maskValues": {}}
    manifest |= {"factor": case.get("factor", 1), "items": [draw(folder, case, n) for n in range(COUNT)]}
    if task == "segmentation":
        manifest["maskValues"] = {"0": 0, "200": 1}
    write_json(folder / "manifest.json", manifest)
    finish(folder)
    edit_spec(folder, kind="test", weights="out/weights.safetensors", part="all")
    finish(folder)


def finish(folder: Path) -> None:
    code, events = run_here(folder)
    problems = of_type(events, "error") + of_type(events, "warning")
    if code or problems:
        raise SystemExit(f"{folder.name}: {problems}")


def draw(folder: Path, case: Json, index: int) -> Json:
    """A bright disc or square on noise; of restoration the pair, of which the larger is the true one."""
    rng = np.random.default_rng(index)
    task, channels, factor = case["task"], case["channels"], case.get("factor", 1)
    height, width = (side * factor for side in SIZES[index % len(SIZES)])
    kind, radius = index % 2, int(rng.integers(8, 14)) * factor
    y0, x0 = (int(rng.integers(radius, side - radius)) for side in (height, width))
    y, x = np.ogrid[:height, :width]
    away = (np.maximum(abs(y - y0), abs(x - x0)) if kind else np.hypot(y - y0, x - x0)) < radius
    tint = np.linspace(1, 0.6, channels)
    clean = (40 + 120 * away)[..., None] * tint
    name = f"{index}.png"
    item: Json = {"id": f"i{index}", "name": name, "image": name, "label": None, "class": None, "group": name}
    if factor > 1 or task == "denoising":
        small = clean.reshape(height // factor, factor, width // factor, factor, channels).mean((1, 3))
        given = small + rng.normal(0, 15 if factor == 1 else 2, small.shape)
        save(folder / "data" / "truth" / name, clean, case["bits"])
        save(folder / "data" / name, given, case["bits"])
        return item | {"label": f"truth/{name}"}
    save(folder / "data" / name, clean + rng.normal(0, 15, clean.shape), case["bits"])
    if task == "segmentation":
        save_png(folder / "data" / "masks" / name, away.astype(np.uint8) * 200)
        return item | {"label": f"masks/{name}"}
    box = {"class": kind, "x0": x0 - radius, "y0": y0 - radius, "x1": x0 + radius, "y1": y0 + radius}
    own = {"classification": {"class": kind}, "multilabel": {"labels": [kind]}, "detection": {"boxes": [box]}}
    return item | own[task]


def save(path: Path, pixels: Any, bits: int) -> None:
    """Twelve bits in sixteen where not eight."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind, gain = (np.uint8, 1) if bits == 8 else (np.uint16, 16)
    stored = (pixels.clip(0, 255) * gain).astype(kind)
    Image.fromarray(stored[..., 0] if stored.shape[2] == 1 else stored).save(path)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    for each in json.loads((target / "cases.json").read_text()):
        make_case(target / each["name"], each)
