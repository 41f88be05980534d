"""Files of weights as strangers bring them: what stands in good ones, and that bad ones do no harm."""

from __future__ import annotations

import json
import pickle
import struct
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import torch

from neuroloom_engine import safetensors
from neuroloom_engine.onnx_bytes import entry, varint
from neuroloom_engine.weights.inspected import inspect

KERNEL = np.linspace(-1, 1, 4 * 2 * 3 * 3, dtype=np.float32).reshape(4, 2, 3, 3)


def container(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def claim(shape: list[int], offsets: list[int], dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def tensor(name: str, dims: list[int], data: bytes | None, more: bytes = b"", kind: int = 1) -> bytes:
    raw = b"" if data is None else entry(9, data)
    return b"".join(number(1, side) for side in dims) + number(2, kind) + entry(8, name.encode()) + raw + more


def model(*initializers: bytes) -> bytes:
    node = entry(1, b"x") + entry(1, b"w") + entry(2, b"y") + entry(3, b"conv") + entry(4, b"Conv")
    dims = b"".join(entry(1, number(1, side)) for side in (1, 4, 8, 8))
    value = entry(1, b"y") + entry(2, entry(1, number(1, 1) + entry(2, dims)))
    graph = entry(1, node) + b"".join(entry(5, one) for one in initializers) + entry(12, value)
    return number(1, 8) + entry(7, graph)


class WeightsTest(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def look(self, *files: bytes) -> dict[str, Any]:
        for index, data in enumerate(files):
            (self.folder / str(index)).write_bytes(data)
        names = [str(index) for index in range(len(files))]
        question = {"files": names, "most": 100, "memoryBytes": 4 << 30}
        (self.folder / "inspect.json").write_text(json.dumps(question))
        inspect(self.folder)
        return json.loads((self.folder / "inspected.json").read_text())

    def saved(self, tensors: dict[str, torch.Tensor]) -> bytes:
        safetensors.save(self.folder / "saved", tensors, {"made": "here"})
        return (self.folder / "saved").read_bytes()

    def test_figures_are_those_of_numpy_in_every_format(self) -> None:
        kernel = torch.from_numpy(KERNEL.copy())
        formats = {"F32": torch.float32, "F64": torch.float64, "F16": torch.float16, "BF16": torch.bfloat16}
        for name, kind in formats.items():
            with self.subTest(format=name):
                own = kernel.to(kind)
                found = self.look(self.saved({"stem.weight": own}))["found"]
                (one,) = found["tensors"]
                values = own.double().numpy()
                self.assertEqual((one["layer"], one["format"], one["shape"]), ("stem", name, [4, 2, 3, 3]))
                self.assertEqual((found["parameters"], found["bytes"]), (72, 72 * own.element_size()))
                for figure, wanted in (
                    *(("min", values.min()), ("max", values.max())),
                    *(("mean", values.mean()), ("std", values.std())),
                ):
                    self.assertAlmostEqual(one["figures"][figure], wanted, 6)
                self.assertEqual(sum(one["figures"]["histogram"]), 72)

    def test_what_cannot_be_right_is_counted(self) -> None:
        kernel = KERNEL.copy()
        kernel[1:3] = 0
        kernel[0, 0, 0] = [np.nan, np.inf, 1]
        bias = torch.full((3,), np.nan)
        found = self.look(self.saved({"a.weight": torch.from_numpy(kernel), "b.bias": bias}))["found"]
        weight, lost = (one["figures"] for one in found["tensors"])
        self.assertEqual((weight["notFinite"], weight["quiet"], weight["zeros"]), (2, 0.5, 36 / 72))
        self.assertEqual((lost["notFinite"], lost["min"], lost["histogram"]), (3, None, []))

    def test_two_files_are_compared_tensor_by_tensor(self) -> None:
        first, other = torch.ones(2, 2), torch.tensor([[1.0, 1.0], [1.0, 2.0]])
        found = self.look(
            self.saved({"a.weight": first, "b.weight": first, "c.bias": first}),
            self.saved({"a.weight": other, "b.weight": first, "d.bias": first}),
        )["found"]
        by_name = {one["name"]: one["compared"] for one in found["tensors"]}
        self.assertAlmostEqual(by_name["a.weight"]["change"], 0.5)
        self.assertAlmostEqual(by_name["a.weight"]["cosine"], 5 / np.sqrt(4 * 7))
        self.assertEqual(by_name["b.weight"], {"change": 0.0, "cosine": 1.0})
        self.assertIsNone(by_name["c.bias"])
        self.assertEqual(found["unmatched"], {"here": 1, "there": 1})

    def test_layers_and_weights_of_onnx_are_read_raw_or_number_by_number(self) -> None:
        raw = tensor("w", [4, 2, 3, 3], KERNEL.tobytes())
        floats = tensor("f", [2], None, entry(4, struct.pack("<2f", 1, -3)))
        whole = tensor("i", [2], None, entry(7, varint(5) + varint(2**64 - 2)), kind=7)
        found = self.look(model(raw, floats, whole))["found"]
        self.assertEqual(found["layers"], [{"name": "conv", "op": "Conv", "output": "1 × 4 × 8 × 8"}])
        self.assertEqual([one["layer"] for one in found["tensors"]], ["conv", "f", "i"])
        spans = [(one["figures"]["min"], one["figures"]["max"]) for one in found["tensors"]]
        self.assertEqual(spans, [(-1, 1), (-3, 1), (-2, 5)])

    def test_numbers_in_another_file_are_told_and_never_looked_for(self) -> None:
        place = entry(13, entry(1, b"location") + entry(2, b"../../../etc/passwd")) + number(14, 1)
        found = self.look(model(tensor("w", [1 << 20, 1 << 20], None, place)))["found"]
        self.assertEqual(found["external"], 1)
        self.assertIsNone(found["tensors"][0]["figures"])

    def test_hostile_files_are_refused_each_for_its_reason(self) -> None:
        four = b"\0" * 16
        good = {"a": claim([2], [0, 8]), "b": claim([2], [8, 16])}
        nested = b"{" + b'"a":[' * 100_000
        cases = (
            ("empty", b""),
            ("unknown", b"no weights at all"),
            ("pickle", pickle.dumps({"a": 1})),
            ("pickle", b"PK\x03\x04archive/data.pkl"),
            ("header", (1 << 60).to_bytes(8, "little") + b"{}"),
            ("header", container(b"{not json}")),
            ("header", container(nested)),
            ("truncated", container(good, four)[:-6]),
            ("truncated", container(good, four)[:20]),
            ("truncated", container({"a": claim([1 << 28], [0, 1 << 30])}, four)),
            ("overlap", container({"a": claim([2], [0, 8]), "b": claim([2], [4, 12])}, four[:12])),
            ("overlap", container({"a": claim([2], [0, 8]), "b": claim([2], [0, 8])}, four[:8])),
            ("gaps", container(good, four + four)),
            ("sizes", container({"a": claim([1 << 40, 1 << 40], [0, 16])}, four)),
            ("damaged", container({"a": claim([-2], [0, 8])}, four[:8])),
            ("damaged", container({"a": {"dtype": "F32", "shape": [2]}}, four)),
            ("format", container({"a": claim([2], [0, 8], "OBJECT")}, four[:8])),
            ("too_many", container({str(index): claim([0], [0, 0]) for index in range(20_001)})),
            ("sizes", model(tensor("w", [1 << 14, 1 << 14], b"abcd"))),
            ("sizes", model(tensor("w", [1 << 14, 1 << 14], None))),
            ("truncated", model(tensor("w", [4], bytes(16)))[:-30]),
            ("truncated", number(1, 8) + varint(7 << 3 | 2) + varint(1 << 60)),
            ("damaged", b"\x08" + b"\xff" * 20),
            ("damaged", number(1, 8)),
            ("format", model(tensor("w", [4], bytes(16), kind=99))),
        )
        for reason, data in cases:
            with self.subTest(reason=reason, start=data[:40]):
                self.assertEqual(self.look(data)["refused"], reason)

    def test_noise_never_ends_the_program(self) -> None:
        rng = np.random.default_rng(3)
        whole = [
            model(tensor("w", [4, 2, 3, 3], KERNEL.tobytes())),
            container({"a": claim([2], [0, 8])}, bytes(8)),
        ]
        for index in range(400):
            data = bytearray(whole[index % 2])
            for place in rng.integers(0, len(data), 4):
                data[place] = rng.integers(256)
            self.assertIn("refused", self.look(bytes(data)))
