"""Detection: boxes round things, each of a class.

The same functions as every task, see `task.py`. How a network finds things, its loss and how its answers are
read stand in `detection_yolo.py`, `detection_fcos.py` and `detection_centernet.py`; its plan tells which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..control import Control
from ..data import augment, box_augment
from ..data.box_overlay import draw_boxes
from ..data.images import BadFile, as_uint8, read_picture
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import Moments, Normalisation
from ..deployed import Deployed
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .average_precision import Boxes, detection_scores, matches_of
from .decision import Decision
from .detection_layout import Layout, check_channels, layout_of
from .detection_results import Answer, Results, Tested, describe, drawn_of, table_of, tally_of
from .detection_ways import decode, deployed, found_boxes, make_loss
from .losses import Loss, class_weights
from .result import Evaluation, OnAnswer, OnStep, Table, Values

SELECTS = "map50"
NETWORK_TASK = "detection"
AXES = 2
CRITERIA = ("boxes",)
IS_JOINT = True


@dataclass(frozen=True)
class Sample:
    pixels: NDArray[np.uint8]  # (h, w, c) of the network's size
    scale: tuple[float, float]  # of x and y, from the image as stored
    size: tuple[int, int]  # height and width as stored


@dataclass(frozen=True)
class Dataset:
    store: Store[Sample]
    boxes: list[Boxes]  # in pixels as stored, cut to the image
    scales: list[tuple[float, float]]
    sizes: list[tuple[int, int]]
    moments: list[Moments]
    classes: tuple[str, ...]
    layout: Layout
    root: Path
    channels: int
    # By which a test believes boxes; None: chosen on the images themselves.
    decision: Decision | None = None

    @property
    def items(self) -> list[Item]:
        return self.store.items

    def draw(self, path: Path, row: int, answer: Answer) -> None:
        """On the image as stored, which shows more than what the network sees."""
        pixels = as_uint8(read_picture(self.root / self.items[row].image), self.channels)
        draw_boxes(path, pixels, self.boxes[row].corners, drawn_of(self.boxes[row], answer))


def outputs(hyper: Hyper, manifest: Manifest) -> None:
    """Looked at in `load`: a detector has several outputs."""


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Decodes and resizes the items that somebody has looked through; those without a box are negatives."""
    height, width = spec.hyper.image_size
    layout = layout_of(spec.plan)
    check_channels(spec.plan, layout, spec.hyper.num_class)
    empty: Store[Sample] = Store([], lambda item: read_sample(spec, manifest, item))
    data = Dataset(empty, [], [], [], [], manifest.classes, layout, spec.data_root, manifest.channels)

    def look(item: Item, sample: Sample) -> None:
        data.boxes.append(true_boxes(item, sample.size))
        data.scales.append(sample.scale)
        data.sizes.append(sample.size)
        data.moments.append(Moments.of(sample.pixels))

    labelled = [item for item in items if item.boxes is not None]
    job = Job(empty.decode, lambda sample: sample.pixels.nbytes, look)
    store, bad = fill(spec, labelled, job, control)
    return replace(data, store=store), bad


def read_sample(spec: NetworkSpec, manifest: Manifest, item: Item) -> Sample:
    pixels = as_uint8(read_picture(spec.data_root / item.image), manifest.channels)
    size = (pixels.shape[0], pixels.shape[1])
    true_boxes(item, size)
    fitted = box_augment.fit(pixels, *spec.hyper.image_size)
    return Sample(fitted.pixels, fitted.scale, size)


def true_boxes(item: Item, size: tuple[int, int]) -> Boxes:
    """Cut to the image; boxes that lie outside for the most part belong to another image."""
    boxes = item.boxes or ()
    whole = np.array([[box.x0, box.y0, box.x1, box.y1] for box in boxes], np.float32).reshape(-1, 4)
    corners = whole.clip(0, np.array([size[1], size[0]] * 2, np.float32))
    left = (corners[:, 2:] - corners[:, :2]).prod(1)
    if (left < (whole[:, 2:] - whole[:, :2]).prod(1) / 2).any():
        raise BadFile("pair")
    return Boxes(
        np.array([box.class_index for box in boxes], np.int64), corners, np.ones(len(boxes), np.float32)
    )


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """By the training part as a whole: what is filled in beyond an image's edge is its mean colour."""
    return Moments.joined([data.moments[row] for row in rows]).normalisation()


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Normalised images (batch, c, h, w), channels last; boxes (batch, most, 5) as class and corners.

    Corners in pixels of the network's size; class -1 fills up. Augmented when given numbers.
    """
    pixels = torch.from_numpy(np.stack([data.store[row].pixels for row in rows])).permute(0, 3, 1, 2)
    std = torch.tensor(rule.std).view(1, -1, 1, 1)
    gain = 1 / (255 * std)
    bias = -torch.tensor(rule.mean).view(1, -1, 1, 1) / std
    boxes = [scaled_truth(data, row) for row in rows]
    if rng is None or not hyper.augment:
        return pixels.float().mul_(gain).add_(bias), box_augment.padded(boxes)
    light = augment.light(len(rows), rng, hyper.changes)
    images = pixels.float().mul_(gain * light.gain).add_(bias * light.gain + light.bias)
    images, boxes = box_augment.vary(images, boxes, rng, hyper.changes)
    return images, box_augment.padded(boxes)


def scaled_truth(data: Dataset, row: int) -> NDArray[np.float32]:
    boxes, scale = data.boxes[row], np.array(data.scales[row] * 2, np.float32)
    return np.concatenate([boxes.classes[:, None].astype(np.float32), boxes.corners * scale], 1)


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    """In boxes."""
    classes = np.concatenate([data.boxes[row].classes for row in rows])
    return np.bincount(classes, minlength=len(data.classes)).tolist()


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    """Of all heads together, by the network's way of finding things."""
    weights = class_weights(class_counts(data, rows)) if hyper.class_weights else None
    return make_loss(data.layout, weights)


def evaluate(
    predictor: Predictor,
    data: Dataset,
    rows: Sequence[int],
    rule: Normalisation,
    hyper: Hyper,
    on_step: OnStep,
    on_answer: OnAnswer | None = None,
) -> Evaluation:
    """Finds boxes and compares them with the true ones in the images' own pixels.

    `on_answer` gets an `Answer` for each row once all are known, for the threshold is of all of them.
    """
    size = hyper.batch_size * 2
    measure = make_loss(data.layout, None)
    losses: list[float] = []
    founds: list[Boxes] = []
    for start in range(0, len(rows), size):
        on_step(start)
        part = rows[start : start + size]
        images, targets = batch(data, part, rule, hyper, None)
        heads = predictor.heads(images)
        with torch.inference_mode():
            losses.append(float(measure(heads, targets)) * len(part))
            boxes, scores = decode(heads, data.layout)
        founds += [
            found_boxes(own, sure, data.scales[row], data.sizes[row])
            for own, sure, row in zip(boxes, scores, part, strict=True)
        ]
    truths = [data.boxes[row] for row in rows]
    given = None if data.decision is None else data.decision.thresholds[0]
    values, per_class = detection_scores(matches_of(truths, founds, len(data.classes)), given)
    threshold = values["threshold"] or 0.0
    answers = [Answer(found, threshold) for found in founds]
    items = [
        describe(data.items[row], data.boxes[row], answer, data.sizes[row])
        for row, answer in zip(rows, answers, strict=True)
    ]
    if on_answer is not None:
        for row, answer in zip(rows, answers, strict=True):
            on_answer(row, answer)
    total: Values = {"loss": sum(losses) / len(rows)}
    each = len(data.classes)
    decision = Decision((threshold,) * each, (sum(len(truth) for truth in truths),) * each)
    return Evaluation(total | values, list(zip(data.classes, per_class, strict=True)), None, items, decision)


def draw(path: Path, data: Dataset, row: int, answer: Answer) -> None:
    data.draw(path, row, answer)


def tally(data: Dataset, row: int, answer: Answer) -> dict[str, Any]:
    return tally_of(data.boxes[row], answer, len(data.classes))


def deploy(network: Network, rule: Normalisation) -> Deployed:
    return deployed(network, rule)


def results(spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
    tested = Tested(data.items, data.boxes, data.sizes, data.classes, data.decision)
    return Results(spec, tested, data.draw)


def report(evaluation: Evaluation, data: Dataset) -> Table:
    """Header and rows of `predictions.csv`."""
    return table_of(evaluation, data.classes)
