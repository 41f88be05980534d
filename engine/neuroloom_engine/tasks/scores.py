"""Metrics of both tasks, in own code. A value that is not defined for the data is None."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .decision import Decision, class_named
from .result import Values

Matrix = NDArray[np.int64]
Floats = NDArray[np.float64]


def confusion_matrix(truth: NDArray[np.int64], predicted: NDArray[np.int64], classes: int) -> Matrix:
    """Rows = truth, columns = predicted."""
    return np.bincount(truth * classes + predicted, minlength=classes**2).reshape(classes, classes)


def classification_scores(
    truth: NDArray[np.int64], probabilities: Floats, decision: Decision | None = None
) -> tuple[Values, list[Values], Matrix]:
    """Values over all, values per class, confusion. Means go over the classes that occur."""
    return scores_of_named(truth, probabilities, class_named(probabilities, decision))


def scores_of_named(
    truth: NDArray[np.int64], probabilities: Floats, named: NDArray[np.int64]
) -> tuple[Values, list[Values], Matrix]:
    """The same, of classes that were named already."""
    classes = probabilities.shape[1]
    matrix = confusion_matrix(truth, named, classes)
    per_class: list[Values] = []
    for index in range(classes):
        hits, support, times = (
            int(matrix[index, index]),
            int(matrix[index].sum()),
            int(matrix[:, index].sum()),
        )
        per_class.append(
            {
                "precision": ratio(hits, times) if support else None,
                "recall": ratio(hits, support),
                "f1": (2 * hits / (support + times)) if support else None,
                "rocAuc": roc_auc(truth == index, probabilities[:, index]),
                "support": support,
            }
        )
    values: Values = {
        "macroF1": mean([row["f1"] for row in per_class]),
        "accuracy": ratio(int(np.trace(matrix)), len(truth)),
        "balancedAccuracy": mean([row["recall"] for row in per_class]),
        "rocAuc": mean([row["rocAuc"] for row in per_class]),
    }
    return values, per_class, matrix


def roc_auc(positive: NDArray[np.bool_], score: Floats) -> float | None:
    """Chance that a positive scores above a negative, ties counting half."""
    positives = int(positive.sum())
    negatives = len(positive) - positives
    if not positives or not negatives:
        return None
    values, inverse, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse.reshape(-1)]
    return float((ranks[positive].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def dice_per_class(matrix: Matrix) -> list[float | None]:
    """Of one image, for each foreground class; None where neither truth nor prediction has it."""
    hits, truth, named = np.diag(matrix), matrix.sum(1), matrix.sum(0)
    return [
        float(2 * hits[index] / (truth[index] + named[index])) if truth[index] + named[index] else None
        for index in range(1, len(matrix))
    ]


def image_score(dices: Sequence[float | None]) -> float:
    """Mean Dice over the classes in play; an empty image that was found empty is perfect."""
    score = mean(dices)
    return 1.0 if score is None else score


def segmentation_scores(matrices: Sequence[Matrix]) -> tuple[Values, list[Values]]:
    """Dice is the mean over images, as doctors read it; the rest pools the pixels of all images."""
    dices = [dice_per_class(matrix) for matrix in matrices]
    pooled = np.sum(matrices, axis=0)
    per_class: list[Values] = []
    for index in range(1, len(pooled)):
        hits = int(pooled[index, index])
        missed = int(pooled[index].sum()) - hits
        wrong = int(pooled[:, index].sum()) - hits
        rest = int(pooled.sum()) - hits - missed - wrong
        per_class.append(
            {
                "dice": mean([row[index - 1] for row in dices]),
                "iou": ratio(hits, hits + missed + wrong),
                "sensitivity": ratio(hits, hits + missed),
                "specificity": ratio(rest, rest + wrong),
            }
        )
    names = ("iou", "sensitivity", "specificity")
    values: Values = {"dice": mean([image_score(row) for row in dices])}
    return values | {name: mean([row[name] for row in per_class]) for name in names}, per_class


def mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(sum(known) / len(known)) if known else None


def ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
