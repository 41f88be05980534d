"""Runs a network on images without training it.

Eval mode, no gradients, padding and tiles where sizes ask for it. On a processor a batch goes through as
two halves side by side, each on its own threads: small layers leave cores idle otherwise (measured on
2 cores, against one pass on both: U-Net 1.7, ResNet-18 1.2 times as fast).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import prod
from typing import Self

import torch
import torch.nn.functional as F
from torch import Tensor

from .failures import is_out_of_memory
from .network import Network

# By number of axes: above so many pixels of the answer a picture is predicted in overlapping tiles, so that
# memory stays bounded; side and overlap of a tile in those pixels.
MOST_AT_ONCE = {2: 1536**2, 3: 160**3}
TILE = {2: (1024, 128), 3: (128, 32)}
SMOOTH = {2: "bilinear", 3: "trilinear"}


Way = Callable[[Tensor], Sequence[Tensor]]


class Predictor:
    """The heads of a network in eval mode; use as a context, which puts the training mode back.

    `forward` stands for the network's own, where somebody looks on.
    """

    def __init__(self, network: Network, device: torch.device, forward: Way | None = None) -> None:
        self.network = network
        self.device = device
        self._forward = forward or network
        self._is_watched = forward is not None
        self._is_size_free = network.is_size_free
        self._halves: ThreadPoolExecutor | None = None

    def __enter__(self) -> Self:
        self.network.eval()
        threads = torch.get_num_threads()
        if self.device.type == "cpu" and threads > 1 and not self._is_watched:
            each = threads // 2
            self._halves = ThreadPoolExecutor(2, initializer=torch.set_num_threads, initargs=(each,))
        return self

    def __exit__(self, *error: object) -> None:
        if self._halves is not None:
            self._halves.shutdown()
            self._halves = None
        self.network.train()

    def __call__(self, images: Tensor) -> Tensor:
        """The main head's output."""
        return self.heads(images)[0]

    def heads(self, images: Tensor) -> list[Tensor]:
        """Every head's output, in the order of `Network.forward`."""
        images = images.to(self.device)
        if self._halves is None or len(images) < 2:
            return passed(self._way(images), images)
        parts = images.chunk(2)
        ways = [self._way(part) for part in parts]
        return [torch.cat(pair) for pair in zip(*self._halves.map(passed, ways, parts), strict=True)]

    def _way(self, images: Tensor) -> Way:
        """How images of this shape go through."""
        return self._forward

    def predict_maps(self, images: Tensor, factor: int = 1) -> Tensor:
        """The main head's maps of images (batch, c, …) with two or three axes, of whatever size.

        As (batch, channels, …), each axis `factor` times as long as the images'.
        """
        if self._is_size_free:
            try:
                return self._whole(images, factor)
            except RuntimeError as error:
                if is_out_of_memory(error):
                    raise
                # A drawn network may join its maps at certain sizes alone; the plan's own is sure to be one.
                self._is_size_free = False
        size = self.network.input_type.size
        return self._tiled(images, size, [side // 4 for side in size], factor)

    def _whole(self, images: Tensor, factor: int) -> Tensor:
        size = images.shape[2:]
        axes = len(size)
        multiple = self.network.size_multiple
        if prod(size) * factor**axes > MOST_AT_ONCE[axes]:
            side, overlap = (length // factor for length in TILE[axes])
            tile = [min(up_to(own, of), up_to(side, of)) for own, of in zip(size, multiple, strict=True)]
            return self._tiled(images, tile, [overlap] * axes, factor)
        wanted = [up_to(own, of) for own, of in zip(size, multiple, strict=True)]
        answer = self._full_size(pad_to(images, wanted), factor)
        return answer[(..., *(slice(side * factor) for side in size))]

    def _full_size(self, images: Tensor, factor: int) -> Tensor:
        """Some networks answer at a part of the size."""
        answer = self(images)
        wanted = [side * factor for side in images.shape[2:]]
        if list(answer.shape[2:]) == wanted:
            return answer
        return F.interpolate(answer, size=wanted, mode=SMOOTH[len(wanted)], align_corners=False)

    def _tiled(self, images: Tensor, tile: Sequence[int], overlap: Sequence[int], factor: int) -> Tensor:
        """Overlapping tiles, of which each pixel takes the one whose middle is nearest."""
        size = images.shape[2:]
        images = pad_to(images, [max(pair) for pair in zip(size, tile, strict=True)])
        places = [starts(*axis) for axis in zip(images.shape[2:], tile, overlap, strict=True)]
        out: Tensor | None = None
        for place in product(*places):
            window = [slice(start, start + side) for start, side in zip(place, tile, strict=True)]
            answer = self._full_size(images[(..., *window)], factor)
            if out is None:
                whole = [side * factor for side in images.shape[2:]]
                out = answer.new_empty(*answer.shape[:2], *whole)
            # Half of the overlap belongs to the tile before, except at the border.
            skips = [
                shared // 2 * factor if start else 0 for start, shared in zip(place, overlap, strict=True)
            ]
            target = [
                slice(part.start * factor + skip, part.stop * factor)
                for part, skip in zip(window, skips, strict=True)
            ]
            out[(..., *target)] = answer[(..., *(slice(skip, None) for skip in skips))]
        assert out is not None
        return out[(..., *(slice(side * factor) for side in size))]


def passed(way: Way, images: Tensor) -> list[Tensor]:
    with torch.inference_mode():
        return [output.float().cpu() for output in way(images)]


def up_to(length: int, multiple: int) -> int:
    return -(-length // multiple) * multiple


def starts(length: int, tile: int, overlap: int) -> list[int]:
    step = tile - overlap
    return [*range(0, max(1, length - tile), step), length - tile] if length > tile else [0]


def pad_to(images: Tensor, wanted: Sequence[int]) -> Tensor:
    """Adds pixels behind the last of each axis by reflection, as far as an image can be reflected."""
    while any(have < want for have, want in zip(images.shape[2:], wanted, strict=True)):
        missing = [
            min(want - have, max(1, have - 1)) for have, want in zip(images.shape[2:], wanted, strict=True)
        ]
        sides = [part for more in reversed(missing) for part in (0, more)]
        images = F.pad(images, sides, mode="reflect" if min(images.shape[2:]) > 1 else "replicate")
    return images
