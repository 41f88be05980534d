"""Metrics and evidence of labels that do not exclude each other. A value that is not defined is None."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..spec import Item
from .decision import EVEN, Decision, at_thresholds, usual
from .evidence import BINS, Json, curve, decisions, group_numbers, head, thresholds_of
from .intervals import (
    Measure,
    intervals_of_enough,
    over_classes,
    overlap,
    share,
    undefined,
    weighted_roc_auc,
)
from .result import Values
from .scores import mean, ratio, roc_auc

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def multilabel_scores(
    truth: Bools, probabilities: Floats, decision: Decision | None = None
) -> tuple[Values, list[Values]]:
    """Of arrays (item, class): values over all, values per class. Means go over the classes that occur."""
    return scores_of_labels(truth, probabilities, (decision or usual(truth.shape[1])).named(probabilities))


def scores_of_labels(truth: Bools, probabilities: Floats, named: Bools) -> tuple[Values, list[Values]]:
    """The same, of labels that were named already."""
    per_class: list[Values] = []
    for index in range(truth.shape[1]):
        is_class, is_named = truth[:, index], named[:, index]
        hits, support = int((is_class & is_named).sum()), int(is_class.sum())
        count = int(is_named.sum())
        per_class.append(
            {
                "precision": ratio(hits, count) if support else None,
                "recall": ratio(hits, support),
                "f1": 2 * hits / (support + count) if support else None,
                "rocAuc": roc_auc(is_class, probabilities[:, index]),
                "averagePrecision": average_precision(is_class, probabilities[:, index]),
                "support": support,
            }
        )
    hits = int((truth & named).sum())
    values: Values = {
        "macroF1": mean([row["f1"] for row in per_class]),
        "microF1": ratio(2 * hits, int(truth.sum()) + int(named.sum())),
        "averagePrecision": mean([row["averagePrecision"] for row in per_class]),
        "rocAuc": mean([row["rocAuc"] for row in per_class]),
        "exactMatch": float((truth == named).all(1).mean()),
        "hamming": float((truth != named).mean()),
    }
    return values, per_class


def average_precision(positive: Bools, score: Floats) -> float | None:
    """Precision summed over steps of sensitivity, equal scores together; None where one side is empty."""
    found: float | None = curve("", positive, score)["averagePrecision"]
    return found


def label_score(truth: Bools, probabilities: Floats, decision: Decision | None = None) -> float:
    """F1 of one item's labels; an item without any that was given none is perfect."""
    named = (decision or usual(len(truth))).named(probabilities)
    total = int(truth.sum()) + int(named.sum())
    return 2 * int((truth & named).sum()) / total if total else 1.0


def multilabel_evidence(
    items: Sequence[Item],
    truth: Bools,
    probabilities: Floats,
    classes: Sequence[str],
    decision: Decision | None = None,
    named: Bools | None = None,
) -> Json:
    """`named`: what was named already, by whatever thresholds."""
    groups = group_numbers(items)
    decision = decision or usual(len(classes))
    named = decision.named(probabilities) if named is None else named
    found = intervals_of_enough(groups, multilabel_measures(truth, probabilities, named))
    names = ("precision", "recall", "f1", "rocAuc")
    return head(groups) | {
        "intervals": {name: found[name] for name in ("macroF1", "rocAuc", "exactMatch")},
        "perClass": [
            {"class": name, "intervals": {measure: found[f"{measure} {index}"] for measure in names}}
            for index, name in enumerate(classes)
        ],
        "curves": [
            curve(name, truth[:, index], probabilities[:, index], thresholds_of(decision, index))
            for index, name in enumerate(classes)
        ],
        "calibration": decision_calibration(truth, probabilities),
        "surfaces": [],
        "decisions": decisions(groups, truth, named, at_thresholds(decision, classes)),
    }


def multilabel_measures(truth: Bools, probabilities: Floats, named: Bools) -> dict[str, Measure]:
    measures: dict[str, Measure] = {
        "exactMatch": share((truth == named).all(1), np.ones(len(truth), np.bool_))
    }
    for index in range(truth.shape[1]):
        is_class, is_named = truth[:, index], named[:, index]
        measures |= {
            f"precision {index}": share(is_class & is_named, is_named)
            if is_class.any()
            else undefined(len(truth)),
            f"recall {index}": share(is_class & is_named, is_class),
            f"f1 {index}": overlap(is_class, is_named),
            f"rocAuc {index}": weighted_roc_auc(is_class, probabilities[:, index]),
        }
    for name, one in (("macroF1", "f1"), ("rocAuc", "rocAuc")):
        measures[name] = over_classes([measures[f"{one} {index}"] for index in range(truth.shape[1])])
    return measures


def decision_calibration(truth: Bools, probabilities: Floats) -> Json:
    """Over all decisions for or against a label: how sure, and how often right.

    Expected calibration error in equal bins (Guo et al. 2017); the Brier score of a decision counts both its
    sides (Brier 1950; 0 best, 2 worst), mean over the decisions.
    """
    flat, is_true = probabilities.reshape(-1), truth.reshape(-1)
    confidence, right = np.maximum(flat, 1 - flat), (flat >= EVEN) == is_true
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    rows: list[Json] = []
    error = 0.0
    for index in range(BINS):
        inside = bins == index
        count = int(inside.sum())
        said = float(confidence[inside].mean()) if count else None
        was = float(right[inside].mean()) if count else None
        if said is not None and was is not None:
            error += count / len(flat) * abs(said - was)
        bounds = {"from": index / BINS, "to": (index + 1) / BINS, "count": count}
        rows.append(bounds | {"confidence": said, "accuracy": was})
    return {"bins": rows, "error": error, "brier": float(2 * ((flat - is_true) ** 2).mean())}
