"""The corrections in their order: background first, then unwrapping, a noise filter only where that needs it.

That order cut the error of mass conservation from 27.7 to 7.3 % in one study (Keller 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .files.reading import nothing
from .masks import noise_mask
from .offset import Offset, Still, fit_offset, still_tissue, wrapped
from .study import Bools, Refusal, Study
from .unwrap import Unwrapped, left_alone, unwrap

NAN = float("nan")


@dataclass(frozen=True)
class Step:
    """What a correction found and left, in the unit of its name; NaN where it was not looked for."""

    name: str
    is_done: bool
    before: float
    after: float
    # More numbers of the step's sentence.
    numbers: Mapping[str, float]


@dataclass(frozen=True)
class Ground:
    """What is known of all components before the first of them is corrected."""

    still: Still
    # None where no background is fitted.
    offset: Offset | None


@dataclass(frozen=True)
class Corrected:
    study: Study
    still: Still
    offset: Offset | None
    steps: tuple[Step, ...]


def correct(
    study: Study, offset_order: int | None, is_unwrapping: bool, mask: Bools | None = None
) -> Corrected:
    """A study with velocities corrected as asked; `offset_order` None leaves the background.

    `mask` (z, y, x) is where to unwrap, all with signal if not given. Refuses as `ground_of` does.
    """
    ground = ground_of(study, offset_order)
    mask = noise_mask(study) if mask is None else mask
    velocity = np.empty_like(study.velocity)
    found = []
    for c in range(3):
        one = corrected(study, ground, c, is_unwrapping, mask)
        velocity[c] = one.velocity
        # The field itself is kept once, in the study.
        found.append(replace(one, velocity=np.empty(0)))
    steps = steps_of(ground, found, is_unwrapping)
    return Corrected(replace(study, velocity=velocity), ground.still, ground.offset, steps)


def ground_of(study: Study, offset_order: int | None, go_on: Callable[[], None] = nothing) -> Ground:
    """Still tissue and the background in it; `go_on` is called between them and may raise.

    Refuses as `fit_offset` does, and `one_frame`: rest that is seen only once looks like noise.
    """
    if offset_order is not None and study.frames == 1:
        raise Refusal("one_frame")
    still = still_tissue(study)
    go_on()
    return Ground(still, None if offset_order is None else fit_offset(study, offset_order, still))


def corrected(study: Study, ground: Ground, c: int, is_unwrapping: bool, mask: Bools) -> Unwrapped:
    """One component (t, z, y, x) as it was measured: without the background, and unwrapped within `mask`."""
    velocity, venc = study.velocity[c], study.venc[c]
    if ground.offset is not None:
        velocity = wrapped(velocity - ground.offset.field[c], venc)
    is_periodic = study.period is not None and study.frames > 1
    if not is_unwrapping:
        return left_alone(velocity, venc, is_periodic, mask)
    return unwrap(velocity, venc, is_periodic, mask, ground.still.mask, study.magnitude)


def steps_of(ground: Ground, found: Sequence[Unwrapped], is_unwrapping: bool) -> tuple[Step, ...]:
    """`offset` (m/s left in still tissue), `unwrap` and `filter` (share of torn voxels, the mean of three
    components)."""
    offset = ground.offset
    before, after, changed = (
        float(np.mean([getattr(one, name) for one in found]))
        for name in ("torn_before", "torn_after", "changed")
    )
    filtered = sum(one.is_filtered for one in found)
    first = (
        Step("offset", False, NAN, NAN, {})
        if offset is None
        else Step(
            *("offset", True, offset.before, offset.after),
            {"order": float(offset.order), "share": ground.still.share},
        )
    )
    if not is_unwrapping:
        return first, Step("unwrap", False, before, NAN, {}), Step("filter", False, NAN, NAN, {})
    return (
        first,
        Step("unwrap", True, before, after, {"changed": changed}),
        Step("filter", filtered > 0, before, after, {"components": float(filtered)}),
    )
