"""Segmentation of volumes: a class for each voxel.

The same functions as every task, see `task.py`. A volume is kept as it is stored and besides as the network
sees it, on the grid that all volumes share; what the network says is brought back to the stored grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..control import Control
from ..data.crops import changed_crop, choose_start, plain_crop
from ..data.grids import Grid, common_grid, place_on
from ..data.images import BadFile
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import FLOOR, Normalisation
from ..data.slices import DrawnSlice, draw_slice
from ..data.volumes import Header, read_header, read_volume, read_volume_mask
from ..deployed import Deployed, probabilities
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .losses import Loss, make_loss, training_loss
from .patches import Size, Stitched, patches_of, predict_patches
from .result import Evaluation, OnAnswer, OnStep, Values
from .scores import Matrix, confusion_matrix, dice_per_class, segmentation_scores
from .segmentation import CRITERIA as CRITERIA
from .segmentation import describe
from .segmentation import report as report
from .surfaces import hd95_per_class
from .volume_cases import Bytes, Case, Dataset, Laid, Pixels, lay
from .volume_results import Results

SELECTS = "dice"
NETWORK_TASK = "segmentation"
AXES = 3
IS_JOINT = False
# What is darker or brighter than this share of a volume's voxels tells nothing more: metal, noise.
DARKEST, BRIGHTEST = 0.5, 99.5
PERCENTILE_VOXELS = 1_000_000
CONFUSION_VOXELS = 1 << 22


def outputs(hyper: Hyper, manifest: Manifest) -> int:
    return hyper.num_class


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Reads volumes and masks; in training lays them on the grid that they have in common."""
    grid = common_grid(list(headers_of(spec, items))) if spec.kind == "train" else None
    data = Dataset(Store([], lambda item: decode(spec, manifest, grid, item)), [], manifest.classes, grid)

    def look(item: Item, case: Case) -> None:
        data.voxel_counts.append(np.bincount(case.mask.reshape(-1), minlength=len(manifest.classes)))

    def size_of(case: Case) -> int:
        return case.pixels.nbytes + case.mask.nbytes + case.laid.own_bytes

    store, bad = fill(spec, items, Job(data.store.decode, size_of, look), control)
    return replace(data, store=store), bad


def headers_of(spec: NetworkSpec, items: Sequence[Item]) -> Iterator[Header]:
    """Of files that can be read; the others are told when they are."""

    def attempt(item: Item) -> Header | None:
        try:
            return read_header(spec.data_root / item.image)
        except (BadFile, FileNotFoundError):
            return None

    with ThreadPoolExecutor(spec.device.threads) as pool:
        yield from (header for header in pool.map(attempt, items) if header is not None)


def decode(spec: NetworkSpec, manifest: Manifest, grid: Grid | None, item: Item) -> Case:
    if item.label is None:
        raise BadFile("pair")
    image = read_volume(spec.data_root / item.image)
    mask = read_volume_mask(spec.data_root / item.label)
    turns = {image.header.orientation, mask.header.orientation} - {None}
    if mask.voxels.shape != image.voxels.shape or len(turns) > 1:
        raise BadFile("pair")
    pixels, classes = standardised(image.voxels), as_classes(mask.voxels, manifest)
    laid = lay(pixels, classes, place_on(image.header, grid or Grid()), len(manifest.classes))
    return Case(pixels, classes, image.header, laid)


def standardised(voxels: NDArray[Any]) -> Pixels:
    """By the volume's own mean and deviation, after its darkest and brightest voxels are drawn in."""
    flat = voxels.reshape(-1)[:: -(-voxels.size // PERCENTILE_VOXELS)]
    low, high = (float(value) for value in np.percentile(flat.astype(np.float64), [DARKEST, BRIGHTEST]))
    shares = (voxels.astype(np.float32) - np.float32(low)) / np.float32(max(high - low, 1e-12))
    shares = shares.clip(0, 1)
    mean, deviation = float(shares.mean(dtype=np.float64)), float(shares.std(dtype=np.float64))
    return ((shares - mean) / max(FLOOR, deviation)).astype(np.float16)


def as_classes(mask: NDArray[np.int32], manifest: Manifest) -> Bytes:
    """Class index of each voxel; every value must be known, or there is a class for all others."""
    known = np.array(sorted(manifest.mask_values))
    places = np.searchsorted(known, mask).clip(max=len(known) - 1)
    classes = np.array([manifest.mask_values[int(value)] for value in known], np.uint8)[places]
    is_known = known[places] == mask
    if is_known.all():
        return classes
    if manifest.other_values is None:
        raise BadFile("mask_values")
    return np.where(is_known, classes, np.uint8(manifest.other_values))


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """Each volume by itself: scanners differ by orders of magnitude."""
    return Normalisation("volume", grid=data.grid or Grid())


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Random crops: images (batch, 1, d, h, w) and classes (batch, d, h, w)."""
    assert rng is not None
    size = crop_size(hyper)
    crops = []
    # A lone crop would take torch's slow convolution, see `predict_patches`.
    for row in [*rows, *rows] if len(rows) == 1 < hyper.batch_size else rows:
        laid = data.store[row].laid
        start = choose_start(laid.pixels.shape, laid.marks, size, rng)
        crops.append(
            changed_crop(
                *(laid.pixels, laid.mask, start, size, laid.place.spacing),
                *(mirrors_of(rule.grid), rng, hyper.changes),
            )
            if hyper.augment
            else plain_crop(laid.pixels, laid.mask, start, size)
        )
    images = torch.stack([crop.pixels for crop in crops]).unsqueeze(1)
    return images, torch.stack([crop.mask for crop in crops]).long()


def crop_size(hyper: Hyper) -> Size:
    return (hyper.depth, *hyper.image_size)


def mirrors_of(grid: Grid) -> list[int]:
    """A body is much the same from left to right, never from front to back; unknown axes may be any."""
    return [axis for axis in range(3) if not grid.orientation or grid.orientation[axis] in "LR"]


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    """In voxels."""
    return np.sum([data.voxel_counts[row] for row in rows], axis=0).tolist()


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    return training_loss(hyper, class_counts(data, rows))


def evaluate(
    predictor: Predictor,
    data: Dataset,
    rows: Sequence[int],
    rule: Normalisation,
    hyper: Hyper,
    on_step: OnStep,
    on_answer: OnAnswer | None = None,
) -> Evaluation:
    """Predicts whole volumes, judged on the grid that they are stored in.

    `on_answer` gets each predicted mask of class indices.
    """
    measure = make_loss(hyper.criterion, None)
    losses: list[float] = []
    matrices: list[Matrix] = []
    for done, row in enumerate(rows):
        case = data.store[row]
        laid = laid_by(case, data, rule.grid)
        stitched = Stitched(laid, len(data.classes))
        for patches in patches_of(laid, crop_size(hyper), 2 * hyper.batch_size):
            on_step(done)
            logits = predict_patches(predictor, patches.images)
            losses.append(float(measure(logits, patches.classes)) * patches.share / len(rows))
            for start, one in zip(patches.starts, logits, strict=True):
                stitched.add(start, one)
        predicted = stitched.named_as_stored(case.header.size)
        matrices.append(confusion(case.mask, predicted, len(data.classes)))
        if on_answer is not None:
            on_answer(row, predicted)
    values, per_class = segmentation_scores(matrices)
    total: Values = {"loss": sum(losses)}
    pairs = zip(rows, matrices, strict=True)
    return Evaluation(
        values=total | values,
        per_class=list(zip(data.classes[1:], per_class, strict=True)),
        confusion=None,
        items=[describe(data.items[row], dice_per_class(matrix), data.classes) for row, matrix in pairs],
    )


def laid_by(case: Case, data: Dataset, grid: Grid) -> Laid:
    """In a test the grid is that of the weights."""
    if data.grid == grid:
        return case.laid
    return lay(case.pixels, case.mask, place_on(case.header, grid), len(data.classes))


def confusion(truth: Bytes, named: Bytes, classes: int) -> Matrix:
    """In parts, as counting takes eight bytes a voxel."""
    pairs = (
        (
            truth.reshape(-1)[start : start + CONFUSION_VOXELS],
            named.reshape(-1)[start : start + CONFUSION_VOXELS],
        )
        for start in range(0, truth.size, CONFUSION_VOXELS)
    )
    parts = [confusion_matrix(one.astype(np.int64), other.astype(np.int64), classes) for one, other in pairs]
    return np.sum(parts, axis=0)


def tally(data: Dataset, row: int, answer: Bytes) -> dict[str, Any]:
    case, classes = data.store[row], len(data.classes)
    matrix = confusion(case.mask, answer, classes)
    gaps = hd95_per_class(case.mask, answer, classes, case.header.spacing)
    return {"matrix": matrix.tolist(), "gaps": gaps}


def deploy(network: Network, rule: Normalisation) -> Deployed:
    turned = f"turned to {rule.grid.orientation} (depth, height, width), " if rule.grid.orientation else ""
    sides = " x ".join(f"{side:g}" for side in rule.grid.spacing)
    pixels = (
        f"a whole volume's values, {turned}voxels of about {sides} mm, drawn in to their {DARKEST} and "
        f"{BRIGHTEST} percentiles and stretched from 0 to 1"
    )
    return replace(probabilities(network, rule), pixels=pixels)


def draw(path: Path, data: Dataset, row: int, answer: Bytes) -> DrawnSlice:
    case = data.store[row]
    return draw_slice(path, case.pixels, (case.mask, answer), case.header)


def results(spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
    return Results(spec, manifest, data)
