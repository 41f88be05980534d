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
    """Mean overlap over the classes in play; an empty image that was found empty is perfect."""
    score = mean(dices)
    return 1.0 if score is None else score


def segmentation_scores(matrices: Sequence[Matrix]) -> tuple[Values, list[Values]]:
    """Four figures, each as the mean over images and over the pixels of all images together.

    With the pixels of a class that are found (TP), missed (FN), named wrongly (FP) and rightly left out (TN):
    Dice = 2 TP / (2 TP + FP + FN) (Dice 1945), IoU = TP / (TP + FP + FN) (Jaccard 1912), sensitivity =
    TP / (TP + FN), specificity = TN / (TN + FP); as in Taha and Hanbury, BMC Medical Imaging 15:29 (2015).

    Mean over images (`dice`, `meanIou`, `meanSensitivity`, `meanSpecificity`): measured in each image, as
    Maier-Hein et al., Nature Methods 21 (2024), advise, so that each image counts the same. Of a class it is
    the mean over the images in which the figure is defined. Over all classes an image has the mean over its
    classes; with nothing true and nothing named its Dice and IoU are 1, and without a true pixel it has no
    sensitivity.

    Pooled (`pooledDice`, `iou`, `sensitivity`, `specificity`): the pixels are counted over all images first,
    so that an image with a large area counts more. Over all classes it is the mean over the classes.
    """
    images = [overlap_figures(matrix) for matrix in matrices]
    per_class: list[Values] = []
    for index, whole in enumerate(overlap_figures(np.sum(matrices, axis=0))):
        of_images = {name: mean([image[index][figure] for image in images]) for figure, name in MEANS.items()}
        per_class.append(of_images | {name: whole[figure] for figure, name in POOLED.items()})
    values: Values = {
        name: mean([image_figure(figure, [one[figure] for one in image]) for image in images])
        for figure, name in MEANS.items()
    }
    return values | {name: mean([row[name] for row in per_class]) for name in POOLED.values()}, per_class


# By figure: the name of its mean over images, and of its value over the pixels of all images together. Which
# of both has the plain name stays as it is: stored results have it so.
MEANS = {
    "dice": "dice",
    "iou": "meanIou",
    "sensitivity": "meanSensitivity",
    "specificity": "meanSpecificity",
}
POOLED = {"dice": "pooledDice", "iou": "iou", "sensitivity": "sensitivity", "specificity": "specificity"}


def overlap_figures(matrix: Matrix) -> list[Values]:
    """The four figures of each foreground class; None where nothing is there to be measured."""
    counts = zip(np.diag(matrix).tolist(), matrix.sum(1).tolist(), matrix.sum(0).tolist(), strict=True)
    whole = int(matrix.sum())
    return [
        {
            "dice": ratio(2 * hits, truth + named),
            "iou": ratio(hits, truth + named - hits),
            "sensitivity": ratio(hits, truth),
            "specificity": ratio(whole - truth - named + hits, whole - truth),
        }
        for hits, truth, named in list(counts)[1:]
    ]


def image_figure(figure: str, of_classes: Sequence[float | None]) -> float | None:
    """Of one image, over its classes."""
    return image_score(of_classes) if figure in ("dice", "iou") else mean(of_classes)


def mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(sum(known) / len(known)) if known else None


def ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
