"""Figures of one tensor, and of two of the same name: read in stretches, so large ones need little memory."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from .found import FORMATS, Weights, numbers_of

STRETCH = 1 << 20
BINS = 24
# A filter whose weights have less than this share of the layer's usual size adds next to nothing.
QUIET = 0.01


def figures_of(weights: Weights) -> dict[str, Any] | None:
    """None where there is nothing to read."""
    if weights.raw is None or weights.count == 0 or FORMATS[weights.format][1] is None:
        return None
    low, high, total, squares = np.inf, -np.inf, 0.0, 0.0
    zeros = finite = 0
    for values in stretches(weights):
        good = values[np.isfinite(values)]
        zeros += int((good == 0).sum())
        finite += len(good)
        if len(good):
            low, high = min(low, float(good.min())), max(high, float(good.max()))
            total += float(good.sum())
            squares += float(good @ good)
    if finite == 0:
        return {**dict.fromkeys(("min", "max", "mean", "std")), "zeros": 0.0, "notFinite": weights.count} | {
            "histogram": [],
            "quiet": None,
        }
    mean = total / finite
    return {
        "min": low,
        "max": high,
        "mean": mean,
        "std": sqrt(max(0.0, squares / finite - mean**2)),
        "zeros": zeros / weights.count,
        "notFinite": weights.count - finite,
        "histogram": histogram(weights, low, high),
        "quiet": quiet_share(weights),
    }


def stretches(weights: Weights) -> Any:
    """In double precision, where squares of what smaller formats hold stay finite."""
    for start in range(0, weights.count, STRETCH):
        with np.errstate(all="ignore"):
            yield numbers_of(weights, start, min(weights.count, start + STRETCH)).astype(np.float64)


def histogram(weights: Weights, low: float, high: float) -> list[int]:
    """Counts between the least and the greatest number."""
    if not np.isfinite(high - low) or high <= low:
        return []
    counts = np.zeros(BINS, np.int64)
    for values in stretches(weights):
        counts += np.histogram(values[np.isfinite(values)], BINS, (low, high))[0]
    return counts.tolist()


def quiet_share(weights: Weights) -> float | None:
    """Of the filters of a layer those that are all but zero; None for biases and the like."""
    if len(weights.shape) < 2 or weights.shape[0] < 2 or weights.format[0] not in "FB":
        return None
    each = weights.count // weights.shape[0]
    if each < 2 or weights.count > 1 << 28:
        return None
    norms = np.zeros(weights.shape[0])
    rows = max(1, STRETCH // each)
    for first in range(0, weights.shape[0], rows):
        last = min(weights.shape[0], first + rows)
        values = numbers_of(weights, first * each, last * each).astype(np.float64).reshape(last - first, each)
        with np.errstate(all="ignore"):
            norms[first:last] = np.sqrt((np.nan_to_num(values, posinf=0, neginf=0) ** 2).sum(1))
    usual = float(np.median(norms[norms > 0])) if (norms > 0).any() else 0.0
    return float((norms <= QUIET * usual).mean())


def compared(one: Weights, other: Weights) -> dict[str, Any] | None:
    """How far the other's numbers are from these: as a share of their length, and the cosine of both."""
    if one.shape != other.shape or figureless(one) or figureless(other):
        return None
    own = theirs = both = apart = 0.0
    for first, second in zip(stretches(one), stretches(other), strict=True):
        first, second = (np.nan_to_num(part, nan=0.0, posinf=0.0, neginf=0.0) for part in (first, second))
        own, theirs = own + float(first @ first), theirs + float(second @ second)
        both, apart = both + float(first @ second), apart + float((second - first) @ (second - first))
    change = 0.0 if apart == 0 else None if own == 0 else sqrt(apart / own)
    cosine = both / sqrt(own * theirs) if own > 0 and theirs > 0 else None
    numbers = (change, None if cosine is None else min(1.0, max(-1.0, cosine)))
    told = [value if value is not None and np.isfinite(value) else None for value in numbers]
    return {"change": told[0], "cosine": told[1]}


def figureless(weights: Weights) -> bool:
    return weights.raw is None or weights.count == 0 or FORMATS[weights.format][1] is None
