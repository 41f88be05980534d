"""The oracle tells what torch makes of a plan, and networks may have several inputs."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import unittest
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from neuroloom_engine import graphs
from neuroloom_engine.failures import RunFailure
from neuroloom_engine.layers.activation import Leaky
from neuroloom_engine.layers.registry import wrap
from neuroloom_engine.network import Network, build_network, channels_last
from neuroloom_engine.spec import parse_plan

from .make import ENGINE, classifier_nodes, make_plan

VOLUME = {"k": "map", "c": 2, "s": [4, 4, 4]}


def two_inputs() -> dict[str, Any]:
    """`first - second` of two volumes, under names whose order is not alphabetical."""
    node = {"id": "d", "op": "sub", "in": {"a": "@z", "b": "@a"}, "params": {}, "type": VOLUME}
    return {
        "v": 1,
        "name": "two",
        "inputs": {"z": VOLUME, "a": VOLUME},
        "nodes": [node | {"learn": 0, "buffers": 0, "macs": 0, "share": None}],
        "heads": {"main": {"task": "flow", "from": "d", "weight": 1}},
        "learn": 0,
        "buffers": 0,
        "macs": 0,
        "keptBytes": 0,
        "transientBytes": 0,
    }


class GraphsTest(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)
        # A copy of its own: the builders share their parameters.
        self.plan = copy.deepcopy(make_plan("classification", classifier_nodes(3)))

    def test_a_plan_that_is_right_is_built_as_it_says(self) -> None:
        found = graphs.nodes({"plan": self.plan})
        expected = [[list(node.type.shape), node.learn, node.buffers] for node in parse_plan(self.plan).nodes]
        self.assertEqual(found, {"nodes": expected})

    def test_a_layer_that_torch_refuses_is_named_and_those_before_it_are_told(self) -> None:
        self.plan["nodes"][3]["params"]["pad"] = [2, 2]
        found = graphs.nodes({"plan": self.plan})
        self.assertEqual(len(found["nodes"]), 3)
        self.assertTrue(
            found["error"].startswith("p1 (maxpool): RuntimeError: pad should be"), found["error"]
        )

    def test_products_of_convolutions_and_linear_layers_are_counted(self) -> None:
        # 16×16 pixels, 3×3 kernels: 1 to 8 channels; then 8×8 pixels, 8 to 16; then 16 to 3 numbers.
        macs = 256 * 9 * 8 + 64 * 9 * 8 * 16 + 16 * 3
        self.assertEqual(graphs.costs({"plan": self.plan})["macs"], macs)

    def test_answers_come_line_by_line_and_a_bad_question_ends_nothing(self) -> None:
        questions = [
            {"ask": "layer", "id": 1, "op": "nothing", "params": {}, "inputs": []},
            {"ask": "layer", "id": 2, "op": "relu", "params": {}, "inputs": [VOLUME]},
        ]
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        run = subprocess.run(
            [sys.executable, "-m", "neuroloom_engine.graphs"],
            input=lines,
            capture_output=True,
            text=True,
            cwd=ENGINE,
            check=True,
        )
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(
            answers, [{"error": "KeyError: 'nothing'", "id": 1}, {"shape": [2, 2, 4, 4, 4], "id": 2}]
        )


class NetworkTest(unittest.TestCase):
    def test_inputs_are_taken_in_the_order_of_the_plan(self) -> None:
        network = channels_last(Network(parse_plan(two_inputs())))
        first, second = torch.randn(2, 1, 2, 4, 4, 4)
        torch.testing.assert_close(network(first, second), [first - second])
        with self.assertRaises(AssertionError):
            network(first)

    def test_a_network_with_several_inputs_is_checked_like_any_other(self) -> None:
        self.assertEqual(len(build_network(parse_plan(two_inputs()), "flow", 0).input_types), 2)
        raw = two_inputs()
        raw["nodes"][0]["type"] = {"k": "map", "c": 2, "s": [4, 4, 5]}
        with self.assertRaises(RunFailure):
            build_network(parse_plan(raw), "flow", 0)

    def test_a_task_with_one_picture_a_sample_takes_no_network_with_two(self) -> None:
        raw = two_inputs()
        raw["heads"]["main"]["task"] = "segmentation"
        with self.assertRaises(RunFailure):
            build_network(parse_plan(raw), "segmentation", 0)

    def test_leaky_units_have_torchs_values_and_gradients_and_keep_their_result_alone(self) -> None:
        x = torch.randn(2, 3, 5, requires_grad=True)
        twin = x.detach().clone().requires_grad_()
        kept: list[torch.Tensor] = []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda each: kept.append(each) or each, lambda each: each
        ):
            ours = Leaky(0.2)(x)
        theirs = nn.LeakyReLU(0.2)(twin)
        self.assertTrue(torch.equal(ours, theirs))
        self.assertEqual([tensor.data_ptr() for tensor in kept], [ours.data_ptr()])
        weight = torch.randn_like(x)
        (ours * weight).sum().backward()
        (theirs * weight).sum().backward()
        self.assertTrue(torch.equal(x.grad, twin.grad))  # type: ignore[arg-type]

    def test_circular_padding_spelled_out_equals_torchs(self) -> None:
        x = torch.randn(2, 3, 4, 5)
        torch.testing.assert_close(wrap(x, [1, 2]), F.pad(x, [2, 2, 1, 1], mode="circular"))
        torch.testing.assert_close(wrap(x, [0, 3]), F.pad(x, [3, 3, 0, 0], mode="circular"))


if __name__ == "__main__":
    unittest.main()
