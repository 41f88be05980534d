"""How near a restored image comes to the true one, on luminance, as papers report it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# An image that is equal to the last bit would be infinitely near.
MOST_PSNR = 100.0
# Wang, Bovik, Sheikh, Simoncelli 2004.
SIDE, SIGMA, K1, K2 = 11, 1.5, 0.01, 0.03


def luminance(pixels: NDArray[Any]) -> Floats:
    """(h, w, c) in 0..1 to (h, w): Y of ITU-R BT.601 in 16/255..235/255 of colours; grey stays as it is."""
    if pixels.shape[2] == 1:
        return pixels[..., 0].astype(np.float64)
    return (pixels.astype(np.float64) @ np.array([65.481, 128.553, 24.966]) + 16) / 255


def psnr(found: Floats, truth: Floats, peak: float) -> float:
    """In dB, of two (h, w) images; `peak` is the range that their values may have."""
    error = float(((found - truth) ** 2).mean())
    return min(MOST_PSNR, 10 * float(np.log10(peak**2 / error))) if error > 0 else MOST_PSNR


def ssim(found: Floats, truth: Floats, peak: float) -> float | None:
    """Mean over all places where the window fits; None where there is none."""
    if min(truth.shape) < SIDE:
        return None
    mean_x, mean_y = blurred(found), blurred(truth)
    var_x = blurred(found * found) - mean_x**2
    var_y = blurred(truth * truth) - mean_y**2
    both = blurred(found * truth) - mean_x * mean_y
    c1, c2 = (K1 * peak) ** 2, (K2 * peak) ** 2
    top = (2 * mean_x * mean_y + c1) * (2 * both + c2)
    return float((top / ((mean_x**2 + mean_y**2 + c1) * (var_x + var_y + c2))).mean())


def blurred(image: Floats) -> Floats:
    """By the Gaussian window, (h, w) to (h - 10, w - 10)."""
    height, width = (side - SIDE + 1 for side in image.shape)
    down = np.zeros((height, image.shape[1]))
    out = np.zeros((height, width))
    for place, weight in enumerate(gaussian()):
        down += weight * image[place : place + height]
    for place, weight in enumerate(gaussian()):
        out += weight * down[:, place : place + width]
    return out


def gaussian() -> Floats:
    places = np.arange(SIDE) - SIDE // 2
    weights = np.exp(-(places**2) / (2 * SIGMA**2))
    return weights / weights.sum()


def compare(found: NDArray[Any], truth: NDArray[Any], border: int, peak: float) -> dict[str, float | None]:
    """`psnr` and `ssim` of two images (h, w, c) in 0..1, their outer `border` pixels left out."""
    inner = [
        luminance(image[border : image.shape[0] - border, border : image.shape[1] - border])
        for image in (found, truth)
    ]
    return {"psnr": psnr(inner[0], inner[1], peak), "ssim": ssim(inner[0], inner[1], peak)}
