"""What a task's file must offer, and which file does which task."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from torch import Tensor

from ..control import Control
from ..data.loading import BadItem
from ..data.normalise import Normalisation
from ..deployed import Deployed
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from . import (
    classification,
    denoising,
    detection,
    multilabel,
    segmentation,
    super_resolution,
    volume_segmentation,
)
from .losses import Loss
from .result import Drawn, Evaluation, Gathered, OnAnswer, OnStep, Table


class Results(Protocol):
    """Gathers what a test's network says of each item, and makes of it in the end what people take away."""

    def keep(self, row: int, answer: Any, /) -> None: ...

    def finish(self, evaluation: Evaluation, /) -> Gathered: ...


class Learning(Protocol):
    """What a training needs."""

    @property
    def SELECTS(self) -> str:
        """The value that chooses the best epoch: the least `loss`, or the most of another.

        0 or None is then the least.
        """
        ...

    @property
    def NETWORK_TASK(self) -> str:
        """What networks for this task call theirs."""
        ...

    @property
    def AXES(self) -> int:
        """Spatial axes of an image."""
        ...

    @property
    def CRITERIA(self) -> tuple[str, ...]: ...

    @property
    def IS_JOINT(self) -> bool:
        """Whether the loss is of all heads together instead of each by itself."""
        ...

    def outputs(self, hyper: Hyper, manifest: Manifest, /) -> int | None:
        """Channels that the main head must have; None where the task looks for itself."""
        ...

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

    def class_counts(self, data: Any, rows: Sequence[int], /) -> list[int]:
        """In the order of the manifest's classes; empty where it has none."""
        ...

    def loss(self, data: Any, rows: Sequence[int], hyper: Hyper, /) -> Loss: ...

    def evaluate(
        self,
        predictor: Predictor,
        data: Any,
        rows: Sequence[int],
        rule: Normalisation,
        hyper: Hyper,
        on_step: OnStep,
        on_answer: OnAnswer | None = None,
        /,
    ) -> Evaluation: ...

    def deploy(self, network: Network, rule: Normalisation, /) -> Deployed:
        """What is exported as ONNX: the task's own answer to raw pixels."""
        ...


class Task(Learning, Protocol):
    """And what members see of single items."""

    def draw(self, path: Path, data: Any, row: int, answer: Any, /) -> Drawn | None:
        """The picture that shows people what `on_answer` was given, as PNG; returns what belongs to it."""
        ...

    def results(self, spec: NetworkSpec, manifest: Manifest, data: Any, /) -> Results: ...

    def report(self, evaluation: Evaluation, data: Any, /) -> Table:
        """Header and rows of `predictions.csv`."""
        ...


TASKS: dict[str, Task] = {
    "classification": classification,
    "multilabel": multilabel,
    "segmentation": segmentation,
    "volume_segmentation": volume_segmentation,
    "super_resolution": super_resolution.TASK,
    "denoising": denoising.TASK,
    "detection": detection,
}

# How often an epoch shows each item, at another place each time; the suggestion counts with the same
# (`contract/src/suggest/suggest-task.ts`).
DRAWS = {"super_resolution": 16, "denoising": 16, "velocity": 4}


def draws_of(name: str) -> int:
    return DRAWS.get(name, 1)


def task_of(name: str) -> Task:
    return TASKS[name]


def learning_of(name: str) -> Learning:
    """A task, or what learns of known flows alone: that needs SciPy, which no other training waits for."""
    if name != "velocity":
        return TASKS[name]
    from . import velocity

    return velocity
