"""Flow through the planes of a run: the engine's own numbers of what the page draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..control import Control
from ..events import Emitter, finite
from ..spec import SpecError, field, number, one_of
from .compute import present
from .planes import FINE, Plane, PlaneFlow, Region, Rule, circle, flow_through, mask_region, polygon_region
from .quality import mass_balance, voxels_across
from .results import told
from .spec import FlowSpec
from .stored import read_arrays, read_study
from .study import Bools, Refusal, Study, Vector

# Of one plane: more are a vessel of a metre, or a mistake.
MOST_SAMPLES = 2_000_000
REFUSALS = {"centre_outside_mask", "region_empty", "region_without_values", "too_large"}
RULES: dict[str, Rule] = {"exact": "area", "voxels": "voxels"}


def measure(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    """One `flow_sections` event: numbers of each plane in their order, or why there are none."""
    stored = read_study(present(spec, "study"))
    if not np.array_equal(stored.head["directions"], np.eye(3)):
        raise SpecError("study: its components do not lie along the grid")
    arrays, _ = read_arrays(present(spec, "mask"))
    mask = arrays.get("mask")
    if mask is None or mask.shape != stored.velocity.shape[2:]:
        raise SpecError("mask: not of the study's grid")
    study, inside = stored.study(stored.components()), np.array(mask) != 0
    flows: list[PlaneFlow | str] = []
    for section in field(spec.work, "sections", list):
        control.check()
        flows.append(flow_of(study, inside, section))
    emitter.emit("flow_sections", told=finite(answer(study, flows)))


def flow_of(study: Study, mask: Bools, section: Mapping[str, Any]) -> PlaneFlow | str:
    """Or the name of the refusal."""
    try:
        plane, region = region_of(study, mask, section)
        return flow_through(study, plane, region)
    except Refusal as refusal:
        if refusal.reason not in REFUSALS:
            raise
        return refusal.reason


def region_of(study: Study, mask: Bools, section: Mapping[str, Any]) -> tuple[Plane, Region]:
    centre, normal = vector(section, "centre"), vector(section, "normal")
    kind, rule = one_of(section, "region", ("vessel", "circle")), RULES[one_of(section, "rule", tuple(RULES))]
    if not np.linalg.norm(normal) > 0:
        raise SpecError("normal: has no length")
    radius = number(section, "radius")
    if kind == "circle":
        plane = Plane(centre, normal, radius)
        check_size(plane, study.spacing, rule)
        return plane, polygon_region(plane, study.spacing, circle(radius), rule)
    plane = Plane(centre, normal, reach_of(mask, study.spacing, Plane(centre, normal, 0.0)))
    check_size(plane, study.spacing, rule)
    return plane, mask_region(plane, study.spacing, mask, rule)


def reach_of(mask: Bools, spacing: Vector, plane: Plane) -> float:
    """Half the side of the square around the centre that holds all of the mask near the plane."""
    places = np.argwhere(mask)[:, ::-1] * spacing - np.array(plane.centre)
    first, second, normal = plane.axes()
    step = float(np.linalg.norm(spacing))
    near = places[np.abs(places @ normal) <= step]
    if len(near) == 0:
        raise Refusal("centre_outside_mask")
    return float(max(np.abs(near @ first).max(), np.abs(near @ second).max())) + step


def check_size(plane: Plane, spacing: Vector, rule: Rule) -> None:
    fine = FINE if rule == "area" else 1
    first, second, _ = plane.axes()
    sides = [2 * plane.reach / float(np.linalg.norm(axis * spacing)) * fine for axis in (first, second)]
    if sides[0] * sides[1] > MOST_SAMPLES:
        raise Refusal("too_large")


def vector(section: Mapping[str, Any], name: str) -> Vector:
    raw = field(section, name, list)
    if len(raw) != 3 or not all(isinstance(one, int | float) and np.isfinite(one) for one in raw):
        raise SpecError(f"{name}: {raw!r:.80} is not three numbers")
    return float(raw[0]), float(raw[1]), float(raw[2])


def answer(study: Study, flows: Sequence[PlaneFlow | str]) -> dict[str, Any]:
    """The contract's FlowSectionsTold."""
    return {
        "sections": [
            {"numbers": None, "refusal": flow}
            if isinstance(flow, str)
            else {"numbers": numbers_of(study, flow), "refusal": None}
            for flow in flows
        ],
        "massBalance": balance(flows),
    }


def numbers_of(study: Study, flow: PlaneFlow) -> dict[str, Any]:
    # One frame, or frames that do not lead back to the first, are no beat.
    is_beat = flow.is_periodic and study.frames > 1
    volumes = {
        "forward": flow.forward,
        "backward": flow.backward,
        "net": flow.net,
        "regurgitantFraction": flow.regurgitant_fraction,
    }
    return {
        **{"rate": flow.rate.tolist(), "area": flow.area.tolist(), "mean": flow.mean.tolist()},
        **{"peak": flow.peak.tolist(), "p99": flow.p99.tolist()},
        **{name: value if is_beat else None for name, value in volumes.items()},
        "pulsatility": flow.pulsatility if study.frames > 1 else None,
        "voxelsAcross": told(voxels_across(flow.pitch, float(np.mean(flow.area)))),
    }


def balance(flows: Sequence[PlaneFlow | str]) -> dict[str, Any] | None:
    """Of the first plane with numbers against the one that differs most; `first`, `other`: which, from 0."""
    known = [(index, flow) for index, flow in enumerate(flows) if not isinstance(flow, str)]
    if len(known) < 2:
        return None
    (first, one), *others = known
    lights = [(index, mass_balance(one, other)) for index, other in others]
    # Where nothing flows through both there is nothing to hold against each other.
    index, worst = max(lights, key=lambda pair: np.nan_to_num(pair[1].value, nan=-1.0))
    return {**told(worst), "numbers": {"first": first, "other": index}}
