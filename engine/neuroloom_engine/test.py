"""One test run: saved weights on a data set, a result for every item, tables and pictures. Trains nothing."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from . import export, gradcam
from .control import Control
from .data.normalise import Normalisation
from .data.split import split
from .device import prepare_device
from .events import Emitter
from .failures import RunFailure
from .inference.swift import SwiftPredictor
from .network import Network, build_network
from .predict import Predictor
from .prepare import check_fit, data_hash, prepare_data
from .session import report_started
from .spec import Manifest, NetworkSpec, read_manifest
from .state import restore
from .tasks import classification, multilabel
from .tasks.decision import decided, decision_of
from .tasks.result import Gathered, Values
from .tasks.task import task_of

PROGRESS_SECONDS = 0.25


def test(spec: NetworkSpec, emitter: Emitter, control: Control) -> Values:
    """The whole run; returns the metrics over all tested items."""
    device = prepare_device(spec.device)
    report_started(spec, emitter, None)

    # Weights and the rules they were trained with
    emitter.emit("phase", phase="preparing", counts=None)
    manifest = read_manifest(spec.manifest_path)
    check_fit(spec, manifest)
    network, about = load_network(spec, manifest)
    rule = Normalisation.from_json(about["normalisation"])

    # Data
    indices = chosen_items(spec, manifest, about)
    data = prepare_data(spec, manifest, indices, emitter, control)
    rows = list(range(len(data.row_of)))
    if not rows:
        raise RunFailure("data_too_few", {"have": 0, "need": 1})

    # Every item through the network, judged as training decided
    data = replace(data, dataset=decided(data.dataset, decision_of(about)))
    emitter.emit("phase", phase="testing", counts={"test": len(rows)})
    task = task_of(spec.task)
    results = task.results(spec, manifest, data.dataset)
    network.to(device)
    lens = gradcam.lens_of(network, scores_of(spec, data.dataset))
    with SwiftPredictor(network, device) if lens is None else Predictor(network, device, lens) as predictor:
        evaluation = task.evaluate(
            predictor,
            data.dataset,
            rows,
            rule,
            spec.hyper,
            Ticker(emitter, control, len(rows)),
            results.keep,
        )
        heats = {} if lens is None else gradcam.draw_heats(lens, device, spec.hyper.image_size, spec.out)
    emitter.emit("metrics", split="test", fold=0, epoch=0, best=False, **evaluation.to_json())

    # What the user takes away
    emitter.emit("phase", phase="exporting", counts=None)
    gathered = with_heats(results.finish(evaluation), spec, lens, heats)
    table = task.report(evaluation, data.dataset)
    export.save_results(emitter, spec, (gathered.items, gathered.evidence, table))
    for kind, path in gathered.files:
        export.announce(emitter, kind, spec.folder, path)
    return evaluation.values


def scores_of(spec: NetworkSpec, data: Any) -> gradcam.Scores | None:
    """For tasks that name classes of a whole image: only there one asks where the network looked."""
    item_scores = {"classification": classification.item_scores, "multilabel": multilabel.item_scores}
    score = item_scores.get(spec.task)
    return None if score is None else partial(score, data)


def with_heats(
    gathered: Gathered, spec: NetworkSpec, lens: gradcam.Lens | None, heats: Mapping[int, Path]
) -> Gathered:
    """Every row was tested, in order: the items stand as their rows do."""
    items = [
        replace(item, heat=heats[row].relative_to(spec.folder).as_posix()) if row in heats else item
        for row, item in enumerate(gathered.items)
    ]
    about = None if lens is None else {"items": len(heats), "grid": list(lens.grid)}
    return replace(gathered, items=items, evidence=gathered.evidence | {"heat": about})


def load_network(spec: NetworkSpec, manifest: Manifest) -> tuple[Network, dict[str, Any]]:
    """Weights are matched by plan and by class names: others would answer another question."""
    assert spec.weights is not None
    network = build_network(spec.plan, task_of(spec.task).NETWORK_TASK, spec.hyper.seed)
    path = spec.folder / spec.weights
    try:
        tensors, about = export.load_weights(path)
    except FileNotFoundError:
        raise RunFailure("checkpoint_incompatible", {"diff": ["missing"]}) from None
    except (ValueError, KeyError, TypeError):
        raise RunFailure("checkpoint_incompatible", {"diff": ["damaged"]}) from None
    wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    if wanted != {name: tuple(tensor.shape) for name, tensor in tensors.items()}:
        raise RunFailure("checkpoint_incompatible", {"diff": ["plan"]})
    unseen = [name for name in manifest.classes if name not in about["classes"]]
    if unseen:
        raise RunFailure("class_unseen", {"classes": unseen})
    if list(manifest.classes) != about["classes"]:
        raise RunFailure("checkpoint_incompatible", {"diff": ["classes"]})
    restore(network, tensors)
    return network, about


def chosen_items(spec: NetworkSpec, manifest: Manifest, about: dict[str, Any]) -> list[int]:
    """All items, or those that training on this very manifest kept aside.

    On any other they might have been seen.
    """
    if spec.part == "all":
        return list(range(len(manifest.items)))
    if data_hash(manifest) != about["dataHash"]:
        raise RunFailure("checkpoint_incompatible", {"diff": ["dataHash"]})
    return split(manifest.items, spec.validation)[about["fold"]].test


class Ticker:
    """Progress between batches; lets a stop through. `before` items were done by an earlier attempt."""

    def __init__(self, emitter: Emitter, control: Control, total: int, before: int = 0) -> None:
        self._emitter = emitter
        self._control = control
        self._total = total
        self._before = before
        self._started_at = self._told_at = time.monotonic()

    def __call__(self, done: int) -> None:
        self._control.check()
        now = time.monotonic()
        if not done or now - self._told_at < PROGRESS_SECONDS:
            return
        self._told_at = now
        rate = max(1, done - self._before) / max(1e-3, now - self._started_at)
        self._emitter.emit(
            "progress",
            fold=0,
            folds=1,
            epoch=1,
            epochs=1,
            step=done,
            steps=self._total,
            loss=None,
            learningRate=None,
            itemsPerSecond=rate,
            etaSeconds=(self._total - done) / rate,
        )
