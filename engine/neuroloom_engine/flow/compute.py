"""A flow run: one study corrected, masked, measured and written out. Needs no torch."""

from __future__ import annotations

import os
import platform
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import scipy

from .. import __version__
from ..control import Control
from ..events import Emitter
from ..failures import RunFailure
from ..spec import field, safe_path
from .asked import Asked, read_asked
from .chosen import Chosen, above_level, of_file
from .direction import to_grid, turned
from .drawn import drawn
from .masks import angiogram
from .measure import Derived, measure
from .results import judged, results_of
from .spec import FlowSpec
from .stored import Stored, digest_of, marked, read_study
from .study import Refusal, Values
from .taken import correct_all, count_kept, stages_of
from .written import Made, write_all

# `flowRefusals` of contract/src/flow/run.ts.
REFUSALS = {
    *("no_static_tissue", "static_tissue_little", "one_frame", "mask_empty", "seed_outside_mask"),
    *("mask_other_grid", "mask_unreadable", "mask_too_thin", "out_of_memory"),
}


# Between what is told of short steps, and the weight from which a step is long.
PROGRESS_SECONDS, LONG = 0.25, 0.1


def compute(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    """The whole run; RunFailure `flow_not_computed` with a `refusal` of the contract and its parameters."""
    try:
        work_through(spec, emitter, control)
    except Refusal as refusal:
        if refusal.reason not in REFUSALS:
            raise
        raise RunFailure("flow_not_computed", {"refusal": refusal.reason, **refusal.params}) from refusal
    except MemoryError as error:
        raise RunFailure("flow_not_computed", {"refusal": "out_of_memory"}) from error


def work_through(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    # What is read, and what of it an earlier attempt has done
    path = present(spec, "study")
    stored, digest = read_study(path), digest_of(path)
    x, y, _ = stored.head["size"]
    asked = read_asked(field(spec.work, "asked", dict), (y, x))
    stages = stages_of(spec.out / "stages", digest, asked)
    taken = count_kept(stages)
    progress = Progress(emitter, control, weights(stored.head["frames"], taken))
    report_started(emitter, taken)

    # Background and wraps, of components as they were measured
    emitter.emit("phase", phase="correcting", counts=None)
    study, ground, steps = correct_all(stored, asked, stages, progress.tick, control.check)

    # The mask, and what is judged before components are turned into the grid's axes
    emitter.emit("phase", phase="measuring", counts=None)
    recorded = np.array(stored.head["directions"], np.float64)
    directions = turned(recorded, *asked.turn)
    bright = angiogram(study, to_grid(directions))
    chosen = choose(spec, stored, asked, bright)
    verdict = judged(study, ground, steps, chosen.inside, recorded, stored.unit)
    turn_all(study.velocity, to_grid(directions))
    progress.tick()

    # Frame by frame
    derived = measure(study, chosen.inside, asked.window, asked.fit_order, progress.tick)
    frame, lines = busiest(derived), None
    if "fluidLine" in asked.kinds:
        lines = drawn(study, chosen.inside, frame, asked.density, asked.seed, control.check)
    progress.tick()

    # All files first, then all of them told: nothing half-done is a result
    emitter.emit("phase", phase="exporting", counts=None)
    numbers = results_of(
        asked=asked,
        read={"sha256": digest, "sources": stored.head["sources"], **marked(stored.head)},
        study=study,
        ground=ground,
        steps=steps,
        chosen=chosen,
        judged=verdict,
        derived=derived,
        frame=frame,
        lines=lines,
    )
    made = Made(study, directions, bright, chosen.inside, derived, lines, numbers)
    written = write_all(spec.out, stored, made)
    progress.tick()
    for kind, file in written:
        announce(emitter, kind, spec.folder, file)
    shutil.rmtree(spec.out / "stages", ignore_errors=True)


def choose(spec: FlowSpec, stored: Stored, asked: Asked, bright: Values) -> Chosen:
    """Refuses `mask_empty` also where nothing inside has a value."""
    if asked.mask == "file":
        chosen = of_file(present(spec, "mask"), stored)
    else:
        chosen = above_level(bright, asked.level, asked.grow)
    if not (np.isfinite(bright) & chosen.inside).any():
        raise Refusal("mask_empty")
    return chosen


def turn_all(velocity: Values, turn: Values) -> None:
    """Components (3, t, z, y, x) into the grid's axes, in place."""
    if np.array_equal(turn, np.eye(3)):
        return
    for frame in range(velocity.shape[1]):
        velocity[:, frame] = np.tensordot(turn.astype(velocity.dtype), velocity[:, frame], 1)


def busiest(derived: Derived) -> int:
    """The frame of most mean speed, the first of equals."""
    return int(np.nan_to_num(np.array(derived.curves.mean), nan=-1.0).argmax())


def present(spec: FlowSpec, name: str) -> Path:
    path = spec.folder / safe_path(field(spec.work, name, str))
    if not path.is_file():
        raise RunFailure("data_missing", {"files": [name]})
    return path


def announce(emitter: Emitter, kind: str, folder: Path, file: Path) -> None:
    name, size = file.relative_to(folder).as_posix(), file.stat().st_size
    emitter.emit("artifact", kind=kind, path=name, sha256=digest_of(file), bytes=size)


def report_started(emitter: Emitter, taken: int) -> None:
    """`taken` steps were done by an earlier attempt."""
    emitter.emit(
        "started",
        resumedFrom={"fold": 0, "epoch": 1, "step": taken} if taken else None,
        versions={
            "engine": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
        },
        device=f"cpu, {os.cpu_count() or 1} threads",
        parameters=0,
        planHash="",
    )


def weights(frames: int, taken: int) -> list[float]:
    """How long steps take, against a component: ground, components, mask, all frames, lines, files.

    As measured on 160 x 160 x 40 x 25. What is `taken` of an earlier attempt takes no time.
    """
    correcting = [0.0 if step < taken else weight for step, weight in enumerate((2.0, 1.0, 1.0, 1.0))]
    return [*correcting, 0.6, *[0.4 / frames] * frames, 0.1, 0.3]


class Progress:
    """Told when a step is over; lets a stop through. Of short steps not all are told on."""

    def __init__(self, emitter: Emitter, control: Control, weights: Sequence[float]) -> None:
        self._emitter, self._control, self._weights = emitter, control, weights
        self._since = self._told_at = time.monotonic()
        self._done = 0

    def tick(self) -> None:
        self._control.check()
        self._done += 1
        now, weight = time.monotonic(), self._weights[self._done - 1]
        if weight < LONG and now - self._told_at < PROGRESS_SECONDS:
            return
        self._told_at = now
        passed = max(1e-3, now - self._since)
        gone = max(1e-3, sum(self._weights[: self._done]))
        self._emitter.emit(
            "progress",
            **{"fold": 0, "folds": 1, "epoch": 1, "epochs": 1},
            **{"step": self._done, "steps": len(self._weights)},
            **{"loss": None, "learningRate": None, "itemsPerSecond": self._done / passed},
            etaSeconds=passed / gone * (sum(self._weights) - gone),
        )
