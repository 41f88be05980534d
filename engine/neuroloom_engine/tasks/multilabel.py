"""Multi-label classification: any number of labels per image.

The same functions as every task, see `task.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from ..control import Control
from ..data import augment
from ..data.images import as_uint8, read_picture, resize
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import Moments, Normalisation
from ..deployed import Answering, Deployed
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .decision import Decision, of_labels, usual
from .losses import Loss, weighted
from .multilabel_scores import label_score, multilabel_evidence, multilabel_scores
from .result import Evaluation, Gathered, ItemResult, OnAnswer, OnStep, Table, Values

SELECTS = "macroF1"
NETWORK_TASK = "classification"
AXES = 2
CRITERIA = ("bce", "focal")
IS_JOINT = False

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Dataset:
    store: Store[NDArray[np.uint8]]  # each (h, w, c)
    labels: Bools  # (item, class)
    moments: list[Moments]
    classes: tuple[str, ...]
    # By which a test names labels; None: what is as likely as not.
    decision: Decision | None = None

    @property
    def items(self) -> list[Item]:
        return self.store.items


def outputs(hyper: Hyper, manifest: Manifest) -> int:
    return hyper.num_class


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Decodes and resizes the items that were labelled, be it with no label at all."""
    height, width = spec.hyper.image_size
    moments: list[Moments] = []

    def decode(item: Item) -> NDArray[np.uint8]:
        picture = read_picture(spec.data_root / item.image)
        return resize(as_uint8(picture, manifest.channels), height, width)

    def look(item: Item, pixels: NDArray[np.uint8]) -> None:
        moments.append(Moments.of(pixels))

    labelled = [item for item in items if item.labels is not None]
    store, bad = fill(spec, labelled, Job(decode, lambda pixels: pixels.nbytes, look), control)
    labels = np.zeros((len(store.items), len(manifest.classes)), np.bool_)
    for row, item in enumerate(store.items):
        labels[row, list(item.labels or ())] = True
    return Dataset(store, labels, moments, manifest.classes), bad


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """By the training part as a whole: how bright an image is can be what tells a label."""
    return Moments.joined([data.moments[row] for row in rows]).normalisation()


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Normalised images (batch, c, h, w) in channels-last layout and their labels (batch, class) as 0 and 1.

    Augmented when given numbers.
    """
    pixels = torch.from_numpy(np.stack([data.store[row] for row in rows])).permute(0, 3, 1, 2)
    std = torch.tensor(rule.std).view(1, -1, 1, 1)
    gain = 1 / (255 * std)
    bias = -torch.tensor(rule.mean).view(1, -1, 1, 1) / std
    labels = torch.from_numpy(data.labels[list(rows)]).float()
    if rng is None or not hyper.augment:
        return pixels.float().mul_(gain).add_(bias), labels
    light = augment.light(len(rows), rng, hyper.changes)
    images = pixels.float().mul_(gain * light.gain).add_(bias * light.gain + light.bias)
    return augment.turn_a_little(images, rng, hyper.changes), labels


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    return data.labels[list(rows)].sum(0).tolist()


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    weights = positive_weights(data.labels[list(rows)]) if hyper.class_weights else None
    return weighted(lambda own: make_loss(hyper, own), weights)


def make_loss(hyper: Hyper, weights: Tensor | None) -> Loss:
    """On logits and labels (batch, class); `weights` multiply what is lost on present labels."""

    def cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(logits, target, pos_weight=weights)

    def focal(logits: Tensor, target: Tensor) -> Tensor:
        """Looks away from what is already right (Lin et al. 2017, gamma 2)."""
        lost = F.binary_cross_entropy_with_logits(logits, target, pos_weight=weights, reduction="none")
        sure = logits.sigmoid()
        wrong = sure * (1 - target) + (1 - sure) * target
        return (wrong**2 * lost).mean()

    return focal if hyper.criterion == "focal" else cross_entropy


def positive_weights(labels: Bools) -> Tensor:
    """The root of how many times rarer a label is than its absence; 1 for one that never occurs."""
    present = labels.sum(0)
    absent = len(labels) - present
    weights = np.where(present > 0, np.sqrt(np.maximum(absent, 1) / np.maximum(present, 1)), 1.0)
    return torch.from_numpy(weights.astype(np.float32))


def evaluate(
    predictor: Predictor,
    data: Dataset,
    rows: Sequence[int],
    rule: Normalisation,
    hyper: Hyper,
    on_step: OnStep,
    on_answer: OnAnswer | None = None,
) -> Evaluation:
    """Loss, scores and one result per item."""
    size = hyper.batch_size * 2
    measure = make_loss(hyper, None)
    losses: list[float] = []
    chunks: list[NDArray[np.float64]] = []
    for start in range(0, len(rows), size):
        on_step(start)
        part = rows[start : start + size]
        images, labels = batch(data, part, rule, hyper, None)
        logits = predictor(images)
        losses.append(float(measure(logits, labels)) * len(part))
        chunks.append(logits.double().sigmoid().numpy())
    probabilities = np.concatenate(chunks)
    truth = data.labels[list(rows)]
    values, per_class = multilabel_scores(truth, probabilities, data.decision)
    total: Values = {"loss": sum(losses) / len(rows)}
    return Evaluation(
        values=total | values,
        per_class=list(zip(data.classes, per_class, strict=True)),
        confusion=None,
        items=[
            describe(data.items[row], labels, row_values, data.decision)
            for row, labels, row_values in zip(rows, truth, probabilities, strict=True)
        ],
        decision=of_labels(truth, probabilities),
    )


def item_scores(data: Dataset, rows: Sequence[int], logits: Tensor) -> list[float]:
    """Of each item the score that its result will have."""
    sure = logits.double().sigmoid().numpy()
    return [label_score(data.labels[row], sure[index], data.decision) for index, row in enumerate(rows)]


def describe(
    item: Item, labels: Bools, probabilities: NDArray[np.float64], decision: Decision | None
) -> ItemResult:
    named = (decision or usual(len(labels))).named(probabilities)
    return ItemResult(
        id=item.id,
        name=item.name,
        truth=None,
        probabilities=probabilities.tolist(),
        score=label_score(labels, probabilities, decision),
        values={},
        labels=np.flatnonzero(labels).tolist(),
        named=np.flatnonzero(named).tolist(),
    )


def report(evaluation: Evaluation, data: Dataset) -> Table:
    """Header and rows of `predictions.csv`: of each class whether it is true, and its probability."""
    columns = [column for name in data.classes for column in (f"true {name}", f"p {name}")]
    table: Table = [["name", "f1", *columns]]
    for item in evaluation.items:
        row: list[str | float | None] = [item.name, item.score]
        for index, probability in enumerate(item.probabilities):
            row += [int(index in (item.labels or [])), probability]
        table.append(row)
    return table


def deploy(network: Network, rule: Normalisation) -> Deployed:
    """A probability for each label by itself."""
    module = Answering(network, rule, lambda heads: heads[0].sigmoid())
    return Deployed(module, {"probabilities": {"axis": 1, "each": "by itself, not summing to 1"}})


def draw(path: Path, data: Dataset, row: int, answer: Any) -> None:
    raise NotImplementedError("labels are told in words")


def results(spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
    return Results(data)


class Results:
    """Probabilities stand in the items already."""

    def __init__(self, data: Dataset) -> None:
        self._data = data

    def keep(self, row: int, answer: Any) -> None:
        pass

    def finish(self, evaluation: Evaluation) -> Gathered:
        probabilities = np.array([item.probabilities for item in evaluation.items])
        data = self._data
        evidence = multilabel_evidence(data.items, data.labels, probabilities, data.classes, data.decision)
        return Gathered(evaluation.items, evidence)
