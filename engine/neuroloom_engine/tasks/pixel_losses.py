"""Losses of restored images (batch, c, h, w) against the true ones, pixels in 0..1."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .fidelity import K1, K2, SIDE, gaussian
from .losses import Loss

# Lai et al. 2017: a square near nothing, a straight line from there.
CHARBONNIER = 1e-3
# Zhao et al. 2017.
SSIM_SHARE = 0.84

NAMES = ("l1", "charbonnier", "mse", "l1_ssim")


def pixel_loss(name: str) -> Loss:
    by_name: dict[str, Loss] = {
        "l1": F.l1_loss,
        "charbonnier": charbonnier,
        "mse": F.mse_loss,
        "l1_ssim": l1_ssim,
    }
    return by_name[name]


def charbonnier(found: Tensor, truth: Tensor) -> Tensor:
    return ((found - truth) ** 2 + CHARBONNIER**2).sqrt().mean()


def l1_ssim(found: Tensor, truth: Tensor) -> Tensor:
    """Of crops too small for the window the differences alone."""
    differences = F.l1_loss(found, truth)
    if min(truth.shape[2:]) < SIDE:
        return differences
    return (1 - SSIM_SHARE) * differences + SSIM_SHARE * (1 - structure(found, truth))


def structure(found: Tensor, truth: Tensor) -> Tensor:
    """SSIM as in `fidelity`, each channel by itself, of a range of 1."""
    line = torch.from_numpy(gaussian()).to(truth)
    x, y = (image.flatten(0, 1).unsqueeze(1) for image in (found, truth))

    def blurred(image: Tensor) -> Tensor:
        return F.conv2d(F.conv2d(image, line.view(1, 1, -1, 1)), line.view(1, 1, 1, -1))

    mean_x, mean_y = blurred(x), blurred(y)
    var_x, var_y = blurred(x * x) - mean_x**2, blurred(y * y) - mean_y**2
    both = blurred(x * y) - mean_x * mean_y
    c1, c2 = K1**2, K2**2
    top = (2 * mean_x * mean_y + c1) * (2 * both + c2)
    return (top / ((mean_x**2 + mean_y**2 + c1) * (var_x + var_y + c2))).mean()
