"""Where a training run stands.

All that a checkpoint must hold so that going on equals never having stopped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import torch
from torch import Tensor

from .checkpoint import Checkpoint
from .data.normalise import Normalisation
from .network import Network
from .optim import optimizer_tensors, restore_optimizer
from .parallel import Gradients
from .tasks.result import Values

TensorMap = dict[str, Tensor]


@dataclass
class FoldResult:
    """`validation` chose the fold's best epoch and its `decision`.

    `test` is the fold's unseen side (k-fold only).
    """

    epoch: int
    score: float
    validation: Values
    test: Values
    # As in `Decision.to_json`; missing in checkpoints of before, None of tasks that name nothing.
    decision: dict[str, Any] | None = None


@dataclass
class Position:
    """`step` counts the finished steps of `epoch`.

    Equal to the epoch's steps, only its validation is open.
    """

    fold: int = 0
    epoch: int = 1
    step: int = 0
    loss_sum: float = 0.0
    seen: int = 0
    first_loss: float | None = None
    best: FoldResult | None = None
    waited: int = 0
    plateau_factor: float = 1.0
    plateau_waited: int = 0
    folds: list[FoldResult] = field(default_factory=list)
    kept_fold: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)

    def next_fold(self) -> None:
        """Back to the start of the next fold; what finished folds gave stays."""
        fresh = Position(fold=self.fold + 1, folds=self.folds, kept_fold=self.kept_fold)
        fresh.history = self.history
        for entry in fields(self):
            setattr(self, entry.name, getattr(fresh, entry.name))

    @staticmethod
    def from_json(raw: Mapping[str, Any]) -> Position:
        position = Position(**raw)
        position.best = None if raw["best"] is None else FoldResult(**raw["best"])
        position.folds = [FoldResult(**fold) for fold in raw["folds"]]
        return position


@dataclass(frozen=True)
class Model:
    """What is trained, and the rule by which its images are normalised."""

    network: Network
    optimizer: torch.optim.Optimizer
    gradients: Gradients
    rule: Normalisation


@dataclass
class Weights:
    """`best` of the running fold so far, and `kept` of the best finished fold."""

    best: TensorMap = field(default_factory=dict)
    kept: TensorMap = field(default_factory=dict)


def snapshot(network: Network) -> TensorMap:
    return {name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}


def restore(network: Network, tensors: Mapping[str, Tensor]) -> None:
    """Copies into the existing tensors, whose memory layout stays."""
    network.load_state_dict(dict(tensors), strict=True)


def to_checkpoint(
    position: Position, weights: Weights, model: Model, identity: Mapping[str, Any]
) -> Checkpoint:
    training = optimizer_tensors(model.optimizer, model.network)
    training["rng/cpu"] = torch.get_rng_state()
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        training["rng/cuda"] = torch.cuda.get_rng_state()
    tensors = {
        "weights": model.network.state_dict(),
        "twin": dict(model.gradients.twin.named_buffers()) if model.gradients.twin else {},
        "training": training,
        "best": weights.best,
        "kept": weights.kept,
    }
    state = {
        "identity": dict(identity),
        "position": asdict(position),
        "precision": model.gradients.precision.to_json(),
    }
    return Checkpoint(state, tensors)


def from_checkpoint(checkpoint: Checkpoint, model: Model) -> None:
    """Everything but position and best weights, which are read before the network can be built."""
    restore(model.network, checkpoint.tensors["weights"])
    if model.gradients.twin is not None:
        model.gradients.twin.load_state_dict(dict(checkpoint.tensors["twin"]), strict=False)
    training = dict(checkpoint.tensors["training"])
    torch.set_rng_state(training.pop("rng/cpu"))
    cuda = training.pop("rng/cuda", None)
    if cuda is not None and torch.cuda.is_available():
        torch.cuda.set_rng_state(cuda)
    restore_optimizer(model.optimizer, model.network, training)
    # Checkpoints of before know none
    model.gradients.precision.from_json(checkpoint.state.get("precision", {}))
