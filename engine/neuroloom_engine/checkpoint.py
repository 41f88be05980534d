"""Saves and finds training states: weights, training tensors and a JSON of everything else. Never pickle."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from . import safetensors

KEPT = 2


@dataclass(frozen=True)
class Checkpoint:
    """`state` is plain JSON; `tensors` maps a file's stem (weights, best, training) to its named tensors."""

    state: Mapping[str, Any]
    tensors: Mapping[str, Mapping[str, Tensor]]


@dataclass(frozen=True)
class Saved:
    path: Path
    sha256: str
    bytes: int


def save(folder: Path, checkpoint: Checkpoint) -> Saved:
    """Writes the next numbered folder as `.part`, makes it durable, renames it, and drops all but the
    newest two.
    """
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{next_number(folder):06d}"
    part = target.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        part.mkdir()
        files = {
            f"{name}.safetensors": safetensors.save(part / f"{name}.safetensors", tensors, {})
            for name, tensors in checkpoint.tensors.items()
        }
        body = json.dumps({"state": checkpoint.state, "files": files}, sort_keys=True, separators=(",", ":"))
        text = json.dumps({"sha256": sha256_of(body), "body": body}).encode()
        write_durably(part / "checkpoint.json", text)
        sync_folder(part)
        part.rename(target)
    except OSError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    sync_folder(folder)
    for old in numbered(folder)[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    size = sum(file.stat().st_size for file in target.iterdir())
    return Saved(target, hashlib.sha256(text).hexdigest(), size)


def load_newest(folder: Path) -> tuple[Checkpoint | None, list[str]]:
    """The newest checkpoint whose every byte is as written, and the names of the damaged ones, which are
    set aside.
    """
    refused: list[str] = []
    for path in numbered(folder):
        try:
            return load(path), refused
        except (OSError, ValueError, KeyError, TypeError):
            refused.append(path.name)
            shutil.rmtree(path.with_suffix(".damaged"), ignore_errors=True)
            path.rename(path.with_suffix(".damaged"))
    return None, refused


def load(path: Path) -> Checkpoint:
    outer = json.loads((path / "checkpoint.json").read_bytes())
    if sha256_of(outer["body"]) != outer["sha256"]:
        raise ValueError(f"{path.name}: checkpoint.json does not match its hash")
    body = json.loads(outer["body"])
    tensors: dict[str, Mapping[str, Tensor]] = {}
    for name, sha256 in body["files"].items():
        if safetensors.file_sha256(path / name) != sha256:
            raise ValueError(f"{path.name}/{name} does not match its hash")
        tensors[name.removesuffix(".safetensors")] = safetensors.load(path / name)[0]
    return Checkpoint(body["state"], tensors)


def numbered(folder: Path) -> list[Path]:
    """Complete checkpoints, newest first."""
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.iterdir() if path.name.isdigit()), reverse=True)


def next_number(folder: Path) -> int:
    return max((int(path.name) for path in numbered(folder)), default=0) + 1


def write_durably(path: Path, data: bytes) -> None:
    """Replaces a file so that a reader, or a power cut, sees the old or the new content and nothing
    between.
    """
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
