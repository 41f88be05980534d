"""A bare PyTorch loop over a run folder with the engine's tuned settings, to hold the engine against.

`PYTHONPATH=engine python bench/training/plain_loop.py <run folder> [epochs]` prints
`{"train": [...], "validation": [...]}` in seconds per epoch. The network is the engine's; decoding, batches,
losses, optimiser and loop are written as a user would: decoded uint8 cache, channels-last, set threads,
cheap augmentation in tensors, no events, no checkpoints.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor

from neuroloom_engine.data.split import split
from neuroloom_engine.network import build_network
from neuroloom_engine.spec import Item, Manifest, NetworkSpec, read_manifest, read_spec

Sample = tuple[Tensor, Tensor]


def main(folder: Path, epochs: int) -> None:
    spec = read_spec(folder)
    assert isinstance(spec, NetworkSpec)
    torch.set_num_threads(spec.device.threads)
    torch.set_flush_denormal(True)
    manifest = read_manifest(spec.manifest_path)
    (parts, *_) = split(manifest.items, spec.validation)
    train_set = [decode(spec, manifest, manifest.items[index]) for index in parts.train]
    validation_set = [decode(spec, manifest, manifest.items[index]) for index in parts.validation]

    network = build_network(spec.plan, spec.task, spec.hyper.seed)
    optimizer = torch.optim.AdamW(network.parameters(), lr=spec.hyper.learning_rate, foreach=True)  # type: ignore[call-arg]
    steps = -(-len(train_set) // spec.hyper.batch_size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, spec.hyper.learning_rate, total_steps=max(2, epochs) * steps
    )

    seconds: dict[str, list[float]] = {"train": [], "validation": []}
    for _ in range(epochs):
        started = time.perf_counter()
        network.train()
        for chosen in np.array_split(np.random.permutation(len(train_set)), steps):
            images, targets = make_batch(spec, [train_set[index] for index in chosen])
            loss = criterion(spec, network(images)[0], targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            loss.item()
        trained = time.perf_counter()
        network.eval()
        with torch.inference_mode():
            for start in range(0, len(validation_set), 1 if spec.task == "segmentation" else 64):
                pixels, targets = validation_batch(spec, validation_set[start : start + 64])
                (network(pixels)[0].argmax(1) == targets).sum().item()
        seconds["train"].append(trained - started)
        seconds["validation"].append(time.perf_counter() - trained)
    print(json.dumps(seconds))


def decode(spec: NetworkSpec, manifest: Manifest, item: Item) -> Sample:
    """uint8 (h, w, c) and a class, or a mask of class indices."""
    image = Image.open(spec.data_root / item.image).convert("RGB" if manifest.channels == 3 else "L")
    if item.label is None:
        image = image.resize(spec.hyper.image_size[::-1], Image.Resampling.BILINEAR)
        return torch.from_numpy(np.array(image)).reshape(*spec.hyper.image_size, -1), torch.tensor(
            item.class_index
        )
    values = np.array(Image.open(spec.data_root / item.label))
    mask = np.zeros_like(values)
    for value, index in manifest.mask_values.items():
        mask[values == value] = index
    return torch.from_numpy(np.array(image)).reshape(*mask.shape, -1), torch.from_numpy(mask)


def make_batch(spec: NetworkSpec, samples: list[Sample]) -> Sample:
    if spec.task == "segmentation":
        samples = [crop_and_flip(sample, spec.hyper.image_size) for sample in samples]
    images, targets = to_tensors(samples)
    images = images * torch.empty(len(images), 1, 1, 1).uniform_(0.8, 1.25)
    if spec.task == "segmentation":
        return images, targets
    angle = torch.empty(len(images)).uniform_(-0.26, 0.26)
    flip = torch.randint(0, 2, (len(images),)) * 2.0 - 1
    zero = torch.zeros(len(images))
    rows = [flip * angle.cos(), -angle.sin(), zero, flip * angle.sin(), angle.cos(), zero]
    grid = F.affine_grid(torch.stack(rows, 1).view(-1, 2, 3), list(images.shape), align_corners=False)
    turned = F.grid_sample(images, grid, padding_mode="border", align_corners=False)
    return turned.contiguous(memory_format=torch.channels_last), targets


def crop_and_flip(sample: Sample, size: tuple[int, int]) -> Sample:
    pixels, mask = sample
    top = int(torch.randint(0, max(1, pixels.shape[0] - size[0] + 1), ()))
    left = int(torch.randint(0, max(1, pixels.shape[1] - size[1] + 1), ()))
    axes = [axis for axis in (0, 1) if torch.rand(()) < 0.5]
    pixels, mask = (part[top : top + size[0], left : left + size[1]].flip(axes) for part in (pixels, mask))
    return pixels, mask


def validation_batch(spec: NetworkSpec, samples: list[Sample]) -> Sample:
    """Segmentation images come one by one, since their sizes differ."""
    images, targets = to_tensors(samples[:1] if spec.task == "segmentation" else samples)
    height, width = images.shape[2:]
    return F.pad(images, (0, -width % 16, 0, -height % 16)), F.pad(
        targets, (0, -width % 16, 0, -height % 16)
    ) if (spec.task == "segmentation") else targets


def to_tensors(samples: list[Sample]) -> Sample:
    """Normalised images in channels-last layout and their targets."""
    images = torch.stack([pixels for pixels, _ in samples]).permute(0, 3, 1, 2).float()
    images = (images - images.mean((1, 2, 3), keepdim=True)) / (images.std((1, 2, 3), keepdim=True) + 1e-3)
    return images, torch.stack([target for _, target in samples]).long()


def criterion(spec: NetworkSpec, logits: Tensor, targets: Tensor) -> Tensor:
    loss = F.cross_entropy(logits, targets)
    if spec.task == "classification":
        return loss
    probabilities = logits.softmax(1)[:, 1]
    overlap = (probabilities * (targets == 1)).sum((1, 2))
    total = probabilities.sum((1, 2)) + (targets == 1).sum((1, 2))
    return loss + 1 - ((2 * overlap + 1) / (total + 1)).mean()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3)
