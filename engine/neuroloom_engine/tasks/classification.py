"""Image classification: one label per image.

The same functions as every task, see `task.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..control import Control
from ..data import augment
from ..data.images import as_uint8, read_picture, resize
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import Moments, Normalisation
from ..deployed import Deployed, probabilities
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .decision import Decision, class_named, of_two_classes
from .evidence import classification_evidence
from .losses import Loss, make_loss, training_loss
from .result import Evaluation, Gathered, ItemResult, OnAnswer, OnStep, Table, Values
from .scores import classification_scores

# With few images to validate on, many epochs name as many of them rightly: the loss tells more finely.
SELECTS = "loss"
NETWORK_TASK = "classification"
AXES = 2
CRITERIA = ("cross_entropy", "focal")
IS_JOINT = False


@dataclass(frozen=True)
class Dataset:
    store: Store[NDArray[np.uint8]]  # each (h, w, c)
    labels: NDArray[np.int64]
    moments: list[Moments]
    classes: tuple[str, ...]
    # By which a test names a class; None: the likeliest.
    decision: Decision | None = None

    @property
    def items(self) -> list[Item]:
        return self.store.items


def outputs(hyper: Hyper, manifest: Manifest) -> int:
    return hyper.num_class


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Decodes and resizes the items that have a class."""
    height, width = spec.hyper.image_size
    moments: list[Moments] = []

    def decode(item: Item) -> NDArray[np.uint8]:
        picture = read_picture(spec.data_root / item.image)
        return resize(as_uint8(picture, manifest.channels), height, width)

    def look(item: Item, pixels: NDArray[np.uint8]) -> None:
        moments.append(Moments.of(pixels))

    labelled = [item for item in items if item.class_index is not None]
    store, bad = fill(spec, labelled, Job(decode, lambda pixels: pixels.nbytes, look), control)
    labels = np.array([item.class_index for item in store.items], np.int64)
    return Dataset(store, labels, moments, manifest.classes), bad


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """By the training part as a whole: how bright an image is can be what tells the classes apart."""
    return Moments.joined([data.moments[row] for row in rows]).normalisation()


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Normalised images (batch, c, h, w) in channels-last layout and their classes.

    Augmented when given numbers.
    """
    pixels = torch.from_numpy(np.stack([data.store[row] for row in rows])).permute(0, 3, 1, 2)
    std = torch.tensor(rule.std).view(1, -1, 1, 1)
    gain = 1 / (255 * std)
    bias = -torch.tensor(rule.mean).view(1, -1, 1, 1) / std
    labels = torch.from_numpy(data.labels[list(rows)])
    if rng is None or not hyper.augment:
        return pixels.float().mul_(gain).add_(bias), labels
    light = augment.light(len(rows), rng, hyper.changes)
    images = pixels.float().mul_(gain * light.gain).add_(bias * light.gain + light.bias)
    return augment.turn_a_little(images, rng, hyper.changes), labels


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    return np.bincount(data.labels[list(rows)], minlength=len(data.classes)).tolist()


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    return training_loss(hyper, class_counts(data, rows), hyper.label_smoothing)


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
    measure = make_loss(hyper.criterion, None, hyper.label_smoothing)
    losses: list[float] = []
    chunks: list[NDArray[np.float64]] = []
    for start in range(0, len(rows), size):
        on_step(start)
        part = rows[start : start + size]
        images, labels = batch(data, part, rule, hyper, None)
        logits = predictor(images)
        losses.append(float(measure(logits, labels)) * len(part))
        chunks.append(logits.double().softmax(1).numpy())
    probabilities = np.concatenate(chunks)
    truth = data.labels[list(rows)]
    values, per_class, matrix = classification_scores(truth, probabilities, data.decision)
    named = class_named(probabilities, data.decision)
    total: Values = {"loss": sum(losses) / len(rows)}
    return Evaluation(
        values=total | values,
        per_class=list(zip(data.classes, per_class, strict=True)),
        confusion=matrix.tolist(),
        items=[
            describe(data.items[row], int(label), row_values, int(name))
            for row, label, row_values, name in zip(rows, truth, probabilities, named, strict=True)
        ],
        decision=of_two_classes(truth, probabilities),
    )


def item_scores(data: Dataset, rows: Sequence[int], logits: Tensor) -> list[float]:
    """Of each item the score that its result will have."""
    sure = logits.double().softmax(1).numpy()
    return [float(sure[index, data.labels[row]]) for index, row in enumerate(rows)]


def describe(item: Item, truth: int, probabilities: NDArray[np.float64], named: int) -> ItemResult:
    return ItemResult(
        id=item.id,
        name=item.name,
        truth=truth,
        probabilities=probabilities.tolist(),
        score=float(probabilities[truth]),
        values={"confidence": float(probabilities.max())},
        named=[named],
    )


def report(evaluation: Evaluation, data: Dataset) -> Table:
    """Header and rows of `predictions.csv`."""
    table: Table = [["name", "truth", "predicted", "correct", *(f"p {name}" for name in data.classes)]]
    for item in evaluation.items:
        predicted = (item.named or [int(np.argmax(item.probabilities))])[0]
        truth = "" if item.truth is None else data.classes[item.truth]
        correct = int(predicted == item.truth)
        table.append([item.name, truth, data.classes[predicted], correct, *item.probabilities])
    return table


def deploy(network: Network, rule: Normalisation) -> Deployed:
    return probabilities(network, rule)


def draw(path: Path, data: Dataset, row: int, answer: Any) -> None:
    raise NotImplementedError("a class is told in words")


def results(spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
    return Results(data)


class Results:
    """Probabilities stand in the items already."""

    def __init__(self, data: Dataset) -> None:
        self._data = data

    def keep(self, row: int, answer: Any) -> None:
        pass

    def finish(self, evaluation: Evaluation) -> Gathered:
        data = self._data
        evidence = classification_evidence(data.items, evaluation.items, data.classes, data.decision)
        return Gathered(evaluation.items, evidence)
