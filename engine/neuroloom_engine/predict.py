"""Runs a network on images without training it.

Eval mode, no gradients, padding and tiles where sizes ask for it.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from .failures import is_out_of_memory
from .network import Network

# Above this a picture is predicted in overlapping tiles, so that memory stays bounded.
MAX_TILE_PIXELS = 1536 * 1536
TILE = 1024
OVERLAP = 128


class Predictor:
    """The main head of a network in eval mode; use as a context, which puts the training mode back."""

    def __init__(self, network: Network, device: torch.device) -> None:
        self.network = network
        self.device = device
        self._is_size_free = network.is_size_free

    def __enter__(self) -> Predictor:
        self.network.eval()
        return self

    def __exit__(self, *error: object) -> None:
        self.network.train()

    def __call__(self, images: Tensor) -> Tensor:
        with torch.inference_mode():
            return self.network(images.to(self.device))[0].float().cpu()

    def predict_maps(self, images: Tensor) -> Tensor:
        """Logits (batch, class, h, w) at the images' own size, whatever the network's needs."""
        if self._is_size_free:
            try:
                return self._whole(images)
            except RuntimeError as error:
                if is_out_of_memory(error):
                    raise
                # A drawn network may join its maps at certain sizes alone; the plan's own is sure to be one.
                self._is_size_free = False
        height, width = self.network.input_type.size
        return self._tiled(images, (height, width), (height // 4, width // 4))

    def _whole(self, images: Tensor) -> Tensor:
        height, width = images.shape[2:]
        if height * width > MAX_TILE_PIXELS:
            return self._tiled(images, (TILE, TILE), (OVERLAP, OVERLAP))
        multiple = self.network.size_multiple
        padded = pad_to(images, -(-height // multiple) * multiple, -(-width // multiple) * multiple)
        return self._full_size(padded)[:, :, :height, :width]

    def _full_size(self, images: Tensor) -> Tensor:
        """Some networks answer at a part of the size."""
        logits = self(images)
        if logits.shape[2:] == images.shape[2:]:
            return logits
        return F.interpolate(logits, size=images.shape[2:], mode="bilinear", align_corners=False)

    def _tiled(self, images: Tensor, tile: tuple[int, int], overlap: tuple[int, int]) -> Tensor:
        """Overlapping tiles, of which each pixel takes the one whose middle is nearest."""
        height, width = images.shape[2:]
        images = pad_to(images, max(height, tile[0]), max(width, tile[1]))
        rows, columns = (
            starts(images.shape[2], tile[0], overlap[0]),
            starts(images.shape[3], tile[1], overlap[1]),
        )
        out: Tensor | None = None
        for top in rows:
            for left in columns:
                logits = self._full_size(images[:, :, top : top + tile[0], left : left + tile[1]])
                if out is None:
                    out = logits.new_empty(len(images), logits.shape[1], *images.shape[2:])
                # Half of the overlap belongs to the tile before, except at the border.
                skip_y, skip_x = (overlap[0] // 2 if top else 0), (overlap[1] // 2 if left else 0)
                out[:, :, top + skip_y : top + tile[0], left + skip_x : left + tile[1]] = logits[
                    :, :, skip_y:, skip_x:
                ]
        assert out is not None
        return out[:, :, :height, :width]


def starts(length: int, tile: int, overlap: int) -> list[int]:
    step = tile - overlap
    return [*range(0, max(1, length - tile), step), length - tile] if length > tile else [0]


def pad_to(images: Tensor, height: int, width: int) -> Tensor:
    """Adds rows below and columns to the right by reflection, as far as an image can be reflected."""
    while images.shape[2] < height or images.shape[3] < width:
        down = min(height - images.shape[2], max(1, images.shape[2] - 1))
        right = min(width - images.shape[3], max(1, images.shape[3] - 1))
        mode = "reflect" if min(images.shape[2:]) > 1 else "replicate"
        images = F.pad(images, (0, right, 0, down), mode=mode)
    return images
