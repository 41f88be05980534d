"""One mask of several masks of the same picture: set operations, votes and STAPLE, class by class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .frame import Trouble
from .mask_steps import MOST_CLASSES

Numbers = NDArray[Any]
Floats = NDArray[np.float64]

# STAPLE: where readers begin, after Warfield et al.; when it has come to rest, and when it is given up.
BEGIN = 0.99999
REST = 1e-9
MOST_ROUNDS = 2000
# Nothing is quite impossible: 0 / 0 says nothing.
LEAST = 1e-12


@dataclass(frozen=True)
class Reader:
    """How one reader did by STAPLE's estimate of the truth.

    Pixels as it expects them, so that those of many masks add up.
    """

    number: int
    value: int
    # Of the truth, those that were marked, and all.
    marked: float
    positive: float
    # Of what is not the truth, those that were left alone, and all.
    spared: float
    negative: float


def join(how: str, masks: Sequence[Numbers], classes: str | int) -> tuple[Numbers, list[Reader]]:
    """`classes`: "each" by itself, "any" as one that becomes 1, or the only one's number; 0 is background."""
    chosen = [of_classes(mask, classes) for mask in masks]
    if how == "staple":
        return staple(chosen)
    return JOINS[how](chosen), []


def of_classes(mask: Numbers, classes: str | int) -> Numbers:
    if classes == "each":
        return mask
    if classes == "any":
        return (mask != 0).astype(np.uint8)
    return np.where(mask == classes, mask, 0)


def union(masks: Sequence[Numbers]) -> Numbers:
    """Where two mark different classes, the earlier one has it."""
    made = masks[0]
    for mask in masks[1:]:
        made = np.where(made == 0, mask, made)
    return made


def intersection(masks: Sequence[Numbers]) -> Numbers:
    is_shared = np.ones(masks[0].shape, np.bool_)
    for mask in masks[1:]:
        is_shared &= mask == masks[0]
    return np.where(is_shared, masks[0], 0)


def difference(masks: Sequence[Numbers]) -> Numbers:
    """What the first marks, and none of the others marks as the same class."""
    made = masks[0]
    for mask in masks[1:]:
        made = np.where(mask == masks[0], 0, made)
    return made


def exactly_one(masks: Sequence[Numbers]) -> Numbers:
    return by_votes(masks, lambda votes: votes == 1)


def majority(masks: Sequence[Numbers]) -> Numbers:
    """More than half of them; a draw is background."""
    return by_votes(masks, lambda votes: 2 * votes > len(masks))


def by_votes(masks: Sequence[Numbers], wins: Callable[[NDArray[np.int8]], NDArray[np.bool_]]) -> Numbers:
    made = np.zeros(masks[0].shape, np.result_type(*masks))
    for own in masks:
        votes = np.zeros(own.shape, np.int8)
        for other in masks:
            votes += own == other
        made = np.where((made == 0) & wins(votes), own, made)
    return made


JOINS: Mapping[str, Callable[[Sequence[Numbers]], Numbers]] = {
    "union": union,
    "intersection": intersection,
    "difference": difference,
    "one": exactly_one,
    "majority": majority,
}


def staple(masks: Sequence[Numbers]) -> tuple[Numbers, list[Reader]]:
    """Each class against all else; of two the likelier one, which must be at least as likely as not."""
    values = sorted({one for mask in masks for one in np.unique(mask).tolist() if one != 0})
    if len(values) > MOST_CLASSES:
        raise Trouble("mask_classes", count=len(values), limit=MOST_CLASSES)
    made = np.zeros(masks[0].shape, np.result_type(*masks))
    best = np.full(masks[0].shape, np.float32(0.5))
    readers: list[Reader] = []
    for value in values:
        likely, estimate = staple_of([mask == value for mask in masks])
        wins = (likely >= best) & ((likely > best) | (made == 0))
        made[wins] = value
        best[wins] = likely[wins]
        readers += [Reader(number, value, *counts) for number, counts in enumerate(estimate.tolist())]
    return made, readers


def staple_of(marks: Sequence[NDArray[np.bool_]]) -> tuple[NDArray[np.float32], Floats]:
    """The probability of each pixel, and counts of each reader (readers, 4): those of `Reader`.

    Warfield, Zou and Wells 2004 (doi:10.1109/TMI.2004.828354): binary, the prior being the share that
    readers mark. Pixels with the same answers have the same probability, so that the estimate goes over the
    2^readers patterns of answers, each with its count, instead of over pixels.
    """
    patterns = np.zeros(marks[0].shape, np.uint16)
    for number, mark in enumerate(marks):
        patterns |= mark.astype(np.uint16) << np.uint16(number)
    counts = np.bincount(patterns.reshape(-1), minlength=1 << len(marks)).astype(np.float64)
    # (patterns, readers)
    answers = (np.arange(len(counts))[:, None] >> np.arange(len(marks)) & 1).astype(np.float64)
    prior = float(counts @ answers.mean(axis=1)) / max(1.0, counts.sum())
    sensitivity, specificity = np.full(len(marks), BEGIN), np.full(len(marks), BEGIN)
    likely = np.zeros(len(counts))
    for _ in range(MOST_ROUNDS):
        before = likely
        likely = expected(answers, prior, sensitivity, specificity)
        inside, outside = counts * likely, counts * (1 - likely)
        sensitivity = share_of(inside @ answers, inside.sum(), sensitivity)
        specificity = share_of(outside @ (1 - answers), outside.sum(), specificity)
        if float(np.abs(counts * (likely - before)).sum()) <= REST * counts.sum():
            break
    inside, outside = counts * likely, counts * (1 - likely)
    all_in, all_out = np.full(len(marks), inside.sum()), np.full(len(marks), outside.sum())
    estimate = np.stack([inside @ answers, all_in, outside @ (1 - answers), all_out], axis=1)
    return likely.astype(np.float32)[patterns], estimate


def expected(answers: Floats, prior: float, sensitivity: Floats, specificity: Floats) -> Floats:
    """Of each pattern of answers, how likely it is that the truth is there (equations 15 to 17)."""
    hit, spare = (np.clip(one, LEAST, 1 - LEAST) for one in (sensitivity, specificity))
    there = np.log(hit) @ answers.T + np.log(1 - hit) @ (1 - answers).T
    not_there = np.log(1 - spare) @ answers.T + np.log(spare) @ (1 - answers).T
    if prior in (0.0, 1.0):
        return np.full(len(answers), prior)
    odds = np.clip(not_there - there + np.log(1 - prior) - np.log(prior), -700, 700)
    return np.asarray(1 / (1 + np.exp(odds)), np.float64)


def share_of(part: Floats, whole: float, otherwise: Floats) -> Floats:
    return part / whole if whole > 0 else otherwise
