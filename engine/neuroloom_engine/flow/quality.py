"""Lights: whether a study can answer, each with its number, its limits and a colour. Judges, changes nothing.

Limits follow the consensus statement of 2015 (Dyverfeldt, JCMR 17:72, Table 2) where one is named there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from .offset import Offset, Still, circular
from .planes import PlaneFlow
from .study import Bools, Refusal, Study

Colour = Literal["green", "amber", "red"]


@dataclass(frozen=True)
class Light:
    name: str
    # In the unit of `unit`; NaN, which is red, where it could not be found.
    value: float
    unit: str
    # Up to `good` green, up to `fair` amber; from `good` on where more is better.
    good: float
    fair: float
    is_more_better: bool = False
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def colour(self) -> Colour:
        sign = -1 if self.is_more_better else 1
        if sign * self.value <= sign * self.good:
            return "green"
        return "amber" if sign * self.value <= sign * self.fair else "red"


def voxels_across(pitch: float, area: float) -> Light:
    """Of a vessel of this cross-section (m²), with voxels of `pitch` m along the plane.

    `flowBias`: of the flow by area, for a parabolic profile.
    The voxel and the interpolation are smooth over h²/4 together, half of which is lost over the wall:
    -2/n² for n voxels across. Sums of whole voxels lose about a third of that.
    """
    across = 2 * float(np.sqrt(area / np.pi)) / pitch
    return Light("voxelsAcross", across, "voxels", 6, 5, True, {"flowBias": flow_bias(across)})


def flow_bias(voxels: float) -> float:
    return -2 / voxels**2


def spacing(study: Study) -> Light:
    """The largest side of a voxel: 2.5 mm for aorta and pulmonary artery, 3 mm for the heart."""
    return Light("spacing", max(study.spacing) * 1000, "mm", 2.5, 3.0)


def frame_gap(study: Study) -> Light:
    """40 ms between frames are advised; from 60 ms on peaks of the curve are lost."""
    gaps = np.diff(study.times)
    if study.period is not None:
        gaps = np.append(gaps, study.times[0] + study.period - study.times[-1])
    return Light("frameGap", float(gaps.max()) * 1000 if len(gaps) else float("nan"), "ms", 40, 60)


def venc_fit(study: Study, mask: Bools) -> Light:
    """Largest component (99.9th percentile in the mask) over its VENC, after unwrapping.

    Advised is 1/1.1; up to 2 the Laplacian method is complete, from there on it is not.
    """
    shares = []
    for component, venc in zip(study.velocity, study.venc, strict=True):
        held = np.abs(component[np.broadcast_to(mask, component.shape)])
        shares.append(float(np.nanpercentile(held, 99.9)) / venc if held.size else float("nan"))
    return Light("vencFit", float(np.max(shares)), "VENC", 1.0, 2.0)


def torn_share(share: float, changed: float) -> Light:
    """Voxels in per cent that still lie more than VENC from their neighbours; `changed`: by unwrapping."""
    return Light("torn", 100 * share, "%", 0.1, 1.0, numbers={"changed": 100 * changed})


def offset_left(offset: Offset) -> Light:
    """Velocity of still tissue: 0.6 cm/s are 5 % of an output and 10 % of a shunt (Gatehouse 2010)."""
    numbers = {"before": 100 * offset.before, "order": float(offset.order)}
    return Light("offset", 100 * offset.after, "cm/s", 0.4, 0.6, numbers=numbers)


def mass_balance(one: PlaneFlow, other: PlaneFlow) -> Light:
    """Net volumes of two planes that should agree: difference over their mean, in per cent."""
    first, second = (mean_rate(flow) for flow in (one, other))
    middle = abs(first + second) / 2
    value = 100 * abs(first - second) / middle if middle > 0 else float("nan")
    return Light("massBalance", value, "%", 10, 20)


def mean_rate(flow: PlaneFlow) -> float:
    """Proportional to the net volume; of one frame alone the rate."""
    return flow.net if np.isfinite(flow.net) else float(flow.rate.mean())


def divergence(ratio: float) -> Light:
    """rms(∇·v)/rms(‖∇v‖); noise alone gives 0.58 by any fit."""
    return Light("divergence", ratio, "", 0.3, 0.5)


def noise(study: Study, still: Still, mask: Bools, least: float = 0.0) -> Light:
    """VNR: 99th percentile of speed in the mask over σ_v there, `least` m/s; `sigma` in cm/s.

    σ_v is what still tissue varies by over time, brought to the mask's brightness, since noise of phase is
    inverse to magnitude. Refuses `no_static_tissue`, `one_frame`.
    """
    if not still.mask.any():
        raise Refusal("no_static_tissue")
    if study.frames < 2:
        raise Refusal("one_frame")
    magnitude = study.magnitude.mean(axis=0)
    variance = np.mean(
        [
            circular(v[:, still.mask], venc)[1] ** 2
            for v, venc in zip(study.velocity, study.venc, strict=True)
        ],
        axis=0,
    )
    # A standard deviation over n frames is too low by √((n - 1)/n).
    variance *= study.frames / (study.frames - 1)
    scaled = float(np.sqrt(np.mean(variance * magnitude[still.mask] ** 2)))
    over = np.broadcast_to(mask, study.magnitude.shape)
    if not over.any():
        raise Refusal("mask_empty")
    sigma = max(scaled / float(study.magnitude[over].mean()), least)
    speed = np.sqrt(np.square(study.velocity[:, over]).sum(axis=0))
    top = float(np.nanpercentile(speed, 99))
    vnr = top / sigma if sigma > 0 else float("inf")
    return Light("noise", vnr, "", 10, 5, True, {"sigma": 100 * sigma, "speed": 100 * top})
