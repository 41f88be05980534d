"""Batch prediction: the engine's predict run, or a loop in plain torch over the same pictures.

`PYTHONPATH=engine python bench/peers/predict_side.py <run folder> engine` prints `{"run": 12.3, "passes":
[...], "difference": 4e-07}`: seconds of all pictures from the first that is read to the last that is
written; seconds of each pass of one batch; and of the engine the largest difference from plain torch,
relative to the largest number. `loop` does the same with the loop. The folder is laid out for a training;
the weights are the network's first ones. The loop is what a user writes: batches of the engine's size,
decoded by PIL, the network in the layout torch gives it, all cores, answers saved. The engine saves the
same, a table, and pictures to look at of the first 300.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor

from neuroloom_engine import export
from neuroloom_engine.control import Control
from neuroloom_engine.data.chunks import count_together
from neuroloom_engine.data.normalise import Normalisation
from neuroloom_engine.events import Emitter
from neuroloom_engine.inference.swift import WORTH_FROM, SwiftPredictor
from neuroloom_engine.network import Network, build_network
from neuroloom_engine.predict import passed
from neuroloom_engine.prepare import data_hash
from neuroloom_engine.runner import run_folder
from neuroloom_engine.spec import Item, Manifest, NetworkSpec, read_manifest, read_spec
from neuroloom_engine.tasks.detection_layout import layout_of
from neuroloom_engine.tasks.detection_ways import decode, found_boxes
from neuroloom_engine.tasks.task import task_of

RULE = Normalisation("data", (0.45,) * 3, (0.25,) * 3)
PASSES = 7


class Unwatched(Control):
    """Nobody gives commands here, and an input that is closed does not mean that the parent is gone."""

    def watch(self, folder: Path, attempt: int) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("side", choices=("engine", "loop"))
    options = parser.parse_args()
    torch.set_num_threads(os.cpu_count() or 1)
    spec, network = lay_out(options.folder)
    plain = contiguous(network, task_of(spec.task).NETWORK_TASK)
    images = largest_batch(spec)
    if options.side == "engine":
        told = {"run": engine_seconds(spec)} | engine_passes(network, plain, images)
    else:
        with torch.inference_mode():
            told = {"run": loop_seconds(spec, plain), "passes": passes(plain, images, 2)}
    print(json.dumps(told))


def lay_out(folder: Path) -> tuple[NetworkSpec, Network]:
    """Turns the training's folder into one that applies weights; answers the network that has them."""
    raw = json.loads((folder / "run.json").read_bytes())
    weights, limit = "weights.safetensors", {"maxPixels": 100_000_000}
    (folder / "run.json").write_text(json.dumps(raw | {"kind": "predict", "weights": weights} | limit))
    spec = read_spec(folder)
    assert isinstance(spec, NetworkSpec)
    manifest = read_manifest(spec.manifest_path)
    network = build_network(spec.plan, task_of(spec.task).NETWORK_TASK, spec.hyper.seed)
    channels = manifest.channels
    rule = replace(RULE, mean=RULE.mean[:channels], std=RULE.std[:channels])
    about = {"classes": list(manifest.classes), "dataHash": data_hash(manifest), "fold": 0}
    about |= {"normalisation": rule.to_json(), "validation": {}}
    export.save_weights(folder / weights, network.state_dict(), about)
    return spec, network.eval()


def contiguous(network: Network, task: str) -> Network:
    """The same weights in the layout that torch gives a module."""
    plain = Network(network.plan, task).eval()
    plain.load_state_dict(network.state_dict())
    return plain


def engine_seconds(spec: NetworkSpec) -> float:
    """From the first picture to the last, by the times of the run's own events."""
    shutil.rmtree(spec.out, ignore_errors=True)
    spec.out.mkdir()
    log = spec.folder / "events.jsonl"
    with log.open("wb") as file:
        code = run_folder(spec.folder, Emitter(file.fileno()), Unwatched())
    events = list(map(json.loads, log.read_text().splitlines()))
    if code:
        raise RuntimeError(next(event["trace"] for event in events if event["type"] == "error"))
    phases = [event for event in events if event["type"] == "phase"]
    begun = next(event["t"] for event in phases if event["phase"] == "predicting")
    return (next(event["t"] for event in phases if event["phase"] == "exporting") - begun) / 1000


def loop_seconds(spec: NetworkSpec, network: Network) -> float:
    manifest = read_manifest(spec.manifest_path)
    out = spec.folder / "loop"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    save = {
        "classification": save_classes,
        "segmentation": save_masks,
        "super_resolution": save_images,
        "detection": save_boxes,
    }[spec.task]
    begun = time.perf_counter()
    for items in batches(spec, manifest):
        images = torch.stack([read(spec, manifest, item) for item in items])
        mean, std = (of_channels(part, manifest.channels) for part in (RULE.mean, RULE.std))
        save(spec, out, items, images, network((images - mean) / std))
    return time.perf_counter() - begun


def of_channels(numbers: tuple[float, ...], channels: int) -> Tensor:
    return torch.tensor(numbers[:channels]).view(1, -1, 1, 1)


def batches(spec: NetworkSpec, manifest: Manifest) -> Iterator[list[Item]]:
    """Of one size each, as many as the engine takes together."""
    groups: dict[tuple[int, int], list[Item]] = {}
    for item in manifest.items:
        groups.setdefault(size_of(spec, item), []).append(item)
    for (width, height), items in groups.items():
        most = most_together(spec, width * height)
        yield from (items[start : start + most] for start in range(0, len(items), most))


def size_of(spec: NetworkSpec, item: Item) -> tuple[int, int]:
    if is_resized(spec):
        return spec.hyper.image_size[1], spec.hyper.image_size[0]
    with Image.open(spec.data_root / item.image) as image:
        return image.size


def is_resized(spec: NetworkSpec) -> bool:
    return spec.task in ("classification", "detection")


def most_together(spec: NetworkSpec, pixels: int) -> int:
    height, width = spec.hyper.image_size
    if is_resized(spec):
        return spec.hyper.batch_size * 2
    return count_together(pixels, spec.hyper.batch_size * height * width)


def read(spec: NetworkSpec, manifest: Manifest, item: Item) -> Tensor:
    image = Image.open(spec.data_root / item.image).convert("L" if manifest.channels == 1 else "RGB")
    if is_resized(spec):
        image = image.resize(size_of(spec, item), Image.Resampling.BILINEAR)
    pixels = torch.from_numpy(np.asarray(image).copy())
    return (pixels[None] if manifest.channels == 1 else pixels.permute(2, 0, 1)).float() / 255


def save_classes(
    spec: NetworkSpec, out: Path, items: list[Item], images: Tensor, heads: list[Tensor]
) -> None:
    with (out / "classes.csv").open("a") as file:
        for item, shares in zip(items, heads[0].softmax(1).tolist(), strict=True):
            file.write(",".join([item.name, *map(str, shares)]) + "\n")


def save_masks(spec: NetworkSpec, out: Path, items: list[Item], images: Tensor, heads: list[Tensor]) -> None:
    for item, mask in zip(items, heads[0].argmax(1).to(torch.uint8).numpy(), strict=True):
        Image.fromarray(mask * 255).save(out / f"{item.id}.png")


def save_images(spec: NetworkSpec, out: Path, items: list[Item], images: Tensor, heads: list[Tensor]) -> None:
    size = heads[0].shape[2:]
    large = F.interpolate(images, size=size, mode="bicubic", align_corners=False) + RULE.std[0] * heads[0]
    for item, image in zip(items, large, strict=True):
        Image.fromarray((image[0].clamp(0, 1) * 255).byte().numpy()).save(out / f"{item.id}.png")


def save_boxes(spec: NetworkSpec, out: Path, items: list[Item], images: Tensor, heads: list[Tensor]) -> None:
    boxes, scores = decode(heads, layout_of(spec.plan))
    height, width = images.shape[2:]
    for item, own, sure in zip(items, boxes, scores, strict=True):
        found = found_boxes(own, sure, (1.0, 1.0), (height, width))
        (out / f"{item.id}.json").write_text(json.dumps(found.corners.tolist()))


def largest_batch(spec: NetworkSpec) -> Tensor:
    manifest = read_manifest(spec.manifest_path)
    items = max(batches(spec, manifest), key=len)
    return torch.stack([read(spec, manifest, item) for item in items])


def engine_passes(network: Network, plain: Network, images: Tensor) -> dict[str, Any]:
    with SwiftPredictor(network, torch.device("cpu")) as predictor:
        # Each pass counts for both its halves.
        taken = passes(predictor.heads, images, WORTH_FROM // 2 + 2)
        pairs = list(zip(predictor.heads(images), passed(plain, images), strict=True))
    difference = max(float((one - other).abs().max() / other.abs().max()) for one, other in pairs)
    return {"passes": taken, "difference": difference}


def passes(run: Callable[[Tensor], object], images: Tensor, before: int) -> list[float]:
    """One batch of the run's size, over and over: what of a run is the network alone."""
    taken: list[float] = []
    for _ in range(before + PASSES):
        begun = time.perf_counter()
        run(images)
        taken.append(time.perf_counter() - begun)
    return taken[before:]


main()
