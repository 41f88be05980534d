"""The known flows that users can try without data of their own. Each is whole with its defaults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .flows import ABC, HillVortex, LambOseen, LinearField, TaylorGreen, solid_rotation
from .phantom import Phantom, Scan, measured
from .study import Bools, Refusal, Values, Vector
from .tubes import Parabola, Tube, Womersley

MM = 1e-3
# Along none of the axes: what is right for it is right for any.
OBLIQUE: Vector = (0.3, 0.2, 0.93)
CUBE = Scan((32, 32, 32), (2 * MM, 2 * MM, 2 * MM))
BEAT = Scan((32, 32, 32), (2 * MM, 2 * MM, 2 * MM), frames=20, samples=4)


def linear(scan: Scan) -> Phantom:
    """Rotation and shear; every window gives its vorticity exactly."""
    return measured(LinearField(((0.0, -9.0, 2.0), (5.0, 0.0, 3.0), (1.0, -4.0, 0.0)), scan.centre), scan)


def vortex(scan: Scan) -> Phantom:
    """Lamb-Oseen, core of 6 voxels."""
    core = 6 * scan.spacing[0]
    return measured(LambOseen(2 * np.pi * core * 0.6, core, scan.centre), scan)


def taylor_green(scan: Scan) -> Phantom:
    return measured(TaylorGreen(0.8, scan.shape[2] * scan.spacing[0], scan.centre), scan)


def abc(scan: Scan) -> Phantom:
    return measured(ABC((0.5, 0.4, 0.3), scan.shape[2] * scan.spacing[0], scan.centre), scan)


def rotation(scan: Scan) -> Phantom:
    return measured(solid_rotation(20.0, scan.centre), scan)


def poiseuille(scan: Scan) -> Phantom:
    return measured(Tube(Parabola(1.0), 5 * scan.spacing[0], scan.centre, OBLIQUE), scan)


def pulsatile(scan: Scan) -> Phantom:
    """Faster than VENC: wraps in systole."""
    profile = Parabola(1.6 * max(scan.venc), 0.1, scan.period)
    return measured(Tube(profile, 5 * scan.spacing[0], scan.centre, OBLIQUE), scan)


def womersley(scan: Scan) -> Phantom:
    profile = Womersley(0.4, (0.5 - 0.2j, -0.1 - 0.15j), scan.period, 12.0)
    return measured(Tube(profile, 5 * scan.spacing[0], scan.centre, OBLIQUE), scan)


def ring(scan: Scan) -> Phantom:
    """Hill's vortex, which travels a fifth of the grid in the period."""
    height = scan.shape[0] * scan.spacing[2]
    x, y, z = scan.centre
    speed = 0.2 * height / scan.period
    return measured(HillVortex(0.25 * height, speed, (x, y, z - 0.1 * height)), scan)


def thorax(scan: Scan) -> Phantom:
    """A vessel in still tissue, with lungs of air beside it and whatever background the scan has."""
    profile = Parabola(0.8 * max(scan.venc), 0.1, scan.period)
    tube = Tube(profile, 5 * scan.spacing[0], scan.centre, (0.1, 0.05, 1.0))
    return measured(tube, scan, lungs(scan))


def lungs(scan: Scan) -> Callable[[Values], Bools]:
    """Two ellipsoids, together about 15 % of the image."""
    x, y, z = scan.centre

    def air(at: Values) -> Bools:
        across, up = (at[1] - y) / (0.7 * y), (at[2] - z) / (0.9 * z)
        sides = [(at[0] - place * x) / (0.25 * x) for place in (0.4, 1.6)]
        return np.minimum(np.square(sides[0]), np.square(sides[1])) + across**2 + up**2 < 1

    return air


GALLERY: dict[str, tuple[Callable[[Scan], Phantom], Scan]] = {
    "linear": (linear, CUBE),
    "vortex": (vortex, CUBE),
    "taylorGreen": (taylor_green, CUBE),
    "abc": (abc, CUBE),
    "rotation": (rotation, CUBE),
    "poiseuille": (poiseuille, replace(CUBE, samples=4)),
    "pulsatile": (pulsatile, BEAT),
    "womersley": (womersley, BEAT),
    "ring": (ring, replace(CUBE, frames=12, period=0.24)),
    "thorax": (thorax, replace(BEAT, shape=(24, 40, 48), offset_order=2, offset_peak=0.05, snr=10.0)),
}


def made(name: str, **changes: Any) -> Phantom:
    """A flow of the gallery; `changes` are fields of `Scan`. Refuses `phantom_unknown`."""
    if name not in GALLERY:
        raise Refusal("phantom_unknown", name=name)
    build, scan = GALLERY[name]
    return build(replace(scan, **changes))
