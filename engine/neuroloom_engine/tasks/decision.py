"""From which probability on a class is named: chosen on validation, and tested as it stands.

Chosen on the tested images themselves a threshold would promise more than it keeps with others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

# Fewer cases of a class in validation tell too little of where its threshold should lie.
FEWEST = 10
# As likely as not.
EVEN = 0.5

Worth = Callable[[Floats, Floats, int, int], Floats]


@dataclass(frozen=True)
class Decision:
    """Of each class its threshold, and of how many cases of the class in validation it was chosen.

    `cases` is None where nobody chose: in models of before.
    """

    thresholds: tuple[float, ...]
    cases: tuple[int, ...] | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in checkpoints and in the facts of a trained network."""
        return {
            "thresholds": list(self.thresholds),
            "cases": None if self.cases is None else list(self.cases),
        }

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Decision:
        return Decision(tuple(raw["thresholds"]), None if raw["cases"] is None else tuple(raw["cases"]))

    def basis(self, index: int) -> str:
        """How the class got its threshold."""
        if self.cases is None:
            return "usual"
        return "validation" if self.cases[index] >= FEWEST else "few"

    def named(self, probabilities: Floats) -> Bools:
        """Of (…, class): which labels count."""
        return probabilities >= np.array(self.thresholds)


def decision_of(facts: Mapping[str, Any]) -> Decision | None:
    """That of a trained network; models of before know at most one threshold for all their boxes."""
    if facts.get("decision") is not None:
        return Decision.from_json(facts["decision"])
    threshold = facts["validation"].get("threshold")
    return None if threshold is None else Decision((float(threshold),) * len(facts["classes"]), None)


def decided(data: Any, decision: Decision | None) -> Any:
    """A task's data, to be judged by a decision; tasks that name nothing have no place for one."""
    return replace(data, decision=decision) if decision is not None and hasattr(data, "decision") else data


def usual(classes: int) -> Decision:
    return Decision((EVEN,) * classes, None)


def of_labels(truth: Bools, probabilities: Floats) -> Decision:
    """Of labels that do not exclude each other, (item, class): the best F1 of each.

    By F1, since that is the figure that such tests are judged by, and most labels are rare: where 5 of 100
    have one, Youden's index takes twenty false alarms for each case found.
    """
    cases = tuple(int(count) for count in truth.sum(0))
    return Decision(
        tuple(
            best_threshold(truth[:, index], probabilities[:, index], f1) if count >= FEWEST else EVEN
            for index, count in enumerate(cases)
        ),
        cases,
    )


def of_two_classes(truth: Ints, probabilities: Floats) -> Decision | None:
    """Of two classes the best Youden index, sensitivity and specificity alike, whichever class is rarer.

    Of more the likeliest is named, and there is nothing to choose.
    """
    if probabilities.shape[1] != 2:
        return None
    fewer = int(np.bincount(truth, minlength=2).min())
    second = best_threshold(truth == 1, probabilities[:, 1], youden) if fewer >= FEWEST else EVEN
    return Decision((round(1 - second, 6), second), (fewer, fewer))


def class_named(probabilities: Floats, decision: Decision | None) -> Ints:
    """Of (…, class): the likeliest, or of two the second from its threshold on."""
    if decision is None or probabilities.shape[-1] != 2:
        return probabilities.argmax(-1)
    # As likely as not is the first, as it is for the likeliest.
    second, threshold = probabilities[..., 1], decision.thresholds[1]
    return np.where(threshold == EVEN, second > EVEN, second >= threshold).astype(np.int64)


def best_threshold(positive: Bools, score: Floats, worth: Worth) -> float:
    """In the middle between two scores, so that a last digit changes nothing; of equals that next to 0.5."""
    levels = np.unique(score)
    between = (levels[1:] + levels[:-1]) / 2
    edges = np.unique(np.r_[levels[0] / 2, between, (1 + levels[-1]) / 2, EVEN])
    ups, downs = np.sort(score[positive]), np.sort(score[~positive])
    found = (len(ups) - np.searchsorted(ups, edges)).astype(np.float64)
    wrong = (len(downs) - np.searchsorted(downs, edges)).astype(np.float64)
    value = worth(found, wrong, len(ups), len(downs))
    best = edges[value >= value.max() - 1e-12]
    return round(float(best[np.abs(best - EVEN).argmin()]), 6)


def f1(found: Floats, wrong: Floats, positives: int, negatives: int) -> Floats:
    return 2 * found / (found + wrong + positives)


def youden(found: Floats, wrong: Floats, positives: int, negatives: int) -> Floats:
    return found / positives - wrong / negatives


def at_thresholds(decision: Decision | None, classes: Sequence[str]) -> list[dict[str, Any]]:
    """Of each class what it is named by; without thresholds the likeliest class is."""
    return [
        {
            "class": name,
            "threshold": None if decision is None else decision.thresholds[index],
            "basis": "likeliest" if decision is None else decision.basis(index),
            "cases": None if decision is None or decision.cases is None else decision.cases[index],
        }
        for index, name in enumerate(classes)
    ]
