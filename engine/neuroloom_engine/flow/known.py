"""Studies of known flows: the gallery's, measured as asked and written as all studies are."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..failures import RunFailure
from ..spec import SpecError
from .files.reading import NO_VALUE, VENC_UNITS, header_bytes, nothing
from .gallery import GALLERY, made
from .phantom import Phantom, Scan
from .study import Refusal, Study, Values

# From here on there is no noise at all (contract: `phantomRanges`).
QUIET_SNR = 100
LARGEST = 32_767


def measure(
    name: str, scan: Mapping[str, float], path: Path, go_on: Callable[[], None] = nothing
) -> dict[str, Any]:
    """Writes the study and answers its head, a FlowStudy. The same words give the same bytes.

    `scan`: side in voxels, spacing in mm, frames, venc in cm/s, snr; what is left out is as the gallery
    has it.
    `go_on` is called now and then and may raise.
    """
    if name not in GALLERY:
        raise SpecError(f"run.json: no known flow is called {name!r}")
    try:
        phantom = made(name, **changes(scan))
    except Refusal as error:
        raise RunFailure("internal", {"reason": error.reason, **error.params}) from error
    head = head_of(name, phantom)
    go_on()
    write(path, phantom.study, head)
    return head


def changes(scan: Mapping[str, float]) -> dict[str, Any]:
    """Fields of `Scan`, in SI."""
    changed: dict[str, Any] = {}
    if "side" in scan:
        changed["shape"] = (int(scan["side"]),) * 3
    if "spacing" in scan:
        changed["spacing"] = (scan["spacing"] / 1000,) * 3
    if "frames" in scan:
        changed["frames"] = int(scan["frames"])
    if "venc" in scan:
        changed["venc"] = (scan["venc"] / 100,) * 3
    if "snr" in scan:
        changed["snr"] = float(scan["snr"]) if scan["snr"] < QUIET_SNR else math.inf
    return changed


def head_of(name: str, phantom: Phantom) -> dict[str, Any]:
    study = phantom.study
    frames, z, y, x = study.magnitude.shape
    # As they were asked for, not as metres come back.
    spacing = [round(side * 1000, 9) for side in study.spacing]
    return {
        "v": 1,
        "source": "phantom",
        "vendor": None,
        "size": [x, y, z],
        "frames": frames,
        "spacing": spacing,
        "affine": np.column_stack([np.diag(spacing), np.zeros(3)]).tolist(),
        "isPlaced": False,
        "directions": np.eye(3).tolist(),
        "venc": list(study.venc),
        "velocityScale": max(study.venc) / VENC_UNITS,
        "times": study.times.tolist(),
        "period": study.period,
        "gating": "prospective" if study.period is None else "retrospective",
        "sources": digest_of(name, phantom.scan),
    }


def digest_of(name: str, scan: Scan) -> str:
    """There are no files: of all that the flow was measured by."""
    told = json.dumps({"phantom": name, **asdict(scan)}, sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def write(path: Path, study: Study, head: Mapping[str, Any]) -> None:
    loud = float(study.magnitude.max())
    with path.open("wb") as file:
        file.write(header_bytes(head))
        for component in study.velocity:
            for frame in component:
                file.write(whole(frame / head["velocityScale"]).tobytes())
        for frame in study.magnitude:
            file.write(whole(frame * (LARGEST / loud if loud > 0 else 0.0)).tobytes())


def whole(values: Values) -> Values:
    """As 16-bit numbers; what is no number is no value."""
    with np.errstate(invalid="ignore"):
        rounded = np.rint(values.astype(np.float64))
    return np.where(np.isfinite(values), np.clip(rounded, -LARGEST, LARGEST), NO_VALUE).astype("<i2")
