"""Repairs of masks: what each makes of pixels and voxels, and what is told of a pair before one is chosen."""

from __future__ import annotations

import json
import struct
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from neuroloom_engine.data.images import MAX_PIXELS
from neuroloom_engine.recipe.examine import examine
from neuroloom_engine.recipe.files import affine_of, read_frame
from neuroloom_engine.recipe.frame import Frame, Trouble
from neuroloom_engine.recipe.repair import repaired

from .make_volumes import nifti

RANDOM = np.random.default_rng(7)
# (h, w): no turn or mirror of it looks like another.
MASK = RANDOM.integers(0, 3, (4, 6), dtype=np.uint8)
IMAGE = Frame(np.zeros((4, 6), np.uint8), "png")
PLACE = np.array([[0.0, 2.0, 0.0, 5.0], [-1.0, 0.0, 0.0, 7.0], [0.0, 0.0, 3.0, -2.0], [0, 0, 0, 1]])


def mended(mask: np.ndarray, *repairs: dict[str, Any], image: Frame = IMAGE) -> np.ndarray:
    return repaired(Frame(mask, "png", True), image, repairs).pixels


class RepairTest(unittest.TestCase):
    def test_turns_and_mirrors_are_undone_to_the_pixel(self) -> None:
        for quarters in range(4):
            for mirrored in (False, True):
                wrong = np.rot90(MASK, quarters)
                wrong = wrong[:, ::-1] if mirrored else wrong
                turn = {"do": "turn", "quarters": quarters, "isMirrored": mirrored}
                made = mended(np.ascontiguousarray(wrong), turn)
                self.assertTrue((made == MASK).all(), (quarters, mirrored))

    def test_a_mask_a_pixel_too_large_is_cut_and_one_too_small_is_filled_up(self) -> None:
        large = np.pad(MASK, ((0, 1), (0, 1)), constant_values=2)
        self.assertTrue((mended(large, {"do": "cut"}) == MASK).all())
        small = mended(MASK[:3, :5], {"do": "cut"})
        self.assertTrue((small[:3, :5] == MASK[:3, :5]).all())
        self.assertFalse(small[3].any() or small[:, 5].any())

    def test_numbers_and_colours_become_the_listed_numbers(self) -> None:
        white = {"do": "values", "map": [{"from": "255", "to": 1}]}
        self.assertTrue((mended(np.where(MASK > 0, 255, 0).astype(np.uint8), white) == (MASK > 0)).all())
        colours = np.zeros((4, 6, 3), np.uint8)
        colours[MASK == 2] = (255, 0, 0)
        red = {"do": "values", "map": [{"from": "#ff0000", "to": 2}]}
        self.assertTrue((mended(colours, red) == np.where(MASK == 2, 2, 0)).all())

    def test_a_mask_that_still_does_not_fit_is_none(self) -> None:
        with self.assertRaises(Trouble) as caught:
            mended(np.zeros((9, 9), np.uint8))
        self.assertEqual(caught.exception.reason, "mask_size")

    def test_voxels_in_another_order_come_to_lie_where_the_image_lies(self) -> None:
        truth = RANDOM.integers(0, 3, (5, 4, 6)).astype(np.uint8)
        with tempfile.TemporaryDirectory() as folder:
            image = volume(folder, "image", truth, PLACE)
            # The same voxels stored from the other end, and with two axes exchanged.
            flip = np.eye(4)
            flip[0, 0], flip[0, 3] = -1, 5
            exchange = np.eye(4)[[1, 0, 2, 3]]
            for voxels, step in ((truth[:, :, ::-1], flip), (truth.transpose(0, 2, 1), exchange)):
                mask = volume(folder, "mask", voxels, PLACE @ step)
                made = repaired(mask, image, [{"do": "grid"}])
                self.assertTrue((made.pixels == truth).all())
                assert made.header is not None
                np.testing.assert_allclose(affine_of(made.header)[0], PLACE)

    def test_voxels_stay_where_only_the_place_was_wrong(self) -> None:
        truth = RANDOM.integers(0, 3, (5, 4, 6)).astype(np.uint8)
        with tempfile.TemporaryDirectory() as folder:
            image, mask = volume(folder, "image", truth, PLACE), volume(folder, "mask", truth, np.eye(4))
            made = repaired(mask, image, [{"do": "place"}])
            self.assertTrue((made.pixels == truth).all())
            assert made.header is not None
            np.testing.assert_allclose(affine_of(made.header)[0], PLACE)


class ExamineTest(unittest.TestCase):
    def test_tells_sizes_turns_and_values_and_draws_before_and_after(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            taken = Image.fromarray(np.full((40, 60, 3), 90, np.uint8))
            exif = taken.getexif()
            exif[0x0112] = 6
            taken.save(folder / "a.jpg", exif=exif)
            Image.fromarray(np.pad(np.full((20, 20), 255, np.uint8), ((10, 10), (20, 20)))).save(
                folder / "a.png"
            )
            (folder / "broken.png").write_bytes(b"no picture")
            turn = {"do": "turn", "quarters": 1, "isMirrored": False}
            pairs = [
                {"image": "a.jpg", "mask": "a.png", "repairs": [turn]},
                {"image": "a.jpg", "mask": "a.png", "repairs": []},
                {"image": "a.jpg", "mask": "broken.png", "repairs": None},
            ]
            ask = {"maxPixels": MAX_PIXELS, "memoryBytes": 1 << 33, "side": 64, "pairs": pairs}
            (folder / "examine.json").write_text(json.dumps(ask))
            examine(folder)
            right, wrong, broken = json.loads((folder / "examined.json").read_text())["pairs"]
        self.assertEqual(
            (right["image"]["width"], right["image"]["height"], right["image"]["turn"]), (40, 60, 6)
        )
        self.assertEqual(
            (right["mask"]["width"], right["mask"]["height"], right["mask"]["turn"]), (60, 40, 1)
        )
        self.assertEqual([one["value"] for one in right["mask"]["values"]], ["0", "255"])
        self.assertTrue(right["shown"]["before"].startswith("data:image/webp"))
        self.assertTrue(right["shown"]["after"].startswith("data:image/webp"))
        self.assertIsNone(wrong["shown"]["after"])
        self.assertEqual(wrong["shown"]["reason"]["name"], "mask_size")
        self.assertEqual(broken["maskReason"]["name"], "not_an_image")


def volume(folder: str, name: str, voxels: np.ndarray, place: np.ndarray) -> Frame:
    path = Path(folder) / f"{name}.nii"
    content = bytearray(nifti(np.ascontiguousarray(voxels)))
    struct.pack_into("<12f", content, 280, *place[:3].reshape(-1))
    path.write_bytes(content)
    return read_frame(path, name == "mask", MAX_PIXELS)


if __name__ == "__main__":
    unittest.main()
