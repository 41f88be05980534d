"""How unsure a network is of what it says of one image, by class, to choose what is worth labelling next.

Predictive entropy (Shannon 1948), divided by that of equal chances: 0 is sure, 1 knows nothing. By class,
because the whole of an image drowns a rare one (as in ClaSP PE, Lüth et al. 2026).
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

Floats = NDArray[np.float64]


def of_places(logits: Tensor, named: NDArray[np.uint8]) -> list[float]:
    """Of (classes, …) maps: mean over the places that are named as each class, 0 where none is."""
    classes = logits.shape[0]
    logs = logits.float().log_softmax(0)
    entropy = -(logs.exp() * logs).sum(0).div_(float(np.log(max(2, classes)))).reshape(-1)
    at = torch.from_numpy(named.reshape(-1)).long()
    sums = torch.zeros(classes).index_add_(0, at, entropy)
    return rounded((sums / torch.bincount(at, minlength=classes).clamp(min=1)).tolist())


def of_class(probabilities: Floats) -> list[float]:
    """Of an image that is one of several classes: all of it under the likeliest one."""
    sure = probabilities.clip(1e-12)
    entropy = float(-(sure * np.log(sure)).sum() / np.log(max(2, len(sure))))
    return rounded([entropy if index == int(sure.argmax()) else 0.0 for index in range(len(sure))])


def of_labels(probabilities: Floats) -> list[float]:
    """Of an image with any number of labels: each is a question of its own."""
    return [of_two(one) for one in probabilities.tolist()]


def of_boxes(classes: NDArray[np.int64], scores: NDArray[np.float32], count: int) -> list[float]:
    """Of each class the box that is doubted most, by its score against not being there."""
    doubts = [0.0] * count
    for index, score in zip(classes.tolist(), scores.tolist(), strict=True):
        doubts[index] = max(doubts[index], of_two(score))
    return doubts


def of_two(probability: float) -> float:
    return max(of_class(np.array([probability, 1 - probability])))


def rounded(values: list[float]) -> list[float]:
    return [round(value, 6) for value in values]
