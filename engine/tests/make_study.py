"""Builders of flow runs: phantoms as files, what is asked of them, run folders, what came of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from neuroloom_engine.flow.files.reading import header_bytes
from neuroloom_engine.flow.known import head_of, whole
from neuroloom_engine.flow.phantom import Phantom
from neuroloom_engine.flow.study import Study

from .make import Json, run_here

SPEC = {"v": 1, "kind": "flow", "run": "flow", "attempt": 1, "outputs": "out"}
BOUNDS = {"maxBytes": 2 << 30, "memoryBytes": 8 << 30}
SETTINGS = {
    **{"imageClarity": 150, "spacingBetweenArrows": 3, "arrowColor": "#FFD400", "arrowWidth": 1.5},
    **{"arrowScaling": 1, "contourmapsShow": True, "vorticityCalculationWindow": 5, "lineWidth": 1},
    "linDensity": 1,
}
AS_IT_IS: Json = {"offset": None, "unwrap": False, "turn": None}
FOUND: Json = {"kind": "threshold", "level": None, "grow": []}


def asked(**changes: Any) -> Json:
    """`corrections` and `mask` may name single fields."""
    plain: Json = {
        **{"kinds": ["vortex", "fluidLine"], "settings": SETTINGS, "fitOrder": 1, "seed": 7},
        **{"corrections": AS_IT_IS, "mask": FOUND},
    }
    for name in ("corrections", "mask"):
        if name in changes and isinstance(changes[name], Mapping) and changes[name].get("kind") != "file":
            changes[name] = {**plain[name], **changes[name]}
    return {**plain, **changes}


def write_phantom(path: Path, phantom: Phantom, study: Study | None = None, **changes: Any) -> Json:
    """As a scanner's files would have become: `changes` are of its head; `study` stands for its own."""
    study = phantom.study if study is None else study
    head = {**head_of("thorax", replace(phantom, study=study)), **changes}
    loud = float(study.magnitude.max())
    with path.open("wb") as file:
        file.write(header_bytes(head))
        file.write(whole(study.velocity / head["velocityScale"]).tobytes())
        file.write(whole(study.magnitude * (32_767 / loud if loud > 0 else 0)).tobytes())
    return head


def along(study: Study, directions: np.ndarray) -> Study:
    """As measured along these directions (rows): m_c = d_c · v, wrapped to VENC."""
    measured = np.einsum("ca,atzyx->ctzyx", directions.astype(np.float32), study.velocity)
    venc = np.array(study.venc, np.float32).reshape(3, 1, 1, 1, 1)
    return replace(study, velocity=measured - 2 * venc * np.rint(measured / (2 * venc)))


def lay_out(folder: Path, work: Json, **changes: Any) -> Path:
    (folder / "run.json").write_text(json.dumps({**SPEC, **BOUNDS, "work": work, **changes}))
    return folder


def compute(
    folder: Path, file: str | None = None, attempt: int = 1, **changes: Any
) -> tuple[int, list[Json]]:
    """Of `study.safetensors` in the folder."""
    work = {"do": "compute", "study": "study.safetensors", "mask": file, "asked": asked(**changes)}
    return run_here(lay_out(folder, work, attempt=attempt))


def numbers(folder: Path) -> Json:
    return json.loads((folder / "out" / "numbers.json").read_text())


def sections(folder: Path, planes: list[Json], study: str = "out/study.safetensors") -> Json:
    work = {"do": "sections", "study": study, "mask": "out/mask.safetensors", "sections": planes}
    code, events = run_here(lay_out(folder, work))
    assert code == 0, events
    (event,) = [one for one in events if one["type"] == "flow_sections"]
    return event["told"]
