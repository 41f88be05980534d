"""A study's corrections, each component kept once it is done: an attempt that goes on takes what is kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from .asked import Asked
from .correct import Ground, Step, corrected, ground_of, steps_of
from .masks import noise_mask
from .offset import Offset, Still
from .stages import Stages
from .stored import Stored, decoded, encoded, unit_for
from .study import Study, Values
from .unwrap import Unwrapped

# Of what stages hold: another number once corrections become others.
VERSION = 1
COMPONENTS = ("component-0", "component-1", "component-2")
GROUND = "ground"


def stages_of(folder: Path, digest: str, asked: Asked) -> Stages:
    """`digest`: of the study. A turn changes no corrected number and is no part of the key."""
    about = {"v": VERSION, "study": digest, "offset": asked.offset, "unwrap": asked.is_unwrapping}
    return Stages(folder, hashlib.sha256(json.dumps(about).encode()).hexdigest())


def count_kept(stages: Stages) -> int:
    """Steps of `correct_all` that an attempt before has done: ground first, then the components."""
    names = (GROUND, *COMPONENTS)
    return next((n for n, name in enumerate(names) if stages.kept(name) is None), len(names))


def correct_all(
    stored: Stored, asked: Asked, stages: Stages, tick: Callable[[], None], go_on: Callable[[], None]
) -> tuple[Study, Ground, tuple[Step, ...]]:
    """Components as they were measured. `tick` follows the ground and each of them, `go_on` what lies
    between; both may raise.

    They come back from the whole numbers in which they are kept, so that it is the same whether this attempt
    corrected them or one before.
    """
    study = stored.measured()
    go_on()
    kept = stages.kept(GROUND)
    if kept is None:
        kept = packed(ground_of(study, asked.offset, go_on))
        stages.keep(GROUND, *kept)
    ground = unpacked(*kept)
    tick()
    mask = noise_mask(study)
    found = []
    for c, name in enumerate(COMPONENTS):
        kept = stages.kept(name)
        if kept is None:
            kept = whole(corrected(study, ground, c, asked.is_unwrapping, mask), stored.unit)
            stages.keep(name, *kept)
        told, arrays = kept
        for frame, values in enumerate(arrays["velocity"]):
            study.velocity[c, frame] = decoded(values, told["unit"])
        found.append(Unwrapped(np.empty(0), **told["found"]))
        tick()
    return study, ground, steps_of(ground, found, asked.is_unwrapping)


def whole(one: Unwrapped, least: float) -> tuple[dict[str, Any], dict[str, Values]]:
    """In whole numbers of the study's own unit, or of a larger one where they do not reach so far."""
    unit = max(least, unit_for(one.velocity, 0.0))
    velocity = np.empty(one.velocity.shape, "<i2")
    for frame, values in enumerate(one.velocity):
        velocity[frame] = encoded(values, unit)
    found = asdict(replace(one, velocity=np.empty(0)))
    del found["velocity"]
    return {"unit": unit, "found": found}, {"velocity": velocity}


def packed(ground: Ground) -> tuple[dict[str, Any], dict[str, Values]]:
    still, offset = ground.still, ground.offset
    told: dict[str, Any] = {"share": still.share, "mostOrder": still.most_order, "offset": None}
    arrays: dict[str, Values] = {"still": still.mask.astype(np.uint8)}
    if offset is not None:
        told["offset"] = {"order": offset.order, "before": offset.before, "after": offset.after}
        arrays |= {"field": offset.field, "used": offset.used.astype(np.uint8)}
    return told, arrays


def unpacked(told: dict[str, Any], arrays: dict[str, Values]) -> Ground:
    still = Still(arrays["still"].astype(np.bool_), told["share"], told["mostOrder"])
    if told["offset"] is None:
        return Ground(still, None)
    return Ground(
        still, Offset(field=arrays["field"], used=arrays["used"].astype(np.bool_), **told["offset"])
    )
