"""Looks into one file of weights, or compares two.

Reads a folder with `inspect.json` and the files; writes `inspected.json`.
"""

from __future__ import annotations

import json
import mmap
import resource
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..spec import field, read_json
from .figures import compared, figures_of
from .found import Found, Refused, Weights
from .onnx_file import read_onnx
from .safetensors_file import read_safetensors

# What begins as a Python pickle or as the archive that PyTorch writes them in.
PICKLES = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05", b"PK\x03\x04")


def inspect(folder: Path) -> None:
    raw = read_json(folder / "inspect.json")
    resource.setrlimit(resource.RLIMIT_DATA, (field(raw, "memoryBytes", int), resource.RLIM_INFINITY))
    files = [folder / str(name) for name in field(raw, "files", list)]
    answer: dict[str, Any] = {"refused": None, "place": 0, "found": None}
    read: list[Found] = []
    for place, path in enumerate(files):
        try:
            read.append(read_file(path))
        except Refused as error:
            answer |= {"refused": error.reason, "place": place}
    if answer["refused"] is None:
        answer["found"] = told(read[0], read[1] if len(read) > 1 else None, raw)
    (folder / "inspected.json").write_text(json.dumps(answer, allow_nan=False))


def read_file(path: Path) -> Found:
    """By what it holds, never by its name."""
    if path.stat().st_size == 0:
        raise Refused("empty")
    with path.open("rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    start = bytes(data[:9])
    if start.startswith(PICKLES):
        raise Refused("pickle")
    if start[8:9] == b"{":
        return read_safetensors(data)
    # ir_version: the first field of every ONNX model.
    if start[:1] == b"\x08":
        return read_onnx(data)
    raise Refused("unknown")


def told(own: Found, other: Found | None, raw: Mapping[str, Any]) -> dict[str, Any]:
    most = field(raw, "most", int)
    theirs = {weights.name: weights for weights in other.weights} if other else {}
    parts = [one_of(weights, theirs.get(weights.name), other is not None) for weights in own.weights[:most]]
    names = {weights.name for weights in own.weights}
    return {
        "kind": own.kind,
        "layers": [{"name": one.name, "op": one.op, "output": one.output} for one in own.layers[:most]],
        "tensors": parts,
        "tensorCount": len(own.weights),
        "parameters": sum(weights.count for weights in own.weights),
        "bytes": sum(weights.bytes for weights in own.weights),
        "external": len(own.external),
        "unmatched": None
        if other is None
        else {"here": len(names - theirs.keys()), "there": len(theirs.keys() - names)},
    }


def one_of(weights: Weights, other: Weights | None, is_compared: bool) -> dict[str, Any]:
    return {
        "name": weights.name,
        "layer": weights.layer,
        "format": weights.format,
        "shape": list(weights.shape),
        "parameters": weights.count,
        "bytes": weights.bytes,
        "figures": figures_of(weights),
        "compared": compared(weights, other) if is_compared and other is not None else None,
    }
