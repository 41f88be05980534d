"""Velocity super-resolution (4D flow): a network says what interpolation lacks, learned on known flows.

The same functions as every task that learns, see `task.py`. Velocities are shares of VENC throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..control import Control
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import Normalisation
from ..deployed import Deployed
from ..failures import RunFailure
from ..flow.libraries import ndimage
from ..flow.pairs import SIDE, Pair, pair_of
from ..flow.sample import refined
from ..flow.study import Bools, Values
from ..network import SEVERAL_INPUTS, Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec, Plan, SpecError
from .losses import Loss
from .result import Evaluation, OnAnswer, OnStep
from .result import Values as Metrics
from .scores import mean

SELECTS = "loss"
NETWORK_TASK = "flow"
AXES = 3
CRITERIA = ("l1", "mse")
IS_JOINT = False
INPUTS = SEVERAL_INPUTS[NETWORK_TASK]
COMPONENTS = 3

# Networks answer in so large a share of VENC: what interpolation lacks is small.
SHARE = 0.1
# Where there is no signal velocities are mere noise, and magnitude does not weigh them.
LEAST_MAGNITUDE = 1e-3
# Fluid voxels at a wall count so much: there velocity changes most.
AT_WALL = 2.0
# What interpolation leaves of error is never taken for less than this share of VENC.
LEAST_ERROR = 0.01
INTERPOLATIONS = ("linear", "weighted", "cubic")
PIXELS = (
    "velocity: three components along x, y, z of the grid as shares of VENC, unwrapped; magnitude: the same "
    "one three times, divided by its mean in vessels; depth, height, width are z, y, x. The answer: "
    "velocity on the finer grid, whose voxel factor * j lies on voxel j"
)


@dataclass(frozen=True)
class Scores:
    """Over fluid voxels of the fine grid; speeds in m/s, angles in degrees (contract: `scores`)."""

    rmse: float
    vnrmse: float
    speedError: float
    angle: float


@dataclass(frozen=True)
class Dataset:
    store: Store[Pair]
    factor: int
    # What needs no network, measured once for each row.
    plain: dict[int, dict[str, Scores]] = field(default_factory=dict)

    @property
    def items(self) -> list[Item]:
        return self.store.items


def outputs(hyper: Hyper, manifest: Manifest) -> int:
    return COMPONENTS


def load(
    spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
) -> tuple[Dataset, list[BadItem]]:
    """Measures the flows: an item's `image` is its seed and number."""
    factor = factor_of(spec.plan)
    if max(sizes := patch_size(spec.hyper)) >= SIDE:
        raise SpecError(f"a patch of {sizes} in flows of {SIDE} voxels a side")

    def measured(item: Item) -> Pair:
        seed, number = item.image.split("/")
        return pair_of(int(seed), int(number), factor)

    job = Job(measured, lambda pair: pair.nbytes, lambda item, pair: None)
    store, bad = fill(spec, items, job, control)
    return Dataset(store, factor), bad


def factor_of(plan: Plan) -> int:
    """How many times finer the network answers; RunFailure `plan_invalid` where it is no such network."""
    main = plan.heads.get("main") or next(iter(plan.heads.values()))
    wanted = {name: COMPONENTS for name in INPUTS}
    if {name: kind.channels for name, kind in plan.inputs.items()} != wanted:
        raise RunFailure(
            "plan_invalid", {"reason": f"inputs {', '.join(plan.inputs)}, not {' and '.join(INPUTS)}"}
        )
    size = next(iter(plan.inputs.values())).size
    own = next(node.type for node in plan.nodes if node.id == main.source)
    factors = {large / small for large, small in zip(own.size, size, strict=True)}
    if own.channels != COMPONENTS or len(factors) != 1 or factors & {1.0} or max(factors) % 1:
        raise RunFailure(
            "plan_invalid", {"reason": f"outputs: {own.channels} of {own.size} for volumes of {size}"}
        )
    return int(max(factors))


def normalisation(data: Dataset, rows: Sequence[int]) -> Normalisation:
    """Nothing is left to be done: VENC and the magnitude of blood are what all is measured by."""
    return Normalisation("data", (0.0,) * 2 * COMPONENTS, (1.0,) * 2 * COMPONENTS)


def patch_size(hyper: Hyper) -> tuple[int, int, int]:
    return (hyper.depth, *hyper.image_size)


def batch(
    data: Dataset, rows: Sequence[int], rule: Normalisation, hyper: Hyper, rng: np.random.Generator | None
) -> tuple[Tensor, Tensor]:
    """Random patches, mostly with fluid in their middle: inputs (batch, 6, d, h, w) and, on the fine grid,
    what the answer is added to, the truth and how much each voxel counts, (batch, 7, D, H, W).
    """
    assert rng is not None
    patches = [patch_of(data.store[row], data.factor, hyper, rng) for row in rows]
    given = torch.from_numpy(np.stack([given for given, _ in patches]))
    wanted = torch.from_numpy(np.stack([wanted for _, wanted in patches]))
    base, counts = interpolated(given, data.factor), wanted[:, COMPONENTS:]
    counts = counts / (COMPONENTS * counts.sum((1, 2, 3, 4), keepdim=True)).clamp(min=1)
    gap = base - wanted[:, :COMPONENTS]
    lacks = (gap.square() * counts).sum((1, 2, 3, 4), keepdim=True).clamp(min=LEAST_ERROR**2)
    # In shares of what interpolation leaves: else the noisiest flows alone would be learned from.
    counts = counts / (lacks if hyper.criterion == "mse" else lacks.sqrt())
    return given, torch.cat([base, wanted[:, :COMPONENTS], counts], 1)


def patch_of(pair: Pair, factor: int, hyper: Hyper, rng: np.random.Generator) -> tuple[Values, Values]:
    """Inputs (6, d, h, w); truth and weight (4, D, H, W)."""
    size = patch_size(hyper)
    order, mirrored = [0, 1, 2], [False] * 3
    if hyper.augment:
        order, mirrored = rng.permutation(3).tolist(), (rng.random(3) < 0.5).tolist()
    # Along each axis of the flow, before it is turned.
    sides = np.array(size)[np.argsort(order)]
    places = np.argwhere(pair.holds)
    middle = places[rng.integers(len(places))] + rng.integers(-2, 3, 3)
    # A mirrored fine grid begins one coarse voxel earlier, so that voxels still lie on each other.
    starts = np.clip(middle - sides // 2, 1, np.array(pair.holds.shape) - sides)
    coarse = tuple(slice(at, at + side) for at, side in zip(starts, sides, strict=True))
    fine = tuple(
        slice(factor * (at - is_turned) + is_turned, factor * (at + side - is_turned) + is_turned)
        for at, side, is_turned in zip(starts, sides, map(int, mirrored), strict=True)
    )
    vectors = turned(pair.velocity[(slice(None), *coarse)], order, mirrored)
    truth = turned(pair.truth[(slice(None), *fine)], order, mirrored)
    magnitude = moved((pair.magnitude / blood(pair.magnitude, pair.holds))[coarse], order, mirrored)
    counts = moved(weights(pair.fluid[fine]), order, mirrored)
    return packed(vectors, magnitude), np.concatenate([truth, counts[None]]).astype(np.float32)


def turned(vectors: Values, order: Sequence[int], mirrored: Sequence[bool]) -> Values:
    """Vectors (x, y, z; z, y, x) whose axis k was `order[k]`, mirrored before: a flow stays a flow."""
    made = np.empty((COMPONENTS, *(np.array(vectors.shape[1:])[list(order)])), vectors.dtype)
    for axis, before in enumerate(order):
        sign = -1 if mirrored[before] else 1
        made[2 - axis] = sign * moved(vectors[2 - before], order, mirrored)
    return made


def moved(values: Values, order: Sequence[int], mirrored: Sequence[bool]) -> Values:
    return np.flip(values, [axis for axis in range(3) if mirrored[axis]]).transpose(*order)


def packed(velocity: Values, magnitude: Values) -> Values:
    """What a network is given: (6, d, h, w)."""
    return np.concatenate([velocity, np.broadcast_to(magnitude, velocity.shape)]).astype(np.float32)


def blood(magnitude: Values, holds: Bools) -> float:
    """What magnitude is measured by: its mean in vessels."""
    return max(float(magnitude[holds].mean()), 1e-12)


def weights(fluid: Bools) -> Values:
    """How much fine voxels count: those outside of fluid not at all."""
    at_wall = fluid & ~ndimage.binary_erosion(fluid, border_value=1)
    return fluid + (AT_WALL - 1) * at_wall


def interpolated(given: Tensor, factor: int) -> Tensor:
    """What a network's answer is added to: linear interpolation, each velocity weighed by its magnitude.

    So noise of voxels without signal reaches in nowhere. (batch, 6, d, h, w) to (batch, 3, D, H, W).
    """
    velocity = given[:, :COMPONENTS]
    bright = given[:, COMPONENTS : COMPONENTS + 1].clamp(min=LEAST_MAGNITUDE)
    return finer(velocity * bright, factor) / finer(bright, factor)


def finer(values: Tensor, factor: int) -> Tensor:
    """Linear interpolation (batch, c, d, h, w): fine voxel `factor` j lies on voxel j, edges repeat."""
    line = 1 - torch.arange(1 - factor, factor, dtype=values.dtype, device=values.device).abs() / factor
    kernel = line[:, None, None] * line[:, None] * line
    channels = int(values.shape[1])
    made = F.conv_transpose3d(
        F.pad(values, (0, 1, 0, 1, 0, 1), mode="replicate"),
        kernel.expand(channels, 1, -1, -1, -1),
        stride=factor,
        padding=factor - 1,
        groups=channels,
    )
    return made[..., :-1, :-1, :-1]


def class_counts(data: Dataset, rows: Sequence[int]) -> list[int]:
    return []


def loss(data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
    """With squares 1 is no better than interpolation. Each patch counts alike."""
    measure = torch.square if hyper.criterion == "mse" else torch.abs

    def of_patches(answer: Tensor, targets: Tensor) -> Tensor:
        base, truth, counts = targets.split((COMPONENTS, COMPONENTS, 1), 1)
        return (measure(base + SHARE * answer - truth) * counts).sum() / len(answer)

    return of_patches


def evaluate(
    predictor: Predictor,
    data: Dataset,
    rows: Sequence[int],
    rule: Normalisation,
    hyper: Hyper,
    on_step: OnStep,
    on_answer: OnAnswer | None = None,
) -> Evaluation:
    """`loss`: mean over flows of the squared error as a share of what the answer is added to leaves."""
    told = list(judged(predictor, data, rows, on_step))
    values: Metrics = {"loss": mean([(one["network"].rmse / one["weighted"].rmse) ** 2 for one in told])}
    values["rmse"] = mean([one["network"].rmse for one in told])
    for method in INTERPOLATIONS:
        values[f"rmse{method.capitalize()}"] = mean([one[method].rmse for one in told])
    return Evaluation(values, [], None)


def judged(
    predictor: Predictor, data: Dataset, rows: Sequence[int], on_step: OnStep
) -> Iterator[dict[str, Scores]]:
    """Of each flow, how the network does and how interpolation."""
    for done, row in enumerate(rows):
        on_step(done)
        pair = data.store[row]
        magnitude = pair.magnitude / blood(pair.magnitude, pair.holds)
        given = torch.from_numpy(packed(pair.velocity, magnitude))[None]
        weighted = interpolated(given, data.factor)
        if row not in data.plain:
            # Zero outside of vessels: nothing else makes these as good.
            held = pair.velocity * pair.holds
            plain = refined(held, data.factor), weighted[0].numpy(), refined(held, data.factor, 3)
            data.plain[row] = {
                name: scored(pair, one) for name, one in zip(INTERPOLATIONS, plain, strict=True)
            }
        found = weighted + SHARE * predictor.predict_maps(given, data.factor)
        yield {"network": scored(pair, found[0].numpy()), **data.plain[row]}


def scored(pair: Pair, found: Values) -> Scores:
    """How near velocity (3, Z, Y, X) comes to the truth of the flow."""
    near, true = (one[:, pair.fluid].astype(np.float64) * pair.venc for one in (found, pair.truth))
    speeds, wanted = (np.sqrt(np.square(one).sum(0)) for one in (near, true))
    rmse = float(np.sqrt(np.square(near - true).sum(0).mean()))
    fast = wanted > 0.1 * wanted.max()
    cosine = (near * true).sum(0)[fast] / np.maximum(speeds[fast] * wanted[fast], 1e-12)
    return Scores(
        rmse=rmse,
        vnrmse=rmse / float(wanted.max()),
        speedError=float((np.abs(speeds - wanted)[fast] / wanted[fast]).mean()),
        angle=float(np.degrees(np.arccos(cosine.clip(-1, 1))).mean()),
    )


def deploy(network: Network, rule: Normalisation) -> Deployed:
    """The finer velocity itself: interpolation and what the network adds."""
    factor = factor_of(network.plan)
    about = {"axis": 1, "components": ["x", "y", "z"], "unit": "share of VENC", "factor": factor}
    return Deployed(Sharpening(network, factor), {"velocity_fine": about}, PIXELS, (-1, 1))


class Sharpening(nn.Module):
    """Inputs as the plan has them to finer velocity."""

    def __init__(self, network: Network, factor: int) -> None:
        super().__init__()
        self.network = network
        self.factor = factor

    def forward(self, *inputs: Tensor) -> Tensor:
        by_name = dict(zip(self.network.plan.inputs, inputs, strict=True))
        given = torch.cat([by_name[name] for name in INPUTS], 1)
        return interpolated(given, self.factor) + SHARE * self.network(*inputs)[0]
