"""What evaluating a network gives, in the contract's words. Holds data only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = dict[str, float | None]
Table = list[list[str | float | None]]
# Called between batches with the number of items done; raises to stop.
OnStep = Callable[[int], None]
# Called with a row and its predicted mask of class indices.
OnMask = Callable[[int, NDArray[np.uint8]], None]


@dataclass(frozen=True)
class ItemResult:
    id: str
    name: str
    truth: int | None
    probabilities: list[float]
    score: float | None
    values: Values
    overlay: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "name": self.name,
            "truth": self.truth,
            "probabilities": [round(value, 6) for value in self.probabilities],
            "score": self.score,
            "values": self.values,
            "overlay": self.overlay,
        }


@dataclass(frozen=True)
class Evaluation:
    """`values` starts with the loss; `selects` names the value that chooses the best epoch."""

    values: Values
    per_class: list[tuple[str, Values]]
    confusion: list[list[int]] | None
    items: list[ItemResult] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            "values": self.values,
            "perClass": [{"class": name, "values": values} for name, values in self.per_class],
            "confusion": self.confusion,
        }
