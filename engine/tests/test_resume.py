"""Stopping, crashing and going on again gives the very weights of a run that was never disturbed."""

from __future__ import annotations

import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import torch

from neuroloom_engine import safetensors, train
from neuroloom_engine.failures import DATA, DONE, STOPPED

from .make import Json, edit_spec, make_run, of_type, process, run_here
from .make_pairs import make_pairs_run

FREQUENT = """
from neuroloom_engine import train, __main__ as main
train.CHECKPOINT_MIN_SECONDS = 0
main.main(["serve"])
"""


class ResumeTest(unittest.TestCase):
    # Checks: 1 while loading, then 3 before steps and 1 before validation in each epoch. One of each kind.
    stops: dict[str, tuple[int, ...]] = {"classification": (3, 5, 8)}
    stops_of_pairs: tuple[int, ...] = (9,)
    stops_of_folds: tuple[int, ...] = (9,)

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def digest_of(self, name: str, task: str = "classification", **changes: Any) -> str:
        code, events = run_here(make_run(self.folder / name, task, **changes))
        self.assertEqual(code, DONE)
        return events[-1]["weightsSha256"]

    def resume(self, folder: Path) -> list[Json]:
        newest = sorted((folder / "out" / "checkpoints").iterdir())[-1]
        edit_spec(folder, resume=newest.relative_to(folder).as_posix(), attempt=2)
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        return events

    def test_same_seed_same_weights_and_another_seed_others(self) -> None:
        first = self.digest_of("a", epochs=1)
        self.assertEqual(first, self.digest_of("b", epochs=1))
        self.assertNotEqual(first, self.digest_of("c", epochs=1, seed=6))

    def test_the_number_of_threads_changes_no_more_than_rounding(self) -> None:
        device = {"kind": "cpu", "index": 0, "memoryBytes": None}
        found = []
        for threads in (1, 2):
            changes = {"device": device | {"threads": threads}, "optimizer": "sgd", "epochs": 2}
            self.digest_of(f"{threads}", "segmentation", **changes)
            found.append(safetensors.load(self.folder / f"{threads}" / "out" / "weights.safetensors")[0])
        for name, tensor in found[0].items():
            torch.testing.assert_close(tensor, found[1][name], msg=name)

    def test_a_run_stopped_anywhere_ends_with_the_weights_of_an_unbroken_one(self) -> None:
        for task, stops in self.stops.items():
            whole = self.digest_of(f"whole-{task}", task, epochs=2)
            for stop_at in stops:
                with self.subTest(task=task, stop_at=stop_at):
                    folder = make_run(self.folder / f"{task}-{stop_at}", task, epochs=2)
                    code, events = run_here(folder, stop_at)
                    self.assertEqual(code, STOPPED)
                    self.assertEqual(events[-1]["state"], "stopped")
                    self.assertEqual(of_type(events, "checkpoint")[-1]["reason"], "stop")
                    resumed = self.resume(folder)
                    self.assertEqual(resumed[-1]["weightsSha256"], whole)

    def test_so_does_a_restoration_with_its_random_crops(self) -> None:
        code, events = run_here(make_pairs_run(self.folder / "whole", "super_resolution", epochs=1))
        self.assertEqual(code, DONE)
        whole = events[-1]["weightsSha256"]
        for stop_at in self.stops_of_pairs:
            folder = make_pairs_run(self.folder / f"{stop_at}", "super_resolution", epochs=1)
            self.assertEqual(run_here(folder, stop_at)[0], STOPPED)
            self.assertEqual(self.resume(folder)[-1]["weightsSha256"], whole)

    def test_resuming_tells_where_it_goes_on(self) -> None:
        folder = make_run(self.folder / "run", epochs=2)
        run_here(folder, stop_at=4)
        started = of_type(self.resume(folder), "started")[0]
        self.assertEqual(started["resumedFrom"], {"fold": 0, "epoch": 1, "step": 2})

    def test_k_fold_goes_on_in_the_middle_of_a_later_fold(self) -> None:
        kfold = {"validation": {"method": "kfold", "splits": 5, "seed": 3}, "epochs": 1}
        code, events = run_here(make_run(self.folder / "whole", **kfold))
        self.assertEqual(code, DONE)
        self.assertEqual(len([event for event in of_type(events, "metrics") if event["split"] == "test"]), 5)
        self.assertIn("macroF1Sd", events[-1]["metrics"])
        for stop_at in self.stops_of_folds:
            folder = make_run(self.folder / f"stopped-{stop_at}", **kfold)
            self.assertEqual(run_here(folder, stop_at)[0], STOPPED)
            resumed = self.resume(folder)
            self.assertEqual(resumed[-1]["weightsSha256"], events[-1]["weightsSha256"])
            self.assertEqual(resumed[-1]["metrics"], events[-1]["metrics"])

    def test_a_killed_process_goes_on_from_its_last_checkpoint(self) -> None:
        whole = self.digest_of("whole", epochs=6)
        folder = make_run(self.folder / "killed", epochs=6)
        with process(code=FREQUENT) as engine:
            engine.send({"command": "run", "folder": str(folder)})
            for event in engine.events():
                if event["type"] == "checkpoint" and event["epoch"] >= 3:
                    engine.popen.kill()
                    break
        resumed = self.resume(folder)
        self.assertGreaterEqual(of_type(resumed, "started")[0]["resumedFrom"]["epoch"], 3)
        self.assertEqual(resumed[-1]["weightsSha256"], whole)

    def test_a_damaged_checkpoint_is_refused_and_the_one_before_is_used(self) -> None:
        whole = self.digest_of("whole")
        with mock.patch.object(train, "CHECKPOINT_MIN_SECONDS", 0.0):
            original = make_run(self.folder / "original")
            self.assertEqual(run_here(original, stop_at=7)[0], STOPPED)
        for number, damage in enumerate((flip_a_bit, truncate, zero, swap, delete)):
            with self.subTest(damage=damage.__name__):
                folder = self.folder / f"damaged-{number}"
                shutil.copytree(original, folder)
                older, newest = sorted((folder / "out" / "checkpoints").iterdir())
                damage(newest / "weights.safetensors", older / "weights.safetensors")
                resumed = self.resume(folder)
                warnings = [event["data"] for event in of_type(resumed, "warning")]
                self.assertEqual(warnings, [{"checkpoint": newest.name}])
                self.assertEqual(resumed[-1]["weightsSha256"], whole)

    def test_when_no_checkpoint_is_whole_the_run_fails_and_does_not_start_over(self) -> None:
        folder = make_run(self.folder / "run")
        run_here(folder, stop_at=4)
        (newest,) = (folder / "out" / "checkpoints").iterdir()
        (newest / "checkpoint.json").write_bytes(b"\x80\x04pickle")
        edit_spec(folder, resume=newest.relative_to(folder).as_posix())
        code, events = run_here(folder)
        self.assertEqual(code, DATA)
        self.assertEqual(of_type(events, "error")[0]["code"], "checkpoint_incompatible")

    def test_a_checkpoint_of_other_settings_is_refused_by_their_names(self) -> None:
        folder = make_run(self.folder / "run")
        run_here(folder, stop_at=4)
        (newest,) = (folder / "out" / "checkpoints").iterdir()
        make_run(folder, learningRate=0.5, planHash="other", resume=newest.relative_to(folder).as_posix())
        code, events = run_here(folder)
        self.assertEqual(code, DATA)
        self.assertEqual(of_type(events, "error")[0]["data"], {"diff": ["planHash", "hyper.learningRate"]})


def flip_a_bit(file: Path, older: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-5] ^= 4
    file.write_bytes(data)


def truncate(file: Path, older: Path) -> None:
    file.write_bytes(file.read_bytes()[:-100])


def zero(file: Path, older: Path) -> None:
    file.write_bytes(bytes(len(file.read_bytes())))


def swap(file: Path, older: Path) -> None:
    file.write_bytes(older.read_bytes())


def delete(file: Path, older: Path) -> None:
    file.unlink()
