"""Measures what training steps cost on this machine: five small networks, the very code of training.

Says how much each computes and what it took; fits nothing (`contract/src/forecast.ts` does).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from .device import prepare_device
from .network import build_network
from .optim import make_optimizer
from .parallel import Gradients
from .precision import precision_of
from .spec import Device, parse_hyper, parse_plan
from .usage import Usage

Json = dict[str, Any]

# The first step sets memory and threads up.
WARM_STEPS, STEPS = 1, 3
BATCH = 8
KERNEL = 3
# Of fewer, an optimiser's step tells how long it takes to call it.
MANY_WEIGHTS = 1_000_000


@dataclass(frozen=True)
class Probe:
    """A chain of `layers` convolutions of `width` channels on pictures of `side` pixels."""

    width: int
    side: int
    layers: int
    is_normalised: bool = True
    is_grouped: bool = False


# What multiplies most, moves most numbers, has many small layers, convolves each channel alone, has many
# weights.
PROBES = (
    Probe(96, 24, 3, is_normalised=False),
    Probe(16, 128, 3),
    Probe(16, 8, 12),
    Probe(96, 32, 3, is_grouped=True),
    Probe(256, 8, 2),
)


def measure_rates(device: Device, half: bool = False) -> list[dict[str, float]]:
    """Rows of costs and seconds, as training computes gradients and as its optimiser changes weights.

    `half`: in 16 bits, as training does where it gains by it.
    """
    where = prepare_device(device)
    return [sample for probe in PROBES for sample in measure(probe, device, where, half)]


def measure(probe: Probe, device: Device, where: torch.device, half: bool) -> list[dict[str, float]]:
    raw = plan_of(probe)
    plan = parse_plan(raw)
    network = build_network(plan, "classification", 7).to(where)
    hyper = parse_hyper({**HYPER, "mixedPrecision": half})
    optimizer = make_optimizer(network, hyper)
    precision = precision_of(where, hyper, (node.op for node in plan.nodes))
    gradients = Gradients(network, where, device.threads, False, precision)
    gradients.train()
    images = torch.rand(BATCH, probe.width, probe.side, probe.side, device=where)
    images = images.contiguous(memory_format=torch.channels_last)
    targets = torch.zeros(BATCH, dtype=torch.long, device=where)

    def gradient() -> None:
        gradients.compute(images, targets, torch.nn.functional.cross_entropy)

    costs = cost_of(raw)
    samples = [{**costs, "weights": 0.0, "seconds": seconds_of(gradient, where)}]
    if costs["weights"] >= MANY_WEIGHTS:
        changed = {**dict.fromkeys(costs, 0.0), "weights": costs["weights"]}
        samples.append({**changed, "seconds": seconds_of(optimizer.step, where)})
    gradients.settle()
    return samples


def seconds_of(work: Callable[[], object], where: torch.device) -> float:
    """Of the quickest time, with the cores to itself: what comes in between only makes it longer."""
    seconds: list[float] = []
    for step in range(WARM_STEPS + STEPS):
        wait_for(where)
        usage = Usage()
        work()
        wait_for(where)
        if step >= WARM_STEPS:
            seconds.append(usage.quiet_seconds())
    return min(seconds)


def wait_for(where: torch.device) -> None:
    """A graphics card computes while the program goes on."""
    if where.type == "cuda":
        torch.cuda.synchronize(where)


def plan_of(probe: Probe) -> Json:
    """As the contract writes plans."""
    width, side, kernel = probe.width, probe.side, KERNEL
    groups = width if probe.is_grouped else 1
    size = [side, side]
    axes = {
        "kernel": [kernel] * 2,
        "stride": [1, 1],
        "pad": [kernel // 2] * 2,
        "dilation": [1, 1],
    }
    picture: Json = {"k": "map", "c": width, "s": size}
    weights = width * (width // groups) * kernel * kernel
    nodes: list[Json] = []

    def add(op: str, params: Json, kind: Json, learn: int = 0, buffers: int = 0, macs: int = 0) -> None:
        source = nodes[-1]["id"] if nodes else "@image"
        counts = {"learn": learn, "buffers": buffers, "macs": macs, "share": None}
        nodes.append(
            {
                "id": f"{op}{len(nodes)}",
                "op": op,
                "in": {"x": source},
                "params": params,
                "type": kind,
                **counts,
            }
        )

    for _ in range(probe.layers):
        params = {"out": width, "groups": groups, "bias": not probe.is_normalised, "mode": "zeros", **axes}
        bias = 0 if probe.is_normalised else width
        add("conv", params, picture, weights + bias, macs=weights * side * side)
        if probe.is_normalised:
            add("bn", {"eps": 1e-5, "momentum": 0.1, "affine": True}, picture, 2 * width, 2 * width)
        add("relu", {}, picture)
    add("globalavg", {"keep": False}, {"k": "vec", "c": width})
    return {
        "v": 1,
        "name": "probe",
        "inputs": {"image": picture},
        "nodes": nodes,
        "heads": {"main": {"task": "classification", "from": nodes[-1]["id"], "weight": 1}},
        **{name: sum(node[name] for node in nodes) for name in ("learn", "buffers", "macs")},
        "keptBytes": 0,
        "transientBytes": 0,
    }


def cost_of(plan: Json) -> dict[str, float]:
    """Of a step with a batch of `BATCH`, as `costOf` and `workOf` of `contract/src/forecast.ts` count."""
    elements = sum(elements_of(node["type"]) for node in plan["nodes"])
    grouped = sum(node["macs"] for node in plan["nodes"] if node["params"].get("groups", 1) > 1)
    return {
        "macs": 3.0 * BATCH * (plan["macs"] - grouped),
        "grouped": 3.0 * BATCH * grouped,
        "elements": float(BATCH * elements),
        "calls": float(len(plan["nodes"])),
        "weights": float(plan["learn"]),
    }


def elements_of(kind: Json) -> int:
    count = int(kind["c"])
    for side in kind.get("s", []):
        count *= int(side)
    return count


HYPER: Json = {
    "learningRate": 0.001,
    "scheduler": "constant",
    "decayInterval": 1,
    "decayRatio": 1,
    "epochs": 1,
    "validationInterval": 1,
    "batchSize": BATCH,
    "optimizer": "adamw",
    "numClass": 2,
    "criterion": "cross_entropy",
    "weightDecay": 0,
    "imageSize": [1, 1],
    "depth": 1,
    "augment": False,
    "classWeights": False,
    "patience": 0,
    "seed": 7,
}


def main(kind: str, index: str, threads: str, half_ops: str) -> None:
    """Prints rows for 32 bits, and for 16 where a device gains by it."""
    assert kind in ("cpu", "cuda"), kind
    device = Device("cuda" if kind == "cuda" else "cpu", int(index), int(threads), None)
    gains = kind == "cuda" or int(half_ops) > 0
    full = measure_rates(device)
    print(json.dumps({"full": full, "half": measure_rates(device, True) if gains else None}))


if __name__ == "__main__":
    main(*sys.argv[1:])
