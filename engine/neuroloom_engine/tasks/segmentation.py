"""Segmentation: a class per pixel.

The same functions as every task, see `task.py`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from ..control import Control
from ..data import augment
from ..data.chunks import same_size_chunks
from ..data.images import BadFile, Picture, as_uint8, read_picture
from ..data.loading import BadItem, Job, Store, fill
from ..data.masks import classes_from, read_mask, table_of, to_classes
from ..data.normalise import Moments, Normalisation, compress
from ..data.overlay import draw as draw_outlines
from ..data.overlay import palette_of
from ..deployed import Deployed, probabilities
from ..names import entry_names
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .evidence import segmentation_evidence
from .losses import NOT_COUNTED, Loss, make_loss, training_loss
from .result import Evaluation, Gathered, ItemResult, OnAnswer, OnStep, Table, Values
from .scores import Matrix, confusion_matrix, dice_per_class, image_score, segmentation_scores
from .surfaces import hd95_per_class

SELECTS = "dice"
NETWORK_TASK = "segmentation"
AXES = 2
CRITERIA = ("ce_dice", "dice", "tversky", "cross_entropy", "focal")
IS_JOINT = False
# Pictures are drawn for this many items of a test, those with the lowest score first.
MAX_OVERLAYS = 300

Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Sample:
    pixels: Bytes  # (h, w, c)
    mask: Bytes  # (h, w) of class indices
    region: Bools | None = None  # (h, w): what counts; None: all of it


@dataclass(frozen=True)
class Dataset:
    store: Store[Sample]
    sizes: list[tuple[int, int]]
    moments: list[tuple[float, float]]
    pixel_counts: list[NDArray[np.int64]]
    classes: tuple[str, ...]
    # Masks have values of what does not count.
    leaves_open: bool = False

    @property
    def items(self) -> list[Item]:
        return self.store.items

    @property
    def counts_partly(self) -> bool:
        return self.leaves_open or any(item.region is not None for item in self.items)


def outputs(hyper: Hyper, manifest: Manifest) -> int:
    return hyper.num_class


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Decodes images and masks at their own size."""
    data = Dataset(Store([], lambda item: decode_sample(spec, manifest, item)), [], [], [], manifest.classes)

    def look(item: Item, sample: Sample) -> None:
        height, width = sample.mask.shape
        data.sizes.append((height, width))
        data.moments.append(Moments.of(sample.pixels).overall())
        counted = sample.mask.reshape(-1) if sample.region is None else sample.mask[sample.region]
        data.pixel_counts.append(np.bincount(counted, minlength=len(manifest.classes)))

    job = Job(data.store.decode, bytes_of, look)
    store, bad = fill(spec, items, job, control)
    leaves_open = bool(manifest.not_counted)
    return Dataset(store, data.sizes, data.moments, data.pixel_counts, data.classes, leaves_open), bad


def bytes_of(sample: Sample) -> int:
    region = 0 if sample.region is None else sample.region.nbytes
    return sample.pixels.nbytes + sample.mask.nbytes + region


def decode_sample(spec: NetworkSpec, manifest: Manifest, item: Item) -> Sample:
    if item.label is None:
        raise BadFile("pair")
    pixels = as_uint8(read_picture(spec.data_root / item.image), manifest.channels)
    mask = read_mask(spec.data_root / item.label)
    if mask.pixels.shape != pixels.shape[:2]:
        raise BadFile("pair")
    region = None if item.region is None else read_region(spec.data_root / item.region)
    if region is not None and region.shape != mask.pixels.shape:
        raise BadFile("pair")
    return counted_sample(pixels, as_classes(mask, manifest), region)


def counted_sample(pixels: Bytes, classes: Bytes, region: Bools | None) -> Sample:
    """What a mask itself leaves open lies outside its region, as background."""
    is_open = classes == NOT_COUNTED
    if not is_open.any():
        return Sample(pixels, classes, region)
    counts = ~is_open if region is None else region & ~is_open
    return Sample(pixels, np.where(is_open, np.uint8(0), classes), counts)


def read_region(path: Path) -> Bools:
    """Whatever is brighter than half, as it may be smeared; the whole where nothing is."""
    pixels = read_mask(path).pixels
    bright = pixels > int(pixels.max()) // 2
    return bright if bright.any() else np.ones(pixels.shape, np.bool_)


def as_classes(mask: Picture, manifest: Manifest) -> Bytes:
    """Class index of each pixel, or `NOT_COUNTED`.

    JPEG smears values, so there the nearest known one counts; elsewhere it must be known.
    """
    meaning = {**manifest.mask_values, **dict.fromkeys(manifest.not_counted, NOT_COUNTED)}
    return to_classes(mask, meaning, manifest.other_values, manifest.nearest)


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """Each image by itself: scanners and stains differ more than what is looked for."""
    return Normalisation("image")


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Random crops of `hyper.image_size`.

    Images (batch, c, h, w) in channels-last layout, classes (batch, h, w).
    """
    assert rng is not None
    height, width = hyper.image_size
    first = data.store[rows[0]]
    pixels = np.empty((len(rows), height, width, first.pixels.shape[2]), np.uint8)
    masks = np.empty((len(rows), height, width), np.uint8)
    for index, row in enumerate(rows):
        sample = data.store[row]
        window = augment.choose_window(sample.mask, (height, width), rng)
        pose = augment.choose_pose(hyper, rng)
        pixels[index] = augment.posed(augment.cut(sample.pixels, window), pose, (height, width))
        masks[index] = augment.posed(augment.cut(sample.mask, window), pose, (height, width))
        if sample.region is not None:
            counts = augment.posed(augment.cut(sample.region, window), pose, (height, width))
            masks[index][~counts] = NOT_COUNTED
    gain, bias = image_scale(data, rows)
    if hyper.augment:
        light = augment.light(len(rows), rng, hyper.changes)
        gain, bias = gain * light.gain, bias * light.gain + light.bias
    images = torch.from_numpy(pixels).permute(0, 3, 1, 2).float().mul_(gain).add_(bias)
    if hyper.augment and "slope" in hyper.changes:
        images += augment.slope(len(rows), hyper.image_size, rng)
    return compress(images), torch.from_numpy(masks).long()


def image_scale(data: Dataset, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Factor and offset that bring each uint8 image to mean 0 and deviation 1, as (batch, 1, 1, 1)."""
    mean, std = (
        torch.tensor(part).view(-1, 1, 1, 1)
        for part in zip(*(data.moments[row] for row in rows), strict=True)
    )
    return 1 / (255 * std), -mean / std


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    """In pixels."""
    return np.sum([data.pixel_counts[row] for row in rows], axis=0).tolist()


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    return training_loss(hyper, class_counts(data, rows), partly=data.counts_partly)


def evaluate(
    predictor: Predictor,
    data: Dataset,
    rows: Sequence[int],
    rule: Normalisation,
    hyper: Hyper,
    on_step: OnStep,
    on_answer: OnAnswer | None = None,
) -> Evaluation:
    """Predicts whole images, those of one size together.

    `on_answer` gets each predicted mask of class indices.
    """
    measure = make_loss(hyper.criterion, None, partly=data.counts_partly)
    losses: list[float] = []
    found: dict[int, Matrix] = {}
    for part in same_size_chunks(data.sizes, rows, hyper.batch_size * prod(hyper.image_size)):
        on_step(len(found))
        images, masks = whole_images(data, part)
        logits = predictor.predict_maps(images)
        losses.append(float(measure(logits, masks)) * len(part))
        predicted = likeliest(logits)
        for index, row in enumerate(part):
            truth, named = masks[index].numpy().reshape(-1), predicted[index].reshape(-1).astype(np.int64)
            if data.counts_partly:
                counts = truth != NOT_COUNTED
                truth, named = truth[counts], named[counts]
            found[row] = confusion_matrix(truth, named, len(data.classes))
            if on_answer is not None:
                on_answer(row, predicted[index])
    values, per_class = segmentation_scores([found[row] for row in rows])
    total: Values = {"loss": sum(losses) / len(rows)}
    return Evaluation(
        values=total | values,
        per_class=list(zip(data.classes[1:], per_class, strict=True)),
        confusion=None,
        items=[describe(data.items[row], dice_per_class(found[row]), data.classes) for row in rows],
    )


def likeliest(logits: Tensor) -> Bytes:
    """Class index of each pixel (batch, …) of logits (batch, classes, …); `argmax` takes 20 times as long."""
    return logits.max(1).indices.to(torch.uint8).numpy()


def whole_images(data: Dataset, rows: Sequence[int]) -> tuple[Tensor, Tensor]:
    samples = [data.store[row] for row in rows]
    gain, bias = image_scale(data, rows)
    pixels = torch.from_numpy(np.stack([sample.pixels for sample in samples])).permute(0, 3, 1, 2)
    masks = torch.from_numpy(np.stack([target_of(sample) for sample in samples])).long()
    return compress(pixels.float().mul_(gain).add_(bias)), masks


def target_of(sample: Sample) -> Bytes:
    if sample.region is None:
        return sample.mask
    return np.where(sample.region, sample.mask, np.uint8(NOT_COUNTED))


def describe(item: Item, dices: Sequence[float | None], classes: Sequence[str]) -> ItemResult:
    return ItemResult(
        id=item.id,
        name=item.name,
        truth=None,
        probabilities=[],
        score=image_score(dices),
        values=dict(zip(classes[1:], dices, strict=True)),
        palette=palette_of(classes),
    )


def tally(data: Dataset, row: int, answer: Bytes) -> dict[str, Any]:
    """What Dice, overlap and distances over several networks' images need of one."""
    sample = data.store[row]
    truth, named = (
        (mask if sample.region is None else mask[sample.region]).reshape(-1).astype(np.int64)
        for mask in (sample.mask, answer)
    )
    matrix = confusion_matrix(truth, named, len(data.classes))
    return {"matrix": matrix.tolist(), "gaps": gaps_of(data, row, answer)}


def gaps_of(data: Dataset, row: int, answer: Bytes) -> list[float | None]:
    """Distances of outlines, class by class."""
    sample = data.store[row]
    truth, named = (
        mask if sample.region is None else np.where(sample.region, mask, np.uint8(0))
        for mask in (sample.mask, answer)
    )
    return hd95_per_class(truth, named, len(data.classes))


def report(evaluation: Evaluation, data: Dataset) -> Table:
    """Header and rows of `predictions.csv`."""
    table: Table = [["name", "dice", *(f"dice {name}" for name in data.classes[1:])]]
    return table + [[item.name, item.score, *item.values.values()] for item in evaluation.items]


def deploy(network: Network, rule: Normalisation) -> Deployed:
    return probabilities(network, rule)


def draw(path: Path, data: Dataset, row: int, answer: Bytes) -> None:
    sample = data.store[row]
    draw_outlines(path, sample.pixels, sample.mask, answer)


def results(spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
    return Results(spec, manifest, data)


class Results:
    """Predicted masks with the values of the user's own, one PNG an item; pictures of the worst items."""

    def __init__(self, spec: NetworkSpec, manifest: Manifest, data: Dataset) -> None:
        self._spec = spec
        self._data = data
        self._names = entry_names((item.name for item in data.items), ".png")
        self._value_of = value_table(manifest)
        self._path = spec.out / "masks.zip"
        self._zip = zipfile.ZipFile(self._path, "w", zipfile.ZIP_STORED)
        self._gaps: dict[int, list[float | None]] = {}

    def keep(self, row: int, answer: Bytes) -> None:
        buffer = BytesIO()
        Image.fromarray(self._value_of[answer]).save(buffer, format="PNG")
        # A fixed date keeps equal results equal to the byte.
        self._zip.writestr(zipfile.ZipInfo(self._names[row], (1980, 1, 1, 0, 0, 0)), buffer.getvalue())
        self._gaps[row] = gaps_of(self._data, row, answer)

    def finish(self, evaluation: Evaluation) -> Gathered:
        self._zip.close()
        items = self._draw_worst(evaluation)
        gaps = [self._gaps[row] for row in range(len(items))]
        evidence = segmentation_evidence(self._data.items, evaluation.items, self._data.classes[1:], gaps)
        return Gathered(items, evidence, [("masks_zip", self._path)])

    def _draw_worst(self, evaluation: Evaluation) -> list[ItemResult]:
        items = list(evaluation.items)
        worst = sorted(range(len(items)), key=lambda index: (items[index].score or 0.0, index))[:MAX_OVERLAYS]
        with zipfile.ZipFile(self._path) as archive:
            for index in worst:
                path = self._spec.out / "overlays" / f"{items[index].id}.png"
                values = np.asarray(Image.open(BytesIO(archive.read(self._names[index]))))
                predicted = classes_from(values, self._value_of)
                draw(path, self._data, index, predicted)
                items[index] = replace(items[index], overlay=path.relative_to(self._spec.folder).as_posix())
        return items


def value_table(manifest: Manifest) -> NDArray[Any]:
    """`values_of` as pixels of a PNG."""
    return table_of(values_of(manifest))


def values_of(manifest: Manifest) -> list[int]:
    """Mask value of each class index; a class without one gets its index."""
    values = list(range(len(manifest.classes)))
    for value, index in sorted(manifest.mask_values.items(), reverse=True):
        values[index] = value
    return values
