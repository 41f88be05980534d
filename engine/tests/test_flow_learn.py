"""Velocity super-resolution: the flows that are learned from, what is compared, and whole trainings."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
from collections import Counter
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from unittest import mock

import numpy as np
import torch

from neuroloom_engine import export
from neuroloom_engine.events import Emitter
from neuroloom_engine.failures import BAD_SPEC, DONE, STOPPED
from neuroloom_engine.flow.learn import gain_of, known_flows
from neuroloom_engine.flow.pairs import KINDS, Pair, cut, faded, pair_of, part_of
from neuroloom_engine.flow.sample import refined
from neuroloom_engine.flow.turned import Bend, Placed
from neuroloom_engine.network import build_network
from neuroloom_engine.onnx_bytes import field_of
from neuroloom_engine.runner import run_folder
from neuroloom_engine.spec import parse_plan
from neuroloom_engine.tasks import velocity
from neuroloom_engine.tasks.intervals import student

from .make import ENGINE, StoppingControl, edit_spec, of_type, run_here
from .make_velocity import hyper, make_velocity_run, velocity_plan

QUIET = 1e6


class FlowsTest(unittest.TestCase):
    def quiet(self, number: int, factor: int = 2) -> Pair:
        """Without noise, and all of it equally bright."""
        with mock.patch("neuroloom_engine.flow.pairs.SNR", (QUIET, QUIET)):
            return pair_of(2, number, factor)

    def test_each_kind_is_one_flow_that_no_other_number_gives(self) -> None:
        pairs = [pair_of(1, number, 2) for number in range(len(KINDS))]
        self.assertEqual([pair.kind for pair in pairs], list(KINDS))
        again = pair_of(1, 0, 2)
        np.testing.assert_array_equal(again.velocity, pairs[0].velocity)
        self.assertFalse(np.array_equal(pair_of(1, len(KINDS), 2).truth, pairs[0].truth))
        self.assertFalse(np.array_equal(pair_of(2, 0, 2).truth, pairs[0].truth))
        for pair in pairs:
            with self.subTest(pair.kind):
                # So fast at most that nothing wraps, and a vessel that can be seen.
                speed = np.sqrt(np.square(pair.truth).sum(0))
                self.assertLessEqual(float(speed.max()), pair.top * (1 + 1e-6))
                self.assertTrue(1 / 2 <= pair.top <= 1 / 1.1 + 1e-6 and 5 <= pair.snr <= 30)
                self.assertGreater(int(pair.fluid.sum()), 500)
                self.assertEqual(pair.truth.shape[1:], tuple(2 * side for side in pair.velocity.shape[1:]))

    def test_they_are_the_kinds_that_pages_have_words_for(self) -> None:
        text = (ENGINE.parent / "contract" / "src" / "flow" / "sharpen.ts").read_text()
        found = re.search(r"flowLearned = \[(.*?)\]", text, re.DOTALL)
        assert found is not None
        self.assertEqual(tuple(re.findall(r"'(\w+)'", found[1])), KINDS)

    def test_of_five_flows_one_chooses_the_epoch_and_one_is_kept_aside(self) -> None:
        parts = Counter(item.part for item in known_flows({"seed": 1, "flows": 60}).items)
        self.assertEqual(parts, {"train": 36, "validation": 12, "test": 12})
        self.assertEqual(
            {number % len(KINDS) for number in range(30) if part_of(number) == "test"}, set(range(6))
        )

    def test_every_second_fine_voxel_lies_on_a_coarse_one(self) -> None:
        """Without noise it is what they show, away from walls; no other shift is as near."""
        for number in (0, 2, 3, 4, 5):
            pair = self.quiet(number)
            # Where the fine grid has nothing but fluid for two coarse voxels around.
            deep = np.array([np.roll(pair.fluid, by, axis) for axis in range(3) for by in range(-4, 5)]).all(
                0
            )
            deep = deep[::2, ::2, ::2] & faded_in(pair)
            gaps = {}
            for shift in product((0, 1), repeat=3):
                near = pair.truth[(slice(None), *(slice(by, None, 2) for by in shift))]
                gap = near - pair.velocity
                gaps[shift] = float(np.sqrt(np.square(gap[:, deep]).sum(0).mean())) / pair.top
            with self.subTest(pair.kind):
                self.assertGreater(int(deep.sum()), 50)
                self.assertLess(gaps[0, 0, 0], 0.02)
                self.assertEqual(min(gaps, key=lambda shift: gaps[shift]), (0, 0, 0))

    def test_what_is_cut_in_k_space_keeps_slow_waves_at_any_factor(self) -> None:
        for factor in (2, 3):
            places = np.arange(12 * factor) / factor
            wave = np.exp(2j * np.pi * places / 12)
            field = wave[:, None, None] * np.conj(wave)[:, None] * wave
            np.testing.assert_allclose(cut(field, factor), field[::factor, ::factor, ::factor], atol=1e-12)
        self.assertEqual(faded((8, 8, 8), 2).max(), 1.0)
        self.assertLess(faded((8, 8, 8), 2).min(), 0.01)

    def test_nothing_is_lost_in_a_bend_and_its_walls_are_at_rest(self) -> None:
        bend = Bend(radius=4e-3, bow=9e-3, lean=0.4, across=0.2)
        turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        flow = Placed(bend, turn, (1e-3, 2e-3, 3e-3))
        random = np.random.default_rng(0)
        at = random.uniform(-3e-3, 3e-3, (3, 4000)) + np.array([1e-3, 2e-3, 3e-3])[:, None]
        at = at[:, flow.holds(at, -3e-4)]
        step = 1e-6
        slopes = [
            (flow.velocity(at + shift, 0) - flow.velocity(at - shift, 0)) / (2 * step)
            for shift in np.eye(3)[:, :, None] * step
        ]
        divergence = sum(slopes[axis][axis] for axis in range(3))
        self.assertLess(float(np.abs(divergence).max()) * 4e-3, 1e-6)
        self.assertGreater(at.shape[1], 1000)
        wall = np.array([[4e-3 - 1e-9], [0.0], [0.0]])
        self.assertLess(float(np.abs(bend.velocity(wall, 0)).max()), 1e-5)
        self.assertEqual(float(np.abs(bend.velocity(wall * 1.01, 0)).max()), 0)
        # Dean's pair goes outwards in the middle.
        self.assertAlmostEqual(float(bend.velocity(np.zeros((3, 1)), 0)[0, 0]), 0.2)


def faded_in(pair: Pair) -> np.ndarray:
    """Away from the faces, where what was cut off rings."""
    made = np.zeros(pair.holds.shape, np.bool_)
    made[2:-2, 2:-2, 2:-2] = True
    return made


class PatchesTest(unittest.TestCase):
    def test_vectors_turn_with_their_axes(self) -> None:
        """A linear field A x stays one, with the matrix that the turn makes of it."""
        matrix = np.array([[1.0, 2.0, -3.0], [0.5, -1.0, 4.0], [2.5, 1.5, 0.0]])
        grid = np.stack(np.meshgrid(*[np.arange(5) - 2.0] * 3, indexing="ij"))[::-1]
        field = np.tensordot(matrix, grid, 1)
        for order, mirrored in product(permutations(range(3)), product((False, True), repeat=3)):
            # Rows x, y, z: new axis k was `order[k]` in z, y, x.
            turn = np.zeros((3, 3))
            for axis, before in enumerate(order):
                turn[2 - axis, 2 - before] = -1 if mirrored[before] else 1
            wanted = np.tensordot(turn @ matrix @ turn.T, grid, 1)
            np.testing.assert_allclose(velocity.turned(field, order, mirrored), wanted, atol=1e-12)

    def test_a_patch_lies_on_its_fine_one_however_it_is_turned(self) -> None:
        """Of a coarse grid that is every second fine voxel, all turned alike."""
        random = np.random.default_rng(4)
        pair = pair_of(1, 3, 2)
        truth = random.standard_normal(pair.truth.shape).astype(np.float32)
        pair = replace(pair, truth=truth, velocity=truth[:, ::2, ::2, ::2])
        for seed in range(40):
            rng = np.random.default_rng(seed)
            given, wanted = velocity.patch_of(pair, 2, hyper(imageSize=[8, 10], depth=12), rng)
            self.assertEqual((given.shape, wanted.shape), ((6, 12, 8, 10), (4, 24, 16, 20)))
            np.testing.assert_array_equal(given[:3], wanted[:3, ::2, ::2, ::2])

    def test_interpolation_of_torch_is_that_of_scipy(self) -> None:
        random = np.random.default_rng(1)
        field = random.standard_normal((3, 4, 5, 6)).astype(np.float32)
        for factor in (2, 3):
            found = velocity.finer(torch.from_numpy(field)[None], factor)[0].numpy()
            np.testing.assert_allclose(found, refined(field, factor), atol=1e-5)

    def test_what_has_no_signal_does_not_reach_into_a_vessel(self) -> None:
        speed, bright = np.zeros((3, 6, 6, 6), np.float32), np.full((6, 6, 6), 1e-6, np.float32)
        speed[:, :3], speed[:, 3:], bright[:3] = 0.5, -0.9, 1
        found = velocity.interpolated(torch.from_numpy(velocity.packed(speed, bright))[None], 2)[0]
        np.testing.assert_allclose(found[:, :6], 0.5, atol=0.005)

    def test_a_patch_counts_as_a_share_of_what_interpolation_leaves(self) -> None:
        data = velocity.Dataset([pair_of(1, number, 2) for number in (0, 3)], 2)  # type: ignore[arg-type]
        _, targets = velocity.batch(data, [0, 1], None, hyper(), np.random.default_rng(0))  # type: ignore[arg-type]
        nothing = torch.zeros(2, 3, *targets.shape[2:])
        of = velocity.loss(data, [0, 1], hyper())
        self.assertAlmostEqual(float(of(nothing, targets)), 1, places=4)
        perfect = (targets[:, 3:6] - targets[:, :3]) / velocity.SHARE
        self.assertLess(float(of(perfect, targets)), 1e-6)


class ComparisonTest(unittest.TestCase):
    def test_scores_of_what_is_known(self) -> None:
        pair = pair_of(1, 3, 2)
        exact = velocity.scored(pair, pair.truth)
        self.assertLess(max(exact.rmse, exact.vnrmse, exact.speedError), 1e-6)
        faster = velocity.scored(pair, pair.truth * 1.1)
        self.assertAlmostEqual(faster.speedError, 0.1, places=5)
        self.assertLess(faster.angle, 0.1)
        right_angled = np.stack([-pair.truth[1], pair.truth[0], np.zeros_like(pair.truth[2])])
        flat = replace(pair, truth=pair.truth * np.array([1, 1, 0], np.float32).reshape(3, 1, 1, 1))
        self.assertAlmostEqual(velocity.scored(flat, right_angled).angle, 90, places=4)

    def test_the_gain_is_over_the_better_interpolation_with_students_interval(self) -> None:
        errors = [
            {"network": 0.8, "linear": 1.5, "weighted": 1.0, "cubic": 2.0},
            {"network": 0.9, "linear": 1.5, "weighted": 1.0, "cubic": 2.0},
            {"network": 1.0, "linear": 1.5, "weighted": 1.0, "cubic": 2.0},
        ]
        against, (middle, low, high) = gain_of(errors)
        self.assertEqual(against, "weighted")
        self.assertAlmostEqual(middle, 0.1)
        half = student(2) * 0.1 / np.sqrt(3)
        self.assertAlmostEqual(low, 0.1 - half)
        self.assertAlmostEqual(high, 0.1 + half)


class TrainingTest(unittest.TestCase):
    def setUp(self) -> None:
        # Smaller flows than learned from in earnest: most of the time goes into measuring them.
        self.enterContext(mock.patch("neuroloom_engine.flow.pairs.SIDE", 12))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_training_tells_how_it_does_and_goes_on_where_it_was_stopped(self) -> None:
        whole = make_velocity_run(self.folder / "whole")
        code, events = run_here(whole)
        self.assertEqual(code, DONE, events[-2:])
        self.tells_all(whole, events)
        for stop_at in (4, 16):
            folder = make_velocity_run(self.folder / f"{stop_at}")
            self.assertEqual(run_here(folder, stop_at)[0], STOPPED)
            newest = sorted((folder / "out" / "checkpoints").iterdir())[-1]
            edit_spec(folder, resume=newest.relative_to(folder).as_posix(), attempt=2)
            code, resumed = run_here(folder)
            self.assertEqual(code, DONE)
            self.assertIsNotNone(of_type(resumed, "started")[0]["resumedFrom"])
            self.assertEqual(resumed[-1]["weightsSha256"], events[-1]["weightsSha256"])
            same = [run / "out" / "flow_training.json" for run in (folder, whole)]
            self.assertEqual(*[json.loads(path.read_text()) for path in same])

    def test_one_that_a_member_ends_is_compared_all_the_same(self) -> None:
        folder = make_velocity_run(self.folder / "ended", epochs=5)
        control = StoppingControl(20)
        control.is_final = True
        with tempfile.TemporaryFile() as file:
            self.assertEqual(run_folder(folder, Emitter(file.fileno()), control), STOPPED)
        told = json.loads((folder / "out" / "flow_training.json").read_text())
        self.assertEqual((len(told["flows"]), told["asked"]["epochs"]), (4, 5))

    def tells_all(self, folder: Path, events: list) -> None:
        validations = [one for one in of_type(events, "metrics") if one["split"] == "validation"]
        self.assertEqual(len(validations), 2)
        self.assertEqual(
            set(validations[0]["values"]), {"loss", "rmse", "rmseLinear", "rmseWeighted", "rmseCubic"}
        )
        self.assertEqual(validations[0]["values"]["rmseLinear"], validations[1]["values"]["rmseLinear"])
        self.assertEqual(of_type(events, "preview"), [])
        kinds = {event["kind"] for event in of_type(events, "artifact")}
        self.assertEqual(kinds, {"weights", "onnx", "torchscript", "flow_training"})
        told = json.loads((folder / "out" / "flow_training.json").read_text())
        self.assertEqual((told["v"], told["factor"]), (1, 2))
        self.assertEqual(told["parts"], {"train": 12, "validation": 4, "test": 4})
        self.assertEqual([flow["kind"] for flow in told["flows"]], [KINDS[n % 6] for n in (4, 9, 14, 19)])
        self.assertEqual(set(told["scores"]), {"network", "linear", "weighted", "cubic"})
        self.assertEqual(told["wins"], told["gain"]["low"] > 0)
        again = gain_of([flow["rmse"] for flow in told["flows"]])
        self.assertEqual([told["gain"]["against"], told["gain"]["mean"]], [again[0], again[1][0]])

    def test_what_is_exported_answers_with_the_finer_flow_itself(self) -> None:
        folder = make_velocity_run(self.folder / "run", epochs=1)
        self.assertEqual(run_here(folder)[0], DONE)
        tensors, about = export.load_weights(folder / "out" / "weights.safetensors")
        self.assertEqual([one["name"] for one in about["inputs"]], ["velocity", "magnitude"])
        self.assertEqual(about["outputs"][0]["factor"], 2)
        network = build_network(parse_plan(velocity_plan()), "flow", 0)
        network.load_state_dict(tensors)
        pair = pair_of(9, 0, 2)
        given = torch.from_numpy(velocity.packed(pair.velocity, pair.magnitude))[None]
        with torch.no_grad():
            wanted = velocity.interpolated(given, 2) + velocity.SHARE * network.eval()(given)[0]
            traced = torch.jit.load(folder / "out" / "model.pt")
            torch.testing.assert_close(traced(given[:, :3], given[:, 3:]), wanted, rtol=1e-4, atol=1e-5)
        graph = field_of((folder / "out" / "model.onnx").read_bytes(), 7)[2]
        for name in (b"velocity", b"magnitude", b"velocity_fine", b"ConvTranspose"):
            self.assertIn(name, graph)
        self.onnx_answers(folder / "out" / "model.onnx", given, wanted)

    def onnx_answers(self, path: Path, given: torch.Tensor, wanted: torch.Tensor) -> None:
        """Where this Python has ONNX Runtime."""
        try:
            from onnxruntime import InferenceSession  # type: ignore[import-not-found]
        except ImportError:
            return
        session = InferenceSession(str(path), providers=["CPUExecutionProvider"])
        found = session.run(None, {"velocity": given[:, :3].numpy(), "magnitude": given[:, 3:].numpy()})[0]
        np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-3, atol=1e-4)

    def test_inputs_may_be_drawn_in_any_order(self) -> None:
        given = torch.rand(2, 6, 8, 8, 8)
        answers = []
        for inputs in (("velocity", "magnitude"), ("magnitude", "velocity")):
            network = build_network(parse_plan(velocity_plan(inputs=inputs)), "flow", 3).eval()
            apart = {"velocity": given[:, :3], "magnitude": given[:, 3:]}
            with torch.no_grad():
                answers += [network(given)[0], network(*[apart[name] for name in inputs])[0]]
        for answer in answers[1:]:
            torch.testing.assert_close(answer, answers[0])

    def test_networks_that_take_or_give_other_things_are_refused(self) -> None:
        flat = velocity_plan()
        flat["nodes"], flat["heads"]["main"]["from"] = flat["nodes"][:1], "weighed"
        flat["learn"] = 0
        others = {
            "inputs": velocity_plan() | {"inputs": {"velocity": velocity_plan()["inputs"]["velocity"]}},
            "flat": flat,
        }
        for name, plan in others.items():
            code, events = run_here(make_velocity_run(self.folder / name, plan=plan))
            self.assertEqual(code, BAD_SPEC, name)
            self.assertEqual(of_type(events, "error")[0]["code"], "plan_invalid")
        code, events = run_here(make_velocity_run(self.folder / "large", imageSize=[24, 24]))
        self.assertEqual(of_type(events, "error")[0]["code"], "plan_invalid")
