"""Builders for tests: small plans, data sets drawn on the spot, run folders, and ways to run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from neuroloom_engine.control import Control
from neuroloom_engine.events import Emitter
from neuroloom_engine.failures import Stopped
from neuroloom_engine.layers.registry import BUILDERS, Params, ports_in_order
from neuroloom_engine.network import count_buffers, count_learnable
from neuroloom_engine.runner import run_folder
from neuroloom_engine.spec import TensorType

ENGINE = Path(__file__).resolve().parents[1]
# What people take along with a network.
PROGRAM = ENGINE.parent / "contract" / "wire" / "program"
CATALOGUE = ENGINE.parent / "contract" / "wire" / "catalogue.json"
Json = dict[str, Any]
Node = tuple[str, str, list[str], Json]


def conv(out: int, kernel: int = 3, stride: int = 1) -> Json:
    axes = {"kernel": [kernel] * 2, "stride": [stride] * 2, "pad": [kernel // 2] * 2, "dilation": [1, 1]}
    return {"out": out, "groups": 1, "bias": True, "mode": "zeros", **axes}


BN: Json = {"eps": 1e-5, "momentum": 0.1, "affine": True}
POOL: Json = {"kernel": [2, 2], "stride": [2, 2], "pad": [0, 0], "dilation": [1, 1], "ceil": False}
DECONV: Json = {
    "kernel": [2, 2],
    "stride": [2, 2],
    "pad": [0, 0],
    "outpad": [0, 0],
    "dilation": [1, 1],
    "groups": 1,
}


def classifier_nodes(classes: int) -> list[Node]:
    return [
        ("c1", "conv", ["@image"], conv(8)),
        ("b1", "bn", ["c1"], BN),
        ("r1", "relu", ["b1"], {}),
        ("p1", "maxpool", ["r1"], POOL),
        ("c2", "conv", ["p1"], conv(16)),
        ("b2", "bn", ["c2"], BN),
        ("r2", "relu", ["b2"], {}),
        ("gap", "globalavg", ["r2"], {"keep": False}),
        ("drop", "dropout", ["gap"], {"p": 0.1}),
        ("logits", "linear", ["drop"], {"out": classes, "bias": True}),
    ]


def segmenter_nodes(classes: int) -> list[Node]:
    return [
        ("c1", "conv", ["@image"], conv(8)),
        ("b1", "bn", ["c1"], BN),
        ("r1", "relu", ["b1"], {}),
        ("p1", "maxpool", ["r1"], POOL),
        ("c2", "conv", ["p1"], conv(16)),
        ("b2", "bn", ["c2"], BN),
        ("r2", "relu", ["b2"], {}),
        ("up", "deconv", ["r2"], {**DECONV, "out": 8, "bias": True}),
        ("fit", "resize_like", ["up", "r1"], {"mode": "linear", "align": False}),
        ("cat", "concat", ["r1", "fit"], {}),
        ("c3", "conv", ["cat"], conv(8)),
        ("b3", "bn", ["c3"], BN),
        ("r3", "relu", ["b3"], {}),
        ("logits", "conv", ["r3"], conv(classes, 1)),
    ]


def make_plan(
    task: str,
    nodes: list[Node],
    channels: int = 1,
    size: int = 16,
    axes: int = 2,
    inputs: tuple[str, ...] = ("image",),
) -> Json:
    """A plan whose account of types and counts is taken from torch itself."""
    types = {f"@{name}": TensorType("map", channels, size=(size,) * axes) for name in inputs}
    entries: list[Json] = []
    for name, op, sources, params in nodes:
        ports = name_ports(op, sources)
        module = BUILDERS[op](Params(op, params), [types[source] for source in ports_in_order(op, ports)])
        with torch.no_grad():
            shape = module.eval()(*[torch.zeros(1, *types[source].shape) for source in sources]).shape[1:]
        is_sequence = op == "patches" or any(types[source].kind == "seq" for source in sources)
        types[name] = type_of(tuple(shape), is_sequence)
        entries.append(
            {
                "id": name,
                "op": op,
                "in": ports,
                "params": params,
                "type": type_json(types[name]),
                "learn": count_learnable(module),
                "buffers": count_buffers(module),
                "macs": 0,
                "share": None,
            }
        )
    return {
        "v": 1,
        "name": "test",
        "inputs": {name: type_json(types[f"@{name}"]) for name in inputs},
        "nodes": entries,
        "heads": {"main": {"task": task, "from": nodes[-1][0], "weight": 1}},
        "learn": sum(entry["learn"] for entry in entries),
        "buffers": sum(entry["buffers"] for entry in entries),
        "macs": 0,
        "keptBytes": 100_000,
        "transientBytes": 10_000,
    }


def type_of(shape: tuple[int, ...], is_sequence: bool) -> TensorType:
    if len(shape) == 1:
        return TensorType("vec", shape[0])
    if is_sequence and len(shape) == 2:
        return TensorType("seq", shape[1], tokens=shape[0])
    return TensorType("map", shape[0], size=shape[1:])


def name_ports(op: str, sources: list[str]) -> dict[str, str]:
    if op in ("resize_like", "crop_like", "tokens_to_map"):
        return dict(zip(("x", "ref"), sources, strict=True))
    return (
        {"x": sources[0]}
        if len(sources) == 1
        else {f"x{index}": source for index, source in enumerate(sources)}
    )


def type_json(kind: TensorType) -> Json:
    if kind.kind == "map":
        return {"k": "map", "c": kind.channels, "s": list(kind.size)}
    if kind.kind == "seq":
        return {"k": "seq", "c": kind.channels, "n": kind.tokens}
    return {"k": "vec", "c": kind.channels}


def make_run(folder: Path, task: str = "classification", count: int = 36, **changes: Any) -> Path:
    """A run folder for training.

    `changes` go into `hyper`, or into the spec where they name one of its fields.
    """
    is_segmentation = task == "segmentation"
    manifest = draw_masks(folder, count) if is_segmentation else draw_bars(folder, count)
    classes = len(manifest["classes"])
    nodes = segmenter_nodes(classes) if is_segmentation else classifier_nodes(classes)
    hyper = {
        "learningRate": 0.01,
        "scheduler": "cosine",
        "decayInterval": 10,
        "decayRatio": 0.5,
        "epochs": 3,
        "validationInterval": 1,
        "batchSize": 8,
        "optimizer": "adamw",
        "numClass": classes,
        "criterion": "ce_dice" if is_segmentation else "cross_entropy",
        "weightDecay": 0.01,
        "imageSize": [16, 16],
        "depth": 1,
        "augment": True,
        "classWeights": False,
        "mixedPrecision": False,
        "patience": 0,
        "seed": 5,
    }
    spec = {
        "v": 1,
        "kind": "train",
        "run": "run",
        "attempt": 1,
        "outputs": "out",
        "task": task,
        "plan": make_plan(task, nodes),
        "planHash": "plan-hash",
        "data": {"manifest": "manifest.json", "root": "data"},
        "hyper": hyper,
        "validation": {"method": "holdout", "train": 4, "test": 1, "seed": 3},
        "device": {"kind": "cpu", "index": 0, "threads": 1, "memoryBytes": None},
        "resume": None,
    }
    hyper.update({key: value for key, value in changes.items() if key in hyper})
    spec.update({key: value for key, value in changes.items() if key in spec or key in ("weights", "part")})
    write_json(folder / "manifest.json", manifest)
    write_json(folder / "run.json", spec)
    return folder


def draw_bars(folder: Path, count: int) -> Json:
    """Upright and lying bars on noise: two classes."""
    rng = np.random.default_rng(1)
    items = []
    for index in range(count):
        pixels = rng.integers(0, 90, (16, 16)).astype(np.uint8)
        place = int(rng.integers(2, 12))
        if index % 2:
            pixels[:, place : place + 3] += 150
        else:
            pixels[place : place + 3] += 150
        save_png(folder / "data" / f"{index}.png", pixels)
        items.append({"id": f"i{index}", "name": f"{index}.png", "image": f"{index}.png", "label": None})
        items[-1] |= {"class": index % 2, "group": f"g{index}"}
    task = {"v": 1, "task": "classification", "classes": ["lying", "upright"]}
    return {**task, "channels": 1, "maskValues": {}, "items": items}


def draw_masks(folder: Path, count: int) -> Json:
    """Bright discs on noise with their masks; sizes differ."""
    rng = np.random.default_rng(2)
    items = []
    for index in range(count):
        height, width = (20, 16) if index % 3 == 0 else (16, 18)
        y, x = np.ogrid[:height, :width]
        disc = (y - rng.integers(4, 12)) ** 2 + (x - rng.integers(4, 12)) ** 2 < rng.integers(9, 20)
        pixels = (rng.integers(0, 90, (height, width)) + 120 * disc).astype(np.uint8)
        save_png(folder / "data" / "images" / f"{index}.png", pixels)
        save_png(folder / "data" / "masks" / f"{index}.png", disc.astype(np.uint8) * 255)
        paths = {"image": f"images/{index}.png", "label": f"masks/{index}.png"}
        items.append(
            {"id": f"i{index}", "name": f"{index}.png", **paths, "class": None, "group": f"g{index}"}
        )
    task = {"v": 1, "task": "segmentation", "classes": ["background", "disc"]}
    return {**task, "channels": 1, "maskValues": {"0": 0, "255": 1}, "items": items}


def save_png(path: Path, pixels: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value))


def edit_spec(folder: Path, **changes: Any) -> None:
    write_json(folder / "run.json", json.loads((folder / "run.json").read_text()) | changes)


class StoppingControl(Control):
    """Asks for a stop at the n-th check, as a user might between any two steps; listens to nothing."""

    def __init__(self, stop_at: int | None = None) -> None:
        super().__init__()
        self.checks = 0
        self.stop_at = stop_at

    def watch(self, folder: Path, attempt: int) -> None:
        pass

    def check(self) -> None:
        self.checks += 1
        if self.checks == self.stop_at:
            raise Stopped


def run_here(folder: Path, stop_at: int | None = None) -> tuple[int, list[Json]]:
    """Runs a folder inside this process; exit code and events."""
    with tempfile.TemporaryFile() as file:
        code = run_folder(folder, Emitter(file.fileno()), StoppingControl(stop_at))
        file.seek(0)
        return code, [json.loads(line) for line in file]


def of_type(events: list[Json], kind: str) -> list[Json]:
    return [event for event in events if event["type"] == kind]


class Process:
    """A real engine process."""

    def __init__(self, *arguments: str, code: str | None = None) -> None:
        command = ["-c", code] if code else ["-m", "neuroloom_engine"]
        self.popen = subprocess.Popen(
            [sys.executable, *command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(ENGINE), "OMP_NUM_THREADS": "1"},
        )

    def send(self, command: Mapping[str, str]) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.write(json.dumps(command).encode() + b"\n")
        self.popen.stdin.flush()

    def close_input(self) -> None:
        assert self.popen.stdin is not None
        self.popen.stdin.close()

    def events(self) -> Iterator[Json]:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            yield json.loads(line)


@contextmanager
def process(*arguments: str, code: str | None = None) -> Iterator[Process]:
    started = Process(*arguments, code=code)
    try:
        yield started
    finally:
        started.popen.kill()
        started.popen.wait()
        for pipe in (started.popen.stdin, started.popen.stdout):
            if pipe and not pipe.closed:
                pipe.close()
