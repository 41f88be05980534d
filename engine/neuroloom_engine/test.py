"""One test run: saved weights on a data set, a result for every item, tables and pictures. Trains nothing."""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import export
from .checkpoint import write_durably
from .control import Control
from .data.normalise import Normalisation
from .data.overlay import draw
from .data.split import split
from .device import prepare_device
from .events import Emitter
from .failures import RunFailure
from .network import Network, build_network
from .predict import Predictor
from .prepare import Prepared, check_fit, data_hash, prepare_data
from .session import report_started
from .spec import Manifest, NetworkSpec, read_manifest
from .state import restore
from .tasks.evidence import classification_evidence, hd95_per_class, segmentation_evidence
from .tasks.result import Evaluation, ItemResult, Values
from .tasks.task import task_of

# Pictures are drawn for this many items, those with the lowest score first.
MAX_OVERLAYS = 300
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

    # Every item through the network
    emitter.emit("phase", phase="testing", counts={"test": len(rows)})
    masks = MaskArchive(spec.out / "masks.zip", data) if spec.task == "segmentation" else None
    gaps: dict[int, list[float | None]] = {}

    def keep_mask(row: int, mask: NDArray[np.uint8]) -> None:
        assert masks is not None
        masks.add(row, mask)
        gaps[row] = hd95_per_class(data.dataset.store[row].mask, mask, len(manifest.classes))

    with Predictor(network.to(device), device) as predictor:
        evaluation = task_of(spec.task).evaluate(
            predictor,
            data.dataset,
            rows,
            rule,
            spec.hyper,
            Ticker(emitter, control, len(rows)),
            keep_mask if masks else None,
        )
    emitter.emit("metrics", split="test", fold=0, epoch=0, best=False, **evaluation.to_json())

    # What the user takes away
    emitter.emit("phase", phase="exporting", counts=None)
    items = masks.close_and_draw(spec, evaluation) if masks else evaluation.items
    write_items(spec.out / "items.json", items)
    export.announce(emitter, "items", spec.folder, spec.out / "items.json")
    write_evidence(spec.out / "evidence.json", data, evaluation, [gaps[row] for row in rows] if masks else [])
    export.announce(emitter, "evidence", spec.folder, spec.out / "evidence.json")
    export.save_table(spec.out / "predictions.csv", task_of(spec.task).report(evaluation, data.dataset))
    export.announce(emitter, "predictions_csv", spec.folder, spec.out / "predictions.csv")
    if masks:
        export.announce(emitter, "masks_zip", spec.folder, masks.path)
    return evaluation.values


def load_network(spec: NetworkSpec, manifest: Manifest) -> tuple[Network, dict[str, Any]]:
    """Weights are matched by plan and by class names: others would answer another question."""
    assert spec.weights is not None
    network = build_network(spec.plan, spec.task, spec.hyper.seed)
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
    """Progress between batches; lets a stop through."""

    def __init__(self, emitter: Emitter, control: Control, total: int) -> None:
        self._emitter = emitter
        self._control = control
        self._total = total
        self._started_at = self._told_at = time.monotonic()

    def __call__(self, done: int) -> None:
        self._control.check()
        now = time.monotonic()
        if not done or now - self._told_at < PROGRESS_SECONDS:
            return
        self._told_at = now
        rate = done / max(1e-3, now - self._started_at)
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


class MaskArchive:
    """Predicted masks with the values of the user's own masks, one PNG an item.

    Then pictures of the worst items.
    """

    def __init__(self, path: Path, data: Prepared) -> None:
        self.path = path
        self._data = data
        self._names = export.entry_names(item.name for item in data.dataset.items)
        self._value_of = value_table(data.manifest)
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_STORED)

    def add(self, row: int, mask: NDArray[np.uint8]) -> None:
        buffer = BytesIO()
        Image.fromarray(self._value_of[mask]).save(buffer, format="PNG")
        # A fixed date keeps equal results equal to the byte.
        self._zip.writestr(zipfile.ZipInfo(self._names[row], (1980, 1, 1, 0, 0, 0)), buffer.getvalue())

    def close_and_draw(self, spec: NetworkSpec, evaluation: Evaluation) -> list[ItemResult]:
        self._zip.close()
        items = list(evaluation.items)
        class_of = {int(value): index for index, value in enumerate(self._value_of)}
        worst = sorted(range(len(items)), key=lambda index: (items[index].score or 0.0, index))[:MAX_OVERLAYS]
        with zipfile.ZipFile(self.path) as archive:
            for index in worst:
                path = spec.out / "overlays" / f"{items[index].id}.png"
                values = np.asarray(Image.open(BytesIO(archive.read(self._names[index]))))
                predicted = np.vectorize(class_of.__getitem__, otypes=[np.uint8])(values)
                sample = self._data.dataset.store[index]
                draw(path, sample.pixels, sample.mask, predicted)
                items[index] = replace(items[index], overlay=path.relative_to(spec.folder).as_posix())
        return items


def value_table(manifest: Manifest) -> NDArray[Any]:
    """Mask value of each class index; a class without one gets its index."""
    values = list(range(len(manifest.classes)))
    for value, index in sorted(manifest.mask_values.items(), reverse=True):
        values[index] = value
    return np.array(values, np.uint8 if max(values) < 256 else np.uint16)


def write_evidence(
    path: Path, data: Prepared, evaluation: Evaluation, distances: list[list[float | None]]
) -> None:
    items, classes = data.dataset.items, data.manifest.classes
    if data.manifest.task == "segmentation":
        found = segmentation_evidence(items, evaluation.items, classes[1:], distances)
    else:
        found = classification_evidence(items, evaluation.items, classes)
    write_durably(path, json.dumps(found, allow_nan=False).encode())


def write_items(path: Path, items: list[ItemResult]) -> None:
    write_durably(path, json.dumps([item.to_json() for item in items], allow_nan=False).encode())
