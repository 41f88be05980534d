"""The `flow` run folder as a frozen dataclass. Refuses what the contract does not allow, opens no data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ..spec import (
    NetworkSpec,
    SpecError,
    Validation,
    at_least,
    field,
    one_of,
    optional,
    parse_device,
    parse_hyper,
    parse_plan,
    read_json,
)
from .files.found import File, Limits

WORKS = ("look", "make", "phantom", "compute", "sections", "sharpen")


@dataclass(frozen=True)
class FlowSpec:
    folder: Path
    kind: Literal["flow"]
    attempt: int
    limits: Limits
    # What is to be done; the rest of `work` is for whoever does it.
    do: str
    work: Mapping[str, Any]

    @property
    def out(self) -> Path:
        return self.folder / "out"


def read_flow(folder: Path) -> FlowSpec:
    raw = read_json(folder / "run.json")
    if raw.get("v") != 1:
        raise SpecError(f"run.json: v is {raw.get('v')!r}, this engine reads 1")
    work = field(raw, "work", dict)
    return FlowSpec(
        folder=folder,
        kind="flow",
        attempt=field(raw, "attempt", int),
        limits=Limits(at_least(raw, "maxBytes", 1), at_least(raw, "memoryBytes", 1)),
        do=one_of(work, "do", WORKS),
        work=work,
    )


def read_training(folder: Path) -> NetworkSpec:
    """A `flow_train` run folder, as the training loop takes it: there are no files of data."""
    raw = read_json(folder / "run.json")
    if raw.get("v") != 1:
        raise SpecError(f"run.json: v is {raw.get('v')!r}, this engine reads 1")
    seed = at_least(field(raw, "asked", dict), "seed", 0)
    return NetworkSpec(
        folder=folder,
        kind="flow_train",
        attempt=field(raw, "attempt", int),
        task="velocity",
        plan=parse_plan(field(raw, "plan", dict)),
        plan_hash=field(raw, "planHash", str),
        manifest_path=folder / "run.json",
        data_root=folder,
        hyper=parse_hyper(field(raw, "hyper", dict)),
        validation=Validation("given", 0, 0, 1, seed),
        device=parse_device(field(raw, "device", dict)),
        resume=optional(raw, "resume", str),
        start=None,
        start_names={},
        weights=None,
        part="held-out",
        max_pixels=None,
        doubts=False,
        raw={**raw, "validation": {"method": "given", "seed": seed}},
    )


def files_of(spec: FlowSpec) -> list[File]:
    listed = field(spec.work, "files", list)
    return [File(spec.folder / field(file, "path", str), field(file, "name", str)) for file in listed]
