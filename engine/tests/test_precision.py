"""Mixed precision on the path that a graphics card takes, with the 16 bits of a processor (bfloat16)."""

from __future__ import annotations

import json
import tempfile
import unittest
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import nn

from neuroloom_engine import precision as module
from neuroloom_engine import train
from neuroloom_engine.failures import DATA, DONE, STOPPED
from neuroloom_engine.network import Network
from neuroloom_engine.precision import FIRST_SCALE, Precision, precision_of
from neuroloom_engine.spec import parse_hyper, parse_plan

from .make import Json, edit_spec, make_plan, make_run, of_type, run_here, segmenter_nodes
from .make_boxes import make_detection


def in_16_bits(device: torch.device, hyper: Any, ops: Iterable[str]) -> Precision:
    """What a card gets, brought to the processor."""
    wanted = precision_of(torch.device("cuda"), hyper, ops)
    return Precision("cpu", None if wanted.half is None else torch.bfloat16)


def states_of(folder: Path) -> list[Json]:
    """Of the kept checkpoints, oldest first."""
    paths = sorted((folder / "out" / "checkpoints").iterdir())
    bodies = [json.loads((path / "checkpoint.json").read_bytes())["body"] for path in paths]
    return [json.loads(body)["state"] for body in bodies]


class MixedPrecisionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(mock.patch.object(train, "precision_of", in_16_bits))
        # Often enough that a short run sees the factor grow.
        self.enterContext(mock.patch.object(module, "GOOD_STEPS", 2))

    def ended(self, folder: Path) -> list[Json]:
        code, events = run_here(folder)
        self.assertEqual(code, DONE, of_type(events, "error"))
        return events

    def test_networks_learn_in_it_and_differently_from_32_bits(self) -> None:
        makers: dict[str, Callable[[str, bool], Path]] = {
            "classification": lambda name, wanted: make_run(
                self.folder / name, "classification", epochs=6, mixedPrecision=wanted
            ),
            "segmentation": lambda name, wanted: make_run(
                self.folder / name, "segmentation", epochs=6, mixedPrecision=wanted
            ),
            "detection": lambda name, wanted: make_detection(
                self.folder / name, 12, epochs=5, mixedPrecision=wanted
            ),
        }
        for task, make in makers.items():
            with self.subTest(task):
                events = self.ended(make(f"{task}-half", True))
                losses = [
                    event["values"]["loss"]
                    for event in of_type(events, "metrics")
                    if event["split"] == "train"
                ]
                self.assertLess(losses[-1], losses[0])
                whole = self.ended(make(f"{task}-whole", False))
                self.assertNotEqual(events[-1]["weightsSha256"], whole[-1]["weightsSha256"])

    def test_a_run_stopped_anywhere_ends_with_the_weights_of_an_unbroken_one(self) -> None:
        changes = {"epochs": 2, "mixedPrecision": True}
        whole = self.ended(make_run(self.folder / "whole", **changes))[-1]["weightsSha256"]
        for stop_at in (4, 6):
            folder = make_run(self.folder / f"{stop_at}", **changes)
            self.assertEqual(run_here(folder, stop_at)[0], STOPPED)
            newest = sorted((folder / "out" / "checkpoints").iterdir())[-1]
            kept = states_of(folder)[-1]["precision"]
            self.assertGreater(kept["scale"], FIRST_SCALE)
            edit_spec(folder, resume=newest.relative_to(folder).as_posix(), attempt=2)
            self.assertEqual(self.ended(folder)[-1]["weightsSha256"], whole)

    def test_a_gradient_that_never_fits_ends_the_run_with_its_place(self) -> None:
        with mock.patch.object(Precision, "settle", autospec=True, side_effect=halve):
            code, events = run_here(make_run(self.folder / "lost", epochs=9, mixedPrecision=True))
        (error,) = of_type(events, "error")
        self.assertEqual((code, error["code"]), (DATA, "loss_not_finite"))


def halve(precision: Precision, parameters: object) -> bool:
    precision.scale /= 2
    return False


class FactorTest(unittest.TestCase):
    def weight(self, gradient: float) -> nn.Parameter:
        weight = nn.Parameter(torch.zeros(3))
        weight.grad = torch.full((3,), gradient)
        return weight

    def test_it_goes_out_of_gradients_again(self) -> None:
        precision = Precision("cpu", torch.bfloat16)
        weight = nn.Parameter(torch.tensor([2.0, 3.0]))
        precision.backward((weight * weight).sum())
        self.assertTrue(precision.settle([weight]))
        torch.testing.assert_close(weight.grad, torch.tensor([4.0, 6.0]))

    def test_gradients_that_do_not_fit_are_left_out_and_halve_it(self) -> None:
        precision = Precision("cpu", torch.bfloat16)
        precision.good = 5
        for value in (float("inf"), float("nan")):
            before = precision.scale
            self.assertFalse(precision.settle([self.weight(1.0), self.weight(value)]))
            self.assertEqual((precision.scale, precision.good), (before / 2, 0))
        while not precision.is_lost:
            precision.settle([self.weight(float("inf"))])
        self.assertEqual(precision.scale, 0.5)

    def test_good_steps_double_it_up_to_a_limit(self) -> None:
        precision = Precision("cpu", torch.bfloat16)
        with mock.patch.object(module, "GOOD_STEPS", 1):
            for _ in range(12):
                self.assertTrue(precision.settle([self.weight(1.0)]))
        self.assertEqual(precision.scale, module.MOST_SCALE)

    def test_devices_that_are_quick_with_it_are_given_it_where_it_is_wanted(self) -> None:
        raw = json.loads(
            (make_run(Path(self.enterContext(tempfile.TemporaryDirectory())) / "a") / "run.json").read_text()
        )

        def half(kind: str, wanted: dict[str, bool], flags: str, ops: Iterable[str]) -> torch.dtype | None:
            with mock.patch.object(module, "own_flags", lambda: frozenset(flags.split())):
                return precision_of(torch.device(kind), parse_hyper(raw["hyper"] | wanted), ops).half

        tiles, wanted = "avx512_bf16 amx_bf16 amx_tile", {"mixedPrecision": True}
        for no in ({}, {"mixedPrecision": False}):
            self.assertEqual([half(kind, no, tiles, ["conv"]) for kind in ("cpu", "cuda")], [None, None])
        self.assertEqual(half("cuda", wanted, "", ["mish"]), torch.float16)
        self.assertEqual(half("cpu", wanted, tiles, ["conv", "bn", "relu"]), torch.bfloat16)
        self.assertIsNone(half("cpu", wanted, tiles, ["conv", "mish"]))
        self.assertIsNone(half("cpu", wanted, "avx512_bf16", ["conv"]))

    def test_heads_stay_in_32_bits(self) -> None:
        network = Network(parse_plan(make_plan("segmentation", segmenter_nodes(2))))
        kinds: list[torch.dtype] = []
        for layer in network.children():
            layer.register_forward_hook(lambda module, args, output: kinds.append(output.dtype))
        with Precision("cpu", torch.bfloat16).layers():
            (answer,) = network(torch.rand(2, 1, 16, 16))
        self.assertEqual((kinds[0], kinds[-1]), (torch.bfloat16, torch.float32))
        answer.sum().backward()
        self.assertTrue(
            all(one.grad is not None and one.grad.isfinite().all() for one in network.parameters())
        )

    def test_32_bits_leave_everything_as_it_is(self) -> None:
        precision = Precision()
        weight = self.weight(float("inf"))
        self.assertTrue(precision.settle([weight]))
        self.assertEqual((precision.scale, precision.to_json()), (1.0, {}))
        precision.from_json({"scale": 8.0, "good": 1})
        self.assertEqual(precision.scale, 1.0)
