"""The engine's numbers of 4D flow beside a plain chain of NumPy and SciPy, in turns in one process.

The plain chain is what one writes in an afternoon: plane fits by correlation (without masks), single-step
Laplacian unwrapping in double precision, least squares once, `RegularGridInterpolator` and RK4. Each line
tells the seconds of both, how much is right, and the goal.
"""

from __future__ import annotations

import argparse
import itertools
import os
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft, ndimage
from scipy.interpolate import RegularGridInterpolator

from neuroloom_engine.flow.correct import correct
from neuroloom_engine.flow.gallery import made
from neuroloom_engine.flow.gradient import gradient
from neuroloom_engine.flow.lines import reference_speed, streamlines
from neuroloom_engine.flow.masks import noise_mask
from neuroloom_engine.flow.offset import fit_offset, still_tissue
from neuroloom_engine.flow.planes import Plane, circle, flow_through, polygon_region
from neuroloom_engine.flow.unwrap import unwrap

Values = NDArray[Any]
MM = 1e-3
SMALL, LARGE = ((32, 64, 64), 20), ((40, 160, 160), 25)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--large", action="store_true", help="also 160 x 160 x 40 x 25")
    parser.add_argument("--turns", type=int, default=3)
    asked = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.2f} at the beginning")
    maps(asked.turns)
    volumes(asked.turns)
    lines(asked.turns)
    unwrapping(SMALL, 4, asked.turns)
    if asked.large:
        unwrapping(LARGE, 40, 1)
    background(asked.turns)
    planes(asked.turns)
    whole()
    print(f"load {os.getloadavg()[0]:.2f} at the end, {peak():.2f} GB at most")


def maps(turns: int) -> None:
    """ω of one plane: sums over the window that are separable, against one correlation for each slope."""
    random = np.random.default_rng(1)
    u, v = random.standard_normal((2, 256, 256)).astype(np.float32)
    for window in (5, 15):
        ours, mine = timed(lambda n=window: vorticity_of(np.stack([u, v]), n), turns)
        plain, its = timed(lambda n=window: correlated(v, n, 0) - correlated(u, n, 1), turns)
        tell(f"ω of 256², N = {window}", ours, plain, None, apart(mine, its, window // 2))


def vorticity_of(plane: Values, window: int) -> Values:
    j = gradient(plane, (2 * MM, 2 * MM), window)
    return j[0, 1] - j[1, 0]


def correlated(field: Values, window: int, axis: int) -> Values:
    """Slope along x (0) or y (1), 1/m, of the plane through each window."""
    side = np.arange(window) - window // 2
    line = side / (np.square(side).sum() * window * 2 * MM)
    kernel = np.broadcast_to(line if axis == 0 else line[:, None], (window, window))
    return ndimage.correlate(field, kernel.astype(np.float32), mode="nearest")


def volumes(turns: int) -> None:
    random = np.random.default_rng(2)
    shape, frames = SMALL
    velocity = random.standard_normal((3, frames, *shape)).astype(np.float32)
    ours, mine = timed(lambda: gradient(velocity, (2 * MM,) * 3, 5), turns)
    plain, its = timed(lambda: plain_gradient(velocity, 5), turns)
    tell("gradient of 64×64×32×20, three components, N = 5", ours, plain, 1, apart(mine, its, 2))


def plain_gradient(velocity: Values, window: int) -> Values:
    side = np.arange(window) - window // 2
    line = (side / (np.square(side).sum() * window**2 * 2 * MM)).astype(np.float32)
    made_of = np.empty((3, *velocity.shape), np.float32)
    for axis in range(3):
        form = [1, 1, 1]
        form[2 - axis] = window
        kernel = np.broadcast_to(line.reshape(form), (window,) * 3)
        for component, frame in itertools.product(range(3), range(velocity.shape[1])):
            made_of[axis, component, frame] = ndimage.correlate(
                velocity[component, frame], kernel, mode="nearest"
            )
    return made_of


def lines(turns: int) -> None:
    """500 streamlines of one frame, half a voxel a step, 50 steps to either side."""
    phantom = made("rotation", shape=(32, 64, 64))
    velocity, spacing = phantom.velocity[:, 0], phantom.scan.spacing
    places = np.indices(velocity.shape[1:]).reshape(3, -1)[::-1].T * np.array(spacing)
    # Circles that stay within the grid.
    radius = np.hypot(*(places - phantom.scan.centre)[:, :2].T)
    places = places[(radius > 4 * MM) & (radius < 50 * MM)]
    seeds = places[np.random.default_rng(3).choice(len(places), 500)]
    reference = reference_speed(velocity[:, None])
    longest = 50 * 0.5 * min(spacing)
    ours, mine = timed(
        lambda: streamlines(velocity, spacing, seeds, reference=reference, longest=longest, is_closing=False),
        turns,
    )
    plain, its = timed(lambda: plain_lines(velocity, spacing, seeds, 50), turns)
    off = max(float(np.nanmax(np.abs(mine.points[:, end] - its[end]))) for end in (0, -1))
    steps = int(np.isfinite(mine.points[..., 0]).sum()) - len(seeds)
    tell(f"{len(seeds)} streamlines, {steps:,} steps", ours, plain, None, f"ends {1e6 * off:.2g} µm apart")


def plain_lines(velocity: Values, spacing: tuple[float, ...], seeds: Values, count: int) -> list[Values]:
    axes = [np.arange(n) * side for n, side in zip(velocity.shape[:0:-1], spacing, strict=True)]
    fields = [
        RegularGridInterpolator(axes, one.transpose(2, 1, 0), bounds_error=False, fill_value=0.0)
        for one in velocity
    ]

    def direction(at: Values) -> Values:
        v = np.stack([one(at) for one in fields], axis=1)
        size = np.linalg.norm(v, axis=1, keepdims=True)
        return v / np.maximum(size, 1e-12)

    length = 0.5 * min(spacing)
    found = []
    for sign in (-1, 1):
        at = seeds.copy()
        for _ in range(count):
            a = direction(at)
            b = direction(at + sign * length / 2 * a)
            c = direction(at + sign * length / 2 * b)
            d = direction(at + sign * length * c)
            at = at + sign * length / 6 * (a + 2 * b + 2 * c + d)
        found.append(at)
    return found


def unwrapping(size: tuple[tuple[int, int, int], int], goal: float, turns: int) -> None:
    shape, frames = size
    phantom = made("pulsatile", shape=shape, frames=frames, samples=2, snr=10.0)
    study = phantom.study
    mask = noise_mask(study)
    anchor = mask & phantom.static

    def ours() -> list[Values]:
        return [
            unwrap(v, venc, True, mask, anchor, study.magnitude).velocity
            for v, venc in zip(study.velocity, study.venc, strict=True)
        ]

    def plain() -> list[Values]:
        pairs = zip(study.velocity, study.venc, strict=True)
        return [plain_unwrap(v, venc, mask, anchor) for v, venc in pairs]

    # What the noise moves is no wrap: half a VENC off the truth is.
    def wrong(made_of: list[Values]) -> float:
        inside = mask & (phantom.lumen > 0.99)
        far = [
            np.abs(one - true)[:, inside] > venc
            for one, true, venc in zip(made_of, phantom.velocity, study.venc, strict=True)
        ]
        return 100 * float(np.mean(far))

    first, mine = timed(ours, turns)
    words = f"wrong voxels {wrong(mine):.3f} %"
    del mine
    second, its = timed(plain, turns)
    words += f" (plain {wrong(its):.3f} %)"
    z, y, x = shape
    tell(f"unwrapping of three components, {x}×{y}×{z}×{frames}", first, second, goal, words)


def plain_unwrap(velocity: Values, venc: float, mask: Values, anchor: Values) -> Values:
    """Single-step Laplacian in double precision: cosines in space, Fourier in time."""
    phase = np.pi * velocity.astype(np.float64) / venc
    axes = (1, 2, 3)
    waves = [2 * np.pi * np.fft.fftfreq(phase.shape[0])] + [np.pi * np.arange(n) / n for n in phase.shape[1:]]
    grids = np.meshgrid(*[2 * np.cos(wave) - 2 for wave in waves], indexing="ij")
    operator = sum(grids)

    def laplacian(values: Values) -> Values:
        spectrum = fft.fft(fft.dctn(values, axes=axes), axis=0)
        return fft.idctn(fft.ifft(spectrum * operator, axis=0).real, axes=axes)

    right = np.cos(phase) * laplacian(np.sin(phase)) - np.sin(phase) * laplacian(np.cos(phase))
    spectrum = fft.fft(fft.dctn(right, axes=axes), axis=0)
    operator[0, 0, 0, 0] = 1
    spectrum[0, 0, 0, 0] = 0
    smooth = fft.idctn(fft.ifft(spectrum / operator, axis=0).real, axes=axes)
    turns = np.rint((smooth - phase) / (2 * np.pi))
    turns -= np.rint(np.median(turns[:, anchor]))
    return velocity + np.where(mask, 2 * venc * turns, 0).astype(np.float32)


def background(turns: int) -> None:
    phantom = made("thorax", shape=(32, 64, 64), frames=20, samples=2)
    study, truth = phantom.study, phantom.offset
    inside = phantom.lumen > 0.99
    ours, mine = timed(lambda: fit_offset(study, 2, still_tissue(study)).field, turns)
    plain, its = timed(lambda: plain_offset(study.velocity, study.magnitude), turns)
    first, second = (100 * float(np.abs(one - truth)[:, inside].mean()) for one in (mine, its))
    tell("background, order 2, 64×64×32×20", ours, plain, None, f"{first:.3f} cm/s off (plain {second:.3f})")


def plain_offset(velocity: Values, magnitude: Values) -> Values:
    """Least squares once, over all that is bright."""
    bright = magnitude.mean(axis=0) > 0.3 * magnitude.max()
    z, y, x = (grid / n - 0.5 for grid, n in zip(np.indices(bright.shape), bright.shape, strict=True))
    terms = [np.ones_like(x), x, y, z, x * x, y * y, z * z, x * y, x * z, y * z]
    matrix = np.stack([term[bright] for term in terms], axis=1)
    found, *_ = np.linalg.lstsq(matrix, velocity.mean(axis=1)[:, bright].T, rcond=None)
    return np.tensordot(found.T, np.stack(terms), axes=1)


def planes(turns: int) -> None:
    phantom = made("womersley", shape=(32, 64, 64), frames=20, samples=2)
    study, scan = phantom.study, phantom.scan
    axis = np.array((0.3, 0.2, 0.93))
    plane = Plane(scan.centre, tuple(axis), 12 * MM)
    region = polygon_region(plane, scan.spacing, circle(12 * MM))
    ours, mine = timed(lambda: flow_through(study, plane, region).rate, turns)
    plain, its = timed(lambda: plain_flow(study.velocity, scan.spacing, plane, 12 * MM), turns)
    truth = phantom.flow_rate
    assert truth is not None
    first, second = (100 * float(np.abs(one - truth).max() / np.abs(truth).max()) for one in (mine, its))
    tell("curve of 20 frames through a plane", ours, plain, None, f"{first:.1f} % off (plain {second:.1f} %)")


def plain_flow(velocity: Values, spacing: tuple[float, ...], plane: Plane, radius: float) -> Values:
    """Samples a voxel apart within the circle, linear."""
    first, second, normal = plane.axes()
    pitch = min(spacing)
    side = np.arange(-radius, radius + pitch / 2, pitch)
    a, b = (grid.reshape(-1) for grid in np.meshgrid(side, side))
    inside = a**2 + b**2 <= radius**2
    at = np.array(plane.centre)[:, None] + np.outer(first, a[inside]) + np.outer(second, b[inside])
    places = (at / np.array(spacing)[:, None])[::-1]
    frames = range(velocity.shape[1])
    rates = [
        sum(n * ndimage.map_coordinates(velocity[c, t], places, order=1).sum() for c, n in enumerate(normal))
        for t in frames
    ]
    return np.array(rates) * pitch**2


def whole() -> None:
    """Background, unwrapping and mask in one go, as a run does them."""
    phantom = made("thorax", shape=(32, 64, 64), frames=20, samples=2)
    took, done = timed(lambda: correct(phantom.study, 2, True), 1)
    after = done.steps[0].after
    tell("all corrections, 64×64×32×20", took, None, None, f"{100 * after:.2f} cm/s left in still tissue")


def timed(work: Callable[[], Any], turns: int) -> tuple[float, Any]:
    """The shortest of so many turns, s, and what came of it: others on the machine only add."""
    times, result = [], None
    for _ in range(turns):
        start = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - start)
    return min(times), result


def apart(one: Values, other: Values, edge: int) -> str:
    """How far both are apart where the whole window lies inside, as a share of the largest."""
    inner = (..., *[slice(edge, -edge)] * (2 if one.ndim == 2 else 3))
    return f"apart {float(np.abs(one[inner] - other[inner]).max() / np.abs(other[inner]).max()):.1e}"


def tell(what: str, ours: float, plain: float | None, goal: float | None, right: str) -> None:
    beside = "" if plain is None else f", plain {plain:.3f} s, {plain / ours:.1f} times as long"
    reached = "" if goal is None else f", goal ≤ {goal} s: {'reached' if ours <= goal else 'MISSED'}"
    print(f"{what}: {ours:.3f} s{beside}{reached}; {right}", flush=True)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


main()
