"""Where there is flow: angiograms from velocity, thresholds, pieces of masks."""

from __future__ import annotations

import numpy as np

from .libraries import ndimage
from .study import Bools, Refusal, Study, Values

BINS = 256
# Standard deviations of a normal distribution per median absolute deviation.
PER_MAD = 1.4826
# Of a level above what does not flow; and its least share of the top, for studies without noise.
DEVIATIONS = 3.0
LEAST_LEVEL = 0.03
# Noise differs from voxel to voxel as much as over all; what differs so much less hangs together: slow blood.
COHERENT = 3.0
# Voxels that touch by faces are one piece: corners alone let vessels run into each other.
FACES = ndimage.generate_binary_structure(3, 1)


def angiogram(study: Study, turn: Values | None = None) -> Values:
    """PC-MRA (z, y, x): mean over frames of M · |v|, in units of magnitude times m/s.

    Over the frames that have a value; NaN where none has, and without signal. `turn` (3, 3) makes velocities
    along the grid of components that were measured along other directions.
    """
    total, count = np.zeros(study.velocity.shape[2:]), np.zeros(study.velocity.shape[2:], np.int32)
    for frame in range(study.frames):
        velocity = study.velocity[:, frame]
        if turn is not None:
            velocity = np.tensordot(turn.astype(velocity.dtype), velocity, 1)
        bright = study.magnitude[frame] * np.sqrt(np.square(velocity).sum(axis=0))
        known = np.isfinite(bright)
        total += np.where(known, bright, 0)
        count += known
    with np.errstate(invalid="ignore"):
        bright = (total / count).astype(np.float32)
    bright[~has_signal(study.magnitude.mean(axis=0, dtype=np.float64))] = np.nan
    return bright


def top_of(values: Values) -> float:
    """The level 1 of an angiogram: its 99.9th percentile. A few voxels are brighter."""
    finite = values[np.isfinite(values)].astype(np.float64)
    return float(np.percentile(finite, 99.9)) if finite.size else float("nan")


def first_level(values: Values, top: float) -> float:
    """The level to begin with, as a share of the top: three deviations above what does not flow.

    What does not flow are voxels with signal below Otsu's level, and their median and MAD tell its noise.
    Half of Otsu's level, tried before, loses the slow rim of a vessel where noise is low (8 % of the net
    volume of a tube 10 voxels across, 2 to 5 % here), and takes all tissue for a vessel where it is high. At
    least 3 %, at most Otsu's level. Where that is reached because the dim voxels are slow blood, as in a
    study cut close around a vessel, it is half of Otsu's level: the whole cut away 29 % of an aorta and
    11 % of its flow. The viewer finds the same (`viewer/numbers/mask.ts`).
    """
    finite = values[np.isfinite(values)].astype(np.float64)
    if finite.size == 0 or not top > 0:
        raise Refusal("mask_empty")
    most = otsu_share(finite, top)
    still = finite[finite < most * top] / top
    if still.size == 0:
        return most / 2
    middle = float(np.median(still))
    spread = PER_MAD * float(np.median(np.abs(still - middle)))
    level = middle + DEVIATIONS * spread
    if level > most and spread > COHERENT * roughness(values / top, most):
        return most / 2
    return min(most, max(LEAST_LEVEL, level))


def roughness(values: Values, most: float) -> float:
    """Noise of what lies below `most`, from second differences along x; infinite without any."""
    dim = np.where(values < most, values, np.nan).astype(np.float64)
    apart = np.diff(dim, 2, axis=-1)
    apart = apart[np.isfinite(apart)]
    return PER_MAD * float(np.median(np.abs(apart))) / np.sqrt(6) if apart.size else np.inf


def otsu_share(values: Values, top: float) -> float:
    """Otsu's level as a share of the top; what is brighter counts as the top. 0 where all are equal."""
    bins = np.clip(np.floor(values / top * BINS), 0, BINS - 1).astype(np.int64)
    counts = np.bincount(bins, minlength=BINS).astype(np.float64)
    below, sums = np.cumsum(counts), np.cumsum(counts * np.arange(BINS))
    parted = (below > 0) & (below < values.size)
    if not parted.any():
        return 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = sums / below - (sums[-1] - sums) / (values.size - below)
    between = np.where(parted, below * (values.size - below) * apart**2, -1)
    return float(between.argmax() + 1) / BINS


def has_signal(magnitude: Values) -> Bools:
    """Of a mean magnitude: above half of Otsu's level. Elsewhere phase is noise: lungs outshine vessels."""
    top = top_of(magnitude)
    if not top > 0:
        return np.ones(magnitude.shape, np.bool_)
    return magnitude > otsu_share(magnitude[np.isfinite(magnitude)].astype(np.float64), top) * top / 2


def complex_difference(study: Study) -> Values:
    """(z, y, x): mean over frames of M sin(π/2 · min(|v|, VENC)/VENC), with the largest VENC."""
    venc = max(study.venc)
    speed = np.minimum(np.sqrt(np.square(study.velocity).sum(axis=0)), venc)
    return (study.magnitude * np.sin(np.pi / 2 * speed / venc)).mean(axis=0)


def otsu(values: Values) -> float:
    """The threshold with most variance between both sides (Otsu 1979), of finite values."""
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        raise Refusal("mask_empty")
    counts, edges = np.histogram(finite, BINS)
    middles = (edges[:-1] + edges[1:]) / 2
    below = np.cumsum(counts)[:-1].astype(np.float64)
    above = finite.size - below
    sums = np.cumsum(counts * middles)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = sums[:-1] / below - (sums[-1] - sums[:-1]) / above
        between = np.nan_to_num(below * above * gap**2)
    # Between two far heaps many thresholds are equally good: the middle one.
    best = np.flatnonzero(between >= between.max() * (1 - 1e-12))
    return float(edges[1 + best[len(best) // 2]])


def above(values: Values, threshold: float) -> Bools:
    """Strictly brighter; refuses `mask_empty` where nothing is."""
    mask: Bools = values > threshold
    if not mask.any():
        raise Refusal("mask_empty")
    return mask


def noise_mask(study: Study) -> Bools:
    """(z, y, x): voxels with signal, whose phase means something: half of Otsu's threshold of magnitude."""
    magnitude = study.magnitude.mean(axis=0)
    return above(magnitude, otsu(magnitude) / 2)


def piece_at(mask: Bools, seed: tuple[int, int, int]) -> Bools:
    """The piece that holds voxel `seed` (z, y, x); refuses `seed_outside_mask`."""
    z, y, x = seed
    is_in = all(0 <= place < side for place, side in zip(seed, mask.shape, strict=True))
    if not is_in or not mask[seed]:
        raise Refusal("seed_outside_mask", x=x, y=y, z=z)
    numbers, _ = ndimage.label(mask, FACES)
    return numbers == numbers[seed]


def largest_piece(mask: Bools) -> Bools:
    numbers, count = ndimage.label(mask, FACES)
    if count == 0:
        raise Refusal("mask_empty")
    sizes = np.bincount(numbers.reshape(-1))
    sizes[0] = 0
    return numbers == int(sizes.argmax())


def filled(mask: Bools) -> Bools:
    """Without holes: what cannot reach the edge of the volume by faces belongs to the mask."""
    return np.asarray(ndimage.binary_fill_holes(mask, FACES), np.bool_)


def eroded(mask: Bools, voxels: int = 1) -> Bools:
    """Without what lies within so many faces of the outside; the volume's edge counts as outside."""
    return np.asarray(ndimage.binary_erosion(mask, FACES, voxels), np.bool_)
