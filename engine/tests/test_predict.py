"""Whole images come out right, however they are padded, cut into tiles and put together again."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from unittest import mock

import torch
from torch import Tensor, nn

from neuroloom_engine import predict
from neuroloom_engine.data.normalise import Normalisation
from neuroloom_engine.deployed import Answering, Deployed
from neuroloom_engine.export import sized_axes, write_onnx
from neuroloom_engine.network import Network
from neuroloom_engine.predict import Predictor, pad_to, starts
from neuroloom_engine.spec import parse_plan

from .make import conv, make_plan, make_run, of_type, run_here


class Enlarge(nn.Module):
    """Stands for a network: each pixel `factor` times along each axis, or its mean over halves."""

    def __init__(self, axes: int, factor: int, is_size_free: bool = True) -> None:
        super().__init__()
        self.factor = factor
        self.is_size_free = is_size_free
        self.size_multiple = [4] * axes
        self.input_type = type("Type", (), {"size": (8,) * axes})
        self.shapes: list[tuple[int, ...]] = []

    def forward(self, images: Tensor) -> list[Tensor]:
        self.shapes.append(tuple(images.shape[2:]))
        for axis in range(2, images.dim()):
            images = images.repeat_interleave(self.factor, axis)
        return [images]


class MapsTest(unittest.TestCase):
    def maps(self, network: Enlarge, images: Tensor) -> Tensor:
        with Predictor(network, torch.device("cpu")) as predictor:  # type: ignore[arg-type]
            return predictor.predict_maps(images, network.factor)

    def test_pictures_and_volumes_keep_their_size_or_grow_by_the_factor(self) -> None:
        for size, factor in (((9, 14), 1), ((9, 14), 3), ((5, 6, 7), 1), ((5, 6, 7), 2)):
            images = torch.rand(2, 1, *size)
            network = Enlarge(len(size), factor)
            self.assertEqual(list(self.maps(network, images).shape[2:]), [side * factor for side in size])
            self.assertTrue(all(side % 4 == 0 for shape in network.shapes for side in shape))

    def test_tiles_give_what_the_whole_gives(self) -> None:
        for size, factor in (((37, 50), 1), ((37, 50), 2), ((13, 20, 9), 1)):
            images = torch.rand(1, 2, *size)
            whole = self.maps(Enlarge(len(size), factor), images)
            small = {"MOST_AT_ONCE": {2: 100, 3: 100}, "TILE": {2: (16, 8), 3: (8, 4)}}
            with mock.patch.multiple(predict, **small):
                network = Enlarge(len(size), factor)
                self.assertTrue(torch.equal(self.maps(network, images), whole))
            self.assertGreater(len(network.shapes), 4)
            fixed = Enlarge(len(size), factor, is_size_free=False)
            self.assertTrue(torch.equal(self.maps(fixed, images), whole))
            self.assertEqual(set(fixed.shapes), {(8,) * len(size)})

    def test_images_are_padded_by_reflection_as_often_as_needed(self) -> None:
        image = torch.arange(6.0).view(1, 1, 2, 3)
        padded = pad_to(image, [7, 8])
        self.assertEqual(padded.shape, (1, 1, 7, 8))
        self.assertEqual(padded[0, 0, 0].tolist(), [0, 1, 2, 1, 0, 1, 2, 1])
        self.assertEqual(pad_to(torch.rand(1, 1, 1, 2, 3), [4, 4, 4]).shape, (1, 1, 4, 4, 4))
        self.assertEqual(starts(100, 40, 8), [0, 32, 60])
        self.assertEqual(starts(30, 40, 8), [0])

    def test_sizes_are_multiples_along_each_axis_by_itself(self) -> None:
        flat = {"kernel": [1, 2], "stride": [1, 2], "pad": [0, 0], "dilation": [1, 1], "ceil": False}
        nodes = [("c", "conv", ["@image"], conv(2)), ("p", "maxpool", ["c"], flat)]
        network = Network(parse_plan(make_plan("segmentation", nodes)))  # type: ignore[arg-type]
        self.assertEqual(network.size_multiple, [1, 2])


class DeployedTest(unittest.TestCase):
    def test_both_first_tasks_come_with_an_onnx_file(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for task in ("classification", "segmentation"):
            _, events = run_here(make_run(folder / task, task, epochs=1))
            self.assertIn("onnx", [event["kind"] for event in of_type(events, "artifact")])

    def test_several_outputs_of_other_sizes_have_open_axes_of_their_own(self) -> None:
        nodes = [("c", "conv", ["@image"], conv(2))]
        network = Network(parse_plan(make_plan("segmentation", nodes)))  # type: ignore[arg-type]

        both = Answering(network, Normalisation("image"), lambda heads: [heads[0], heads[0][..., ::2, ::2]])
        deployed = Deployed(both, {"whole": {}, "half": {}})
        image = {"image": network.input_type}
        written, is_free = write_onnx(deployed.module, network, image, list(deployed.outputs))
        self.assertTrue(is_free and len(written) > 100)
        named = {"image": torch.zeros(1, 1, 8, 8), "half": torch.zeros(1, 1, 4, 4), "is": torch.zeros(1, 3)}
        self.assertEqual(sized_axes(named)["half"], {0: "batch", 2: "half_height", 3: "half_width"})
        self.assertEqual(sized_axes(named)["is"], {0: "batch"})
