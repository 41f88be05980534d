"""Detection end to end on drawn shapes, each style's loss against its decoding, boxes and augmentation."""

from __future__ import annotations

import csv
import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from neuroloom_engine.data import box_augment
from neuroloom_engine.data.box_overlay import draw_boxes
from neuroloom_engine.data.overlay import CLASS_COLOURS, TRUTH
from neuroloom_engine.export import sized_axes
from neuroloom_engine.failures import BAD_SPEC, DATA, DONE, STOPPED, RunFailure
from neuroloom_engine.spec import TensorType, parse_plan
from neuroloom_engine.tasks.average_precision import Boxes
from neuroloom_engine.tasks.boxes import ciou, giou, iou, iou_matrix, suppress
from neuroloom_engine.tasks.detection_layout import PORTS, Layout, layout_of, stride_of
from neuroloom_engine.tasks.detection_results import Answer, drawn_of
from neuroloom_engine.tasks.detection_ways import decode, found_boxes, make_loss

from .make import edit_spec, of_type, run_here
from .make_boxes import CHANNELS, CLASSES, SIZE, detector_plan, make_detection


class BoxesTest(unittest.TestCase):
    def test_overlaps_of_cases_worked_out_by_hand(self) -> None:
        square = torch.tensor([0.0, 0.0, 10.0, 10.0])
        shifted, apart = torch.tensor([5.0, 0.0, 15.0, 10.0]), torch.tensor([20.0, 0.0, 30.0, 10.0])
        self.assertAlmostEqual(float(iou(square, shifted)), 50 / 150)
        self.assertAlmostEqual(float(giou(square, shifted)), 50 / 150)
        self.assertAlmostEqual(float(giou(square, apart)), -100 / 300)
        # Centres 5 apart in a hull of 15 by 10, shapes equal.
        self.assertAlmostEqual(float(ciou(square, shifted)), 50 / 150 - 25 / 325, places=6)
        flat = torch.tensor([0.0, 2.5, 10.0, 7.5])
        shape = 4 / np.pi**2 * (np.arctan(1) - np.arctan(2)) ** 2
        self.assertAlmostEqual(float(ciou(square, flat)), 0.5 - shape**2 / (0.5 + shape), places=6)

    def test_suppression_at_once_equals_suppression_box_by_box(self) -> None:
        rng = torch.Generator().manual_seed(1)
        for _ in range(20):
            low = torch.rand(80, 2, generator=rng) * 50
            boxes = torch.cat([low, low + 5 + torch.rand(80, 2, generator=rng) * 30], 1)
            classes = torch.randint(0, 2, (80,), generator=rng)
            fits, kept = iou_matrix(boxes, boxes), []
            for index in range(80):
                if not any(fits[other, index] > 0.4 and classes[other] == classes[index] for other in kept):
                    kept.append(index)
            self.assertEqual(torch.nonzero(suppress(boxes, classes, 0.4))[:, 0].tolist(), kept)

    def test_strides_are_whole_quotients_or_the_power_of_two_behind_a_rounded_side(self) -> None:
        for image, level, want in (
            ((240, 320), (30, 40), 8),
            ((240, 320), (8, 10), 32),
            ((96, 96), (32, 32), 3),
        ):
            self.assertEqual(stride_of(TensorType("map", 3, image), TensorType("map", 4, level)), want)
        # A map enlarged again reaches beyond the image.
        self.assertEqual(stride_of(TensorType("map", 3, (75, 90)), TensorType("map", 4, (24, 24))), 4)


class AugmentTest(unittest.TestCase):
    def test_boxes_move_with_what_they_surround(self) -> None:
        rng = np.random.default_rng(2)
        checked = 0
        for _ in range(40):
            image, box = torch.zeros(1, 1, 60, 80), np.array([[1, 30, 20, 50, 36]], np.float32)
            image[0, 0, 20:36, 30:50] = 1
            varied, (moved,) = box_augment.vary(image, [box], rng)
            rows, columns = np.nonzero(varied[0, 0].numpy() > 0.5)
            if not len(moved):
                continue
            checked += 1
            seen = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            np.testing.assert_allclose(moved[0, 1:], seen, atol=1.01)
            self.assertEqual(moved[0, 0], 1)
        self.assertGreater(checked, 30)

    def test_a_box_mostly_out_of_view_is_dropped_and_another_cut(self) -> None:
        boxes = np.array([[0, 0, 0, 10, 10], [1, 30, 30, 50, 50]], np.float32)
        size = np.array([60, 60])
        # Showing the image from 24 on, both axes, at its own scale.
        (left,) = box_augment.moved(boxes, np.ones(2), np.full(2, 24 / 30), size)
        self.assertEqual(left.tolist(), [1, 6, 6, 26, 26])
        (cut,) = box_augment.moved(boxes[1:], np.ones(2), np.full(2, 38 / 30), size)
        self.assertEqual(cut.round(4).tolist(), [1, 0, 0, 12, 12])

    def test_images_keep_their_shape_and_are_filled_up(self) -> None:
        fitted = box_augment.fit(np.full((50, 100, 3), 90, np.uint8), 64, 64)
        self.assertEqual((fitted.pixels.shape, fitted.scale), ((64, 64, 3), (0.64, 0.64)))
        self.assertEqual(np.unique(fitted.pixels).tolist(), [90])
        self.assertEqual(box_augment.padded([np.zeros((0, 5), np.float32)])[0, 0, 0], -1)


class StylesTest(unittest.TestCase):
    targets = torch.tensor(
        [
            [[0, 3.0, 4.0, 13.0, 12.0], [1, 16.0, 20.0, 44.0, 30.0], [0, 40.0, 44.0, 48.0, 60.0]],
            [[1, 8.0, 8.0, 50.0, 50.0], [-1, 0, 0, 0, 0], [-1, 0, 0, 0, 0]],
            [[-1, 0, 0, 0, 0], [-1, 0, 0, 0, 0], [-1, 0, 0, 0, 0]],
        ]
    )

    def fitted(self, ports: tuple[str, ...], levels: int) -> tuple[list[Tensor], Layout]:
        """Free outputs of an image 64 by 64, brought to the least loss: what the loss wants to be said."""
        torch.manual_seed(0)
        layout = layout_of(parse_plan(detector_plan(ports, levels, size=64)))
        heads = [torch.zeros(0)] * (levels * len(ports))
        for own, stride in zip(layout.ports, layout.strides, strict=True):
            for port, index in own.items():
                side = int(64 / stride)
                heads[index] = torch.zeros(3, CHANNELS[port], side, side, requires_grad=True)
        measure = make_loss(layout, None)
        optimizer = torch.optim.Adam(heads, lr=0.1)
        first = float(measure(heads, self.targets))
        for _ in range(150):
            optimizer.zero_grad()
            measure(heads, self.targets).backward()
            optimizer.step()
        self.assertLess(float(measure(heads, self.targets)), first / 3)
        return [head.detach() for head in heads], layout

    def test_what_each_loss_teaches_is_what_its_decoder_reads(self) -> None:
        for style, ports in PORTS.items():
            with self.subTest(style=style):
                heads, layout = self.fitted(ports, 1 if style == "centernet" else 3)
                self.assertEqual(layout.style, style)
                boxes, scores = decode(heads, layout)
                for image, truth in enumerate(self.targets):
                    found = found_boxes(boxes[image], scores[image], (1.0, 1.0), (64, 64))
                    sure = found.first(int((found.scores > 0.3).sum()))
                    real = truth[truth[:, 0] >= 0]
                    self.assertEqual(sorted(sure.classes.tolist()), sorted(real[:, 0].int().tolist()))
                    if len(real):
                        fits = iou_matrix(real[:, 1:], torch.from_numpy(sure.corners))
                        self.assertGreater(float(fits.amax(1).min()), 0.8)

    def test_classes_can_weigh_more_and_an_empty_batch_has_a_loss(self) -> None:
        for style, ports in PORTS.items():
            with self.subTest(style=style):
                layout = layout_of(parse_plan(detector_plan(ports, 1)))
                heads = [torch.zeros(3, CHANNELS[port], 8, 8, requires_grad=True) for port in ports]
                plain, weighed = (
                    float(make_loss(layout, weights)(heads, self.targets / 2))
                    for weights in (None, torch.tensor([1.0, 3.0]))
                )
                self.assertGreater(weighed, plain)
                loss = make_loss(layout, None)(heads, self.targets[2:].expand(3, -1, -1))
                loss.backward()
                self.assertTrue(
                    all(torch.isfinite(head.grad).all() for head in heads if head.grad is not None)
                )
                self.assertLess(float(loss.detach()), 3)

    def test_the_number_of_cells_stays_open_in_what_is_exported(self) -> None:
        named = {"image": torch.zeros(1, 3, 32, 32), "boxes": torch.zeros(1, 80, 4)}
        self.assertEqual(sized_axes(named)["boxes"], {0: "batch", 1: "boxes_length"})

    def test_plans_that_are_no_detector_are_refused(self) -> None:
        with self.assertRaises(RunFailure) as caught:
            layout_of(parse_plan(detector_plan(("cls", "box"))))
        self.assertEqual(caught.exception.code, "plan_invalid")


class DetectionRunTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def failure(self, name: str, **changes: Any) -> tuple[int, Any]:
        code, events = run_here(make_detection(self.folder / name, 12, **changes))
        return code, of_type(events, "error")[0]

    def test_shapes_are_found_and_a_test_leaves_everything(self) -> None:
        folder = make_detection(
            self.folder / "run", 60, epochs=40, validationInterval=20, learningRate=0.02, augment=False
        )
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        self.assertEqual(of_type(events, "warning"), [])
        self.assertGreaterEqual(events[-1]["metrics"]["map50"], 0.7)
        self.assertTrue((folder / of_type(events, "preview")[-1]["items"][0]["overlay"]).exists())
        facts = json.loads((folder / "out" / "model.json").read_text())
        self.assertEqual([output["name"] for output in facts["outputs"]], ["boxes", "scores"])
        (folder / "weights.safetensors").write_bytes((folder / "out" / "weights.safetensors").read_bytes())
        edit_spec(folder, kind="test", weights="weights.safetensors", part="held-out")
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        kinds = {event["kind"]: folder / event["path"] for event in of_type(events, "artifact")}
        self.assertEqual(set(kinds), {"items", "evidence", "predictions_csv", "boxes_json"})
        self.check_results(json.loads(kinds["items"].read_text()), kinds)

    def check_results(self, items: list[Any], kinds: dict[str, Path]) -> None:
        coco = json.loads(kinds["boxes_json"].read_text())
        self.assertEqual(coco["categories"], [{"id": 1, "name": "square"}, {"id": 2, "name": "bar"}])
        self.assertEqual(
            {(image["width"], image["height"]) for image in coco["images"]}, {(2 * SIZE, 2 * SIZE)}
        )
        self.assertEqual([image["file_name"] for image in coco["images"]], [item["name"] for item in items])
        with kinds["predictions_csv"].open(encoding="utf-8-sig") as file:
            header, *rows = csv.reader(file)
        self.assertEqual(header, ["name", "class", "score", "x", "y", "width", "height"])
        self.assertEqual({row[0] for row in rows}, {item["name"] for item in items})
        for item in items:
            found = item["boxes"]["found"]
            self.assertLessEqual(len(found), 100)
            self.assertEqual(found, sorted(found, key=lambda box: -box["score"]))
            self.assertEqual(
                len([row for row in rows if row[0] == item["name"] and row[1]]), item["values"]["found"]
            )
            self.assertTrue(all(0 <= box["x0"] < box["x1"] <= 2 * SIZE for box in found))
            with Image.open(self.folder / "run" / item["overlay"]) as picture:
                self.assertEqual(picture.size, (320, 320))
        evidence = json.loads(kinds["evidence"].read_text())
        self.assertEqual([curve["class"] for curve in evidence["detections"]], CLASSES)

    def test_boxes_have_the_colour_of_their_class_and_wrong_ones_are_dashed(self) -> None:
        truth = Boxes(np.array([1]), np.array([[100, 100, 200, 180]], np.float32), np.zeros(1, np.float32))
        corners = np.array([[100, 100, 200, 180], [300, 100, 420, 180], [300, 300, 420, 380]], np.float32)
        found = Boxes(np.array([1, 1, 8]), corners, np.array([0.9, 0.8, 0.7], np.float32))
        drawn = drawn_of(truth, Answer(found, 0.5))
        # The second has no true box; the third is of another class than any.
        self.assertEqual(drawn.wrong.tolist(), [False, True, True])
        draw_boxes(self.folder / "a.png", np.zeros((640, 640, 1), np.uint8), truth.corners, drawn)
        picture = np.asarray(Image.open(self.folder / "a.png"))
        right, wrong, ninth = picture[100, 100:201], picture[100, 300:421], picture[300, 300:421]
        self.assertEqual({tuple(pixel) for pixel in right.tolist()}, {CLASS_COLOURS[1]})
        self.assertEqual({tuple(pixel) for pixel in wrong.tolist()}, {CLASS_COLOURS[1], (0, 0, 0)})
        self.assertEqual({tuple(pixel) for pixel in ninth.tolist()}, {CLASS_COLOURS[0], (0, 0, 0)})
        self.assertIn(TRUTH, {tuple(pixel) for pixel in picture[100:181, 100:201].reshape(-1, 3).tolist()})

    def test_a_run_stopped_anywhere_ends_with_the_weights_of_an_unbroken_one(self) -> None:
        code, events = run_here(make_detection(self.folder / "whole", 20, epochs=2))
        self.assertEqual(code, DONE)
        whole = events[-1]["weightsSha256"]
        for stop_at in (3, 4, 5):
            with self.subTest(stop_at=stop_at):
                folder = make_detection(self.folder / f"{stop_at}", 20, epochs=2)
                self.assertEqual(run_here(folder, stop_at)[0], STOPPED)
                newest = sorted((folder / "out" / "checkpoints").iterdir())[-1]
                edit_spec(folder, resume=newest.relative_to(folder).as_posix(), attempt=2)
                code, events = run_here(folder)
                self.assertEqual((code, events[-1]["weightsSha256"]), (DONE, whole))

    def test_one_class_alone_trains(self) -> None:
        plan = detector_plan()
        for level in range(2):
            node = next(node for node in plan["nodes"] if node["id"] == f"cls{level}")
            node["params"]["out"], node["type"]["c"], node["learn"] = 1, 1, 17
            plan["learn"] -= 17
        box = {"class": 0, "x0": 4, "y0": 4, "x1": 30, "y1": 30}
        manifest = {"classes": ["square"]}
        folder = make_detection(self.folder / "run", 12, manifest=manifest, plan=plan, epochs=1)
        drawn = json.loads((folder / "manifest.json").read_text())
        drawn["items"] = [item | {"boxes": [box]} for item in drawn["items"]]
        (folder / "manifest.json").write_text(json.dumps(drawn))
        self.assertEqual(run_here(folder)[0], DONE)

    def test_without_boxes_a_training_runs_and_says_that_it_shows_nothing(self) -> None:
        folder = make_detection(self.folder / "run", 12, epochs=1, classWeights=True)
        drawn = json.loads((folder / "manifest.json").read_text())
        drawn["items"] = [item | {"boxes": []} for item in drawn["items"]]
        (folder / "manifest.json").write_text(json.dumps(drawn))
        code, events = run_here(folder)
        self.assertEqual(code, DONE)
        (warning,) = of_type(events, "warning")
        self.assertEqual((warning["code"], warning["data"]["classes"]), ("single_class", CLASSES))

    def test_bad_data_end_a_run_by_name(self) -> None:
        items = json.loads((make_detection(self.folder / "drawn", 12) / "manifest.json").read_text())["items"]
        code, error = self.failure("one", manifest={"items": items[:1]})
        self.assertEqual((code, error["code"]), (DATA, "data_too_few"))
        large = {"class": 0, "x0": 0, "y0": 0, "x1": 500, "y1": 500}
        code, error = self.failure("large", manifest={"items": [item | {"boxes": [large]} for item in items]})
        self.assertEqual((code, error["code"]), (DATA, "data_pair_mismatch"))
        self.assertIn("2.png", error["data"]["files"])
        code, error = self.failure("classes", manifest={"classes": [*CLASSES, "third"]}, numClass=3)
        self.assertEqual((code, error["code"]), (BAD_SPEC, "plan_invalid"))


if __name__ == "__main__":
    unittest.main()
