"""Lets a network begin with what an earlier training learned. Decides nothing about data or normalisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from . import export
from .failures import RunFailure
from .network import Network
from .spec import NetworkSpec


@dataclass(frozen=True)
class Taken:
    """How much was taken over, of all that can learn."""

    layers: int
    of_layers: int
    parameters: int
    of_parameters: int


def begin_with(spec: NetworkSpec, network: Network) -> Taken | None:
    """Takes the weights over that the run folder brings; None where the run begins from scratch.

    Raises `RunFailure("weights_unfit")` when no layer fits.
    """
    if spec.start is None:
        return None
    tensors, _ = export.load_weights(spec.folder / spec.start)
    taken = take_over(network, tensors, spec.start_names)
    if taken.layers == 0:
        raise RunFailure("weights_unfit")
    return taken


def take_over(network: Network, tensors: Mapping[str, Tensor], former: Mapping[str, str]) -> Taken:
    """Copies layer by layer: a layer is taken as a whole, when all its tensors agree in name and shape.

    A head for another number of classes therefore keeps its first weights. `former` maps a node's path to the
    path that it had in the earlier network. Memory layout and device of the network's own tensors stay.
    """
    own = network.state_dict()
    layers = [node for node in network.plan.nodes if node.learn > 0 and not node.share]
    taken: list[int] = []
    for node in layers:
        before = former.get(node.id, node.id)
        names = [name for name in own if name.startswith(f"{node.id}.")]
        pairs = [(own[name], tensors.get(before + name[len(node.id) :])) for name in names]
        if all(old is not None and old.shape == new.shape for new, old in pairs):
            with torch.no_grad():
                for new, old in pairs:
                    assert old is not None
                    new.copy_(old)
            taken.append(node.learn)
    return Taken(len(taken), len(layers), sum(taken), sum(node.learn for node in layers))
