"""Known flows that a network learns from, drawn by a seed and a number: coarse as measured, fine as true.

Each is one that no other number gives; no file is read. Velocities come as shares of VENC.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .flows import ABC, HillVortex, LambOseen, Moving, TaylorGreen
from .libraries import fft
from .phantom import AIR, BLOOD, Scan, averaged, noise
from .study import Bools, Values
from .tubes import Parabola, Tube, Womersley
from .turned import Bend, Placed

# Voxels of the coarse grid along each side, and around it, where the signal fades out so that nothing is cut
# off: else it rings.
SIDE, MARGIN = 20, 4
# m, of the coarse grid.
VOXEL = 1e-3
# Voxels across a vessel, an eddy or a vortex; the largest speed in m/s; VENC over it; magnitude over noise.
ACROSS, SPEED, ROOM, SNR = (5.0, 16.0), (0.2, 1.5), (1.1, 2.0), (5.0, 30.0)
# Share of fluid above which a coarse voxel counts for interpolation, and a fine one for the score.
HOLDS, IS_FLUID = 0.1, 0.5

Random = np.random.Generator
Part = Literal["train", "validation", "test"]


@dataclass(frozen=True)
class Pair:
    """Coarse (..., z, y, x) and fine: fine voxel `factor` · j lies on coarse voxel j."""

    kind: str
    snr: float
    # m/s; the largest true speed as a share of it.
    venc: float
    top: float
    # (3, z, y, x), shares of VENC, as measured; (z, y, x), 1 in blood.
    velocity: Values
    magnitude: Values
    # (z, y, x): where the coarse grid has fluid.
    holds: Bools
    # (3, Z, Y, X) and (Z, Y, X), on the fine grid, without noise.
    truth: Values
    fluid: Bools

    @property
    def nbytes(self) -> int:
        arrays = (self.velocity, self.magnitude, self.holds, self.truth, self.fluid)
        return sum(one.nbytes for one in arrays)


def part_of(number: int) -> Part:
    """Of five flows one chooses the epoch and one is kept aside until the end."""
    if number % 5 == 4:
        return "test"
    return "validation" if number % 5 == 3 else "train"


def pair_of(seed: int, number: int, factor: int) -> Pair:
    random = np.random.default_rng((seed, number))
    kind = KINDS[number % len(KINDS)]
    flow, has_walls = MADE[kind](random, random.uniform(*ACROSS) * VOXEL)
    sides = random.uniform(0.8, 1.25, 3) * VOXEL / factor
    side = (SIDE + 2 * MARGIN) * factor
    scan = Scan(
        shape=(side, side, side),
        spacing=(sides[0], sides[1], sides[2]),
        samples=2 if has_walls else 1,
    )
    moved = random.uniform(-0.15, 0.15, 3) * SIDE * VOXEL
    x, y, z = moved + scan.centre
    velocity, lumen = averaged(Placed(flow, rotation(random), (x, y, z)), scan)
    fastest, room = random.uniform(*SPEED), random.uniform(*ROOM)
    true = velocity[:, 0] / (np.sqrt(np.square(velocity[:, 0]).sum(0)).max() * room)
    snr = random.uniform(*SNR)
    around = AIR if random.random() < 0.35 else random.uniform(0.1, 0.9)
    seen, magnitude = measured(true, BLOOD * lumen + around * (1 - lumen), snr, factor, random)
    fine, coarse = inner(MARGIN * factor), inner(MARGIN)
    held = cut(lumen.astype(np.complex64), factor).real
    return Pair(
        kind=kind,
        snr=snr,
        venc=fastest * room,
        top=1 / room,
        velocity=seen[coarse],
        magnitude=magnitude[coarse],
        holds=held[coarse] > HOLDS,
        truth=np.ascontiguousarray(true[fine], np.float32),
        fluid=lumen[fine] > IS_FLUID,
    )


def measured(true: Values, bright: Values, snr: float, factor: int, random: Random) -> tuple[Values, Values]:
    """Velocity (3, z, y, x) and magnitude (z, y, x) of the coarse grid, as a scanner takes them.

    Signal `bright` · exp(iπ v) of the fine grid, cut in k-space, with complex noise. What noise takes past
    VENC is not wrapped: corrections come before.
    """
    signal = (bright * faded(bright.shape, MARGIN * factor)).astype(np.complex64)
    clean = cut(signal, factor)
    still = clean + noise(clean.shape, BLOOD / snr, random)
    seen = np.empty((3, *clean.shape), np.float32)
    for c, component in enumerate(true):
        moving = cut(signal * np.exp(1j * np.pi * component).astype(np.complex64), factor)
        phase = np.angle(moving * np.conj(clean))
        noisy = (moving + noise(clean.shape, BLOOD / snr, random)) * np.conj(still)
        seen[c] = (phase + np.angle(noisy * np.exp(-1j * phase))) / np.pi
    return seen, np.abs(still).astype(np.float32)


def cut(signal: Values, factor: int) -> Values:
    """The signal on a grid `factor` times coarser: the middle of its k-space. Voxel j lies on `factor` j."""
    made = fft.fftn(signal)
    for axis, side in enumerate(signal.shape):
        kept = side // factor
        places = np.r_[0 : kept - kept // 2, side - kept // 2 : side]
        made = made.take(places, axis)
    return fft.ifftn(made) / factor**signal.ndim


def faded(shape: tuple[int, ...], margin: int) -> Values:
    """1 inside, falling to 0 as a cosine over `margin` voxels at each face."""
    made = np.ones(shape)
    for axis, side in enumerate(shape):
        from_face = np.minimum(np.arange(side), np.arange(side)[::-1]) + 0.5
        line = np.sin(np.pi / 2 * np.minimum(from_face / margin, 1)) ** 2
        made *= line.reshape([-1 if one == axis else 1 for one in range(len(shape))])
    return made


def inner(margin: int) -> tuple[Any, ...]:
    return (..., *[slice(margin, -margin)] * 3)


def rotation(random: Random) -> Values:
    """Any, all equally likely: of a random unit quaternion."""
    w, x, y, z = (one := random.standard_normal(4)) / np.linalg.norm(one)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


# Each about the origin, `across` m wide, and whether it has walls; how fast it is does not matter.
Made = Callable[[Random, float], "tuple[Moving, bool]"]
ORIGIN = (0.0, 0.0, 0.0)


def tube(random: Random, across: float) -> tuple[Moving, bool]:
    return Tube(Parabola(1.0), across / 2, ORIGIN), True


def womersley(random: Random, across: float) -> tuple[Moving, bool]:
    turns = random.uniform(0.3, 1.0, 2) * np.exp(2j * np.pi * random.random(2))
    amplitudes = (complex(turns[0]), complex(turns[1]) / 2)
    profile = Womersley(random.uniform(0.2, 0.8), amplitudes, 1.0, random.uniform(4, 15))
    return Tube(profile, across / 2, ORIGIN), True


def bend(random: Random, across: float) -> tuple[Moving, bool]:
    bow = across * random.uniform(1.2, 4)
    return Bend(across / 2, bow, lean=random.uniform(-0.2, 0.6), across=random.uniform(0, 0.25)), True


def vortex(random: Random, across: float) -> tuple[Moving, bool]:
    core = across / 2
    # So that its largest speed is about 1, beside that along its axis.
    return LambOseen(2 * np.pi * core / 0.638, core, axial=random.uniform(-1, 1)), False


def ring(random: Random, across: float) -> tuple[Moving, bool]:
    return HillVortex(across / 2, 1.0), False


def eddies(random: Random, across: float) -> tuple[Moving, bool]:
    if random.random() < 0.5:
        return TaylorGreen(1.0, 2 * across), False
    a, b, c = random.uniform(0.3, 1, 3)
    return ABC((a, b, c), 2 * across), False


MADE: dict[str, Made] = {
    "tube": tube,
    "womersley": womersley,
    "bend": bend,
    "vortex": vortex,
    "ring": ring,
    "eddies": eddies,
}
KINDS = tuple(MADE)
