"""Reads and writes the safetensors container: a JSON header and raw little-endian tensors.

Runs no code from a file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

NAMES: dict[torch.dtype, str] = {
    torch.float32: "F32",
    torch.float64: "F64",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.int32: "I32",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
TYPES = {name: dtype for dtype, name in NAMES.items()}
HEADER_LIMIT = 100_000_000


def save(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> str:
    """Writes, flushes to the disk and returns the file's SHA-256. Equal content gives equal bytes."""
    header: dict[str, Any] = {"__metadata__": dict(sorted(metadata.items()))}
    flat = {name: tensors[name].detach().to("cpu").contiguous() for name in sorted(tensors)}
    offset = 0
    for name, tensor in flat.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {
            "dtype": NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [offset, offset + size],
        }
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for chunk in (
            len(text).to_bytes(8, "little"),
            text,
            *(raw_bytes(tensor) for tensor in flat.values()),
        ):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


def load(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Tensors and metadata; every offset is checked before a byte is used."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > min(HEADER_LIMIT, len(data) - 8):
        raise ValueError(f"{path.name}: header of {length} bytes in a file of {len(data)}")
    header = json.loads(data[8 : 8 + length])
    if not isinstance(header, dict):
        raise ValueError(f"{path.name}: header is not an object")
    metadata = header.pop("__metadata__", {})
    body = memoryview(data)[8 + length :]
    end = 0
    tensors: dict[str, Tensor] = {}
    for name, entry in sorted(header.items(), key=lambda pair: pair[1]["data_offsets"]):
        start, stop = entry["data_offsets"]
        dtype, shape = TYPES[entry["dtype"]], tuple(int(side) for side in entry["shape"])
        size = int(np.prod(shape, dtype=np.int64)) * torch.empty(0, dtype=dtype).element_size()
        if start != end or stop - start != size or stop > len(body) or min(shape, default=0) < 0:
            raise ValueError(f"{path.name}: tensor {name!r:.80} has offsets {start}..{stop}")
        end = stop
        tensors[name] = torch.frombuffer(bytearray(body[start:stop]) or bytearray(8), dtype=dtype)[
            : size // torch.empty(0, dtype=dtype).element_size()
        ].view(shape)
    if end != len(body):
        raise ValueError(f"{path.name}: {len(body) - end} bytes belong to no tensor")
    return tensors, {str(key): str(value) for key, value in metadata.items()}


def raw_bytes(tensor: Tensor) -> bytes:
    return tensor.reshape(-1).view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def file_sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()
