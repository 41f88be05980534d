"""A generated network with its weights: from a file to the answer that the product gives.

No program by itself: these parts follow a network's own code (`contract/src/network/code/program.ts`), which
has `Net`, `load_weights`, and how an answer is found and saved (`FIND`, `SAVE`, `ANSWER`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from network import ANSWER, FIND, SAVE, Net, load_weights
from pictures import Array, Facts, Run, as_trained, restore_picture
from torch import Tensor

# Of the heads' tensors, the main one first, of the raw and of the normalised picture (1, c, …).
Answer = Callable[[list[Tensor], Tensor, Facts], list[Tensor]]

SMOOTH = {1: "linear", 2: "bilinear", 3: "trilinear"}
# What detectors say is measured from these: the logit of 0.01, and sizes in cells or strides.
PRIOR, CELLS, STRIDES, UNIT, MOST_LOG = -4.595, 4.0, 2.0, 8.0, 5.0


class Trained:
    """The network as it was trained, with all that its training noted beside the weights.

    `predict` takes a file. `run` takes what a file has been prepared to, for those who prepare it themselves.
    """

    def __init__(self, weights: str | Path, device: str = "cpu") -> None:
        self.net = Net()
        self.facts = load_weights(self.net, weights)
        if "outputs" not in self.facts:
            raise ValueError(f"{weights} does not say how files are prepared: train the network again")
        self.net.eval().to(device)
        self.device = device

    def predict(self, path: str | Path) -> Any:
        return as_trained(self.find, self.facts, Path(path))

    def find(self, prepared: Path) -> Any:
        return FIND(self.run, self.facts, prepared)

    @torch.no_grad()
    def run(self, planes: Array) -> list[Array]:
        image = torch.from_numpy(planes.copy())[None].to(self.device)
        heads = self.net(normalised(image, self.facts["normalisation"]))
        named = heads if isinstance(heads, dict) else {name: heads for name in self.facts["heads"]}
        ordered = [named[name].float() for name in self.facts["heads"]]
        return [one[0].cpu().numpy() for one in ANSWER(ordered, image, self.facts)]


def normalised(image: Tensor, rule: Facts) -> Tensor:
    """By the training's mean and deviation; a picture by its own draws its far values in besides."""
    if rule["kind"] == "image":
        return image.sign() * image.abs().log1p()
    if rule["kind"] == "volume":
        return image
    mean, deviation = (torch.tensor(rule[name]).view(1, -1, 1, 1).to(image) for name in ("mean", "std"))
    return (image - mean) / deviation


def probabilities(heads: list[Tensor], image: Tensor, facts: Facts) -> list[Tensor]:
    """Of classes that exclude each other, or of labels each by itself."""
    logits = heads[0].double()
    return [logits.sigmoid() if facts["task"] == "multilabel" else logits.softmax(1)]


def class_maps(heads: list[Tensor], image: Tensor, facts: Facts) -> list[Tensor]:
    """A number for each class and pixel; the largest is the likeliest."""
    return [full_size(heads[0], image, 1)]


def residual(heads: list[Tensor], image: Tensor, facts: Facts) -> list[Tensor]:
    """What the network adds to the enlarged picture, or to the training's mean."""
    rule = facts["normalisation"]
    found = rule["std"][0] * full_size(heads[0], image, facts["outputs"][0]["factor"])
    if facts["task"] == "super_resolution":
        return [found]
    return [torch.tensor(rule["mean"]).view(1, -1, 1, 1).to(found) + found]


def improve(run: Run, facts: Facts, path: Path) -> Array:
    """The restored picture (h, w, c)."""
    is_added = facts["task"] == "super_resolution"
    return restore_picture(run, facts, path, enlarged_planes if is_added else None)


def enlarged_planes(planes: Array, factor: int) -> Array:
    return enlarged(torch.from_numpy(planes.copy())[None], factor)[0].numpy()


def full_size(answer: Tensor, image: Tensor, factor: int) -> Tensor:
    """Some networks answer at a part of the size."""
    wanted = [side * factor for side in image.shape[2:]]
    if list(answer.shape[2:]) == wanted:
        return answer
    return F.interpolate(answer, size=wanted, mode=SMOOTH[len(wanted)], align_corners=False)


def enlarged(images: Tensor, factor: int) -> Tensor:
    """Bicubic (Keys 1981, a = -0.5) as in Pillow: beyond the border are no pixels."""
    offset = (torch.arange(factor, dtype=torch.float64) + 0.5) / factor - 0.5
    distance = (torch.arange(-2, 3) - offset.view(-1, 1)).abs()
    near = 1.5 * distance**3 - 2.5 * distance**2 + 1
    far = -0.5 * (distance**3 - 5 * distance**2 + 8 * distance - 4)
    kernel = torch.where(distance <= 1, near, far * (distance < 2)).to(images).view(factor, 1, 1, 5)

    def along_width(lines: Tensor) -> Tensor:
        there = F.conv2d(torch.ones_like(lines[:1, :, :1]), kernel, padding=(0, 2))
        found = F.conv2d(lines, kernel, padding=(0, 2)) / there
        return found.permute(0, 2, 3, 1).reshape(-1, 1, lines.shape[2], lines.shape[3] * factor)

    wide = along_width(images.reshape(-1, 1, *images.shape[2:]))
    tall = along_width(wide.transpose(2, 3)).transpose(2, 3)
    return tall.reshape(*images.shape[:2], *tall.shape[2:])


def boxes_and_scores(heads: list[Tensor], image: Tensor, facts: Facts) -> list[Tensor]:
    """Boxes (1, cells, 4) in pixels of what the network sees and scores (1, cells, classes)."""
    layout = facts["outputs"][0]["layout"]
    levels = [
        {port: heads[index] for port, index in ports.items()} | {"stride": stride}
        for stride, ports in zip(layout["strides"], layout["ports"], strict=True)
    ]
    pairs = [DECODERS[layout["style"]](level, *cell_middles(level)) for level in levels]
    return [torch.cat([pair[index] for pair in pairs], 1) for index in (0, 1)]


def cell_middles(level: Facts) -> tuple[Tensor, float]:
    """Middles of a level's cells (cells, 2) as x, y in pixels, and how far they are apart."""
    first, stride = next(iter(level.values())), level["stride"]
    y, x = ((torch.arange(side, device=first.device) + 0.5) * stride for side in first.shape[2:])
    return torch.stack([x.expand(len(y), -1), y[:, None].expand(-1, len(x))], -1).reshape(-1, 2), stride


def in_rows(answer: Tensor) -> Tensor:
    """(1, channels, h, w) to (1, cells, channels)."""
    return answer.flatten(2).transpose(1, 2)


def yolo_boxes(level: Facts, points: Tensor, stride: float) -> tuple[Tensor, Tensor]:
    """The anchor-free way (Ge et al. 2021)."""
    raw = in_rows(level["box"])
    middle = points + raw[..., :2] * stride
    half = raw[..., 2:].clamp(max=MOST_LOG).exp() * (CELLS / 2) * stride
    there = (in_rows(level["obj"]) + PRIOR).sigmoid()
    return torch.cat([middle - half, middle + half], -1), in_rows(level["cls"]).sigmoid() * there


def fcos_boxes(level: Facts, points: Tensor, stride: float) -> tuple[Tensor, Tensor]:
    """Distances to the four sides (Tian et al. 2019)."""
    sides = in_rows(level["box"]).clamp(max=MOST_LOG).exp() * STRIDES * stride
    scores = ((in_rows(level["cls"]) + PRIOR).sigmoid() * in_rows(level["ctr"]).sigmoid()).sqrt()
    return torch.cat([points - sides[..., :2], points + sides[..., 2:]], -1), scores


def centernet_boxes(level: Facts, points: Tensor, stride: float) -> tuple[Tensor, Tensor]:
    """Peaks of a map, and the size at each (Zhou et al. 2019)."""
    middle = points + (in_rows(level["offset"]) - 0.5) * stride
    half = in_rows(level["size"]).clamp(min=0) * (UNIT / 2) * stride
    heat = (level["heat"] + PRIOR).sigmoid()
    scores = in_rows(heat * (F.max_pool2d(heat, 3, 1, 1) == heat))
    return torch.cat([middle - half, middle + half], -1), scores


DECODERS = {"anchor-free": yolo_boxes, "fcos": fcos_boxes, "centernet": centernet_boxes}


def main(arguments: list[str]) -> int:
    """Answers to files go into the folder that one stands in; 1 where not all were found."""
    try:
        trained = Trained(arguments[0])
    except (OSError, ValueError) as error:
        print(error)
        return 1
    failed = 0
    for path in map(Path, arguments[1:]):
        try:
            said = as_trained(lambda prepared: answered(trained, prepared), trained.facts, path)
        except (OSError, ValueError) as error:
            print(f"{path}: cannot be read ({error})")
            failed = 1
            continue
        print(f"{path}: {said}")
    return failed


def answered(trained: Trained, prepared: Path) -> str:
    return SAVE(trained.find(prepared), trained.facts, prepared, Path())
