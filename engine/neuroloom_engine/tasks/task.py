"""What a task's file must offer, and which file does which task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from ..control import Control
from ..data.loading import BadItem
from ..data.normalise import Normalisation
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from . import classification, segmentation
from .losses import Loss
from .result import Evaluation, OnMask, OnStep, Table


class Task(Protocol):
    @property
    def SELECTS(self) -> str: ...

    def load(
        self, spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control, /
    ) -> tuple[Any, list[BadItem]]: ...

    def normalisation(self, data: Any, rows: Sequence[int], /) -> Normalisation: ...

    def batch(
        self,
        data: Any,
        rows: Sequence[int],
        rule: Normalisation,
        hyper: Hyper,
        rng: np.random.Generator | None,
        /,
    ) -> tuple[Tensor, Tensor]: ...

    def class_counts(self, data: Any, rows: Sequence[int], /) -> list[int]: ...

    def loss(self, data: Any, rows: Sequence[int], hyper: Hyper, /) -> Loss: ...

    def evaluate(
        self,
        predictor: Predictor,
        data: Any,
        rows: Sequence[int],
        rule: Normalisation,
        hyper: Hyper,
        on_step: OnStep,
        on_mask: OnMask | None = None,
        /,
    ) -> Evaluation: ...

    def report(self, evaluation: Evaluation, data: Any, /) -> Table: ...


def task_of(name: str) -> Task:
    return segmentation if name == "segmentation" else classification
