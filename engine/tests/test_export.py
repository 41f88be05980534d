"""What leaves a run answers as the network did, in every form, and tells how it is to be used."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import Tensor, nn

from neuroloom_engine import export
from neuroloom_engine.data.normalise import Normalisation
from neuroloom_engine.deployed import Answering, Deployed, probabilities
from neuroloom_engine.network import Network
from neuroloom_engine.onnx_bytes import field_of
from neuroloom_engine.spec import parse_plan

from .make import conv, make_plan, make_run, of_type, run_here
from .make_boxes import make_detection
from .make_pairs import make_pairs_run

IMAGE = Normalisation("image")


def segmenter(stride: int = 1) -> Network:
    nodes = [("c", "conv", ["@image"], conv(2, stride=stride))]
    return Network(parse_plan(make_plan("segmentation", nodes))).eval()  # type: ignore[arg-type]


class MomentsTest(unittest.TestCase):
    def test_a_part_with_the_moments_of_the_whole_is_normalised_as_in_the_whole(self) -> None:
        image = torch.rand(1, 1, 16, 16) ** 2
        deviation, mean = torch.std_mean(image, unbiased=False)
        for kind in ("image", "volume"):
            module = Answering(segmenter(), Normalisation(kind), lambda heads: heads[0])  # type: ignore[arg-type]
            with torch.no_grad():
                whole = module(image)
                self.assertTrue(torch.allclose(module(image, torch.zeros(2)), whole, atol=1e-6))
                part = module(image[..., :8, :8], torch.stack([mean, deviation]))
            assert isinstance(whole, Tensor) and isinstance(part, Tensor)
            self.assertTrue(torch.allclose(part[..., :7, :7], whole[..., :7, :7], atol=1e-4))

    def test_they_may_be_left_out_of_the_file(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        deployed = probabilities(segmenter(), IMAGE)
        export.save_onnx(folder / "m.onnx", segmenter(), deployed, {"normalisation": IMAGE.to_json()})
        graph = field_of((folder / "m.onnx").read_bytes(), 7)[2]
        # As the name of an input and of its first value.
        self.assertGreaterEqual(graph.count(b"moments"), 2)
        self.assertTrue(json.loads((folder / "m.json").read_text())["moments"]["optional"])


class SizeTest(unittest.TestCase):
    def test_answers_at_a_part_of_the_size_are_brought_to_the_whole(self) -> None:
        network = segmenter(stride=2)
        with torch.no_grad():
            answer = probabilities(network, IMAGE).module(torch.rand(1, 1, 10, 14))
        self.assertEqual(tuple(answer.shape), (1, 2, 10, 14))
        self.assertTrue(torch.allclose(answer.sum(1), torch.ones(1, 10, 14), atol=1e-5))


class TorchScriptTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_of(self, task: str) -> Path:
        folder = self.folder / task
        if task == "detection":
            return make_detection(folder, epochs=1)
        if task in ("super_resolution", "denoising"):
            return make_pairs_run(folder, task, epochs=1)
        return make_run(folder, task, epochs=1)

    def test_it_runs_without_the_engine_and_says_what_it_needs(self) -> None:
        for task in ("classification", "segmentation", "detection", "super_resolution", "denoising"):
            folder = self.run_of(task)
            _, events = run_here(folder)
            kinds = [event["kind"] for event in of_type(events, "artifact")]
            self.assertEqual(kinds, ["weights", "onnx", "torchscript"], (task, of_type(events, "warning")))
            extra: dict[str, Any] = {"neuroloom.json": ""}
            module = torch.jit.load(str(folder / "out" / "model.pt"), _extra_files=extra)
            facts = json.loads(extra["neuroloom.json"])
            self.assertEqual(facts["task"], task)
            with torch.no_grad():
                answer = module(torch.rand(3, *facts["input"]["shape"][1:]))
            first = answer if isinstance(answer, Tensor) else answer[0]
            self.assertEqual(len(first), 3)

    def test_a_network_that_cannot_be_traced_is_a_warning_and_no_failure(self) -> None:
        folder = self.run_of("classification")
        with mock.patch.object(torch.jit, "trace", side_effect=RuntimeError("no trace\nat all")):
            code, events = run_here(folder)
        self.assertEqual(code, 0)
        warnings = [(event["code"], event["data"]) for event in of_type(events, "warning")]
        self.assertEqual(warnings, [("torchscript_unavailable", {"reason": "no trace"})])

    def test_a_trace_that_answers_otherwise_is_refused(self) -> None:
        class Remembering(nn.Module):
            """Decides by the values, which a trace cannot follow."""

            def forward(self, image: Tensor) -> Tensor:
                return image * 2 if float(image.sum()) > 0.8 * image[0].numel() else image

        deployed = Deployed(Remembering(), {"restored": {}})
        with self.assertRaisesRegex(RuntimeError, "otherwise"):
            export.save_torchscript(self.folder / "m.pt", segmenter(), deployed, {"normalisation": {}})
        self.assertEqual(list(self.folder.glob("m.pt*")), [])
