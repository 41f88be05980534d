"""Builders of velocity super-resolution: a tiny network, and run folders of its training."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from neuroloom_engine.spec import Hyper, parse_hyper

from .make import Json, Node, make_plan

HYPER: Json = {
    **{"learningRate": 0.003, "scheduler": "onecycle", "decayInterval": 10, "decayRatio": 0.1},
    **{"epochs": 2, "validationInterval": 1, "batchSize": 6, "optimizer": "adamw", "numClass": 1},
    **{"criterion": "mse", "weightDecay": 0.01, "imageSize": [8, 8], "depth": 8, "augment": True},
    **{"classWeights": False, "patience": 0, "seed": 3},
}


def conv3(out: int) -> Json:
    axes = {"kernel": [3] * 3, "stride": [1] * 3, "pad": [1] * 3, "dilation": [1] * 3}
    return {"out": out, "groups": 1, "bias": True, "mode": "replicate", **axes}


def velocity_nodes(width: int = 6, factor: int = 2) -> list[Node]:
    return [
        ("weighed", "mul", ["@velocity", "@magnitude"], {}),
        ("seen", "concat", ["@velocity", "weighed"], {}),
        ("c1", "conv", ["seen"], conv3(width)),
        ("a1", "leaky", ["c1"], {"slope": 0.2}),
        ("c2", "conv", ["a1"], conv3(3 * factor**3)),
        ("flow", "pixelshuffle", ["c2"], {"factor": factor}),
    ]


def velocity_plan(factor: int = 2, inputs: tuple[str, ...] = ("velocity", "magnitude")) -> Json:
    return make_plan("flow", velocity_nodes(factor=factor), 3, 8, 3, inputs)


def hyper(**changes: Any) -> Hyper:
    return parse_hyper(HYPER | changes)


def make_velocity_run(
    folder: Path, flows: int = 20, seed: int = 5, plan: Json | None = None, **changes: Any
) -> Path:
    """`changes` are of the hyperparameters."""
    folder.mkdir(parents=True)
    own = HYPER | changes
    spec = {
        **{"v": 1, "run": "r", "attempt": 1, "outputs": "out", "kind": "flow_train"},
        **{
            "plan": velocity_plan() if plan is None else plan,
            "planHash": "plan",
            "hyper": own,
            "resume": None,
        },
        "device": {"kind": "cpu", "index": 0, "threads": 2, "memoryBytes": None},
        "asked": {"network": "flow4d_small", "flows": flows, "epochs": own["epochs"], "seed": seed},
    }
    (folder / "run.json").write_text(json.dumps(spec))
    return folder
