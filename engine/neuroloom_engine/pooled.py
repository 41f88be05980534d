"""What all folds say together: each item was tested once, by a network that had not learned from it.

The mean over folds of few items each is another figure, and rougher: an area under a curve of six images
jumps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from .checkpoint import write_durably
from .spec import Item, NetworkSpec
from .state import FoldResult
from .tasks import denoising, detection, segmentation, super_resolution, volume_segmentation
from .tasks.average_precision import scores_at
from .tasks.detection_evidence import detection_evidence
from .tasks.detection_results import joined
from .tasks.evidence import classification_evidence, restoration_evidence, segmentation_evidence
from .tasks.multilabel_scores import multilabel_evidence, scores_of_labels
from .tasks.result import Drawn, Evaluation, ItemResult, Values
from .tasks.scores import mean, scores_of_named, segmentation_scores
from .tasks.segmentation import MAX_OVERLAYS
from .tasks.task import Task

Json = dict[str, Any]
# What the figures over all items need of one, beside its result.
Tally = Callable[[Any, int, Any], Json]
TALLIES: Mapping[str, Tally] = {
    "segmentation": segmentation.tally,
    "volume_segmentation": volume_segmentation.tally,
    "detection": detection.tally,
}
# What begins the names of the values of what needs no network.
BASELINES: Mapping[str, str] = {
    "super_resolution": super_resolution.TASK.baseline,
    "denoising": denoising.TASK.baseline,
}


@dataclass(frozen=True)
class Kept:
    """Of one item; `tally` where its task has one."""

    result: ItemResult
    tally: Json | None


class FoldTest:
    """Listens while a fold is tested, and keeps what it said for when all are done.

    Beside the checkpoints, since one that holds thousands of items would be slow.
    """

    def __init__(self, spec: NetworkSpec, task: Task, data: Any) -> None:
        self._spec = spec
        self._task = task
        self._data = data
        self._tallies: dict[str, Json] = {}
        self._drawn: dict[str, Path] = {}
        self._beside: dict[str, Drawn] = {}

    def hear(self, row: int, answer: Any) -> None:
        item: Item = self._data.items[row]
        self._drawn[item.id] = self._spec.out / "overlays" / f"{item.id}.png"
        drawn = self._task.draw(self._drawn[item.id], self._data, row, answer)
        if drawn is not None:
            self._beside[item.id] = drawn
        if self._spec.task in TALLIES:
            self._tallies[item.id] = TALLIES[self._spec.task](self._data, row, answer)

    def keep(self, fold: int, items: Sequence[ItemResult]) -> None:
        """With the pictures of its worst items, so many that those of all folds are as many as a test's."""
        worst = sorted(items, key=lambda item: (item.score or 0.0, item.id))
        shown = {item.id for item in worst[: MAX_OVERLAYS // self._spec.validation.folds]}
        rows: list[Json] = []
        for item in items:
            path, drawn = self._drawn.get(item.id), self._beside.get(item.id)
            if path is not None and item.id not in shown:
                path.unlink()
                if drawn is not None:
                    drawn.remove()
                path = drawn = None
            overlay = None if path is None else path.relative_to(self._spec.folder).as_posix()
            place = {} if drawn is None else drawn.fields(self._spec.folder)
            result = replace(item, overlay=overlay, **place)
            rows.append(vars(result) | {"tally": self._tallies.get(item.id)})
        folder = self._spec.out / "folds"
        folder.mkdir(exist_ok=True)
        write_durably(folder / f"{fold}.json", json.dumps(rows).encode())


def pool(
    spec: NetworkSpec, items: Sequence[Item], classes: Sequence[str], folds: Sequence[FoldResult]
) -> tuple[Evaluation, Json] | None:
    """All items as one test, and their evidence; None where a fold's results are gone."""
    kept: list[Kept] = []
    sizes: list[int] = []
    for fold in range(len(folds)):
        found = read_fold(spec.out / "folds" / f"{fold}.json")
        if found is None or (spec.task in TALLIES and any(one.tally is None for one in found)):
            return None
        kept += found
        sizes.append(len(found))
    by_id = {item.id: item for item in items}
    evaluation, evidence = POOLS[spec.task](spec, [by_id[one.result.id] for one in kept], kept, classes)
    # In one order, whether they come from memory or from a checkpoint.
    parts = [
        {"items": size, "epoch": fold.epoch, "values": dict(sorted(fold.test.items()))}
        for fold, size in zip(folds, sizes, strict=True)
    ]
    loss: Values = {"loss": weighted([fold.test.get("loss") for fold in folds], sizes)}
    whole = replace(evaluation, values=loss | evaluation.values, items=[one.result for one in kept])
    return whole, evidence | {"cross": {"parts": parts}}


def read_fold(path: Path) -> list[Kept] | None:
    if not path.exists():
        return None
    rows: list[Json] = json.loads(path.read_bytes())
    # Folds of before tallies have none.
    tallies = [row.pop("tally", None) for row in rows]
    return [Kept(ItemResult(**row), tally) for row, tally in zip(rows, tallies, strict=True)]


Pool = Callable[[NetworkSpec, Sequence[Item], Sequence[Kept], Sequence[str]], tuple[Evaluation, Json]]


def classified(
    spec: NetworkSpec, items: Sequence[Item], kept: Sequence[Kept], classes: Sequence[str]
) -> tuple[Evaluation, Json]:
    results = [one.result for one in kept]
    truth = np.array([result.truth for result in results], np.int64)
    sure = np.array([result.probabilities for result in results], np.float64)
    named = np.array([(result.named or [0])[0] for result in results], np.int64)
    values, per_class, matrix = scores_of_named(truth, sure, named)
    evidence = classification_evidence(items, results, classes, named=named)
    evaluation = Evaluation(values, list(zip(classes, per_class, strict=True)), matrix.tolist())
    # Of more than two classes the likeliest was named, and no threshold chosen.
    return evaluation, of_folds(evidence) if len(classes) == 2 else evidence


def labelled(
    spec: NetworkSpec, items: Sequence[Item], kept: Sequence[Kept], classes: Sequence[str]
) -> tuple[Evaluation, Json]:
    results = [one.result for one in kept]
    of = range(len(classes))
    sure = np.array([result.probabilities for result in results], np.float64)
    labels = np.array([[index in (result.labels or []) for index in of] for result in results], np.bool_)
    named = np.array([[index in (result.named or []) for index in of] for result in results], np.bool_)
    values, per_class = scores_of_labels(labels, sure, named)
    evidence = multilabel_evidence(items, labels, sure, classes, named=named)
    return Evaluation(values, list(zip(classes, per_class, strict=True)), None), of_folds(evidence)


def outlined(
    spec: NetworkSpec, items: Sequence[Item], kept: Sequence[Kept], classes: Sequence[str]
) -> tuple[Evaluation, Json]:
    tallies = [one.tally or {} for one in kept]
    values, per_class = segmentation_scores([np.array(one["matrix"], np.int64) for one in tallies])
    results, gaps = [one.result for one in kept], [one["gaps"] for one in tallies]
    evidence = segmentation_evidence(items, results, classes[1:], gaps)
    return Evaluation(values, list(zip(classes[1:], per_class, strict=True)), None), evidence


def boxed(
    spec: NetworkSpec, items: Sequence[Item], kept: Sequence[Kept], classes: Sequence[str]
) -> tuple[Evaluation, Json]:
    """The boxes of all networks in one row, surest first: one average precision and not a mean of several."""
    matches, limits = joined([one.tally or {} for one in kept])
    values, per_class = scores_at(matches, limits)
    evidence = detection_evidence(items, matches, classes, limits=limits)
    # Each fold believed from another score on.
    evaluation = Evaluation(values | {"threshold": None}, list(zip(classes, per_class, strict=True)), None)
    return evaluation, of_folds(evidence)


def restored(
    spec: NetworkSpec, items: Sequence[Item], kept: Sequence[Kept], classes: Sequence[str]
) -> tuple[Evaluation, Json]:
    results = [one.result for one in kept]
    values: Values = {"psnr": mean([result.score for result in results])}
    values |= {name: mean([result.values[name] for result in results]) for name in results[0].values}
    return Evaluation(values, [], None), restoration_evidence(items, results, BASELINES[spec.task])


POOLS: Mapping[str, Pool] = {
    "classification": classified,
    "multilabel": labelled,
    "segmentation": outlined,
    "volume_segmentation": outlined,
    "detection": boxed,
    "super_resolution": restored,
    "denoising": restored,
}


def weighted(values: Sequence[float | None], sizes: Sequence[int]) -> float | None:
    """A mean over folds, each by its items: of what is a mean over items that of all of them."""
    known = [(value, size) for value, size in zip(values, sizes, strict=True) if value is not None]
    total = sum(size for _, size in known)
    return sum(value * size for value, size in known) / total if total else None


def of_folds(evidence: Json) -> Json:
    """Each fold chose thresholds of its own; no single number stands for them."""
    return evidence | {
        "decisions": [one | {"threshold": None, "basis": "folds"} for one in evidence["decisions"]]
    }
