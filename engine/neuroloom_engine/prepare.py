"""From manifest to decoded data in parts, with every complaint that can be made before the first step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .control import Control
from .data.loading import judge
from .data.split import Parts
from .events import Emitter
from .failures import RunFailure
from .spec import Manifest, NetworkSpec
from .tasks.task import learning_of


@dataclass(frozen=True)
class Prepared:
    """The task's data set and where each manifest item stands in it; unusable items are missing."""

    dataset: Any
    row_of: dict[str, int]
    manifest: Manifest

    def rows(self, indices: Sequence[int]) -> list[int]:
        ids = (self.manifest.items[index].id for index in indices)
        return [self.row_of[item] for item in ids if item in self.row_of]


def check_fit(spec: NetworkSpec, manifest: Manifest) -> None:
    """Network, hyperparameters and data must speak of the same task, channels and classes."""
    hyper, task = spec.hyper, learning_of(spec.task)
    classes = max(1, len(manifest.classes))
    main = spec.plan.heads.get("main") or next(iter(spec.plan.heads.values()))
    outputs = {node.id: node.type.channels for node in spec.plan.nodes}
    image = next(iter(spec.plan.inputs.values()))
    wrong = {
        "task": (manifest.task, spec.task),
        "channels": (manifest.channels, image.channels),
        "numClass": (classes, hyper.num_class),
        "outputs": (outputs.get(main.source), task.outputs(hyper, manifest)),
        "image axes": (len(image.size), task.AXES),
    }
    for name, (have, want) in wrong.items():
        if want is not None and have != want:
            raise RunFailure("plan_invalid", {"reason": f"{name}: {have} and {want} do not fit"})
    if hyper.criterion not in task.CRITERIA:
        raise RunFailure("plan_invalid", {"reason": f"{hyper.criterion} is no loss for {spec.task}"})


def prepare_data(
    spec: NetworkSpec, manifest: Manifest, indices: Sequence[int], emitter: Emitter, control: Control
) -> Prepared:
    """Decodes the items at these indices."""
    items = [manifest.items[index] for index in indices]
    emitter.emit("phase", phase="checking_data", counts={"items": len(items)})
    dataset, bad = learning_of(spec.task).load(spec, manifest, items, control)
    judge(bad, len(items), emitter)
    return Prepared(dataset, {item.id: row for row, item in enumerate(dataset.items)}, manifest)


def fold_rows(data: Prepared, parts: Parts, emitter: Emitter, fold: int) -> Parts:
    """The fold's parts as rows of the data set; says what cannot be learned or judged from them."""
    rows = Parts(data.rows(parts.train), data.rows(parts.validation), data.rows(parts.test))
    if not rows.train or not rows.validation:
        raise RunFailure("data_too_few", {"have": len(rows.train) + len(rows.validation), "need": 2})
    items = data.manifest.items
    known = {items[index].group for index in parts.train}
    if any(items[index].group in known for index in parts.validation):
        emitter.emit("warning", code="validation_known", data={"fold": fold})
    if not data.manifest.classes:
        return rows
    missing = unseen_classes(data, rows.train)
    if missing:
        seen = len(data.manifest.classes) - len(missing)
        code = "class_missing" if seen >= min(2, len(data.manifest.classes)) else "single_class"
        emitter.emit("warning", code=code, data={"fold": fold, "classes": missing})
    return rows


def unseen_classes(data: Prepared, train: Sequence[int]) -> list[str]:
    seen = learning_of(data.manifest.task).class_counts(data.dataset, train)
    return [name for name, count in zip(data.manifest.classes, seen, strict=True) if count == 0]


def data_hash(manifest: Manifest) -> str:
    """Of what was asked to learn from: a checkpoint or weights of other data are told apart by it."""
    raw = asdict(manifest)
    raw["mask_values"] = sorted(manifest.mask_values.items())
    # The pictures that were drawn by it say it themselves.
    del raw["window"]
    # What is not said changes nothing: data from before it could be said are the same.
    for part in (raw, *raw["items"]):
        for name in ("other_values", "nearest", "not_counted", "region"):
            if not part.get(name):
                part.pop(name, None)
    return hashlib.sha256(json.dumps(raw, sort_keys=True).encode()).hexdigest()
