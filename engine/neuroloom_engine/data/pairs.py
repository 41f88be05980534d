"""Pairs of images for restoration: the given and the true one, as large or larger by a whole factor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ..spec import Hyper, Item, Manifest, NetworkSpec
from . import augment
from .images import BadFile, Picture, as_uint8, read_picture
from .normalise import Moments

Levels = NDArray[Any]  # (h, w, c) of uint8 or uint16


@dataclass(frozen=True)
class Pair:
    given: Levels
    truth: Levels


def decode(spec: NetworkSpec, manifest: Manifest, item: Item) -> Pair:
    if item.label is None:
        raise BadFile("pair")
    given, truth = (
        levels_of(read_picture(spec.data_root / path), manifest.channels) for path in (item.image, item.label)
    )
    wanted = tuple(side * manifest.factor for side in given.shape[:2])
    # Eight bits against sixteen: nobody could say which value of one is which of the other.
    if truth.shape[:2] != wanted or truth.dtype != given.dtype:
        raise BadFile("pair")
    return Pair(given, truth)


def levels_of(picture: Picture, channels: int) -> Levels:
    """(h, w, channels) with the file's own values: a stretch would tear the two of a pair apart."""
    if picture.bits == 32:
        raise BadFile("unsupported_mode")
    if picture.pixels.dtype == np.uint8:
        return as_uint8(picture, channels)
    return np.repeat(picture.pixels[..., None], channels, axis=2)


def moments_of(pixels: Levels) -> Moments:
    flat = in_unit(pixels).reshape(-1, pixels.shape[2])
    return Moments(len(flat), flat.sum(0, dtype=np.float64), (flat**2).sum(0, dtype=np.float64))


def crop(pair: Pair, factor: int, hyper: Hyper, rng: np.random.Generator) -> Pair:
    """The same place and pose of both; images smaller than the crop are mirrored at their border."""
    size = hyper.image_size
    height, width = (min(want, have) for want, have in zip(size, pair.given.shape[:2], strict=True))
    top = int(rng.integers(pair.given.shape[0] - height + 1))
    left = int(rng.integers(pair.given.shape[1] - width + 1))
    pose = augment.choose_pose(hyper, rng)

    def of(pixels: Levels, times: int) -> Levels:
        part = augment.cut(pixels, augment.Window(*(times * side for side in (top, left, height, width))))
        missing = [(0, times * (want - have)) for want, have in zip(size, (height, width), strict=True)]
        # With the last pixel itself, unlike reflection: so both of a pair are mirrored at the same line.
        whole = np.pad(part, [*missing, (0, 0)], mode="symmetric")
        return augment.posed(whole, pose, (times * size[0], times * size[1]))

    return Pair(of(pair.given, 1), of(pair.truth, factor))


def top_of(kind: Any) -> int:
    return int(np.iinfo(kind).max)


def in_unit(pixels: Levels) -> NDArray[np.float32]:
    return pixels.astype(np.float32) / np.float32(top_of(pixels.dtype))


def as_tensor(images: Sequence[Levels]) -> Tensor:
    """(batch, c, h, w) in 0..1."""
    return torch.from_numpy(np.stack([in_unit(pixels) for pixels in images])).permute(0, 3, 1, 2)


def as_levels(image: Tensor, kind: Any) -> Levels:
    """(c, h, w) in about 0..1 to (h, w, c) as it would be stored."""
    top = top_of(kind)
    return (image.clamp(0, 1) * top).round().permute(1, 2, 0).contiguous().numpy().astype(kind)


def peak_of(truth: Levels) -> float:
    """Of 8 bits the whole range, as in papers; deeper files hold what they hold."""
    if truth.dtype == np.uint8:
        return 1.0
    return max(1, int(truth.max()) - int(truth.min())) / top_of(truth.dtype)
