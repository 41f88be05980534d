"""Reads what a safetensors file claims, and believes none of it before it is checked.

The container (https://huggingface.co/docs/safetensors): eight bytes of length, a JSON header, raw numbers
without gaps.
"""

from __future__ import annotations

import json
from typing import Any

from .found import FORMATS, MOST_TENSORS, NAME_LENGTH, Found, Refused, Weights, shape_of

# Of a header: 20,000 tensors with long names need a quarter of it.
MOST_HEADER = 16_000_000


def read_safetensors(data: memoryview) -> Found:
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > MOST_HEADER:
        raise Refused("header")
    if length > len(data) - 8:
        raise Refused("truncated")
    header = header_of(data[8 : 8 + length])
    body = data[8 + length :]
    found = [weights_of(name, entry, body) for name, entry in header.items()]
    end = 0
    for start, weights in sorted(found, key=lambda pair: (pair[0], pair[1].bytes)):
        if start != end:
            raise Refused("overlap")
        end = start + weights.bytes
    if end != len(body):
        raise Refused("gaps")
    return Found("safetensors", [weights for _, weights in found])


def header_of(raw: memoryview) -> dict[str, Any]:
    try:
        header = json.loads(bytes(raw).decode())
    except (ValueError, RecursionError):
        raise Refused("header") from None
    if not isinstance(header, dict):
        raise Refused("header")
    header.pop("__metadata__", None)
    if len(header) > MOST_TENSORS or any(len(name) > NAME_LENGTH for name in header):
        raise Refused("too_many")
    return header


def weights_of(name: str, entry: Any, body: memoryview) -> tuple[int, Weights]:
    """Where its numbers begin, and the tensor."""
    offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
    if not isinstance(offsets, list) or len(offsets) != 2:
        raise Refused("damaged")
    if not all(isinstance(place, int) and not isinstance(place, bool) for place in offsets):
        raise Refused("damaged")
    start, stop = offsets
    kind = entry.get("dtype")
    if not isinstance(kind, str) or kind not in FORMATS:
        raise Refused("format")
    if not 0 <= start <= stop <= len(body):
        raise Refused("truncated")
    weights = Weights(
        name, name.rpartition(".")[0] or name, kind, shape_of(entry.get("shape")), body[start:stop]
    )
    if stop - start != weights.bytes:
        raise Refused("sizes")
    return start, weights
