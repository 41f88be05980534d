"""What every loop here has around it: its arguments, the parts of a run folder, its clock and its report.

`PYTHONPATH=engine python bench/peers/<loop>.py <run folder> --epochs 3 [--seed 7] [--seconds 600]
[--until 0.9]` prints `{"train": [...], "validation": [...], "scores": [...], "reached": 123.4,
"peakBytes": ...}`: seconds and the validation score of each epoch, seconds until the score `--until` (null
where it was not reached), and the most memory of the process with its largest loading worker. `--seconds`
ends it after the epoch then under way. The parts of the data are those of the engine, so that both learn
from the same pictures.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from neuroloom_engine.data.split import split
from neuroloom_engine.spec import Item, Manifest, NetworkSpec, read_manifest, read_spec


@dataclass(frozen=True)
class Work:
    spec: NetworkSpec
    manifest: Manifest
    train: list[Item]
    validation: list[Item]
    root: Path
    # Workers that load pictures, as many as a script started on this machine would take
    workers: int


class Pictures(Dataset[Any]):
    """A part's items; what is made of one stands in each loop."""

    def __init__(self, work: Work, part: str) -> None:
        self.work = work
        self.items = work.train if part == "train" else work.validation
        self.augment = part == "train"

    def __len__(self) -> int:
        return len(self.items)


def loaders(work: Work, pictures: type[Pictures]) -> tuple[DataLoader[Any], DataLoader[Any]]:
    """Batches of the run's size, shuffled for training, in order for validation."""
    batch = work.spec.hyper.batch_size
    return (
        DataLoader(pictures(work, "train"), batch, shuffle=True, num_workers=work.workers, drop_last=True),
        DataLoader(pictures(work, "validation"), batch, num_workers=work.workers),
    )


def epoch(
    batches: Iterable[Any],
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    measure: Callable[..., Tensor],
) -> None:
    """A step each batch; `measure` makes the loss of its inputs and its truth."""
    network.train()
    for given, truth in batches:
        loss = measure(given, truth)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        loss.item()


def run(
    prepare: Callable[[Work, argparse.Namespace], tuple[Callable[[], None], Callable[[], float]]],
) -> None:
    """`prepare` returns what an epoch of training does, and what validates and returns the score."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--until", type=float, default=float("inf"))
    options = parser.parse_args()
    cores = os.cpu_count() or 1
    torch.set_num_threads(cores)
    torch.manual_seed(options.seed)
    spec = read_spec(options.folder)
    assert isinstance(spec, NetworkSpec)
    manifest = read_manifest(spec.manifest_path)
    (parts, *_) = split(manifest.items, spec.validation)
    train, validation = ([manifest.items[row] for row in rows] for rows in (parts.train, parts.validation))
    train_epoch, validate = prepare(Work(spec, manifest, train, validation, spec.data_root, cores), options)

    seconds: dict[str, list[float]] = {"train": [], "validation": []}
    scores: list[float] = []
    reached: float | None = None
    begun = time.perf_counter()
    while len(scores) < options.epochs and time.perf_counter() - begun < options.seconds and reached is None:
        started = time.perf_counter()
        train_epoch()
        trained = time.perf_counter()
        scores.append(validate())
        seconds["train"].append(trained - started)
        seconds["validation"].append(time.perf_counter() - trained)
        if scores[-1] >= options.until:
            reached = time.perf_counter() - begun
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(json.dumps(seconds | {"scores": scores, "reached": reached, "peakBytes": peak * 1024}))
