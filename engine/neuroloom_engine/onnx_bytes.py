"""Adds to an ONNX model in protobuf's wire form what torch's exporter cannot; knows no network."""

from __future__ import annotations

import struct
from collections.abc import Sequence

# Of ModelProto and GraphProto.
GRAPH, METADATA, INITIALIZER = 7, 14, 5


def with_default(model: bytes, name: str, values: Sequence[float]) -> bytes:
    """The model with an initial value for one of its graph's inputs, which thereby may be left out."""
    tensor = b"".join(
        (
            bytes([1 << 3]) + varint(len(values)),  # dims
            bytes([2 << 3, 1]),  # data_type: float
            entry(8, name.encode()),
            entry(9, struct.pack(f"<{len(values)}f", *values)),
        )
    )
    start, stop, graph = field_of(model, GRAPH)
    return model[:start] + entry(GRAPH, graph + entry(INITIALIZER, tensor)) + model[stop:]


def field_of(message: bytes, wanted: int) -> tuple[int, int, bytes]:
    """Where a message's first field of this number and of bytes begins and ends, and its content."""
    place = 0
    while place < len(message):
        start = place
        key, place = read_varint(message, place)
        if key & 7 == 0:
            _, place = read_varint(message, place)
            continue
        if key & 7 != 2:
            raise ValueError(f"wire type {key & 7} in an ONNX model")
        length, place = read_varint(message, place)
        place += length
        if key >> 3 == wanted:
            return start, place, message[place - length : place]
    raise ValueError(f"no field {wanted} in an ONNX model")


def read_varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if data[place - 1] < 128:
            return value, place


def metadata_entry(key: str, value: str) -> bytes:
    """A `metadata_props` entry in protobuf's wire form.

    Appended bytes are read as one more entry of the list.
    """
    return entry(METADATA, entry(1, key.encode()) + entry(2, value.encode()))


def entry(number: int, data: bytes) -> bytes:
    """A field of bytes in protobuf's wire form."""
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
