"""What makes a test's figures defensible: intervals, curves, calibration.

Looks at results that are there; never at a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..spec import Item
from .decision import Decision, at_thresholds, class_named
from .intervals import (
    Interval,
    Measure,
    intervals_of_enough,
    mean_of,
    over_classes,
    overlap,
    share,
    undefined,
    weighted_roc_auc,
)
from .result import ItemResult

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Json = dict[str, Any]

CURVE_POINTS = 200
# Of whole percents, where the slider of the page stops.
STOPS: Floats = np.arange(101) / 100
BINS = 10


def classification_evidence(
    items: Sequence[Item],
    results: Sequence[ItemResult],
    classes: Sequence[str],
    decision: Decision | None = None,
    named: NDArray[np.int64] | None = None,
) -> Json:
    """Of results that all have a true class; `named`: what was named already, by whatever thresholds."""
    truth = np.array([result.truth for result in results], np.int64)
    probabilities = np.array([result.probabilities for result in results], np.float64)
    named = class_named(probabilities, decision) if named is None else named
    groups = group_numbers(items)
    measures = classification_measures(truth, named, probabilities)
    found = intervals_of_enough(groups, measures)
    return head(groups) | {
        "intervals": {name: found[name] for name in ("accuracy", "balancedAccuracy", "macroF1", "rocAuc")},
        "perClass": [
            {
                "class": name,
                "intervals": {
                    measure: found[f"{measure} {index}"]
                    for measure in ("precision", "recall", "f1", "rocAuc")
                },
            }
            for index, name in enumerate(classes)
        ],
        "curves": [
            curve(name, truth == index, probabilities[:, index], thresholds_of(decision, index))
            for index, name in enumerate(classes)
        ],
        "calibration": calibration(truth, probabilities),
        "surfaces": [],
        "decisions": decisions(
            groups,
            truth[:, None] == np.arange(len(classes)),
            named[:, None] == np.arange(len(classes)),
            at_thresholds(decision, classes),
        ),
    }


def decisions(groups: NDArray[np.int64], truth: Bools, named: Bools, rows: Sequence[Json]) -> list[Json]:
    """Of (item, class): what doctors ask of a finding that is named or not, each with its interval."""
    for index, row in enumerate(rows):
        is_class, is_named = truth[:, index], named[:, index]
        measures = {
            "sensitivity": share(is_named & is_class, is_class),
            "specificity": share(~is_named & ~is_class, ~is_class),
            "ppv": share(is_named & is_class, is_named),
            "npv": share(~is_named & ~is_class, ~is_named),
        }
        row["figures"] = figures_of(groups, measures)
    return list(rows)


def figures_of(groups: NDArray[np.int64], measures: dict[str, Measure]) -> list[Json]:
    found = intervals_of_enough(groups, measures)
    ones = np.ones((1, len(groups)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = {name: float(measure(ones)[0]) for name, measure in measures.items()}
    return [
        {"name": name, "value": value if np.isfinite(value) else None, "interval": found[name]}
        for name, value in values.items()
    ]


def segmentation_evidence(
    items: Sequence[Item],
    results: Sequence[ItemResult],
    classes: Sequence[str],
    distances: Sequence[Sequence[float | None]],
) -> Json:
    """`classes` without background; `distances`: of each item the HD95 of each of them in pixels."""
    groups = group_numbers(items)
    scores = column([result.score for result in results])
    dices = {name: column([result.values[name] for result in results]) for name in classes}
    gaps = {name: column([row[index] for row in distances]) for index, name in enumerate(classes)}
    measures = {"dice": mean_of(scores)}
    measures |= {f"dice {name}": mean_of(values) for name, values in dices.items()}
    measures |= {f"hd95 {name}": mean_of(values, "distance") for name, values in gaps.items()}
    found = intervals_of_enough(groups, measures)
    return head(groups) | {
        "intervals": {"dice": found["dice"]},
        "perClass": [{"class": name, "intervals": {"dice": found[f"dice {name}"]}} for name in classes],
        "curves": [],
        "calibration": None,
        "surfaces": [surface_summary(name, gaps[name], found[f"hd95 {name}"]) for name in classes],
    }


def restoration_evidence(items: Sequence[Item], results: Sequence[ItemResult], baseline: str) -> Json:
    """`baseline` begins the names of the values of what needs no network."""
    groups = group_numbers(items)
    columns = {
        "psnr": column([result.score for result in results]),
        "ssim": column([result.values["ssim"] for result in results]),
        "psnr before": column([result.values[f"{baseline}Psnr"] for result in results]),
        "ssim before": column([result.values[f"{baseline}Ssim"] for result in results]),
    }
    gains = {name: columns[name] - columns[f"{name} before"] for name in ("psnr", "ssim")}
    measures = {name: mean_of(columns[name], "free") for name in gains}
    measures |= {f"gain {name}": mean_of(values, "free") for name, values in gains.items()}
    found = intervals_of_enough(groups, measures)
    return head(groups) | {
        "intervals": {name: found[name] for name in gains},
        "perClass": [],
        "curves": [],
        "calibration": None,
        "surfaces": [],
        "gains": [
            {
                "metric": name,
                "mean": float(np.nanmean(columns[name])),
                "baseline": float(np.nanmean(columns[f"{name} before"])),
                "interval": found[f"gain {name}"],
                "worse": int((values < 0).sum()),
            }
            for name, values in gains.items()
            if np.isfinite(values).any()
        ],
    }


def head(groups: NDArray[np.int64]) -> Json:
    return {"v": 1, "items": len(groups), "groups": int(groups.max()) + 1, "method": "score"}


def group_numbers(items: Sequence[Item]) -> NDArray[np.int64]:
    """0, 1, 2 … for the groups (patients, series) that items belong to."""
    return np.unique([item.group for item in items], return_inverse=True)[1].reshape(-1).astype(np.int64)


def classification_measures(
    truth: NDArray[np.int64], named: NDArray[np.int64], probabilities: Floats
) -> dict[str, Measure]:
    right = truth == named
    measures: dict[str, Measure] = {"accuracy": share(right, np.ones_like(right))}
    per_class: dict[str, list[Measure]] = {"recall": [], "f1": [], "rocAuc": []}
    for index in range(probabilities.shape[1]):
        is_class, is_named = truth == index, named == index
        precision = share(right & is_named, is_named) if is_class.any() else undefined(len(truth))
        recall = share(right & is_class, is_class)
        f1 = overlap(is_class, is_named)
        area = weighted_roc_auc(is_class, probabilities[:, index])
        named_measures = {"precision": precision, "recall": recall, "f1": f1, "rocAuc": area}
        measures |= {f"{name} {index}": measure for name, measure in named_measures.items()}
        for name, listed in per_class.items():
            listed.append(named_measures[name])
    # Of two classes the area of one is that of the other.
    areas = per_class["rocAuc"]
    return measures | {
        "balancedAccuracy": over_classes(per_class["recall"]),
        "macroF1": over_classes(per_class["f1"]),
        "rocAuc": areas[0] if len(areas) == 2 else over_classes(areas),
    }


def column(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float64)


def thresholds_of(decision: Decision | None, index: int) -> tuple[float, ...]:
    return () if decision is None else (decision.thresholds[index],)


def kept_levels(levels: Floats, thresholds: Sequence[float]) -> NDArray[np.int64]:
    """Which levels a curve keeps, from the highest down.

    `CURVE_POINTS` evenly over all; and of each whole percent and of each of `thresholds` the last level that
    it lets in, so that what is read there is exact.
    """
    even = np.linspace(0, len(levels) - 1, min(len(levels), CURVE_POINTS)).round()
    stops = np.searchsorted(-levels, -np.r_[STOPS, thresholds], side="right") - 1
    return np.unique(np.r_[even, stops[stops >= 0]].astype(np.int64))


def curve(name: str, positive: Bools, score: Floats, thresholds: Sequence[float] = ()) -> Json:
    """One class against the rest at each threshold from high to low: named when the probability reaches it.

    Points as `kept_levels` chooses them; average precision as the sum of precision over
    steps of sensitivity (Davis and Goadrich 2006 on why not by trapezoids).
    """
    positives, negatives = int(positive.sum()), int((~positive).sum())
    base: Json = {"class": name, "positives": positives, "negatives": negatives}
    if not positives or not negatives:
        return base | {"rocAuc": None, "averagePrecision": None, "points": []}
    order = np.argsort(-score, kind="stable")
    ends = np.flatnonzero(np.r_[np.diff(score[order]) < 0, True])
    hits = np.cumsum(positive[order])[ends]
    wrong = ends + 1 - hits
    sensitivity, specificity, precision = hits / positives, 1 - wrong / negatives, hits / (hits + wrong)
    area = float(weighted_roc_auc(positive, score)(np.ones((1, len(score))))[0])
    kept = kept_levels(score[order][ends], thresholds)
    return base | {
        "rocAuc": area,
        "averagePrecision": float((np.diff(sensitivity, prepend=0) * precision).sum()),
        "points": [
            {
                "threshold": float(score[order][ends[index]]),
                "sensitivity": float(sensitivity[index]),
                "specificity": float(specificity[index]),
                "precision": float(precision[index]),
            }
            for index in kept
        ],
    }


def calibration(truth: NDArray[np.int64], probabilities: Floats) -> Json:
    """Whether "90 % sure" is right in 9 of 10 cases.

    Expected calibration error of the named class in equal bins (Guo et al. 2017), and the Brier score over
    all classes (Brier 1950; 0 best, 2 worst).
    """
    confidence, right = probabilities.max(1), probabilities.argmax(1) == truth
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    rows: list[Json] = []
    error = 0.0
    for index in range(BINS):
        inside = bins == index
        count = int(inside.sum())
        row: Json = {"from": index / BINS, "to": (index + 1) / BINS, "count": count}
        if not count:
            rows.append(row | {"confidence": None, "accuracy": None})
            continue
        said, was = float(confidence[inside].mean()), float(right[inside].mean())
        error += count / len(truth) * abs(said - was)
        rows.append(row | {"confidence": said, "accuracy": was})
    wanted = np.eye(probabilities.shape[1])[truth]
    return {"bins": rows, "error": error, "brier": float(((probabilities - wanted) ** 2).sum(1).mean())}


def surface_summary(name: str, values: Floats, interval: Interval) -> Json:
    known = values[np.isfinite(values)]
    return {
        "class": name,
        "measured": len(known),
        "mean": float(known.mean()) if len(known) else None,
        "median": float(np.median(known)) if len(known) else None,
        "interval": interval,
    }
