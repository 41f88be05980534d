"""Measures a known flow as a scanner would: partial volume, offset, phase, noise, wraps. Keeps the truth."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from .flows import Flow, Moving
from .offset import polynomial_terms
from .study import Bools, Refusal, Study, Values, Vector
from .tubes import Tube

# How bright voxels are, against blood.
BLOOD, TISSUE, AIR = 1.0, 0.7, 0.02


@dataclass(frozen=True)
class Scan:
    """How a flow is measured."""

    # (z, y, x)
    shape: tuple[int, int, int]
    # dx, dy, dz in m.
    spacing: Vector
    frames: int = 1
    period: float = 1.0
    # Prospective gating: frames fill `period`, but the last does not lead to the first.
    is_periodic: bool = True
    # m/s of each component.
    venc: Vector = (1.5, 1.5, 1.5)
    # Magnitude of blood over the standard deviation of noise in one channel; infinite: no noise.
    snr: float = float("inf")
    # Of the background: order 0 to 3 of a polynomial, and its largest value in m/s.
    offset_order: int = 0
    offset_peak: float = 0.0
    # Samples along each side of a voxel whose mean is measured; 1: the value in its middle.
    samples: int = 1
    seed: int = 0

    @property
    def centre(self) -> Vector:
        x, y, z = ((n - 1) / 2 * side for n, side in zip(reversed(self.shape), self.spacing, strict=True))
        return x, y, z

    @property
    def times(self) -> Values:
        return np.arange(self.frames) * (self.period / self.frames)

    def positions(self) -> Values:
        """(3, z, y, x): x, y, z of each voxel's middle in m."""
        z, y, x = np.indices(self.shape, dtype=np.float64)
        dx, dy, dz = self.spacing
        return np.stack([x * dx, y * dy, z * dz])


@dataclass(frozen=True)
class Phantom:
    """What was measured, and what is true."""

    study: Study
    scan: Scan
    flow: Flow
    # (3, t, z, y, x), m/s: mean over each voxel, without offset, noise and wraps.
    velocity: Values
    # (z, y, x): share of each voxel in which there is fluid.
    lumen: Values
    # (3, z, y, x), m/s: the background.
    offset: Values
    # (z, y, x): tissue that does not move and gives signal.
    static: Bools = field(repr=False)

    @cached_property
    def vorticity(self) -> Values:
        """(3, t, z, y, x), 1/s, in the middle of each voxel."""
        at = self.scan.positions()
        return np.stack([self.flow.vorticity(at, time) for time in self.scan.times], axis=1)

    @property
    def flow_rate(self) -> Values | None:
        """(t,), m³/s along a tube; None of other flows."""
        if not isinstance(self.flow, Tube):
            return None
        return np.array([self.flow.flow(time) for time in self.scan.times])


Air = Callable[[Values], Bools]


def measured(flow: Flow, scan: Scan, air: Air | None = None) -> Phantom:
    """The flow as `scan` sees it. Where it has walls there is still tissue around, and `air` within that.

    Signal M exp(iπ v/VENC) for each component and M for the reference, each with complex Gaussian noise; the
    velocity is VENC/π times the angle between the two, wrapped to (-VENC, VENC].
    """
    if scan.samples < 1 or scan.frames < 1 or min(scan.shape) < 1:
        raise Refusal("scan_empty", samples=scan.samples, frames=scan.frames, shape=str(scan.shape))
    velocity, lumen = averaged(flow, scan)
    random = np.random.default_rng(scan.seed)
    offset = background(scan, random)
    is_air = np.zeros(scan.shape, np.bool_) if air is None else air(scan.positions()) & (lumen == 0)
    bright = BLOOD * lumen + np.where(is_air, AIR, TISSUE) * (1 - lumen)
    seen, magnitude = signalled(velocity + offset[:, None], bright, scan, random)
    study = Study(
        velocity=seen,
        magnitude=magnitude,
        spacing=scan.spacing,
        times=scan.times,
        period=scan.period if scan.is_periodic else None,
        venc=scan.venc,
        affine=np.diag([*(side * 1000 for side in scan.spacing), 1.0]),
    )
    return Phantom(study, scan, flow, velocity, lumen, offset, (lumen == 0) & ~is_air)


def averaged(flow: Moving, scan: Scan) -> tuple[Values, Values]:
    """Velocity (3, t, z, y, x) and share of fluid (z, y, x), both as means over each voxel."""
    at = scan.positions()
    reach = float(np.linalg.norm(scan.spacing)) / 2 if scan.samples > 1 else 0.0
    near = flow.holds(at, reach)
    places = at[:, near]
    total = np.zeros((3, scan.frames, places.shape[1]))
    share = np.zeros(places.shape[1])
    steps = (np.arange(scan.samples) + 0.5) / scan.samples - 0.5
    for step in itertools.product(steps, repeat=3):
        moved = places + (np.array(step) * scan.spacing)[:, None]
        share += flow.holds(moved)
        for frame, time in enumerate(scan.times):
            total[:, frame] += flow.velocity(moved, time)
    velocity = np.zeros((3, scan.frames, *scan.shape), np.float32)
    lumen = np.zeros(scan.shape)
    velocity[:, :, near] = total / scan.samples**3
    lumen[near] = share / scan.samples**3
    return velocity, lumen


def background(scan: Scan, random: np.random.Generator) -> Values:
    """(3, z, y, x), m/s: of each component a polynomial up to the order, `offset_peak` at most."""
    if scan.offset_peak == 0:
        return np.zeros((3, *scan.shape), np.float32)
    terms = polynomial_terms(scan.shape, scan.spacing, scan.offset_order)
    fields = np.tensordot(random.uniform(-1, 1, (3, len(terms))), terms, 1)
    peaks = np.abs(fields).max(axis=(1, 2, 3), keepdims=True)
    return (fields / peaks * scan.offset_peak).astype(np.float32)


def signalled(
    velocity: Values, bright: Values, scan: Scan, random: np.random.Generator
) -> tuple[Values, Values]:
    """Measured velocity (3, t, z, y, x) and magnitude (t, z, y, x); σ of velocity is √2/π VENC/SNR."""
    sigma = BLOOD / scan.snr
    shape = velocity.shape[1:]
    # A frame at a time: as complex numbers all of them would be several times what they come to.
    still = noise(shape, sigma, random)
    seen = np.empty(velocity.shape, np.float32)
    for c, venc in enumerate(scan.venc):
        moving = noise(shape, sigma, random)
        for t in range(scan.frames):
            encoded = bright * np.exp(1j * np.pi * velocity[c, t] / venc) + moving[t]
            seen[c, t] = np.angle(encoded * np.conj(bright + still[t])) * (venc / np.pi)
    return seen, np.stack([np.abs(bright + one).astype(np.float32) for one in still])


def noise(shape: tuple[int, ...], sigma: float, random: np.random.Generator) -> Values:
    made = np.zeros(shape, np.complex64)
    if sigma > 0:
        made.real = sigma * random.standard_normal(shape)
        made.imag = sigma * random.standard_normal(shape)
    return made
