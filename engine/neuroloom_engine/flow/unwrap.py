"""Velocities beyond VENC: 4D Laplacian unwrapping, one component at a time."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np

from .libraries import fft, ndimage
from .study import Bools, Refusal, Values

# Voxels and frames of smoothing of the signal from which wraps are counted; the velocity itself stays.
FILTER_SIGMA = 0.5
# Share of torn voxels from which the filter is tried: fewer come from noise alone at SNR 5.
FILTER_FROM = 1e-4
WORKERS = os.cpu_count() or 1


@dataclass(frozen=True)
class Unwrapped:
    # (t, z, y, x), m/s.
    velocity: Values
    # Of the voxels asked about: how many were changed, and how many were torn before and after.
    changed: float
    torn_before: float
    torn_after: float
    is_filtered: bool


def unwrap(
    velocity: Values,
    venc: float,
    is_periodic: bool,
    mask: Bools | None = None,
    anchor: Bools | None = None,
    magnitude: Values | None = None,
) -> Unwrapped:
    """One component (t, z, y, x) in m/s, within `mask` (z, y, x); others stay as they are.

    `anchor` (z, y, x) is still tissue, which by the median is not wrapped; without it the mask is taken. With
    `magnitude` (t, z, y, x) a noise filter is tried where the first attempt leaves torn voxels, and kept only
    where it leaves fewer: on tubes of 6 and 8 voxels at SNR 2 and up to 2.5 VENC it leaves between a quarter
    and a half of the wrong voxels, while a median filter makes as many new ones and broader smoothing fails
    beyond 2 VENC.
    """
    turns, valid = turns_of(velocity, venc, mask)
    before = torn(turns, valid, is_periodic)
    place = valid if anchor is None or not (valid & anchor).any() else valid & anchor
    best = counted(turns, turns, valid, place, is_periodic)
    after = torn(turns + best, valid, is_periodic)
    is_filtered = False
    if magnitude is not None and after > FILTER_FROM:
        smooth = np.where(valid, smoothed(turns, magnitude, is_periodic), 0)
        other = counted(smooth, turns, valid, place, is_periodic)
        left = torn(turns + other, valid, is_periodic)
        if left < after:
            best, after, is_filtered = other, left, True
    made = velocity + np.float32(2 * venc) * best
    changed = float((best != 0).sum() / valid.sum())
    return Unwrapped(made, changed, before, after, is_filtered)


def left_alone(velocity: Values, venc: float, is_periodic: bool, mask: Bools | None = None) -> Unwrapped:
    """As `unwrap`, of a component that stays as it is: only how torn it is."""
    share = torn(*turns_of(velocity, venc, mask), is_periodic)
    return Unwrapped(velocity, 0.0, share, share, False)


def turns_of(velocity: Values, venc: float, mask: Bools | None) -> tuple[Values, Bools]:
    """In units of 2 VENC, 0 where there is no value; and where there is one. Refuses `mask_empty`."""
    valid = np.isfinite(velocity)
    if mask is not None:
        valid &= mask
    if not valid.any():
        raise Refusal("mask_empty")
    return np.where(valid, velocity / np.float32(2 * venc), 0).astype(np.float32), valid


def counted(source: Values, turns: Values, valid: Bools, anchor: Bools, is_periodic: bool) -> Values:
    """Whole turns to add, (t, z, y, x), 0 outside: by the smooth field whose Laplacian `source` has."""
    smooth = solved(laplacian(source, is_periodic), is_periodic)
    smooth -= turns
    # The field is known but for a constant.
    smooth -= np.median(smooth[anchor])
    np.rint(smooth, out=smooth)
    smooth[~valid] = 0
    return smooth


def laplacian(turns: Values, is_periodic: bool) -> Values:
    """Sum of wrapped differences to all neighbours in space and time, no flow through the volume's faces.

    The published form cos φ ∇² sin φ - sin φ ∇² cos φ is the sum of their sines, too small for all but the
    small. Wrapped differences (Ghiglia & Romero 1994) are exact up to half a turn: 2.5 VENC over 8 voxels
    at SNR 5 leave no voxel wrong instead of 2.2 %, and what was not wrapped comes back unchanged.
    """
    total = np.zeros_like(turns)
    for axis in range(turns.ndim):
        gap = np.diff(turns, axis=axis)
        gap -= np.rint(gap)
        total[part(axis, 0, -1)] += gap
        total[part(axis, 1, None)] -= gap
    if is_periodic:
        gap = turns[0] - turns[-1]
        gap -= np.rint(gap)
        total[-1] += gap
        total[0] -= gap
    return total


def solved(laplace: Values, is_periodic: bool) -> Values:
    """The field with this Laplacian: cosine transform in space, Fourier in time where that is periodic."""
    shape = laplace.shape
    axes = (1, 2, 3) if is_periodic else (0, 1, 2, 3)
    spectrum = fft.dctn(laplace, axes=axes, overwrite_x=True, workers=WORKERS)
    waves = [np.pi * np.arange(side) / side for side in shape]
    if is_periodic:
        spectrum = fft.rfft(spectrum, axis=0, workers=WORKERS)
        waves[0] = 2 * np.pi * np.arange(shape[0] // 2 + 1) / shape[0]
    # A frame at a time: all of them at once would be another copy of the study.
    parts = [(2 * np.cos(wave) - 2).astype(np.float32) for wave in waves]
    space = parts[1][:, None, None] + parts[2][:, None] + parts[3]
    for frame, time in enumerate(parts[0]):
        values = space + time
        if frame == 0:
            values[0, 0, 0] = 1
            spectrum[0, 0, 0, 0] = 0
        spectrum[frame] /= values
    if is_periodic:
        spectrum = fft.irfft(spectrum, n=shape[0], axis=0, workers=WORKERS)
    return fft.idctn(spectrum, axes=axes, overwrite_x=True, workers=WORKERS)


def torn(turns: Values, valid: Bools, is_periodic: bool) -> float:
    """Share of valid voxels more than VENC from the mean of their valid neighbours in space and time.

    The mean, as one noisy neighbour says little: by most neighbours the noise filter would look harmful.
    """
    total, near = np.zeros_like(turns), np.zeros(turns.shape, np.int8)
    held = np.where(valid, turns, 0)
    sides = [(part(axis, 0, -1), part(axis, 1, None)) for axis in range(turns.ndim)]
    if is_periodic and len(turns) > 1:
        sides.append((part(0, 0, 1), part(0, -1, None)))
    for one, other in sides:
        total[one] += held[other]
        total[other] += held[one]
        near[one] += valid[other]
        near[other] += valid[one]
    is_far = np.abs(turns * near - total) > 0.5 * near
    return float((valid & is_far).sum() / max(int(valid.sum()), 1))


def smoothed(turns: Values, magnitude: Values, is_periodic: bool) -> Values:
    """The angle, in turns, of the signal M e^{iφ} after a narrow Gaussian in space and time."""
    modes = ["wrap" if is_periodic else "nearest", "nearest", "nearest", "nearest"]
    angle = np.float32(2 * np.pi) * turns
    real = ndimage.gaussian_filter(magnitude * np.cos(angle), FILTER_SIGMA, mode=modes)
    imaginary = ndimage.gaussian_filter(magnitude * np.sin(angle), FILTER_SIGMA, mode=modes)
    return (np.arctan2(imaginary, real) / np.float32(2 * np.pi)).astype(np.float32)


def part(axis: int, start: int, stop: int | None) -> tuple[slice, ...]:
    return (*[slice(None)] * axis, slice(start, stop))


def flipped(velocity: Values, venc: float, place: tuple[int, int, int, int], turns: int) -> Values:
    """One voxel (t, z, y, x) of a component moved by hand, `turns` times 2 VENC."""
    made = velocity.copy()
    made[place] += np.float32(2 * venc * turns)
    return made
