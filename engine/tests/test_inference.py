"""New images get what a test would have said of them; bad files and broken attempts cost nothing else."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
import unittest
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image

from neuroloom_engine.failures import DONE, STOPPED
from neuroloom_engine.inference import apply as module
from neuroloom_engine.inference import flow

from .make import (
    Json,
    edit_spec,
    make_plan,
    make_run,
    of_type,
    run_here,
    write_json,
)
from .make_boxes import make_detection
from .make_pairs import make_pairs_run
from .make_volumes import draw_ball, make_volume_run, volume_nodes

WEIGHTS = "out/weights.safetensors"


def make_multilabel(folder: Path) -> Path:
    make_run(folder, criterion="bce", epochs=1)
    edit_spec(folder, task="multilabel")
    manifest = json.loads((folder / "manifest.json").read_text())
    items = [item | {"class": None, "labels": [item["class"]]} for item in manifest["items"]]
    write_json(folder / "manifest.json", manifest | {"task": "multilabel", "items": items})
    return folder


def make_volumes(folder: Path) -> Path:
    items = [draw_ball(folder, str(index), (9, 10 + index, 11)) for index in range(5)]
    plan = make_plan("segmentation", volume_nodes(2), size=8, axes=3)
    return make_volume_run(folder, items, plan, epochs=1)


MAKERS: dict[str, Callable[[Path], Path]] = {
    "classification": lambda folder: make_run(folder, epochs=1),
    "multilabel": make_multilabel,
    "segmentation": lambda folder: make_run(folder, "segmentation", epochs=1),
    "volume_segmentation": make_volumes,
    "detection": lambda folder: make_detection(folder, 12, epochs=1),
    "super_resolution": lambda folder: make_pairs_run(folder, "super_resolution", epochs=1),
    "denoising": lambda folder: make_pairs_run(folder, "denoising", epochs=1),
}


def forget_labels(folder: Path) -> list[Json]:
    """Turns a trained run's folder into one that applies its weights to the same images."""
    manifest = json.loads((folder / "manifest.json").read_text())
    unknown = {"label": None, "class": None, "labels": None, "boxes": None}
    items = [item | unknown for item in manifest["items"]]
    write_json(folder / "manifest.json", manifest | {"items": items})
    edit_spec(folder, kind="predict", weights=WEIGHTS, maxPixels=1_000_000)
    return items


def read_items(folder: Path) -> list[Json]:
    return json.loads((folder / "out" / "items.json").read_text())


def read_table(folder: Path) -> list[list[str]]:
    with (folder / "out" / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


def read_archive(folder: Path, name: str) -> dict[str, bytes]:
    with zipfile.ZipFile(folder / "out" / name) as archive:
        return {entry: archive.read(entry) for entry in archive.namelist()}


class InferenceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_tells_how_unsure_the_network_is_of_each_class_where_that_is_asked(self) -> None:
        for task in ("classification", "multilabel", "segmentation", "volume_segmentation", "detection"):
            with self.subTest(task):
                folder = self.trained(task)
                forget_labels(folder)
                self.applied(folder)
                self.assertEqual({one["doubt"] for one in read_items(folder)}, {None})
                edit_spec(folder, doubts=True, attempt=2)
                shutil.rmtree(folder / "out" / "found")
                (folder / "out" / "journal.jsonl").unlink()
                self.applied(folder)
                classes = json.loads((folder / "manifest.json").read_text())["classes"]
                for one in read_items(folder):
                    self.assertEqual(len(one["doubt"]), len(classes))
                    self.assertTrue(all(0 <= value <= 1.000001 for value in one["doubt"]), one)
                    # Where nothing is framed, there is nothing to doubt.
                    self.assertTrue(task == "detection" or max(one["doubt"]) > 0)

    def trained(self, task: str) -> Path:
        folder = MAKERS[task](self.folder / task)
        self.assertEqual(run_here(folder)[0], DONE)
        return folder

    def test_a_recipe_is_done_before_the_network_looks(self) -> None:
        folder = self.trained("segmentation")
        forget_labels(folder)
        size = {"do": "size", "how": "stretch", "width": 40, "height": 24}
        edit_spec(folder, recipe={"v": 1, "steps": [size]})
        self.assertEqual(run_here(folder)[0], DONE)
        for content in read_archive(folder, "masks.zip").values():
            with Image.open(io.BytesIO(content)) as mask:
                self.assertEqual(mask.size, (40, 24))

    def test_what_a_recipe_cannot_do_is_set_aside(self) -> None:
        folder = self.trained("segmentation")
        forget_labels(folder)
        crop = {"do": "crop", "how": "centre", "width": 9999, "height": 9999}
        edit_spec(folder, recipe={"v": 1, "steps": [crop]})
        _, events = run_here(folder)
        self.assertEqual(of_type(events, "error")[0]["code"], "nothing_readable")
        told = json.loads((folder / "out" / "set_aside.json").read_text())
        self.assertEqual({one["reason"] for one in told}, {"not_prepared"})

    def applied(self, folder: Path) -> list[Json]:
        code, events = run_here(folder)
        self.assertEqual(code, DONE, of_type(events, "error"))
        self.assertEqual(of_type(events, "metrics"), [])
        self.assertEqual(events[-1]["metrics"], {})
        return events

    def test_every_task_says_of_unlabelled_images_what_its_test_said(self) -> None:
        files = {"segmentation": "masks.zip", "volume_segmentation": "masks.zip"}
        files |= {"super_resolution": "images.zip", "denoising": "images.zip"}
        for task in MAKERS:
            with self.subTest(task):
                folder = self.trained(task)
                edit_spec(folder, kind="test", weights=WEIGHTS, part="all")
                self.assertEqual(run_here(folder)[0], DONE)
                tested = read_items(folder)
                archive = read_archive(folder, files[task]) if task in files else {}
                found = json.loads((folder / "out/boxes.json").read_text()) if task == "detection" else {}
                items = forget_labels(folder)
                events = self.applied(folder)

                told = read_items(folder)
                self.assertEqual([item["id"] for item in told], [item["id"] for item in items])
                for one, other in zip(told, tested, strict=True):
                    self.assertIsNone(one["truth"])
                    np.testing.assert_allclose(one["probabilities"], other["probabilities"], atol=1e-4)
                self.assertTrue(
                    all(
                        (one["score"] is None) == (task not in ("classification", "multilabel"))
                        for one in told
                    )
                )
                drawn = [one for one in told if one["overlay"] is not None]
                self.assertEqual(len(drawn), 0 if task in ("classification", "multilabel") else len(items))
                self.assertTrue(all((folder / one["overlay"]).is_file() for one in drawn))
                if archive:
                    self.assertEqual(read_archive(folder, files[task]), archive)
                if found:
                    now = json.loads((folder / "out/boxes.json").read_text())
                    self.assertEqual(len(now["annotations"]), len(found["annotations"]))
                    self.assertEqual(now["images"], found["images"])
                kinds = [event["kind"] for event in of_type(events, "artifact")]
                self.assertEqual(kinds[:3], ["set_aside", "items", "predictions_csv"])
                table = read_table(folder)
                self.assertEqual({row[0] for row in table[1:]}, {item["name"] for item in items})
                self.assertTrue(all(len(row) == len(table[0]) for row in table))
                if task == "detection":
                    self.check_box_columns(table, told)
                counts = of_type(events, "phase")[-1]["counts"]
                empty = sum(
                    not any(one["values"].values())
                    if one["values"]
                    else max(one["probabilities"], default=1) < 0.5
                    for one in told
                )
                if task == "classification":
                    empty = 0
                found_of = {"files": len(items), "predicted": len(items), "bad": 0, "empty": empty}
                self.assertEqual(counts, found_of)

    def check_box_columns(self, table: list[list[str]], told: list[Json]) -> None:
        """Each row of an image says how many boxes of each class count in it."""
        classes = json.loads((self.folder / "detection" / "manifest.json").read_text())["classes"]
        self.assertEqual(table[0][7:], [f"boxes {name}" for name in classes])
        for one in told:
            rows = [row for row in table[1:] if row[0] == one["name"]]
            found = [row[1] for row in rows]
            counts = [found.count(name) for name in classes]
            self.assertEqual(sum(counts), one["values"]["found"])
            self.assertEqual([row[7:] for row in rows], [[str(count) for count in counts]] * len(rows))
            self.assertEqual([one["values"][f"boxes_{index}"] for index in range(len(classes))], counts)

    def test_the_table_tells_areas_and_volumes_of_each_class(self) -> None:
        folder = self.trained("volume_segmentation")
        forget_labels(folder)
        self.applied(folder)
        header, row, *_ = read_table(folder)
        about = dict(zip(header, row, strict=True))
        self.assertEqual((about["width"], about["height"], about["depth"]), ("11", "10", "9"))
        sides = [float(about[f"mm {side}"]) for side in ("width", "height", "depth")]
        self.assertAlmostEqual(
            float(about["ml ball"]), float(about["voxels ball"]) * float(np.prod(sides)) / 1000, places=4
        )

    def test_files_that_cannot_be_read_are_named_and_the_rest_goes_on(self) -> None:
        folder = self.trained("segmentation")
        items = forget_labels(folder)
        data = folder / "data"
        (data / items[0]["image"]).write_bytes(b"")
        (data / items[1]["image"]).write_bytes(b"no image")
        (data / items[2]["image"]).unlink()
        Image.new("L", (1001, 1000)).save(data / items[3]["image"], format="PNG")
        whole = (data / items[4]["image"]).read_bytes()
        (data / items[4]["image"]).write_bytes(whole[: len(whole) // 2])
        self.applied(folder)
        bad = json.loads((folder / "out" / "set_aside.json").read_text())
        reasons = ["empty", "not_an_image", "missing", "too_large", "truncated"]
        self.assertEqual([one["reason"] for one in bad], reasons)
        self.assertEqual([one["name"] for one in bad], [item["name"] for item in items[:5]])
        self.assertEqual(len(read_items(folder)), len(items) - 5)

    def test_a_folder_without_one_readable_file_fails_with_its_own_name(self) -> None:
        folder = self.trained("classification")
        items = forget_labels(folder)
        for item in items:
            (folder / "data" / item["image"]).write_bytes(b"GIF89a")
        _, events = run_here(folder)
        (error,) = of_type(events, "error")
        self.assertEqual((error["code"], error["data"]["count"]), ("nothing_readable", len(items)))
        (told,) = of_type(events, "artifact")
        self.assertEqual(told["kind"], "set_aside")

    def test_an_attempt_that_broke_off_is_gone_on_with_and_ends_the_same(self) -> None:
        for task in ("segmentation", "detection", "classification"):
            with self.subTest(task):
                folder = self.trained(task)
                forget_labels(folder)
                self.applied(folder)
                names = ["items.json", "predictions.csv", "set_aside.json"]
                names += {"segmentation": ["masks.zip"], "detection": ["boxes.json"]}.get(task, [])
                whole = {name: (folder / "out" / name).read_bytes() for name in names}
                journal = folder / "out" / "journal.jsonl"
                lines = journal.read_bytes().splitlines(keepends=True)
                # As after a sudden end in the middle of a line; of one item the file is gone besides.
                journal.write_bytes(b"".join(lines[:9]) + lines[9][:20])
                known = json.loads(lines[0])["told"]
                if known["file"]:
                    (folder / "out" / "found" / known["file"]).unlink()
                with mock.patch.object(
                    module.Journal, "add", autospec=True, side_effect=module.Journal.add
                ) as add:
                    self.applied(folder)
                self.assertEqual(add.call_count, len(lines) - 9 + bool(known["file"]))
                for name in names:
                    now = (folder / "out" / name).read_bytes()
                    if task == "classification":
                        self.assertEqual(len(now.splitlines()), len(whole[name].splitlines()))
                    else:
                        self.assertEqual(now, whole[name], name)

    def test_stopped_by_the_member_it_leaves_what_is_done_and_else_nothing(self) -> None:
        folder = self.trained("segmentation")
        forget_labels(folder)
        code, events = run_here(folder, stop_at=8)
        self.assertEqual((code, events[-1]["state"], of_type(events, "artifact")), (STOPPED, "stopped", []))

    def test_memory_stays_bounded_by_sending_what_waits(self) -> None:
        folder = self.trained("segmentation")
        forget_labels(folder)
        self.applied(folder)
        whole = read_archive(folder, "masks.zip")
        (folder / "out" / "journal.jsonl").unlink()
        with mock.patch.object(flow, "MOST_BYTES", 1000):
            self.applied(folder)
        self.assertEqual(read_archive(folder, "masks.zip"), whole)
