"""The process speaks the agreed protocol.

Commands in, one JSON line per event out, an exit code that tells the end.
"""

from __future__ import annotations

import json
import signal
import tempfile
import unittest
from pathlib import Path
from typing import Any

from neuroloom_engine.events import finite
from neuroloom_engine.failures import BAD_SPEC, DATA, DONE, MEMORY, STOPPED

from .make import (
    Json,
    classifier_nodes,
    edit_spec,
    make_plan,
    make_run,
    of_type,
    process,
    run_here,
    segmenter_nodes,
    write_json,
)

FIELDS = {
    "started": {"resumedFrom", "versions", "device", "parameters", "planHash"},
    "phase": {"phase", "counts"},
    "progress": {
        *("fold", "folds", "epoch", "epochs", "step", "steps"),
        *("loss", "learningRate", "itemsPerSecond", "etaSeconds"),
    },
    "metrics": {"split", "fold", "epoch", "values", "perClass", "confusion", "best"},
    "preview": {"fold", "epoch", "items"},
    "checkpoint": {"path", "sha256", "bytes", "fold", "epoch", "step", "reason"},
    "artifact": {"kind", "path", "sha256", "bytes"},
    "error": {"code", "data", "trace"},
    "end": {"state", "metrics", "weightsSha256", "quietSeconds"},
}
ITEM_FIELDS = {
    *("id", "name", "truth", "probabilities", "score", "values", "overlay", "heat", "labels", "boxes"),
    *("named", "doubt", "plain", "slice", "whole", "size"),
}


class ProtocolTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def fail_with(self, code: str, **changes: Any) -> Json:
        """Runs a folder that must fail and returns the error's data."""
        exit_code, events = run_here(make_run(self.folder / code, **changes))
        (error,) = of_type(events, "error")
        self.assertEqual(error["code"], code)
        self.assertEqual(events[-1]["state"], "failed")
        self.assertNotIn(exit_code, (DONE, STOPPED))
        self.exit_code = exit_code
        return error["data"]

    def test_every_event_has_the_fields_of_the_contract_and_numbers_in_order(self) -> None:
        for task in ("classification", "segmentation"):
            folder = make_run(self.folder / task, task, epochs=2)
            code, events = run_here(folder)
            self.assertEqual(code, DONE)
            self.assertEqual([event["seq"] for event in events], list(range(len(events))))
            for event in events:
                self.assertEqual(set(event) - {"v", "seq", "t", "type"}, FIELDS[event["type"]], event)
            self.assertEqual(events[0]["type"], "started")
            self.assertEqual(events[-1]["type"], "end")
            kinds = {event["type"] for event in events}
            self.assertLessEqual({"phase", "progress", "metrics", "preview", "checkpoint", "artifact"}, kinds)
            for item in of_type(events, "preview")[-1]["items"]:
                self.assertEqual(set(item), ITEM_FIELDS)
                self.assertEqual(item["overlay"] is None, task == "classification")
                self.assertTrue(item["overlay"] is None or (folder / item["overlay"]).is_file())
            for event in of_type(events, "artifact"):
                self.assertEqual((folder / event["path"]).stat().st_size, event["bytes"])

    def test_testing_gives_items_tables_masks_and_the_same_scores_twice(self) -> None:
        for task in ("classification", "segmentation"):
            folder = make_run(self.folder / task, task, epochs=2)
            run_here(folder)
            spec = json.loads((folder / "run.json").read_text())
            del spec["resume"]
            weights = {"kind": "test", "weights": "out/weights.safetensors", "part": "held-out"}
            write_json(folder / "run.json", spec | weights)
            code, events = run_here(folder)
            self.assertEqual(code, DONE)
            (metrics,) = of_type(events, "metrics")
            self.assertEqual(metrics["split"], "test")
            self.assertEqual(metrics["confusion"] is None, task == "segmentation")
            kinds = [event["kind"] for event in of_type(events, "artifact")]
            self.assertEqual(
                kinds, ["items", "evidence", "predictions_csv"] + ["masks_zip"] * (task == "segmentation")
            )
            items = json.loads((folder / "out" / "items.json").read_text())
            self.assertEqual(len(items), {"classification": 8, "segmentation": 7}[task])
            self.assertEqual(set(items[0]), ITEM_FIELDS)
            self.assertEqual(run_here(folder)[1][-1]["metrics"], events[-1]["metrics"])
            edit_spec(folder, part="all")
            run_here(folder)
            self.assertEqual(len(json.loads((folder / "out" / "items.json").read_text())), 36)

    def test_held_out_of_another_data_set_is_refused(self) -> None:
        folder = make_run(self.folder / "run", epochs=1)
        run_here(folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["items"].pop()
        write_json(folder / "manifest.json", manifest)
        edit_spec(folder, kind="test", weights="out/weights.safetensors", part="held-out")
        self.assertEqual(of_type(run_here(folder)[1], "error")[0]["data"], {"diff": ["dataHash"]})
        manifest["classes"][0] = "slanted"
        write_json(folder / "manifest.json", manifest)
        edit_spec(folder, part="all")
        self.assertEqual(of_type(run_here(folder)[1], "error")[0]["data"], {"classes": ["slanted"]})

    def test_a_loss_that_is_not_finite_ends_the_run_with_its_place(self) -> None:
        blow = {"value": 1e38, "learn": "no"}
        nodes = [*classifier_nodes(2), ("blow", "scale", ["logits"], blow), ("up", "scale", ["blow"], blow)]
        data = self.fail_with("loss_not_finite", plan=make_plan("classification", nodes))
        self.assertEqual(self.exit_code, DATA)
        self.assertEqual((data["epoch"], data["step"]), (1, 1))

    def test_bad_specs_and_data_end_with_their_own_names(self) -> None:
        self.fail_with("plan_invalid", scheduler="unknown")
        self.assertEqual(self.exit_code, BAD_SPEC)
        device = {"kind": "cpu", "index": 0, "threads": 1, "memoryBytes": 1_000_000}
        self.assertEqual(self.fail_with("memory_estimate_exceeded", device=device)["tryBatch"], 1)
        self.assertEqual(self.exit_code, MEMORY)
        self.assertEqual(self.fail_with("data_too_few", count=2), {"have": 2, "need": 3})
        plan = make_plan("classification", segmenter_nodes(2))
        plan["nodes"][0]["learn"] += 1
        self.assertIn("reason", self.fail_with("plan_invalid", plan=plan | {"heads": {}}))
        plan["heads"]["main"]["task"] = "classification"
        self.assertEqual(self.fail_with("internal_plan_mismatch", plan=plan)["node"], "c1")

    def test_missing_broken_and_mispaired_files_are_named(self) -> None:
        folder = make_run(self.folder / "one", epochs=1)
        (folder / "data" / "3.png").write_bytes(b"no image")
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        warning = of_type(events, "warning")[0]
        self.assertEqual((warning["code"], warning["data"]["files"]), ("file_skipped", ["3.png"]))
        for index in range(0, 36, 2):
            (folder / "data" / f"{index}.png").write_bytes(b"")
        self.assertEqual(of_type(run_here(folder)[1], "error")[0]["code"], "data_unreadable")
        for index in range(36):
            (folder / "data" / f"{index}.png").unlink()
        self.assertEqual(of_type(run_here(folder)[1], "error")[0]["code"], "data_missing")
        pairs = make_run(self.folder / "pairs", "segmentation", epochs=1)
        for index in range(1, 36, 3):
            (pairs / "data" / "masks" / f"{index}.png").write_bytes(
                (pairs / "data" / "masks" / "0.png").read_bytes()
            )
        self.assertEqual(of_type(run_here(pairs)[1], "error")[0]["code"], "data_pair_mismatch")

    def test_numbers_that_json_does_not_know_become_null(self) -> None:
        self.assertEqual(finite({"a": [float("nan"), 1.5], "b": float("inf")}), {"a": [None, 1.5], "b": None})


class ProcessTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = make_run(Path(self.enterContext(tempfile.TemporaryDirectory())) / "run", epochs=2000)

    def run_until_preview(self, finish: str) -> tuple[int, list[Json]]:
        with process("serve") as engine:
            events = engine.events()
            self.assertEqual(next(events), {"v": 1, "type": "ready"})
            engine.send({"command": "run", "folder": str(self.folder)})
            seen: list[Json] = []
            for event in events:
                seen.append(event)
                if event["type"] == "preview" and not finish.startswith("done "):
                    if finish == "stop":
                        engine.send({"command": "stop"})
                    elif finish == "eof":
                        engine.close_input()
                    elif finish == "signal":
                        engine.popen.send_signal(signal.SIGTERM)
                    else:
                        edit_spec(self.folder, attempt=2)
                        engine.close_input()
                    finish = f"done {finish}"
            return engine.popen.wait(), seen

    def test_stop_closed_input_and_sigterm_save_and_end_stopped(self) -> None:
        for finish in ("stop", "eof", "signal"):
            with self.subTest(finish=finish):
                code, events = self.run_until_preview(finish)
                self.assertEqual(code, STOPPED)
                self.assertEqual(events[-1]["state"], "stopped")
                self.assertEqual(of_type(events, "checkpoint")[-1]["reason"], "stop")
                # Only the member's own stop ends the run for good, so only then is what it learned exported.
                self.assertEqual(events[-1]["weightsSha256"] is not None, finish == "stop")
                self.assertEqual("macroF1" in events[-1]["metrics"], finish == "stop")

    def test_an_attempt_that_was_followed_by_a_newer_one_writes_nothing_more(self) -> None:
        code, events = self.run_until_preview("newer attempt")
        self.assertEqual(code, STOPPED)
        self.assertEqual(of_type(events, "checkpoint"), [])
        self.assertFalse((self.folder / "out" / "checkpoints").exists())

    def test_a_waiting_process_ends_quietly_when_its_input_closes(self) -> None:
        with process("serve", "--light") as engine:
            events = engine.events()
            self.assertEqual(next(events)["type"], "ready")
            engine.close_input()
            self.assertEqual(engine.popen.wait(), DONE)
