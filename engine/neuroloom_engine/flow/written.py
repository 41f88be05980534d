"""The files that a flow run leaves: the corrected study, its mask, what follows from both, all numbers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from .exports import write_lines, write_nifti
from .files.reading import durable
from .measure import Derived
from .stored import LARGEST, Stored, encoded, unit_for, write_arrays, write_study
from .study import Bools, Study, Values


@dataclass(frozen=True)
class Made:
    # With velocities along the grid.
    study: Study
    # (3, 3): where its components went as they were measured.
    directions: Values
    # (z, y, x)
    angiogram: Values
    mask: Bools
    derived: Derived
    # Points and speeds; None where none were asked for.
    lines: Sequence[tuple[Values, Values]] | None
    # FlowResults.
    numbers: Mapping[str, Any]


def write_all(folder: Path, stored: Stored, made: Made) -> list[tuple[str, Path]]:
    """Each with its kind of the contract's artifacts. The same results give the same bytes."""
    study, mask = made.study, made.mask
    written = {
        "flow_study": folder / "study.safetensors",
        "flow_mask_values": folder / "mask.safetensors",
        "flow_derived": folder / "derived.safetensors",
        "flow_mask": folder / "mask.nii.gz",
        "flow_angiogram": folder / "angiogram.nii.gz",
        "flow_numbers": folder / "numbers.json",
    }
    vencs = vencs_along(made.directions, study.venc)
    unit = max(stored.unit, unit_for(study.velocity, max(vencs)))
    head = {**stored.head, "directions": np.eye(3).tolist(), "venc": vencs, "velocityScale": unit}
    write_study(written["flow_study"], stored, head, study.velocity)
    write_arrays(written["flow_mask_values"], {"mask": mask.astype(np.int8)}, {})
    write_derived(written["flow_derived"], mask, made.derived)
    write_nifti(written["flow_mask"], mask.astype(np.uint8), stored)
    write_nifti(written["flow_angiogram"], made.angiogram, stored)
    if made.lines is not None:
        written["flow_lines"] = folder / "lines.vtp"
        write_lines(written["flow_lines"], made.lines, stored)
    with durable(written["flow_numbers"]) as file:
        file.write(json.dumps(made.numbers, allow_nan=False, separators=(",", ":")).encode())
    return list(written.items())


def vencs_along(directions: Values, vencs: Sequence[float]) -> list[float]:
    """Of each axis of the grid: that of the component which goes along it most."""
    lean = np.abs(directions)
    best = max(permutations(range(3)), key=lambda order: sum(lean[order[a], a] for a in range(3)))
    return [float(vencs[component]) for component in best]


def write_derived(path: Path, mask: Bools, derived: Derived) -> None:
    """Q and λ2 in whole numbers, each over all frames in one unit; outside the mask there is no value."""
    arrays, units = {}, {}
    for name, values in (("q", derived.q), ("lambda2", derived.lambda2)):
        largest = float(np.nanmax(np.abs(values), initial=0))
        units[name] = largest / LARGEST or 1.0
        whole = np.full((len(values), *mask.shape), encoded(np.array(np.nan), 1.0), "<i2")
        for frame, held in enumerate(values):
            whole[frame][mask] = encoded(held, units[name])
        arrays[name] = whole
    write_arrays(path, arrays, {"scale": json.dumps(units)})
