"""The programs that people take along prepare pictures and read answers exactly as the engine does.

Whole programs are run in `test_example_runs.py`.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from neuroloom_engine.data import box_augment, images, pairs
from neuroloom_engine.data.masks import code_of
from neuroloom_engine.predict import pad_to, starts, up_to
from neuroloom_engine.spec import Manifest
from neuroloom_engine.tasks.detection_ways import LEAST_SCORE, MOST_OVERLAP, found_boxes
from neuroloom_engine.tasks.segmentation import value_table

from .make import PROGRAM

PATH = PROGRAM / "pictures.py"


def load_example() -> Any:
    spec = importlib.util.spec_from_file_location("example_pictures", PATH)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # As Python does it for a program: what stands beside it can be imported.
    with unittest.mock.patch.object(sys, "path", [str(PATH.parent), *sys.path]):
        spec.loader.exec_module(module)
    return module


class ExampleTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.example = load_example()

    def pictures(self) -> list[Path]:
        """Of every kind that people have."""
        rng = np.random.default_rng(3)
        colour = rng.integers(0, 256, (23, 37, 4), np.uint8)
        deep = rng.integers(300, 4000, (19, 30)).astype(np.uint16)
        whole = {
            "grey.png": Image.fromarray(colour[..., 0]),
            "colour.jpg": Image.fromarray(colour[..., :3]),
            "clear.png": Image.fromarray(colour),
            "palette.png": Image.fromarray(colour[..., :3]).quantize(16),
            "deep.png": Image.fromarray(deep),
            "deep.tif": Image.fromarray(deep),
            "line.png": Image.fromarray(colour[..., 0] > 128),
            "grey-as-colour.bmp": Image.fromarray(np.repeat(colour[..., :1], 3, 2)),
            "print.tif": Image.fromarray(colour, "CMYK"),
            "fractions.tif": Image.fromarray(deep.astype(np.float32) / 7),
            "still.gif": Image.fromarray(colour[..., 0]),
        }
        for name, image in whole.items():
            image.save(self.folder / name)
        turned = Image.Exif()
        turned[0x0112] = 6
        whole["turned.jpg"] = whole["colour.jpg"]
        whole["turned.jpg"].save(self.folder / "turned.jpg", exif=turned)
        return [self.folder / name for name in whole]

    def test_pictures_of_every_kind_become_the_same_numbers(self) -> None:
        for path in self.pictures():
            picture, own = images.read_picture(path), self.example.read_levels(path)
            for channels in (1, 3):
                wanted = images.as_uint8(picture, channels)
                np.testing.assert_array_equal(self.example.as_bytes(own, channels), wanted, path.name)
                small = self.example.resize(wanted, 16, 20)
                np.testing.assert_array_equal(small, images.resize(wanted, 16, 20))
                fitted, scale = self.example.fit(wanted, 16, 32)
                np.testing.assert_array_equal(fitted, box_augment.fit(wanted, 16, 32).pixels)
                self.assertEqual(scale, box_augment.fit(wanted, 16, 32).scale)
                if picture.bits == 32:
                    continue
                stored = self.example.as_stored(own, channels)
                np.testing.assert_array_equal(stored, pairs.levels_of(picture, channels))
                np.testing.assert_array_equal(
                    self.example.to_planes(stored), pairs.as_tensor([stored])[0].numpy()
                )

    def test_dicom_that_cannot_be_read_as_in_training_is_refused_with_what_helps(self) -> None:
        path = self.folder / "slice.dcm"
        path.write_bytes(bytes(128) + b"DICM" + bytes(300))
        with self.assertRaisesRegex(ValueError, "train it again, or convert it to PNG"):
            self.example.read_levels(path, {"channels": 1})
        with self.assertRaisesRegex(ValueError, "compressed: convert it to PNG"):
            self.example.read_levels(path, {"dicom": {"window": None}})
        with self.assertRaisesRegex(
            ValueError, "prepares no DICOM: let the network predict it in the product"
        ):
            self.example.as_trained(lambda one: one, {"recipe": {"v": 1, "steps": []}}, path)

    def test_sizes_are_padded_and_cut_into_the_same_tiles(self) -> None:
        planes = np.random.default_rng(1).random((2, 5, 7)).astype(np.float32)
        wanted = pad_to(torch.from_numpy(planes)[None], [16, 8])[0].numpy()
        np.testing.assert_array_equal(self.example.pad_to(planes, [16, 8]), wanted)
        for length in (8, 9, 20, 100):
            self.assertEqual(self.example.starts(length, 8, 2), starts(length, 8, 2))
        free = {"sizeFree": True, "sizeMultiple": [8, 4], "shape": ["batch", 1, 32, 32]}
        self.assertEqual(self.example.layout((13, 13), free, 1)[0], [up_to(13, 8), up_to(13, 4)])
        self.assertEqual(self.example.layout((3000, 3000), free, 2)[1], [512, 512])
        self.assertEqual(
            self.example.layout((40, 20), free | {"sizeFree": False}, 1), ([40, 32], [32, 32], [8, 8])
        )

    def test_tiles_are_put_together_to_the_whole(self) -> None:
        facts = {"input": {"sizeFree": False, "sizeMultiple": [1, 1], "shape": ["batch", 1, 8, 12]}}
        planes = np.random.default_rng(2).random((1, 21, 30)).astype(np.float32)
        doubled = self.example.over_tiles(lambda image: [image.repeat(2, 1).repeat(2, 2)], facts, planes, 2)
        np.testing.assert_array_equal(doubled, planes.repeat(2, 1).repeat(2, 2))

    def test_the_same_boxes_stay(self) -> None:
        rng = np.random.default_rng(5)
        low = rng.uniform(-5, 60, (400, 2))
        boxes = np.concatenate([low, low + rng.uniform(-2, 30, (400, 2))], 1).astype(np.float32)
        scores = rng.random((400, 2)).astype(np.float32) ** 4
        scale, size = (0.5, 0.75), (80, 120)
        wanted = found_boxes(torch.from_numpy(boxes), torch.from_numpy(scores), scale, size)
        rules = {"name": "scores", "least": LEAST_SCORE, "nms": MOST_OVERLAP}
        facts = {"classes": ["a", "b"], "outputs": [{"name": "boxes"}, rules]}
        found = self.example.found_boxes(boxes, scores, scale, size, facts)
        self.assertEqual([box["class"] for box in found], ["ab"[index] for index in wanted.classes])
        corners = np.array([[box[name] for name in ("x0", "y0", "x1", "y1")] for box in found])
        np.testing.assert_allclose(corners, wanted.corners, atol=0.01)
        np.testing.assert_allclose([box["score"] for box in found], wanted.scores, atol=1e-5)

    def test_masks_carry_the_values_that_were_trained_on(self) -> None:
        values = {0: 0, 255: 1, 200: 1, 300: 2}
        manifest = Manifest("segmentation", ("a", "b", "c"), 1, values, (), 1)  # type: ignore[arg-type]
        facts = {
            "classes": ["a", "b", "c"],
            "maskValues": {str(value): index for value, index in values.items()},
        }
        np.testing.assert_array_equal(self.example.values_of(facts), value_table(manifest))

    def test_masks_carry_the_colours_that_were_trained_on(self) -> None:
        texts = {"#000000": 0, "#ff0080": 2}
        values = {code_of(text): index for text, index in texts.items()}
        manifest = Manifest("segmentation", ("a", "b", "c"), 1, values, (), 1)  # type: ignore[arg-type]
        found = self.example.values_of({"classes": ["a", "b", "c"], "maskValues": texts})
        np.testing.assert_array_equal(found, value_table(manifest))
        self.assertEqual(found[2].tolist(), [255, 0, 128])

    def test_it_needs_nothing_but_what_its_requirements_name(self) -> None:
        imported = {
            ((node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
            for path in PATH.parent.glob("*.py")
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        # The folder of that name comes along where files are prepared by a recipe (test_recipe_carried).
        own = {"pictures", "dicom_pictures", "volumes", "network", "neuroloom_engine"}
        self.assertEqual(
            imported - {*sys.stdlib_module_names, *own}, {"numpy", "PIL", "onnxruntime", "torch"}
        )

    def test_a_file_that_is_no_picture_is_told_in_a_sentence(self) -> None:
        (self.folder / "a.png").write_text("no picture")
        with self.assertRaises(OSError):
            self.example.read_levels(self.folder / "a.png")
        Image.fromarray(np.zeros((4, 4), np.float32)).save(self.folder / "b.tif")
        with self.assertRaisesRegex(ValueError, "fractions"):
            self.example.as_stored(self.example.read_levels(self.folder / "b.tif"), 1)
