"""95 % intervals of a test's figures that keep their word for few cases too.

Pictures of one patient resemble each other, so what varies is measured between patients: by leaving out one
after the other (the jackknife, Efron and Stein 1981). How the spread becomes an interval depends on what the
figure is; `npm run bench -- intervals` draws thousands of tests and counts how often the truth is inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Interval = tuple[float, float] | None

# 97.5 % of the normal distribution lie below.
NORMAL = 1.959963984540054
# More patients than this are left out in parts of equal size (Kott 2001): the spread is known well enough.
PARTS = 500
SEED = 7
# A figure that stands on fewer patients has no interval (contract: `comparison.fewestGroups`).
FEWEST_PATIENTS = 10
# Numbers held at once while leaving out.
CHUNK_NUMBERS = 4_000_000

Kind = Literal["share", "rate", "mean", "area", "free", "distance"]


@dataclass(frozen=True)
class Measure:
    """A figure: given how often each item counts, as (rows, items), its value in each row; nan if undefined.

    `kind`: `share` of items (accuracy, sensitivity), `rate` made of several such (F1), `mean` of values
    between 0 and 1 (Dice, average precision), `area` under a ROC curve, `free` of bounds (PSNR), `distance`
    that is never negative (HD95). `part` and `whole`: the items of a share, or the positive and all of an
    area. `counts`: the items that the figure stands on. `cases`: where these are not the same, the items of
    which there must be enough for an interval, such as the true ones of a class.
    """

    kind: Kind
    value: Callable[[Floats], Floats]
    counts: Bools | None = None
    part: Bools | None = None
    whole: Bools | None = None
    cases: Bools | None = None

    def __call__(self, weights: Floats) -> Floats:
        return self.value(weights)


def intervals(groups: Ints, measures: dict[str, Measure]) -> dict[str, Interval]:
    """Of each figure; `groups` as 0, 1, 2 … for the patient or series of each item. None: cannot be told."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return {name: interval(groups, measure) for name, measure in measures.items()}


def intervals_of_enough(groups: Ints, measures: dict[str, Measure]) -> dict[str, Interval]:
    """The same; None also for a figure that stands on too few patients."""
    return intervals(groups, measures) | {
        name: None for name, measure in measures.items() if cases_of(groups, measure) < FEWEST_PATIENTS
    }


def cases_of(groups: Ints, measure: Measure) -> int:
    """Patients that a figure stands on; of an area those of its smaller side."""
    if measure.kind == "area" and measure.part is not None and measure.whole is not None:
        sides = (measure.part & measure.whole, ~measure.part & measure.whole)
        return min(len(np.unique(groups[side])) for side in sides)
    counts = measure.counts if measure.cases is None else measure.cases
    return len(np.unique(groups if counts is None else groups[counts]))


def interval(groups: Ints, measure: Measure) -> Interval:
    value = float(measure(np.ones((1, len(groups))))[0])
    if not math.isfinite(value):
        return None
    if measure.kind == "share" and measure.part is not None and measure.whole is not None:
        return share_interval(groups, measure.part, measure.whole)
    patients = patients_of(groups, measure.counts)
    count = int(patients.max()) + 1
    if count < 2:
        return None
    if measure.kind == "area" and measure.part is not None and measure.whole is not None:
        return area_interval(value, patients, measure)
    variance = jackknife(patients, measure)
    if variance is None:
        return None
    if measure.kind in ("free", "distance"):
        return unbounded_interval(value, student(count - 1) * math.sqrt(variance), measure.kind)
    # Of equal values nothing is known but that they lie between 0 and 1.
    if variance <= 1e-12 or not 0 < value < 1:
        return wilson(value, count)
    quantile = student(count - 1) if measure.kind == "mean" else NORMAL
    return wilson(value, max(1.0, value * (1 - value) / variance), quantile)


def wilson(value: float, count: float, quantile: float = NORMAL) -> tuple[float, float]:
    """Score interval of a share of `count` independent cases (Wilson 1927).

    For other figures between 0 and 1, and for patients with several pictures, of as many cases as would vary
    as much (effective size: Korn and Graubard 1998).
    """
    extra = quantile**2 / count
    centre = (value + extra / 2) / (1 + extra)
    half = quantile / (1 + extra) * math.sqrt(max(0.0, value * (1 - value) / count + extra / (4 * count)))
    return max(0.0, centre - half), min(1.0, centre + half)


def share_interval(groups: Ints, part: Bools, whole: Bools) -> Interval:
    """Spread between patients by linearisation, which for single pictures is Wilson's interval itself."""
    patients = patients_of(groups, whole)[whole]
    count, size = int(patients.max()) + 1, len(patients)
    value = float(part[whole].mean())
    if not 0 < value < 1:
        return wilson(value, count)
    rest = np.bincount(patients, part[whole]) - value * np.bincount(patients)
    spread = float(rest @ rest) / size**2
    likely = value * (1 - value) / spread if spread > 0 else size
    return wilson(value, max(1.0, min(size, likely)))


def area_interval(value: float, patients: Ints, measure: Measure) -> Interval:
    """Score interval of the area under a ROC curve (Newcombe 2006, method 5).

    Both sides are made smaller by as much as pictures of one patient resemble each other (Obuchowski 1997).
    """
    assert measure.part is not None and measure.whole is not None
    positives, size = int((measure.part & measure.whole).sum()), int(measure.whole.sum())
    negatives, count = size - positives, int(patients.max()) + 1
    shrink = 1.0
    if count < size:
        variance = jackknife(patients, measure, least=0)
        alone = area_variance(value, positives, negatives)
        if variance is None or variance <= 1e-12 or alone <= 0:
            shrink = size / count
        else:
            shrink = max(1.0, variance / alone * (count - 1) / count)
    first, second = positives / shrink, negatives / shrink
    return (
        meeting(value, 0.0, first, second),
        meeting(value, 1.0, first, second),
    )


def area_variance(area: float, positives: float, negatives: float) -> float:
    """Of an area between two exponential distributions (Hanley and McNeil 1982), both sides equally large."""
    more = (positives + negatives) / 2 - 1
    both = 1 + more * (1 - area) / (2 - area) + more * area / (1 + area)
    return max(0.0, area * (1 - area) / (positives * negatives) * both)


def meeting(value: float, end: float, positives: float, negatives: float) -> float:
    """The area between `value` and `end` from which `value` is just as far away as chance takes it."""
    near, far = value, end
    for _ in range(60):
        middle = (near + far) / 2
        is_inside = abs(value - middle) <= NORMAL * math.sqrt(area_variance(middle, positives, negatives))
        near, far = (middle, far) if is_inside else (near, middle)
    return near


def unbounded_interval(value: float, half: float, kind: Kind) -> Interval:
    """Student's; of distances on a logarithmic scale. Equal values tell nothing of others."""
    if half <= 1e-12:
        return None
    if kind == "free":
        return value - half, value + half
    return (value * math.exp(-half / value), value * math.exp(half / value)) if value > 0 else None


def patients_of(groups: Ints, counts: Bools | None) -> Ints:
    """0, 1, 2 … for each patient with an item that counts, -1 for the other items."""
    if counts is None:
        return np.unique(groups, return_inverse=True)[1].reshape(-1).astype(np.int64)
    found = np.full(len(groups), -1, np.int64)
    found[counts] = np.unique(groups[counts], return_inverse=True)[1].reshape(-1)
    return found


def jackknife(patients: Ints, measure: Measure, least: float = 0.9) -> float | None:
    """Variance of the figure from leaving out one patient at a time.

    None where that leaves it defined in a smaller part of the cases than `least`.
    """
    count = int(patients.max()) + 1
    if count > PARTS:
        part_of = np.random.default_rng(SEED).permutation(count) % PARTS
        patients = np.where(patients < 0, -1, part_of[patients])
        count = PARTS
    rows = max(1, CHUNK_NUMBERS // len(patients))
    left = np.concatenate(
        [
            measure((patients != np.arange(start, min(start + rows, count))[:, None]).astype(np.float64))
            for start in range(0, count, rows)
        ]
    )
    known = left[np.isfinite(left)]
    if len(known) < max(2, least * count):
        return None
    return float((len(known) - 1) / len(known) * ((known - known.mean()) ** 2).sum())


def student(freedom: int) -> float:
    """97.5 % of Student's distribution lie below; a series from six degrees on (Abramowitz, Stegun 26.7)."""
    if freedom < 6:
        return (12.7062, 4.3027, 3.1824, 2.7764, 2.5706)[freedom - 1]
    z = NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom ** (power + 1) for power, term in enumerate(terms))


def undefined(items: int) -> Measure:
    """What no item tells."""
    return Measure("rate", lambda weights: np.full(len(weights), np.nan), np.zeros(items, np.bool_))


def share(part: Bools, whole: Bools) -> Measure:
    return Measure("share", lambda weights: (weights @ part) / (weights @ whole), whole, part, whole)


def overlap(truth: Bools, named: Bools) -> Measure:
    """F1; undefined where the class does not occur in truth, as in the scores."""

    def value(weights: Floats) -> Floats:
        support = weights @ truth
        found = 2 * (weights @ (truth & named)) / (support + weights @ named)
        return np.where(support > 0, found, np.nan)

    return Measure("rate", value, truth | named, cases=truth)


def over_classes(measures: Sequence[Measure], kind: Kind = "rate") -> Measure:
    """The mean over the classes that occur."""

    def value(weights: Floats) -> Floats:
        table = np.stack([one(weights) for one in measures])
        known = np.isfinite(table)
        return np.where(known, table, 0).sum(0) / known.sum(0)

    return Measure(kind, value)


def weighted_roc_auc(positive: Bools, score: Floats) -> Measure:
    """Chance that a positive scores above a negative, ties counting half."""
    order = np.argsort(score, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(score[order]) > 0])
    is_positive = positive[order]

    def value(weights: Floats) -> Floats:
        ordered = weights[:, order]
        ups = np.add.reduceat(ordered * is_positive, starts, axis=1)
        downs = np.add.reduceat(ordered * ~is_positive, starts, axis=1)
        below = np.cumsum(downs, axis=1) - downs / 2
        return (ups * below).sum(1) / (ups.sum(1) * downs.sum(1))

    return Measure("area", value, None, positive, np.ones_like(positive))


def mean_of(values: Floats, kind: Kind = "mean") -> Measure:
    """Of the items whose value is known."""
    known = np.isfinite(values)
    filled = np.where(known, values, 0)
    return Measure(kind, lambda weights: (weights @ filled) / (weights @ known), known)
