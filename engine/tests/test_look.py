"""Looking into a network: what its nodes make of one image, with first and with trained weights."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from neuroloom_engine.look import try_look

from .make import (
    ENGINE,
    Json,
    Node,
    classifier_nodes,
    conv,
    make_plan,
    make_run,
    run_here,
    segmenter_nodes,
    write_json,
)

LIMITS = {
    **{"channels": 8, "side": 48, "values": 64, "threads": 2},
    **{"maxPixels": 1_000_000, "memoryBytes": 8_000_000_000},
}


class LookTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.paint((40, 40))

    def paint(self, size: tuple[int, ...]) -> None:
        """A bright square in the upper left corner."""
        pixels = np.full(size, 30, np.uint8)
        pixels[:10, :10] = 220
        Image.fromarray(pixels).save(self.folder / "image.png")

    def lay_out(self, plan: Json, nodes: list[str], **changes: Any) -> None:
        task = next(iter(plan["heads"].values()))["task"]
        spec = {"v": 1, "plan": plan, "task": task, "image": "image.png", "weights": None, "nodes": nodes}
        write_json(self.folder / "look.json", {**spec, **LIMITS, **changes})

    def look(self, plan: Json, nodes: list[str], **changes: Any) -> Json:
        self.lay_out(plan, nodes, **changes)
        self.assertIsNone(try_look(self.folder))
        return json.loads((self.folder / "seen.json").read_text())

    def maps(self, seen: Json) -> np.ndarray:
        data = np.frombuffer(base64.b64decode(seen["data"]), np.uint8)
        return data.reshape(seen["channels"], seen["height"], seen["width"])

    def shown(self, answer: Json) -> Image.Image:
        return Image.open(io.BytesIO(base64.b64decode(answer["image"].split(",")[1])))

    def test_shows_few_small_channels_of_pictures_and_the_numbers_of_lists(self) -> None:
        plan = make_plan("classification", classifier_nodes(3), size=128)
        answer = self.look(plan, ["c1", "r2", "gap", "logits"])
        first, second = answer["seen"]
        self.assertEqual([first["node"], second["node"]], ["c1", "r2"])
        self.assertEqual((second["channels"], second["allChannels"]), (8, 16))
        self.assertEqual((first["height"], first["width"]), (48, 48))
        self.assertEqual([entry["node"] for entry in answer["values"]], ["gap", "logits"])
        self.assertEqual([len(entry["values"]) for entry in answer["values"]], [16, 3])
        for one in self.maps(first):
            self.assertEqual((one.min(), one.max()), (0, 255))
        self.assertGreaterEqual(second["min"], 0)

    def test_gives_the_same_maps_at_each_look(self) -> None:
        plan = make_plan("classification", classifier_nodes(3))
        self.assertEqual(self.look(plan, ["c1", "b2"]), self.look(plan, ["c1", "b2"]))

    def test_shows_a_layer_before_the_next_one_changes_it_in_place(self) -> None:
        nodes: list[Node] = [
            *(("c", "conv", ["@image"], conv(4)), ("r", "relu", ["c"], {})),
            *(("gap", "globalavg", ["r"], {"keep": False}),),
            *(("logits", "linear", ["gap"], {"out": 2, "bias": True}),),
        ]
        answer = self.look(make_plan("classification", nodes), ["c", "r"])
        before, after = answer["seen"]
        self.assertLess(before["min"], 0)
        self.assertEqual(after["min"], 0)

    def test_brings_any_picture_to_the_size_and_colours_of_the_network(self) -> None:
        colour = make_plan("classification", classifier_nodes(2), channels=3, size=24)
        picture = self.shown(self.look(colour, ["c1"]))
        self.assertEqual((picture.mode, picture.size), ("RGB", (24, 24)))
        self.paint((30, 50, 3))
        four = make_plan("classification", classifier_nodes(2), channels=4, size=24)
        self.assertEqual(self.shown(self.look(four, ["c1"])).mode, "L")

    def test_shows_patches_as_a_picture_where_the_tokens_stand_as_they_were_cut(self) -> None:
        plan = make_plan("classification", classifier_nodes(2), size=24)
        tokens = {"k": "seq", "n": 9, "c": 5}
        more = {"k": "seq", "n": 10, "c": 5}
        plan["nodes"] = [
            node("cut", "patches", "@image", {"size": [8, 8], "dim": 5}, tokens),
            node("first", "cls_token", "cut", {"count": 1}, more),
            node("act", "relu", "first", {}, more),
            node("one", "take_token", "act", {"index": 0}, {"k": "vec", "c": 5}),
        ]
        plan["heads"] = {"main": {"task": "classification", "from": "one", "weight": 1}}
        answer = self.look(plan, ["cut", "act", "one"])
        self.assertEqual([(one["width"], one["height"]) for one in answer["seen"]], [(3, 3), (3, 3)])
        cut, act = (self.maps(one) for one in answer["seen"])
        # The bright corner lies in the first patch, whatever the weights.
        self.assertTrue(all(one[0, 0] in (0, 255) for one in cut))
        self.assertEqual(act.shape, cut.shape)
        self.assertEqual([entry["node"] for entry in answer["values"]], ["one"])

    def test_shows_the_middle_slice_of_volumes_and_takes_several_inputs(self) -> None:
        volume = {"k": "map", "c": 1, "s": [6, 12, 10]}
        out = {"k": "map", "c": 2, "s": [6, 12, 10]}
        params = {**conv(2), "kernel": [1] * 3, "stride": [1] * 3, "pad": [0] * 3, "dilation": [1] * 3}
        plan = make_plan("classification", classifier_nodes(2))
        plan["inputs"] = {"image": volume, "other": volume, "age": {"k": "vec", "c": 3}}
        plan["nodes"] = [
            node("both", "add", "@image", {}, volume, x1="@other"),
            node("c", "conv", "both", params, out),
            node("numbers", "relu", "@age", {}, {"k": "vec", "c": 3}),
        ]
        plan["heads"] = {"main": {"task": "flow", "from": "c", "weight": 1}}
        answer = self.look(plan, ["c", "numbers"])
        (seen,) = answer["seen"]
        self.assertEqual((seen["channels"], seen["height"], seen["width"]), (2, 12, 10))
        self.assertEqual(len(answer["values"][0]["values"]), 3)
        self.assertEqual(self.shown(answer).size, (10, 12))

    def test_uses_trained_weights_with_their_own_rule(self) -> None:
        for task, nodes in (("classification", classifier_nodes), ("segmentation", segmenter_nodes)):
            run = make_run(self.folder / task, task, epochs=2)
            code, _ = run_here(run)
            self.assertEqual(code, 0)
            plan = json.loads((run / "run.json").read_text())["plan"]
            last = plan["nodes"][-1]["id"]
            first = self.look(plan, ["c1", last])
            weights = str(run / "out" / "weights.safetensors")
            trained = self.look(plan, ["c1", last], weights=weights)
            self.assertNotEqual(first["seen"], trained["seen"])
            self.assertEqual(len(nodes(2)), len(plan["nodes"]))

    def test_says_why_it_cannot_look(self) -> None:
        plan = make_plan("classification", classifier_nodes(2))
        (self.folder / "image.png").write_bytes(b"no picture")
        self.lay_out(plan, ["c1"])
        self.assertEqual(try_look(self.folder), "image")
        self.paint((20, 20))
        (self.folder / "weights").write_bytes(b"no weights")
        self.lay_out(plan, ["c1"], weights="weights")
        with redirect_stderr(io.StringIO()) as said:
            self.assertEqual(try_look(self.folder), "internal")
        self.assertIn("weights", said.getvalue())

    def test_answers_one_folder_after_the_other_until_its_input_closes(self) -> None:
        self.lay_out(make_plan("classification", classifier_nodes(2)), ["c1"])
        lines = [{"command": "look", "folder": str(self.folder / "none")}, "junk"]
        lines.append({"command": "look", "folder": str(self.folder)})
        done = subprocess.run(
            [sys.executable, "-m", "neuroloom_engine", "look"],
            input="".join(json.dumps(line) + "\n" for line in lines),
            capture_output=True,
            text=True,
            cwd=ENGINE,
            timeout=60,
        )
        ready, missing, found = (json.loads(line) for line in done.stdout.splitlines())
        self.assertEqual(done.returncode, 0)
        self.assertEqual(ready["type"], "ready")
        self.assertEqual((missing["type"], missing["code"]), ("looked", "internal"))
        self.assertEqual((found["folder"], found["code"]), (str(self.folder), None))


def node(name: str, op: str, source: str, params: Json, kind: Json, **more: str) -> Json:
    ports = {"x0": source, **more} if more else {"x": source}
    return {
        **{"id": name, "op": op, "in": ports, "params": params, "type": kind},
        **{"learn": 0, "buffers": 0, "macs": 0, "share": None},
    }
