"""What a training run has in hand while it goes on.

Position, model, timers, and how it reports and saves itself.
"""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import PIL
import torch

from . import __version__, checkpoint
from .begin import Taken
from .checkpoint import Checkpoint
from .control import Control
from .device import prepare_device
from .events import Emitter
from .failures import RunFailure
from .pace import Left, Pace, checks_left
from .prepare import data_hash
from .spec import Manifest, NetworkSpec
from .state import Model, Position, Weights, to_checkpoint
from .tasks.result import Evaluation
from .tasks.task import learning_of
from .usage import Usage

PROGRESS_SECONDS = 0.25
DISK_LOW_BYTES = 1_000_000_000


class Session:
    def __init__(self, spec: NetworkSpec, manifest: Manifest, emitter: Emitter, control: Control) -> None:
        self.spec = spec
        self.manifest = manifest
        self.emitter = emitter
        self.control = control
        self.device = prepare_device(spec.device)
        self.task = learning_of(spec.task)
        self.at = Position()
        self.weights = Weights()
        self.identity = identity_of(spec, manifest)
        self.checkpoints = spec.out / "checkpoints"
        self.model: Model | None = None
        self._saved_at = time.monotonic()
        self._told_at = 0.0
        self.pace = Pace(slowdown=Usage().slowdown)

    @property
    def seconds_since_checkpoint(self) -> float:
        return time.monotonic() - self._saved_at

    def resume(self) -> Checkpoint | None:
        """The checkpoint to go on from, whose position is taken over; None on a first start."""
        if self.spec.resume is None:
            shutil.rmtree(self.checkpoints, ignore_errors=True)
            return None
        self.checkpoints = (self.spec.folder / self.spec.resume).parent
        found, refused = checkpoint.load_newest(self.checkpoints)
        for name in refused:
            self.emitter.emit("warning", code="checkpoint_refused", data={"checkpoint": name})
        if found is None:
            raise RunFailure("checkpoint_incompatible", {"diff": ["damaged"]})
        if diff := differences(found.state["identity"], self.identity):
            raise RunFailure("checkpoint_incompatible", {"diff": diff})
        self.at = Position.from_json(found.state["position"])
        self.weights = Weights(dict(found.tensors["best"]), dict(found.tensors["kept"]))
        return found

    def save(self, model: Model, reason: str) -> None:
        """A checkpoint of this very moment; a newer attempt on the same folder forbids it."""
        if self.control.is_superseded():
            raise RunFailure("internal", {"reason": "a newer attempt owns this folder"})
        state = to_checkpoint(self.at, self.weights, model, self.identity)
        saved = checkpoint.save(self.checkpoints, state)
        self._saved_at = time.monotonic()
        self.emitter.emit(
            "checkpoint",
            path=self.name_of(saved.path),
            sha256=saved.sha256,
            bytes=saved.bytes,
            fold=self.at.fold,
            epoch=self.at.epoch,
            step=self.at.step,
            reason=reason,
        )

    def report_started(self, is_resumed: bool) -> None:
        at = {"fold": self.at.fold, "epoch": self.at.epoch, "step": self.at.step}
        report_started(self.spec, self.emitter, at if is_resumed else None)
        if (free := shutil.disk_usage(self.spec.out).free) < DISK_LOW_BYTES:
            self.emitter.emit("warning", code="disk_low", data={"freeBytes": free})

    def report_step(self, steps: int, items: int, rate: float) -> None:
        """Progress, at most four times a second."""
        self.pace.step(items)
        now = time.monotonic()
        if now - self._told_at < PROGRESS_SECONDS:
            return
        self._told_at = now
        at, hyper, folds = self.at, self.spec.hyper, self.spec.validation.folds
        self.emitter.emit(
            "progress",
            fold=at.fold,
            folds=folds,
            epoch=at.epoch,
            epochs=hyper.epochs,
            step=at.step,
            steps=steps,
            loss=at.loss_sum / max(1, at.seen),
            learningRate=rate,
            itemsPerSecond=self.pace.items_per_second,
            etaSeconds=self.pace.seconds_left(self.left(steps)),
        )

    def left(self, steps: int) -> Left:
        """Of all folds, with `steps` an epoch."""
        at, hyper = self.at, self.spec.hyper
        other_folds = self.spec.validation.folds - at.fold - 1
        is_kfold = self.spec.validation.method == "kfold"
        return Left(
            steps=(steps - at.step) + steps * (hyper.epochs - at.epoch + hyper.epochs * other_folds),
            checks=checks_left(at.epoch, hyper.epochs, hyper.validation_interval)
            + other_folds * checks_left(1, hyper.epochs, hyper.validation_interval),
            tests=other_folds + 1 if is_kfold else 0,
        )

    def report_metrics(self, part: str, evaluation: Evaluation, is_best: bool) -> None:
        at = self.at
        fields = evaluation.to_json()
        self.emitter.emit("metrics", split=part, fold=at.fold, epoch=at.epoch, best=is_best, **fields)

    def report_taken(self, taken: Taken) -> None:
        self.emitter.emit(
            "taken_over",
            layers=taken.layers,
            ofLayers=taken.of_layers,
            parameters=taken.parameters,
            ofParameters=taken.of_parameters,
        )

    def name_of(self, path: Path) -> str:
        return path.relative_to(self.spec.folder).as_posix()


def report_started(spec: NetworkSpec, emitter: Emitter, resumed_from: Mapping[str, int] | None) -> None:
    cuda = spec.device.kind == "cuda"
    emitter.emit(
        "started",
        resumedFrom=resumed_from,
        versions={
            "engine": __version__,
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
            "pillow": PIL.__version__,
        },
        device=torch.cuda.get_device_name(spec.device.index)
        if cuda
        else f"cpu, {spec.device.threads} threads",
        parameters=spec.plan.learn,
        planHash=spec.plan_hash,
    )


def identity_of(spec: NetworkSpec, manifest: Manifest) -> dict[str, Any]:
    """What must be equal for a checkpoint to be gone on from."""
    return {
        "planHash": spec.plan_hash,
        "dataHash": data_hash(manifest),
        "task": spec.task,
        "hyper": spec.raw["hyper"],
        "validation": spec.raw["validation"],
    }


def differences(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Names of what is not equal, one level down."""
    names: list[str] = []
    for name, want in wanted.items():
        have = stored.get(name)
        if isinstance(want, dict) and isinstance(have, dict):
            names += [f"{name}.{key}" for key in sorted({*want, *have}) if want.get(key) != have.get(key)]
        elif have != want:
            names.append(name)
    return names
