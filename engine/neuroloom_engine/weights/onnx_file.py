"""Reads layers and weights of an ONNX model in protobuf's wire form; runs nothing and opens no other file.

Numbers of fields: onnx.proto3 (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard

import numpy as np

from .found import FORMATS, MOST_AXES, MOST_TENSORS, NAME_LENGTH, Found, Layer, Refused, Weights, shape_of

MOST_NODES = 50_000
# TensorProto.DataType; formats of half bytes and texts are told, not read.
TYPES = {
    **{1: "F32", 2: "U8", 3: "I8", 4: "U16", 5: "I16", 6: "I32", 7: "I64", 9: "BOOL", 10: "F16", 11: "F64"},
    **{12: "U32", 13: "U64", 14: "C64", 15: "C128", 16: "BF16", 17: "F8_E4M3", 19: "F8_E5M2"},
}
# Fields of numbers instead of raw bytes, by the format that they are of: their number and how each is packed.
TYPED = {"F32": (4, "<f4"), "F64": (10, "<f8")}
WHOLE = {"I64": 7, "I32": 5, "I16": 5, "I8": 5, "U16": 5, "U8": 5, "BOOL": 5, "F16": 5, "BF16": 5}


@dataclass
class Graph:
    nodes: list[tuple[str, str, list[str], list[str]]] = field(default_factory=list)
    tensors: list[Weights] = field(default_factory=list)
    external: list[str] = field(default_factory=list)
    shapes: dict[str, str] = field(default_factory=dict)


def read_onnx(data: memoryview) -> Found:
    try:
        graph = next(
            (graph_of(part) for number, part in fields(data) if number == 7 and is_bytes(part)), None
        )
    except (IndexError, struct.error, UnicodeDecodeError):
        raise Refused("truncated") from None
    if graph is None:
        raise Refused("damaged")
    users: dict[str, str] = {}
    layers: list[Layer] = []
    for index, (name, op, inputs, outputs) in enumerate(graph.nodes):
        layer = name or f"{op} {index + 1}"
        layers.append(
            Layer(layer, op, next((graph.shapes[one] for one in outputs if one in graph.shapes), None))
        )
        for one in inputs:
            users.setdefault(one, layer)
    weights = [
        Weights(one.name, users.get(one.name, one.name), one.format, one.shape, one.raw)
        for one in graph.tensors
    ]
    return Found("onnx", weights, layers, graph.external)


def graph_of(data: memoryview) -> Graph:
    graph = Graph()
    for number, part in fields(data):
        if not is_bytes(part):
            continue
        if number == 1:
            graph.nodes.append(node_of(part))
        elif number == 5:
            tensor_of(part, graph)
        elif number in (12, 13):
            name, shape = value_of(part)
            graph.shapes[name] = shape
        if len(graph.nodes) > MOST_NODES or len(graph.tensors) > MOST_TENSORS:
            raise Refused("too_many")
    return graph


def node_of(data: memoryview) -> tuple[str, str, list[str], list[str]]:
    name, op = "", "?"
    inputs: list[str] = []
    outputs: list[str] = []
    for number, part in fields(data):
        if not is_bytes(part):
            continue
        if number == 1:
            inputs.append(text_of(part))
        elif number == 2:
            outputs.append(text_of(part))
        elif number == 3:
            name = text_of(part)
        elif number == 4:
            op = text_of(part)
    return name, op, inputs, outputs


def tensor_of(data: memoryview, graph: Graph) -> None:
    dims: list[int] = []
    name, kind, raw, is_external = "", 0, None, False
    typed: dict[int, list[int | memoryview]] = {}
    for number, part in fields(data):
        if number == 1:
            dims += [signed(value) for value in (packed(part) if is_bytes(part) else [part])]
        elif number == 2 and isinstance(part, int):
            kind = part
        elif number == 8 and is_bytes(part):
            name = text_of(part)
        elif number == 9 and is_bytes(part):
            raw = part
        elif number == 13 or (number == 14 and part == 1):
            is_external = True
        elif number in (4, 5, 7, 10):
            typed.setdefault(number, []).append(part)
        if len(dims) > MOST_AXES:
            raise Refused("damaged")
    shape = shape_of(dims)
    if kind not in TYPES:
        raise Refused("format")
    own = TYPES[kind]
    empty = Weights(name, name, own, shape, None)
    if is_external:
        graph.external.append(name)
        graph.tensors.append(empty)
        return
    if raw is None:
        raw = raw_of(own, typed)
    if raw is not None and len(raw) != empty.bytes:
        raise Refused("sizes")
    # Numbers that are named but not there.
    if raw is None and empty.bytes > 0:
        raise Refused("sizes")
    graph.tensors.append(Weights(name, name, own, shape, raw))


def raw_of(own: str, typed: dict[int, list[int | memoryview]]) -> memoryview | None:
    """The bytes of numbers that stand in fields of their own, packed or one by one."""
    if own in TYPED and (parts := typed.get(TYPED[own][0])):
        return memoryview(b"".join(bytes(part) for part in parts if is_bytes(part)))
    if own in WHOLE and (parts := typed.get(WHOLE[own])):
        values = [value for part in parts for value in (packed(part) if is_bytes(part) else [part])]
        size = FORMATS[own][0]
        whole = np.array(values, np.uint64)
        return memoryview((whole & np.uint64(2 ** (8 * size) - 1)).astype(f"<u{size}").tobytes())
    return None


def value_of(data: memoryview) -> tuple[str, str]:
    """A value's name and sides as text: names for what is not fixed."""
    name, sides = "", ""
    for number, part in fields(data):
        if number == 1 and is_bytes(part):
            name = text_of(part)
        elif number == 2 and is_bytes(part):
            sides = " × ".join(
                side_of(dim)
                for tensor in inside(part, 1)
                for shape in inside(tensor, 2)
                for dim in inside(shape, 1)
            )
    return name, sides


def side_of(dim: memoryview) -> str:
    for number, part in fields(dim):
        if number == 1 and isinstance(part, int):
            return str(part)
        if number == 2 and is_bytes(part):
            return text_of(part)
    return "?"


def inside(data: memoryview, wanted: int) -> Iterator[memoryview]:
    for number, part in fields(data):
        if number == wanted and is_bytes(part):
            yield part


def is_bytes(part: object) -> TypeGuard[memoryview]:
    return isinstance(part, memoryview)


def text_of(part: int | memoryview) -> str:
    assert isinstance(part, memoryview)
    return bytes(part[: 4 * NAME_LENGTH]).decode("utf-8", "replace")[:NAME_LENGTH]


def signed(value: int | memoryview) -> int:
    assert isinstance(value, int)
    return value - 2**64 if value >= 2**63 else value


def packed(part: int | memoryview) -> Iterator[int]:
    assert isinstance(part, memoryview)
    place = 0
    while place < len(part):
        value, place = varint(part, place)
        yield value


def fields(data: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Of one message, its fields by number; none reaches beyond it."""
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = varint(data, place)
            yield key >> 3, value
            continue
        if kind == 2:
            length, place = varint(data, place)
        elif kind in (1, 5):
            length = 8 if kind == 1 else 4
        else:
            raise Refused("damaged")
        if length > len(data) - place:
            raise Refused("truncated")
        yield key >> 3, data[place : place + length]
        place += length


def varint(data: memoryview, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[place]
        place += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & (2**64 - 1), place
    raise Refused("damaged")
