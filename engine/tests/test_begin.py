"""A training that begins with an earlier one's weights takes over what fits; a checkpoint wins over them."""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any

import torch

from neuroloom_engine import safetensors
from neuroloom_engine.begin import take_over
from neuroloom_engine.failures import DATA, DONE, STOPPED
from neuroloom_engine.network import build_network
from neuroloom_engine.spec import parse_plan

from .make import Json, classifier_nodes, edit_spec, make_plan, make_run, of_type, run_here


def begin(folder: Path, weights: Path, **changes: Any) -> Path:
    """A run that begins with these weights."""
    make_run(folder, **changes)
    shutil.copy(weights, folder / "earlier.safetensors")
    edit_spec(folder, start="earlier.safetensors")
    return folder


class BeginTest(unittest.TestCase):
    folder: Path
    weights: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        code, _ = run_here(make_run(cls.folder / "first", epochs=2))
        assert code == DONE
        cls.weights = cls.folder / "first" / "out" / "weights.safetensors"

    def test_the_same_network_takes_all_and_tells_so(self) -> None:
        # A learning rate too small to change anything that can be seen
        folder = begin(self.folder / "same", self.weights, epochs=1, learningRate=1e-12, weightDecay=0)
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        (taken,) = of_type(events, "taken_over")
        self.assertEqual((taken["layers"], taken["ofLayers"]), (5, 5))
        self.assertEqual(taken["parameters"], taken["ofParameters"])
        first = safetensors.load(self.weights)[0]
        second = safetensors.load(folder / "out" / "weights.safetensors")[0]
        torch.testing.assert_close(first["c2.weight"], second["c2.weight"])

    def test_a_head_for_other_classes_begins_anew(self) -> None:
        network = build_network(
            parse_plan(make_plan("classification", classifier_nodes(7))), "classification", 1
        )
        before = network.state_dict()["logits.weight"].clone()
        tensors = safetensors.load(self.weights)[0]
        taken = take_over(network, tensors, {})
        self.assertEqual((taken.layers, taken.of_layers), (4, 5))
        self.assertTrue(torch.equal(network.state_dict()["logits.weight"], before))
        self.assertTrue(torch.equal(network.state_dict()["c1.weight"], tensors["c1.weight"]))

    def test_a_renamed_layer_is_found_under_its_former_name(self) -> None:
        nodes = classifier_nodes(3)
        nodes[0] = ("stem", *nodes[0][1:])
        nodes[1] = (nodes[1][0], nodes[1][1], ["stem"], nodes[1][3])
        tensors = safetensors.load(self.weights)[0]
        plan = parse_plan(make_plan("classification", nodes))
        network = build_network(plan, "classification", 1)
        without = take_over(network, tensors, {})
        taken = take_over(network, tensors, {"stem": "c1"})
        self.assertEqual(taken.layers, without.layers + 1)
        self.assertTrue(torch.equal(network.state_dict()["stem.weight"], tensors["c1.weight"]))

    def test_weights_of_another_network_are_refused(self) -> None:
        strange = self.folder / "strange.safetensors"
        safetensors.save(strange, {"nothing": torch.zeros(3)}, {"neuroloom": "{}"})
        code, events = run_here(begin(self.folder / "unfit", strange))
        self.assertEqual(code, DATA)
        self.assertEqual(of_type(events, "error")[0]["code"], "weights_unfit")

    def test_a_checkpoint_wins_over_the_weights(self) -> None:
        whole = self.digest(run_here(begin(self.folder / "whole", self.weights, epochs=2)))
        folder = begin(self.folder / "broken", self.weights, epochs=2)
        self.assertEqual(run_here(folder, stop_at=5)[0], STOPPED)
        newest = sorted((folder / "out" / "checkpoints").iterdir())[-1]
        edit_spec(folder, resume=newest.relative_to(folder).as_posix(), attempt=2)
        code, events = run_here(folder)
        self.assertEqual(of_type(events, "taken_over"), [])
        self.assertEqual(self.digest((code, events)), whole)

    def test_a_spec_of_before_begins_from_scratch(self) -> None:
        folder = make_run(self.folder / "plain", epochs=1)
        self.assertNotIn("start", json.loads((folder / "run.json").read_text()))
        code, events = run_here(folder)
        self.assertEqual((code, of_type(events, "taken_over")), (DONE, []))

    def digest(self, answer: tuple[int, list[Json]]) -> str:
        code, events = answer
        self.assertEqual(code, DONE)
        return events[-1]["weightsSha256"]


if __name__ == "__main__":
    unittest.main()
