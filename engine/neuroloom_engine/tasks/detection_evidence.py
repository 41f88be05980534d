"""What makes a detection's figures defensible: intervals of average precision, curves by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..spec import Item
from .average_precision import Ints, Matches, average_precision, in_order, interpolated
from .decision import Decision, at_thresholds
from .evidence import figures_of, group_numbers, head, kept_levels, thresholds_of
from .intervals import Floats, Measure, intervals_of_enough, over_classes

# Found boxes of a class are taken together in so many equal steps from the surest down while patients are
# left out.
STEPS = 500


def detection_evidence(
    items: Sequence[Item],
    matches: Matches,
    classes: Sequence[str],
    decision: Decision | None = None,
    limits: NDArray[np.float32] | None = None,
) -> dict[str, Any]:
    """Curves and intervals, all at half overlap.

    Whether a found box hits depends on its own image alone, so matching is not repeated where a patient is
    left out: the boxes of the other images are counted, and average precision is read anew. Of classes with
    more than `STEPS` found boxes the curve is read at so many thresholds, evenly over the boxes, which moves
    an average precision by less than a hundredth. `limits`: from where on each found box is believed, in
    place of one threshold for all.
    """
    groups = group_numbers(items)
    per_class = [precision_of(matches, index) for index in range(len(classes))]
    measures: dict[str, Measure] = {f"{index}": measure for index, measure in enumerate(per_class)}
    occurring = [per_class[index] for index in np.flatnonzero(matches.truth.sum(0))]
    if occurring:
        measures["map50"] = over_classes(occurring, "mean")
    found = intervals_of_enough(groups, measures)
    if limits is None and decision is not None:
        limits = np.array(decision.thresholds, np.float32)[matches.classes]
    rows = at_thresholds(decision, classes)
    return head(groups) | {
        "intervals": {"map50": found.get("map50")},
        "perClass": [
            {"class": name, "intervals": {"ap50": found[f"{index}"]}} for index, name in enumerate(classes)
        ],
        "curves": [],
        "calibration": None,
        "surfaces": [],
        "detections": [
            curve(matches, index, name, thresholds_of(decision, index)) for index, name in enumerate(classes)
        ],
        "decisions": [] if limits is None else believed(groups, matches, rows, limits),
    }


def believed(
    groups: Ints, matches: Matches, rows: list[dict[str, Any]], limits: NDArray[np.float32]
) -> list[dict[str, Any]]:
    """Of each class how many of its boxes are found, and how many found ones are right.

    Of pictures, not of boxes: how many have none there is no number of, so no specificity.
    """
    images = len(matches.truth)
    for index, row in enumerate(rows):
        order = in_order(matches, index)
        order = order[matches.scores[order] >= limits[order]]
        image, hits = matches.image[order], matches.hits[0, order]
        right = np.bincount(image[hits], minlength=images).astype(np.float64)
        named = np.bincount(image, minlength=images).astype(np.float64)
        truth = matches.truth[:, index].astype(np.float64)
        row["figures"] = figures_of(
            groups, {"sensitivity": ratio_of(right, truth), "ppv": ratio_of(right, named)}
        )
    return rows


def ratio_of(part: Floats, whole: Floats) -> Measure:
    """Of boxes, several of which lie in one image."""
    return Measure("mean", lambda weights: (weights @ part) / (weights @ whole), whole > 0)


def precision_of(matches: Matches, index: int) -> Measure:
    """Average precision of a class, given how often each image counts; nan where it does not occur."""
    order = in_order(matches, index)
    images = len(matches.truth)
    steps = min(STEPS, max(1, len(order)))
    step = np.arange(len(order)) * steps // max(1, len(order))
    place = matches.image[order] * steps + step
    truth = matches.truth[:, index].astype(np.float64)

    def counted(weights: Floats, places: Ints) -> Floats:
        """How many boxes there are up to each step, (rows, steps)."""
        table = np.bincount(places, minlength=images * steps).reshape(images, steps)
        return np.cumsum(weights @ table.astype(np.float64), 1)

    def measure(weights: Floats) -> Floats:
        positives = weights @ truth
        right = counted(weights, place[matches.hits[0, order]])
        value = interpolated(right, counted(weights, place), positives)
        return np.where(positives > 0, value, np.nan)

    counts = truth > 0
    counts[matches.image[order]] = True
    return Measure("mean", measure, counts, cases=truth > 0)


def curve(matches: Matches, index: int, name: str, thresholds: Sequence[float] = ()) -> dict[str, Any]:
    """Recall, precision and boxes shown at each threshold from high to low, as `kept_levels` chooses them."""
    order = in_order(matches, index)
    positives = int(matches.truth[:, index].sum())
    scores, hits = matches.scores[order], matches.hits[0, order]
    base = {"class": name, "boxes": positives, "found": len(order)}
    if not positives:
        return base | {"averagePrecision": None, "points": []}
    ends = np.flatnonzero(np.r_[np.diff(scores) < 0, True]) if len(order) else np.array([], int)
    right = np.cumsum(hits)[ends] if len(order) else ends
    kept = kept_levels(scores[ends].astype(np.float64), thresholds) if len(order) else ends
    return base | {
        "averagePrecision": average_precision(hits, positives),
        "points": [
            {
                "threshold": float(scores[ends[index]]),
                "recall": float(right[index] / positives),
                "precision": float(right[index] / (ends[index] + 1)),
                "shown": int(ends[index] + 1),
            }
            for index in kept
        ],
    }
