"""Restoration: an image comes out, compared with the true one; what super-resolution and denoising share.

The same functions as every task, see `task.py`, as methods of one object for each of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from ..control import Control
from ..data.bicubic import enlarge
from ..data.chunks import same_size_chunks
from ..data.loading import BadItem, Job, Store, fill
from ..data.normalise import Moments, Normalisation, Normalise
from ..data.pairs import Levels, Pair, as_levels, as_tensor, crop, decode, in_unit, moments_of, peak_of
from ..data.strip import DrawnWhole
from ..data.strip import draw as draw_strip
from ..deployed import Deployed
from ..failures import RunFailure
from ..network import Network
from ..predict import Predictor
from ..spec import Hyper, Item, Manifest, NetworkSpec
from .fidelity import compare
from .losses import Loss
from .pixel_losses import NAMES, pixel_loss
from .restoration_results import Results
from .result import Evaluation, ItemResult, OnAnswer, OnStep, Table, Values
from .scores import mean

# Deep files rarely fill their range: 12 bits in 16 spread by 0.01 and less.
LEAST_SPREAD = 1e-3
PIXELS = "pixel / 255, of files with 16 bits pixel / 65535; colour order RGB"


@dataclass(frozen=True)
class Dataset:
    store: Store[Pair]
    sizes: list[tuple[int, int]]
    moments: list[Moments]
    factor: int
    # What needs no network, measured once for each row.
    baselines: dict[int, Values] = field(default_factory=dict)

    @property
    def items(self) -> list[Item]:
        return self.store.items


@dataclass(frozen=True)
class Restoration:
    """`baseline` begins the names of the values of what needs no network.

    With `is_added` the network says what bicubic enlargement lacks, in shares of the training images' spread;
    else it gives the image itself, normalised as what it was given.
    """

    NETWORK_TASK: str
    baseline: str
    is_added: bool
    SELECTS: str = "psnr"
    AXES: int = 2
    CRITERIA: tuple[str, ...] = NAMES
    IS_JOINT: bool = False

    def outputs(self, hyper: Hyper, manifest: Manifest) -> int:
        return manifest.channels

    def load(
        self, spec: NetworkSpec, manifest: Manifest, items: Sequence[Item], control: Control
    ) -> tuple[Dataset, list[BadItem]]:
        """Decodes the pairs; a network for another factor than theirs ends the run."""
        main = spec.plan.heads.get("main") or next(iter(spec.plan.heads.values()))
        own = next(node.type.size for node in spec.plan.nodes if node.id == main.source)
        size = next(iter(spec.plan.inputs.values())).size
        if own != tuple(side * manifest.factor for side in size):
            reason = f"outputs: {'x'.join(map(str, own))} is not {manifest.factor} times the image"
            raise RunFailure("plan_invalid", {"reason": reason})
        sizes: list[tuple[int, int]] = []
        moments: list[Moments] = []

        def look(item: Item, pair: Pair) -> None:
            height, width, _ = pair.given.shape
            sizes.append((height, width))
            moments.append(moments_of(pair.given))

        job = Job(
            lambda item: decode(spec, manifest, item),
            lambda pair: pair.given.nbytes + pair.truth.nbytes,
            look,
        )
        store, bad = fill(spec, items, job, control)
        return Dataset(store, sizes, moments, manifest.factor), bad

    def normalisation(self, data: Dataset, rows: Sequence[int]) -> Normalisation:
        """By the training part's given images: each channel by its own mean, all by one spread."""
        joined = Moments.joined([data.moments[row] for row in rows])
        means = joined.total / joined.count
        spread = float(np.sqrt(np.maximum(joined.squares / joined.count - means**2, 0).mean()))
        return Normalisation("data", tuple(means.tolist()), (max(LEAST_SPREAD, spread),) * len(means))

    def batch(
        self,
        data: Dataset,
        rows: Sequence[int],
        rule: Normalisation,
        hyper: Hyper,
        rng: np.random.Generator | None,
    ) -> tuple[Tensor, Tensor]:
        """Random crops: `hyper.image_size` of the given images, and what belongs to them of the true ones.

        Normalised images (batch, c, h, w); targets (batch, 2c, H, W): what the network's answer is added to,
        and the truth, in 0..1.
        """
        assert rng is not None
        crops = [crop(data.store[row], data.factor, hyper, rng) for row in rows]
        given, truth = as_tensor([pair.given for pair in crops]), as_tensor([pair.truth for pair in crops])
        return Normalise(rule)(given), torch.cat([self.base(given, data.factor, rule), truth], 1)

    def base(self, given: Tensor, factor: int, rule: Normalisation) -> Tensor:
        """What the scaled answer of the network is added to, as large as the truth."""
        if self.is_added:
            return enlarge(given, factor)
        means = torch.tensor(rule.mean).view(1, -1, 1, 1).to(given)
        batch, _, height, width = given.shape
        return means.expand(batch, -1, height * factor, width * factor)

    def class_counts(self, data: Dataset, rows: Sequence[int]) -> list[int]:
        return []

    def loss(self, data: Dataset, rows: Sequence[int], hyper: Hyper) -> Loss:
        measure, spread = pixel_loss(hyper.criterion), self.normalisation(data, rows).std[0]

        def of_image(answer: Tensor, targets: Tensor) -> Tensor:
            base, truth = targets.chunk(2, 1)
            return measure(base + spread * answer, truth)

        return of_image

    def evaluate(
        self,
        predictor: Predictor,
        data: Dataset,
        rows: Sequence[int],
        rule: Normalisation,
        hyper: Hyper,
        on_step: OnStep,
        on_answer: OnAnswer | None = None,
    ) -> Evaluation:
        """Restores whole images; `on_answer` gets each as it is stored: (h, w, c) of the truth's type."""
        measure = pixel_loss(hyper.criterion)
        losses: list[float] = []
        found: dict[int, ItemResult] = {}
        for part in same_size_chunks(data.sizes, rows, hyper.batch_size * int(np.prod(hyper.image_size))):
            on_step(len(found))
            pairs = [data.store[row] for row in part]
            given, truth = (
                as_tensor([pair.given for pair in pairs]),
                as_tensor([pair.truth for pair in pairs]),
            )
            base = self.base(given, data.factor, rule)
            images = base + rule.std[0] * predictor.predict_maps(Normalise(rule)(given), data.factor)
            losses.append(float(measure(images, truth)) * len(part))
            for row, pair, image in zip(part, pairs, images, strict=True):
                answer = as_levels(image, pair.truth.dtype)
                found[row] = self.describe(data, row, pair, answer)
                if on_answer is not None:
                    on_answer(row, answer)
        items = [found[row] for row in rows]
        values: Values = {"loss": sum(losses) / len(rows), "psnr": mean([item.score for item in items])}
        names = items[0].values
        return Evaluation(
            values | {name: mean([item.values[name] for item in items]) for name in names}, [], None, items
        )

    def describe(self, data: Dataset, row: int, pair: Pair, answer: Levels) -> ItemResult:
        item, border, peak = data.items[row], data.factor if data.factor > 1 else 0, peak_of(pair.truth)
        reached = compare(in_unit(answer), in_unit(pair.truth), border, peak)
        if row not in data.baselines:
            plain = as_levels(enlarge(as_tensor([pair.given]), data.factor)[0], pair.truth.dtype)
            data.baselines[row] = compare(in_unit(plain), in_unit(pair.truth), border, peak)
        before = data.baselines[row]
        values: Values = {"ssim": reached["ssim"]}
        values |= {f"{self.baseline}Psnr": before["psnr"], f"{self.baseline}Ssim": before["ssim"]}
        return ItemResult(item.id, item.name, None, [], reached["psnr"], values)

    def report(self, evaluation: Evaluation, data: Dataset) -> Table:
        """Header and rows of `predictions.csv`."""
        names = [name for name in evaluation.values if name not in ("loss", "psnr")]
        rows = [[item.name, item.score, *(item.values[name] for name in names)] for item in evaluation.items]
        return [["name", "psnr", *names], *rows]

    def deploy(self, network: Network, rule: Normalisation) -> Deployed:
        """The restored image in 0..1, larger by the network's factor."""
        main = next(iter(network.heads.values()))
        size = next(node.type.size for node in network.plan.nodes if node.id == main.source)
        factor = size[0] // network.input_type.size[0]
        about = {"axis": 1, "range": [0, 1], "factor": factor}
        return Deployed(Restoring(self, network, rule, factor), {"restored": about}, PIXELS)

    def draw(
        self, path: Path, data: Dataset, row: int, answer: Levels, is_whole: bool = False
    ) -> DrawnWhole | None:
        pair = data.store[row]
        return draw_strip(path, pair.given, answer, pair.truth, is_whole)

    def results(self, spec: NetworkSpec, manifest: Manifest, data: Dataset) -> Results:
        def draw(path: Path, row: int, answer: Levels, is_whole: bool) -> DrawnWhole | None:
            return self.draw(path, data, row, answer, is_whole)

        return Results(spec, data.items, self.baseline, draw)


class Restoring(nn.Module):
    """Raw pixels in 0..1 to the restored ones."""

    def __init__(self, task: Restoration, network: Network, rule: Normalisation, factor: int) -> None:
        super().__init__()
        self.task = task
        self.network = network
        self.rule = rule
        self.normalise = Normalise(rule)
        self.factor = factor

    def forward(self, image: Tensor) -> Tensor:
        answer = self.network(self.normalise(image))[0]
        base = self.task.base(image, self.factor, self.rule)
        return (base + self.rule.std[0] * answer).clamp(0, 1)
