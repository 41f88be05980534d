"""How well found boxes match true ones: average precision as COCO defines it, in own code.

Lin et al. 2014 and the COCO detection evaluation: greedy matching from the surest box on, precision read at
101 recalls, means over classes that occur and over overlaps of 0.50, 0.55 … 0.95. Unlike there, all found
boxes of an image count (here at most 300), and there are neither crowds nor difficult boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from .boxes import iou_matrix
from .decision import EVEN, FEWEST
from .result import Values
from .scores import mean, ratio

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

# Exact tenths and twentieths: 0.5 + 3 * 0.05 would be a little more than 0.65.
OVERLAPS: Floats = np.arange(50, 100, 5) / 100
# Recalls 0, 0.01 … 1 at which precision is read.
RECALLS = 101


@dataclass(frozen=True)
class Boxes:
    """Of one image, in its pixels: classes (n,), corners (n, 4); scores (n,) of found ones, surest first."""

    classes: Ints
    corners: NDArray[np.float32]
    scores: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.classes)

    def first(self, count: int) -> Boxes:
        return Boxes(self.classes[:count], self.corners[:count], self.scores[:count])


@dataclass(frozen=True)
class Matches:
    """Found boxes of many images in a row, whether each hits a true one, and how many true ones there are.

    `hits` (overlaps, found) at each of `OVERLAPS`; `image` (found,); `truth` (images, classes).
    """

    classes: Ints
    scores: NDArray[np.float32]
    image: Ints
    hits: Bools
    truth: Ints


def hits_of(truth: Boxes, found: Boxes) -> Bools:
    """Which found boxes of an image hit a true one, (overlaps, found).

    From the surest on, each takes the true box of its class that it overlaps most and that is still free; a
    second box on the same thing is wrong.
    """
    hits = np.zeros((len(OVERLAPS), len(found)), np.bool_)
    if not len(truth) or not len(found):
        return hits
    # In double precision, where a share of seven tenths is no less than the limit of 0.7.
    pair = (torch.from_numpy(boxes.corners).double() for boxes in (found, truth))
    fit = iou_matrix(*pair).numpy()
    fit[found.classes[:, None] != truth.classes] = 0
    free = np.ones((len(OVERLAPS), len(truth)), np.bool_)
    each = np.arange(len(OVERLAPS))
    for index in np.flatnonzero(fit.max(1) >= OVERLAPS[0]):
        open_to = np.where(free & (fit[index] >= OVERLAPS[:, None]), fit[index], 0)
        best = open_to.argmax(1)
        is_hit = open_to[each, best] > 0
        hits[is_hit, index] = True
        free[each[is_hit], best[is_hit]] = False
    return hits


def matches_of(truths: Sequence[Boxes], founds: Sequence[Boxes], classes: int) -> Matches:
    counts = [np.bincount(truth.classes, minlength=classes) for truth in truths]
    return Matches(
        np.concatenate([found.classes for found in founds]),
        np.concatenate([found.scores for found in founds]),
        np.repeat(np.arange(len(founds)), [len(found) for found in founds]),
        np.concatenate([hits_of(*pair) for pair in zip(truths, founds, strict=True)], 1),
        np.stack(counts),
    )


def in_order(matches: Matches, index: int) -> Ints:
    """The found boxes of a class, surest first; equal ones in the order of images."""
    own = np.flatnonzero(matches.classes == index)
    return own[np.argsort(-matches.scores[own], kind="stable")]


def average_precision(hits: Bools, positives: int) -> float | None:
    """Of a class's found boxes, surest first; None where nothing of the class is there to be found."""
    if positives == 0:
        return None
    return float(
        interpolated(np.cumsum(hits)[None], np.arange(1, len(hits) + 1)[None], np.array([positives]))[0]
    )


def interpolated(right: NDArray[Any], named: NDArray[Any], positives: NDArray[Any]) -> Floats:
    """Mean of the best precision at each recall or a higher one, over `RECALLS` recalls.

    `right` and `named` (rows, steps) count up, `positives` (rows,). Whole numbers are compared, since as a
    quotient a recall of 0.29 is not always the same number.
    """
    steps = right.shape[1]
    precision = right / np.maximum(named, 1)
    best = np.maximum.accumulate(precision[:, ::-1], 1)[:, ::-1]
    # A last column of nothing stands for recalls that are never reached.
    best = np.concatenate([best, np.zeros((len(best), 1))], 1)
    total = np.zeros(len(best))
    wanted = np.arange(RECALLS)
    for row in range(len(best)):
        first = np.searchsorted(right[row] * (RECALLS - 1), wanted * positives[row])
        total[row] = best[row, np.minimum(first, steps)].sum()
    return total / RECALLS


def best_threshold(matches: Matches) -> float:
    """The score from which on boxes are believed: of the highest mean F1 of the classes, at half overlap.

    Each class counts alike, so that the frequent one does not decide for all. 1 where nothing is found.
    """
    levels = np.unique(matches.scores)[::-1]
    if not len(levels):
        return 1.0
    sums = np.zeros(len(levels))
    for index, positives in enumerate(matches.truth.sum(0)):
        if positives:
            order = in_order(matches, index)
            named = np.searchsorted(-matches.scores[order], -levels, side="right")
            right = np.r_[0, np.cumsum(matches.hits[0, order])][named]
            sums += 2 * right / (named + positives)
    return float(levels[sums.argmax()])


def chosen_threshold(matches: Matches) -> float:
    """The best of these images; where they hold too few boxes to tell, the usual one."""
    return best_threshold(matches) if matches.truth.sum() >= FEWEST else EVEN


def detection_scores(matches: Matches, threshold: float | None = None) -> tuple[Values, list[Values]]:
    """Values over all classes that occur, and those of each class.

    Precision, recall and F1 at `threshold`: a given one, or that which is chosen on these very images, whose
    figures are then a little hopeful.
    """
    threshold = chosen_threshold(matches) if threshold is None else threshold
    values, per_class = scores_at(matches, np.full(len(matches.scores), threshold, np.float32))
    return values | {"threshold": threshold}, per_class


def scores_at(matches: Matches, limits: NDArray[np.float32]) -> tuple[Values, list[Values]]:
    """The same, of found boxes each of which is believed from a limit of its own on."""
    per_class: list[Values] = []
    for index, positives in enumerate(matches.truth.sum(0).tolist()):
        order = in_order(matches, index)
        areas = [average_precision(hits, positives) for hits in matches.hits[:, order]]
        is_believed = matches.scores[order] >= limits[order]
        believed = int(is_believed.sum())
        right = int(matches.hits[0, order[is_believed]].sum())
        per_class.append(
            {
                "ap50": areas[0],
                "ap": mean(areas),
                "precision": right / believed if positives and believed else None,
                "recall": right / positives if positives else None,
                "f1": 2 * right / (believed + positives) if positives else None,
                "boxes": positives,
            }
        )
    averages = {"map50": "ap50", "map": "ap", "recall": "recall", "f1": "f1"}
    values: Values = {name: mean([row[own] for row in per_class]) for name, own in averages.items()}
    # Recall and F1 of a class that is never shown are 0 and count in their means; so must its precision.
    occurring = [row for row in per_class if row["boxes"]]
    values["precision"] = mean([row["precision"] or 0.0 for row in occurring])
    return values | pooled_scores(matches, limits), per_class


def pooled_scores(matches: Matches, limits: NDArray[np.float32]) -> Values:
    """Of the boxes of all classes together: frequent classes count more, as on each single image."""
    is_believed = matches.scores >= limits
    believed, positives = int(is_believed.sum()), int(matches.truth.sum())
    right = int(matches.hits[0, is_believed].sum())
    return {
        "microPrecision": ratio(right, believed),
        "microRecall": ratio(right, positives),
        "microF1": ratio(2 * right, believed + positives),
    }


def item_f1(truth: Boxes, believed: Boxes) -> float:
    """Of one image's boxes at half overlap; an image without boxes in which none is found is perfect."""
    right = int(hits_of(truth, believed)[0].sum())
    whole = len(truth) + len(believed)
    return 2 * right / whole if whole else 1.0
