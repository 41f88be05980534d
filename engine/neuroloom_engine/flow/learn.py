"""The `flow_train` run: a network learns on known flows; on others it is compared with interpolation."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from .. import export
from ..checkpoint import write_durably
from ..control import Control
from ..device import prepare_device
from ..events import Emitter
from ..failures import Stopped
from ..network import build_network
from ..predict import Predictor
from ..spec import Item, Manifest, NetworkSpec, at_least, field
from ..state import restore
from ..tasks import velocity
from ..tasks.intervals import student
from ..tasks.result import Values
from ..tasks.velocity import INTERPOLATIONS, Scores
from ..train import train
from .pairs import KINDS, part_of

PARTS = ("train", "validation", "test")


def learn(spec: NetworkSpec, emitter: Emitter, control: Control) -> tuple[Values, str]:
    """The final metrics and the digest of the weights. A training that a member ended is compared, too."""
    manifest = known_flows(field(spec.raw, "asked", dict))
    try:
        metrics, digest = train(spec, manifest, emitter, control)
    except Stopped as stopped:
        if stopped.digest is not None:
            compare(spec, manifest, emitter, control)
        raise
    compare(spec, manifest, emitter, control)
    return metrics, digest


def known_flows(asked: Mapping[str, Any]) -> Manifest:
    """The flows as items without files: `image` holds seed and number."""
    seed, count = at_least(asked, "seed", 0), at_least(asked, "flows", 5)
    items = tuple(
        Item(
            id=str(number),
            name=KINDS[number % len(KINDS)],
            image=f"{seed}/{number}",
            label=None,
            class_index=None,
            group=str(number),
            part=part_of(number),
        )
        for number in range(count)
    )
    return Manifest("velocity", (), velocity.COMPONENTS, {}, items)


def compare(spec: NetworkSpec, manifest: Manifest, emitter: Emitter, control: Control) -> None:
    """Writes the artifact `flow_training`: the kept weights and interpolation on the flows kept aside."""
    kept = [item for item in manifest.items if item.part == "test"]
    emitter.emit("phase", phase="testing", counts={"test": len(kept)})
    network = build_network(spec.plan, velocity.NETWORK_TASK, spec.hyper.seed)
    restore(network, export.load_weights(spec.out / "weights.safetensors")[0])
    data, _ = velocity.load(spec, manifest, kept, Control())
    device = prepare_device(spec.device)

    def go_on(done: int) -> None:
        # Who ended the training waits for what it came to.
        if not control.is_final:
            control.check()

    rows = range(len(kept))
    with Predictor(network.to(device), device) as predictor:
        told = list(velocity.judged(predictor, data, rows, go_on))
    against, gain = gain_of([{name: one.rmse for name, one in scores.items()} for scores in told])
    pairs = [data.store[row] for row in rows]
    trained = {
        "v": 1,
        "asked": spec.raw["asked"],
        "factor": data.factor,
        "parts": {part: sum(item.part == part for item in manifest.items) for part in PARTS},
        "scores": {name: mean_scores([scores[name] for scores in told]) for name in told[0]},
        "gain": {"against": against, "mean": gain[0], "low": gain[1], "high": gain[2]},
        "wins": gain[1] > 0,
        "flows": [
            {"kind": pair.kind, "snr": pair.snr, "rmse": {name: one.rmse for name, one in scores.items()}}
            for pair, scores in zip(pairs, told, strict=True)
        ],
    }
    path = spec.out / "flow_training.json"
    write_durably(path, json.dumps(trained, allow_nan=False).encode())
    export.announce(emitter, "flow_training", spec.folder, path)


def gain_of(errors: Sequence[Mapping[str, float]]) -> tuple[str, tuple[float, float, float]]:
    """By how much of its error the network is better than the interpolation that leaves it least room.

    Of each flow 1 - network / interpolation; the mean and its 95 % interval by Student's t.
    """
    gains = {name: np.array([1 - one["network"] / one[name] for one in errors]) for name in INTERPOLATIONS}
    against = min(gains, key=lambda name: float(gains[name].mean()))
    own = gains[against]
    middle = float(own.mean())
    half = student(len(own) - 1) * float(own.std(ddof=1)) / math.sqrt(len(own))
    return against, (middle, middle - half, middle + half)


def mean_scores(scores: Sequence[Scores]) -> dict[str, float]:
    rows = [asdict(one) for one in scores]
    return {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
