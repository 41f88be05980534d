"""Heat maps lie where a network looks by construction, and equal a computation by hand."""

from __future__ import annotations

import json
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from neuroloom_engine.gradcam import Lens, draw_heat, lens_of, target_of
from neuroloom_engine.network import Network
from neuroloom_engine.predict import Predictor
from neuroloom_engine.spec import parse_plan

from .make import Json, Node, classifier_nodes, conv, edit_spec, make_plan, make_run, of_type, run_here

CPU = torch.device("cpu")
LOGITS: Json = {"out": 2, "bias": False}


def linear_network(size: int = 4) -> Network:
    """One convolution of a single pixel with two channels, their mean, two classes."""
    nodes: list[Node] = [
        ("maps", "conv", ["@image"], conv(2, kernel=1)),
        ("gap", "globalavg", ["maps"], {"keep": False}),
        ("logits", "linear", ["gap"], LOGITS),
    ]
    return network_of(nodes, size)


def network_of(nodes: list[Node], size: int) -> Network:
    torch.manual_seed(1)
    return Network(parse_plan(make_plan("classification", nodes, size=size)), "classification").eval()


def lens_over(network: Network) -> Lens:
    lens = lens_of(network, lambda rows, answer: answer.softmax(1)[:, 0].tolist())
    assert lens is not None
    return lens


def heats_of(network: Network, images: torch.Tensor) -> dict[int, np.ndarray]:
    lens = lens_over(network)
    with Predictor(network, CPU, lens) as predictor:
        predictor(images)
        return lens.maps(CPU)


def set_weights(network: Network, name: str, weight: Any, bias: Any = None) -> None:
    layer: Any = network.layer(name)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor(weight).view_as(layer.weight))
        if layer.bias is not None:
            layer.bias.copy_(torch.tensor(bias if bias is not None else [0.0] * len(layer.bias)))


class HeatTest(unittest.TestCase):
    def test_equals_the_computation_by_hand(self) -> None:
        network = linear_network()
        set_weights(network, "maps", [2.0, -1.0])
        set_weights(network, "logits", [[0.5, 0.25], [-1.0, 0.0]])
        image = torch.tensor([[0.0, 1, 2, 3], [0, 0, 0, 0], [4, 0, -1, 0], [0, 0, 0, 1]]).view(1, 1, 4, 4)
        # The class that wins is the first: the mean of the image is above 0. The slope of its score by every
        # pixel of channel k is weight[k] / 16, so that the map is relu((0.5 * 2 + 0.25 * -1) * image) / 16.
        wanted = (0.75 * image[0, 0] / 16).relu().numpy()
        heat = heats_of(network, image)[0]
        np.testing.assert_allclose(heat, wanted / wanted.max(), rtol=1e-6)

    def test_lies_in_the_corner_that_the_network_looks_at(self) -> None:
        nodes: list[Node] = [
            ("c1", "conv", ["@image"], conv(3)),
            ("r1", "relu", ["c1"], {}),
            ("flat", "flatten", ["r1"], {}),
            ("logits", "linear", ["flat"], LOGITS),
        ]
        network = network_of(nodes, 16)
        # Only the upper left quarter of the map is read, by both classes.
        mask = torch.zeros(3, 16, 16)
        mask[:, :8, :8] = torch.rand(3, 8, 8) + 0.1
        layer: Any = network.layer("logits")
        with torch.no_grad():
            layer.weight.copy_(torch.stack([mask.flatten(), -mask.flatten()]))
        set_weights(network, "c1", torch.rand(27).tolist())
        # Something bright there and nowhere else, so that channels do not carry it to other places.
        image = torch.zeros(1, 1, 16, 16)
        image[..., 2:6, 2:6] = 1
        heat = heats_of(network, image)[0]
        self.assertGreater(heat[:8, :8].sum() / heat.sum(), 0.95)
        rows, columns = np.unravel_index(heat.argmax(), heat.shape)
        self.assertLess(max(rows, columns), 8)

    def test_the_cut_network_answers_as_the_whole_one_does(self) -> None:
        network = network_of(classifier_nodes(3), 16)
        images = torch.randn(5, 1, 16, 16)
        with torch.inference_mode():
            whole = network(images)[0]
            cut = lens_over(network)(images)[0]
        torch.testing.assert_close(cut, whole, rtol=0, atol=0)

    def test_agrees_with_the_gradient_through_the_whole_network(self) -> None:
        network = network_of(classifier_nodes(3), 16)
        images = torch.randn(4, 1, 16, 16)
        heats = heats_of(network, images)
        network.eval()
        seen: list[torch.Tensor] = []
        hook = network.layer("r2").register_forward_hook(lambda *parts: seen.append(parts[2]))
        answer = network(images)[0]
        hook.remove()
        (slope,) = torch.autograd.grad(answer.max(1).values.sum(), seen[0])
        wanted = (slope.mean((2, 3), keepdim=True) * seen[0]).sum(1).relu().detach().numpy()
        for row, heat in heats.items():
            np.testing.assert_allclose(heat, wanted[row] / wanted[row].max(), atol=1e-6)

    def test_a_network_without_maps_has_none(self) -> None:
        nodes: list[Node] = [("flat", "flatten", ["@image"], {}), ("logits", "linear", ["flat"], LOGITS)]
        network = network_of(nodes, 8)
        self.assertIsNone(lens_of(network, lambda rows, answer: [0.0] * len(rows)))

    def test_a_map_that_speaks_against_the_class_has_none(self) -> None:
        network = linear_network()
        set_weights(network, "maps", [1.0, 1.0])
        set_weights(network, "logits", [[-1.0, -1.0], [-2.0, -2.0]])
        self.assertEqual(heats_of(network, torch.ones(1, 1, 4, 4)), {})

    def test_a_transformer_is_watched_before_its_last_attention(self) -> None:
        norm: Json = {"eps": 1e-6, "affine": True}
        attention: Json = {"heads": 2, "qkvbias": True, "drop": 0.0}
        nodes: list[Node] = [
            ("embed", "patches", ["@image"], {"size": [4, 4], "dim": 8, "bias": True}),
            ("cls", "cls_token", ["embed"], {"count": 1}),
            ("ln1", "ln", ["cls"], norm),
            ("att1", "attention", ["ln1"], attention),
            ("r1", "add", ["cls", "att1"], {}),
            ("ln2", "ln", ["r1"], norm),
            ("att2", "attention", ["ln2"], attention),
            ("r2", "add", ["r1", "att2"], {}),
            ("ln3", "ln", ["r2"], norm),
            ("first", "take_token", ["ln3"], {"index": 0}),
            ("logits", "linear", ["first"], LOGITS),
        ]
        network = network_of(nodes, 16)
        target = target_of(network.plan, "logits")
        assert target is not None
        self.assertEqual((target.node, target.grid, target.is_map), ("ln2", (4, 4), False))
        images = torch.randn(6, 1, 16, 16)
        heats = heats_of(network, images)
        self.assertGreater(len(heats), 0)
        # The token of the class is no part of the picture: patches stand in their order behind it.
        maps = target.as_maps(torch.arange(17.0).view(1, 17, 1))
        self.assertEqual(maps[0, 0, 0].tolist(), [1, 2, 3, 4])

    def test_maps_that_meet_behind_the_last_one_are_all_carried_on(self) -> None:
        nodes: list[Node] = [
            ("c1", "conv", ["@image"], conv(4)),
            ("r1", "relu", ["c1"], {}),
            ("early", "globalavg", ["r1"], {"keep": False}),
            ("c2", "conv", ["r1"], conv(6, stride=2)),
            ("r2", "relu", ["c2"], {}),
            ("late", "globalavg", ["r2"], {"keep": False}),
            ("both", "concat", ["early", "late"], {}),
            ("logits", "linear", ["both"], LOGITS),
        ]
        network = network_of(nodes, 16)
        target = target_of(network.plan, "logits")
        assert target is not None
        self.assertEqual((target.node, target.grid), ("r2", (8, 8)))
        self.assertEqual(
            {heat.shape for heat in heats_of(network, torch.randn(6, 1, 16, 16)).values()}, {(8, 8)}
        )


class PictureTest(unittest.TestCase):
    def test_is_clear_where_nothing_was_looked_at_and_red_where_most_was(self) -> None:
        heat = np.zeros((4, 4), np.float32)
        heat[0, 0] = 1
        with tempfile.TemporaryDirectory() as name:
            path = draw_heat(Path(name) / "heat.png", heat, (64, 128))
            with Image.open(path) as picture:
                self.assertEqual(picture.size, (128, 64))
                pixels = np.array(picture.convert("RGBA"))
        self.assertEqual(pixels[-1, -1, 3], 0)
        red, green, _, alpha = pixels[0, 0].tolist()
        self.assertGreater(alpha, 200)
        self.assertGreater(red, green + 100)


class RunTest(unittest.TestCase):
    def test_a_test_leaves_heat_maps_of_the_worst_and_the_best(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = make_run(Path(name), count=40, epochs=2)
            self.assertEqual(run_here(folder)[0], 0)
            edit_spec(folder, kind="test", weights="out/weights.safetensors", part="all", resume=None)
            code, events = run_here(folder)
            self.assertEqual(code, 0, events[-2:])
            items = json.loads((folder / "out" / "items.json").read_text())
            evidence = json.loads((folder / "out" / "evidence.json").read_text())
            shown = [item for item in items if item["heat"] is not None]
            self.assertGreater(len(shown), 20)
            self.assertEqual(evidence["heat"], {"items": len(shown), "grid": [8, 8]})
            for item in shown:
                with Image.open(folder / item["heat"]) as picture:
                    self.assertEqual(picture.size, (16, 16))
            self.assertEqual(len(of_type(events, "error")), 0)

    def test_other_tasks_have_none(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = make_run(Path(name), task="segmentation", count=12, epochs=1)
            self.assertEqual(run_here(folder)[0], 0)
            edit_spec(folder, kind="test", weights="out/weights.safetensors", part="all", resume=None)
            self.assertEqual(run_here(folder)[0], 0)
            items = json.loads((folder / "out" / "items.json").read_text())
            self.assertEqual({item["heat"] for item in items}, {None})


class CostTest(unittest.TestCase):
    def test_heat_maps_cost_a_small_part_of_predicting_the_same_items(self) -> None:
        """Measured as a ratio on one thread: the first pass is not repeated."""
        network = network_of(classifier_nodes(2), 64)
        images = torch.randn(40, 1, 64, 64)
        lens = lens_over(network)
        with Predictor(network, CPU, lens) as predictor:
            predictor(images)
            lens.maps(CPU)
            plain = min(timed(lambda: predictor(images)) for _ in range(5))
            heats = min(timed(lambda: lens.maps(CPU)) for _ in range(5))
        self.assertLess(heats, plain)


def timed(action: Any) -> float:
    start = time.process_time()
    action()
    return time.process_time() - start
