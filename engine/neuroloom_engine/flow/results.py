"""A run's numbers as the contract's FlowResults: lights with their reasons, curves, shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..events import finite
from . import quality
from .asked import Asked
from .chosen import Chosen
from .correct import Ground, Step
from .direction import Checked, Direction, check_direction
from .drawn import length_of
from .libraries import ndimage
from .masks import FACES
from .measure import Derived
from .quality import Light
from .study import Bools, Refusal, Study, Values
from .vorticity import vorticity_noise


@dataclass(frozen=True)
class Judged:
    """What is found on components as they were measured, before they are turned into the grid's axes."""

    lights: list[dict[str, Any]]
    # None where the mask is too thin.
    directions: Checked | None
    # m/s in the mask; None where it could not be told.
    sigma: float | None


def judged(
    study: Study, ground: Ground, steps: Sequence[Step], mask: Bools, directions: Values, unit: float
) -> Judged:
    """`study` holds corrected components along `directions` as recorded; `unit`: m/s of a stored step."""
    offset, unwrapping = ground.offset, steps[1]
    torn = unwrapping.after if unwrapping.is_done else unwrapping.before
    # Numbers were rounded to whole steps: quieter than that nothing is (a uniform error of one step).
    least = unit / np.sqrt(12)
    noise, why = refused(lambda: quality.noise(study, ground.still, mask, least))
    gap = quality.frame_gap(study)
    lights = [
        told(quality.spacing(study)),
        grey(gap, "one_frame") if study.frames == 1 else told(gap),
        told(quality.venc_fit(study, mask), "mask_empty"),
        told(quality.torn_share(torn, unwrapping.numbers.get("changed", 0.0))),
        *([] if offset is None else [told(quality.offset_left(offset), "no_static_tissue")]),
        grey(Light("noise", np.nan, "", 10, 5, True), why) if noise is None else told(noise),
    ]
    checked, _ = refused(lambda: check_direction(study.velocity, study.spacing, mask, directions))
    return Judged(lights, checked, None if noise is None else noise.numbers["sigma"] / 100)


def results_of(
    *,
    asked: Asked,
    read: Mapping[str, Any],
    study: Study,
    ground: Ground,
    steps: Sequence[Step],
    chosen: Chosen,
    judged: Judged,
    derived: Derived,
    frame: int,
    lines: Sequence[tuple[Values, Values]] | None,
) -> dict[str, Any]:
    curves = derived.curves
    divergence = told(quality.divergence(derived.divergence), "mask_too_thin")
    still = ground.still
    made = {
        "v": 1,
        "asked": dict(asked.raw),
        "study": dict(read),
        "still": {"voxels": int(still.mask.sum()), "share": still.share},
        "steps": [
            {
                **{"name": step.name, "isDone": step.is_done, "before": step.before, "after": step.after},
                "numbers": dict(step.numbers),
            }
            for step in steps
        ],
        "directions": None if judged.directions is None else directed(judged.directions, asked),
        "mask": {
            "kind": asked.mask,
            "level": chosen.level,
            "voxels": int(chosen.inside.sum()),
            "volume": float(chosen.inside.sum() * study.voxel_volume),
            "pieces": int(ndimage.label(chosen.inside, FACES)[1]),
        },
        "lights": [*judged.lights[:-1], divergence, judged.lights[-1]],
        "speed": {"max": curves.most, "p99": curves.p99, "mean": curves.mean},
        "energy": curves.energy,
        "loss": curves.loss,
        "vorticity": turning(asked, study, derived, judged.sigma) if "vortex" in asked.kinds else None,
        "vortices": {"q": curves.swirl_q, "lambda2": curves.swirl_lambda2},
        "lines": None if lines is None else followed(lines, frame),
    }
    return finite(made)


def turning(asked: Asked, study: Study, derived: Derived, sigma: float | None) -> dict[str, Any]:
    dx, dy, _ = study.spacing
    noise = None if sigma is None else vorticity_noise(sigma, (dx, dy), asked.window, asked.fit_order)
    curves = derived.curves
    return {
        **{"window": asked.window, "fitOrder": asked.fit_order, "sigma": noise},
        **{"p99": curves.turn_p99, "mean": curves.turn_mean},
    }


def followed(lines: Sequence[tuple[Values, Values]], frame: int) -> dict[str, Any]:
    lengths = [length_of(points) for points, _ in lines]
    return {
        **{"frame": frame, "count": len(lines)},
        **{"meanLength": float(np.mean(lengths)) if lengths else None, "longest": max(lengths, default=None)},
    }


def directed(checked: Checked, asked: Asked) -> dict[str, Any]:
    def one(direction: Direction) -> dict[str, Any]:
        return {
            **{"order": list(direction.order), "signs": list(direction.signs)},
            "score": direction.score,
        }

    return {
        **{"isSure": checked.is_sure, "ratio": checked.ratio},
        **{"best": one(checked.best), "taken": one(checked.of(*asked.turn))},
    }


def told(light: Light, why: str | None = None) -> dict[str, Any]:
    """`why` is the reason where there is no value."""
    if not np.isfinite(light.value):
        return grey(light, why)
    return {
        **{"name": light.name, "value": light.value, "unit": light.unit},
        **{"good": light.good, "fair": light.fair, "isMoreBetter": light.is_more_better},
        **{"colour": light.colour, "numbers": dict(light.numbers), "why": None},
    }


def grey(light: Light, why: str | None) -> dict[str, Any]:
    """What could not be found."""
    return {**told(replace(light, value=0.0)), "value": None, "colour": "grey", "why": why}


def refused(find: Callable[[], Any]) -> tuple[Any, str | None]:
    """What is found, or why it is not."""
    try:
        return find(), None
    except Refusal as refusal:
        return None, refusal.reason
