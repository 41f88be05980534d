"""What runs faster says the same, whatever the network, the size and the layout of its input."""

from __future__ import annotations

import unittest
from unittest import mock

import torch
from torch import Tensor, nn

from neuroloom_engine.inference.swift import WORTH_FROM, SwiftPredictor, compiled, folded
from neuroloom_engine.network import Network, build_network
from neuroloom_engine.predict import Predictor
from neuroloom_engine.spec import parse_plan

from .make import classifier_nodes, make_plan, segmenter_nodes
from .make_boxes import detector_plan
from .make_pairs import restorer_nodes
from .make_volumes import volume_nodes

CPU = torch.device("cpu")


def networks() -> dict[str, tuple[Network, list[tuple[int, ...]]]]:
    """Each with sizes that its data may have: larger, longer, and of odd sides."""
    plans = {
        "classification": make_plan("classification", classifier_nodes(3), 3),
        "segmentation": make_plan("segmentation", segmenter_nodes(2), 3),
        "volumes": make_plan("segmentation", volume_nodes(2), size=8, axes=3),
        "superres": make_plan("superres", restorer_nodes(1, 2), 1, 8),
        "yolo": detector_plan(),
        "fcos": detector_plan(("cls", "box", "ctr")),
        "centernet": detector_plan(("heat", "size", "offset"), 1),
    }
    sizes: dict[str, list[tuple[int, ...]]] = {
        "classification": [(5, 3, 16, 16)],
        "segmentation": [(2, 3, 16, 16), (1, 3, 24, 40), (3, 3, 17, 31)],
        "volumes": [(2, 1, 8, 8, 8), (1, 1, 8, 12, 16)],
        "superres": [(1, 1, 13, 7), (4, 1, 8, 8)],
        "yolo": [(3, 1, 32, 32)],
        "fcos": [(3, 1, 32, 32)],
        "centernet": [(3, 1, 32, 32)],
    }
    found = {}
    for name, plan in plans.items():
        task = plan["heads"][next(iter(plan["heads"]))]["task"]
        network = build_network(parse_plan(plan), task, 1)
        shake(network)
        found[name] = (network, sizes[name])
    return found


def shake(network: Network) -> None:
    """Running statistics as training leaves them: joined layers differ then by more than a factor of 1."""
    generator = torch.Generator().manual_seed(3)
    for name, buffer in network.named_buffers():
        if name.endswith("running_mean"):
            buffer.normal_(0, 0.3, generator=generator)
        if name.endswith("running_var"):
            buffer.uniform_(0.3, 2, generator=generator)


class SwiftTest(unittest.TestCase):
    def setUp(self) -> None:
        """Batches are halved where there is more than one thread."""
        self.addCleanup(torch.set_num_threads, torch.get_num_threads())
        torch.set_num_threads(2)

    def assert_alike(self, found: Tensor, wanted: Tensor) -> None:
        self.assertEqual(found.shape, wanted.shape)
        self.assertLessEqual(float((found - wanted).abs().max()), 1e-5 * float(wanted.abs().max()))

    def test_every_pass_says_what_the_plain_network_says(self) -> None:
        for name, (network, sizes) in networks().items():
            swift_one, plain = SwiftPredictor(network, CPU), Predictor(network, CPU)
            for size in sizes:
                with self.subTest(name, size=size), swift_one, plain:
                    generator = torch.Generator().manual_seed(5)
                    for _ in range(WORTH_FROM + 3):
                        images = torch.randn(size, generator=generator)
                        pairs = zip(swift_one.heads(images), plain.heads(images), strict=True)
                        for found, wanted in pairs:
                            self.assert_alike(found, wanted)
                    half = (-(-size[0] // 2), *size[1:])
                    self.assertEqual(half in swift_one._ways, name != "segmentation")
                    self.assertNotIn(swift_one._folded, swift_one._ways.values())

    def test_maps_of_any_size_are_the_same(self) -> None:
        network, _ = networks()["segmentation"]
        swift_one, plain = SwiftPredictor(network, CPU), Predictor(network, CPU)
        with swift_one, plain:
            for _ in range(WORTH_FROM + 1):
                images = torch.randn(2, 3, 19, 33)
                self.assert_alike(swift_one.predict_maps(images), plain.predict_maps(images))

    def test_normalisations_are_folded_into_convolutions_of_a_copy(self) -> None:
        network, [size, *_] = networks()["classification"]
        norms = [node.id for node in network.plan.nodes if node.op == "bn"]
        self.assertTrue(norms)
        copied = folded(network.eval())
        for name in norms:
            self.assertIsInstance(copied.layer(name), nn.Identity)
            self.assertIsInstance(network.layer(name), nn.BatchNorm2d)
        images = torch.randn(size)
        self.assert_alike(copied(images)[0], network(images)[0])

    def test_a_network_that_is_watched_sees_the_whole_batch(self) -> None:
        seen: list[int] = []

        def watched(images: Tensor) -> list[Tensor]:
            seen.append(len(images))
            return [images]

        network, _ = networks()["segmentation"]
        with Predictor(network, CPU, watched) as predictor:
            predictor.heads(torch.randn(4, 3, 16, 16))
        self.assertEqual(seen, [4])

    def test_what_comes_seldom_is_not_written_down(self) -> None:
        network, [size, *_] = networks()["classification"]
        with SwiftPredictor(network, CPU) as predictor:
            for _ in range(WORTH_FROM - 1):
                predictor.heads(torch.randn(size))
            self.assertEqual(predictor._ways, {})

    def test_a_way_that_torch_cannot_go_or_that_says_something_else_is_not_taken(self) -> None:
        network, [size, *_] = networks()["classification"]
        network.eval()
        images = torch.randn(size)
        other = mock.Mock(return_value=[torch.zeros(size[0], 3)])
        frozen = mock.Mock(side_effect=network)
        failing = RuntimeError("cannot")
        with mock.patch.object(torch.jit, "freeze", return_value=frozen):
            for one in (other, failing):
                with mock.patch.object(torch.jit, "optimize_for_inference", side_effect=[one]):
                    self.assertIs(compiled(network, images), frozen)
        with (
            mock.patch.object(torch.jit, "optimize_for_inference", return_value=other),
            mock.patch.object(torch.jit, "freeze", return_value=other),
        ):
            self.assertIs(compiled(network, images), network)
        with mock.patch.object(torch.jit, "trace", side_effect=failing):
            self.assertIs(compiled(network, images), network)
