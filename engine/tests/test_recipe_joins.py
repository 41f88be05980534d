"""Several masks become one: sets and votes by hand, STAPLE by readers that err as often as is known."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from neuroloom_engine.data.images import MAX_PIXELS
from neuroloom_engine.data.volumes import read_volume
from neuroloom_engine.recipe.files import affine_of
from neuroloom_engine.recipe.joins import join, staple_of
from neuroloom_engine.recipe.mask_answers import answer

from .make import Json, of_type, run_here
from .make_volumes import nifti

RANDOM = np.random.default_rng(2004)
MEMORY = 8 * 1024**3
FIRST = np.array([[0, 1, 1, 2, 2, 0, 3]], np.uint8)
SECOND = np.array([[0, 1, 0, 2, 1, 2, 3]], np.uint8)
THIRD = np.array([[0, 0, 0, 2, 2, 2, 1]], np.uint8)
ALL = [FIRST, SECOND, THIRD]


def made(how: str, *masks: np.ndarray, classes: str | int = "each") -> list[int]:
    return join(how, masks or ALL, classes)[0][0].tolist()


def reader(truth: np.ndarray, sensitivity: float, specificity: float) -> np.ndarray:
    right = RANDOM.random(truth.shape) < np.where(truth, sensitivity, specificity)
    return truth == right


class JoinsTest(unittest.TestCase):
    def test_sets_and_votes_are_taken_class_by_class(self) -> None:
        self.assertEqual(made("union"), [0, 1, 1, 2, 2, 2, 3])
        self.assertEqual(made("intersection"), [0, 0, 0, 2, 0, 0, 0])
        self.assertEqual(made("difference"), [0, 0, 1, 0, 0, 0, 0])
        self.assertEqual(made("one"), [0, 0, 1, 0, 1, 0, 1])
        self.assertEqual(made("majority"), [0, 1, 0, 2, 2, 2, 3])
        self.assertEqual(made("majority", FIRST, SECOND), [0, 1, 0, 2, 0, 0, 3])
        self.assertEqual(made("union", classes=2), [0, 0, 0, 2, 2, 2, 0])
        self.assertEqual(made("difference", classes=2), [0, 0, 0, 0, 0, 0, 0])
        self.assertEqual(made("intersection", classes="any"), [0, 0, 0, 1, 1, 0, 1])

    def test_staple_finds_how_good_readers_are(self) -> None:
        truth = np.zeros((300, 400), bool)
        truth[60:220, 100:260] = True
        known = ((0.95, 0.99), (0.80, 0.97), (0.60, 0.995), (0.90, 0.90), (0.70, 0.95))
        likely, estimate = staple_of([reader(truth, *one) for one in known])
        found = estimate[:, [0, 2]] / estimate[:, [1, 3]]
        np.testing.assert_allclose(found, known, atol=0.01)
        self.assertGreater(float(((likely >= 0.5) == truth).mean()), 0.99)

    def test_staple_trusts_the_one_good_reader_more_than_two_bad_ones(self) -> None:
        truth = np.zeros((200, 200), bool)
        truth[50:150, 50:150] = True
        marks = [reader(truth, 0.99, 0.99), reader(truth, 0.7, 0.8), reader(truth, 0.7, 0.8)]
        likely, _ = staple_of(marks)
        votes = np.sum(marks, axis=0) >= 2
        self.assertGreater(float(((likely >= 0.5) == truth).mean()), float((votes == truth).mean()) + 0.03)

    def test_staple_of_masks_that_tell_little(self) -> None:
        empty, full, some = np.zeros((8, 8), bool), np.ones((8, 8), bool), np.eye(8, dtype=bool)
        likely, estimate = staple_of([empty, empty])
        self.assertEqual((float(likely.max()), estimate[:, 1].tolist()), (0.0, [0.0, 0.0]))
        likely, estimate = staple_of([full, full, full])
        self.assertEqual((float(likely.min()), estimate[:, 3].tolist()), (1.0, [0.0, 0.0, 0.0]))
        for readers in (1, 2, 10):
            likely, estimate = staple_of([some] * readers)
            self.assertTrue(((likely >= 0.5) == some).all(), readers)
            np.testing.assert_allclose(estimate, [[8, 8, 56, 56]] * readers, rtol=1e-3)
        likely, _ = staple_of([empty, some])
        self.assertTrue(np.isfinite(likely).all())
        self.assertEqual(join("staple", [empty.astype(np.uint8)] * 2, "each")[1], [])

    def test_staple_of_several_classes_gives_each_pixel_the_likelier_one(self) -> None:
        truth = np.zeros((120, 120), np.uint8)
        truth[20:60, 20:100], truth[60:100, 20:100] = 5, 7
        masks = []
        for _ in range(5):
            mask = truth.copy()
            wrong = RANDOM.random(truth.shape) < 0.1
            mask[wrong] = RANDOM.choice([0, 5, 7], int(wrong.sum()))
            masks.append(mask)
        joined, readers = join("staple", masks, "each")
        self.assertGreater(float((joined == truth).mean()), 0.995)
        self.assertEqual(
            [(one.number, one.value) for one in readers], [(n, v) for v in (5, 7) for n in range(5)]
        )


class WorkTest(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def put(self, name: str, content: np.ndarray | bytes) -> str:
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            Image.fromarray(content).save(path, "PNG")
        return name

    def run_join(self, work: Json, *groups: list[str]) -> list[Json]:
        files = [
            {
                "id": str(number),
                "paths": group,
                "names": [f"肝 {number}.nii.gz", *group[1:]],
                "isMask": False,
                "expect": None,
            }
            for number, group in enumerate(groups)
        ]
        spec = {"v": 1, "kind": "prepare", "run": "prepare", "attempt": 1, "outputs": "out"}
        limits = {"maxPixels": MAX_PIXELS, "memoryBytes": MEMORY}
        (self.folder / "run.json").write_text(json.dumps({**spec, **limits, "work": work, "files": files}))
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, events)
        return of_type(events, "prepared")

    def ask(self, **asked: Any) -> Json:
        known = {
            "maxPixels": MAX_PIXELS,
            "memoryBytes": MEMORY,
            "side": 64,
            "seconds": 60,
            "samples": [],
            "heads": [],
            "measured": [],
        }
        (self.folder / "masks.json").write_text(json.dumps({**known, **asked}))
        answer(self.folder)
        return json.loads((self.folder / "answered.json").read_text())

    def test_volumes_keep_voxels_and_place_and_others_are_named(self) -> None:
        one = RANDOM.integers(0, 3, (5, 6, 7)).astype(np.uint8)
        two = RANDOM.integers(0, 3, (5, 6, 7)).astype("<i2")
        place = {"spacing": (0.5, 0.75, 2.0), "axes": "LPS"}
        self.put("0", nifti(one, **place))  # type: ignore[arg-type]
        self.put("1", nifti(two, **place))  # type: ignore[arg-type]
        self.put("far", nifti(one, spacing=(0.5, 0.75, 2.1), axes="LPS"))
        self.put("large", nifti(np.zeros((5, 6, 8), np.uint8), **place))  # type: ignore[arg-type]
        self.put("times", nifti(np.zeros((10, 6, 7), np.uint8), size=(4, 7, 6, 5, 2, 1, 1, 1)))
        self.put("colour", RANDOM.integers(0, 255, (6, 7, 3), dtype=np.uint8))
        work = {"do": "join", "join": "intersection", "classes": "each", "steps": []}
        others = ("1", "far", "large", "times", "colour", "nothing there")
        told = self.run_join(work, *(["0", other] for other in others))
        reasons = [told_one["reason"] and told_one["reason"]["name"] for told_one in told]
        groups = [[{"path": "0", "name": "0"}, {"path": other, "name": other}] for other in others[:-1]]
        heads = self.ask(heads=groups, work=work)["heads"]
        foreseen = [one["reason"] and one["reason"]["name"] for one in heads]
        self.assertEqual(foreseen[:4], [None, "grids_differ", "sizes_differ", "part_unread"])
        self.assertEqual([one["isKnown"] for one in heads], [True, True, True, True, False])
        expected = [None, "grids_differ", "sizes_differ", "part_unread", "mask_coloured", "gone"]
        self.assertEqual(reasons, expected)
        self.assertEqual(told[1]["reason"]["params"]["file"], "far")
        (made,) = told[0]["made"]
        self.assertEqual((made["name"], made["readers"]), ("肝 0.nii.gz", []))
        volume = read_volume(self.folder / made["path"])
        self.assertTrue((volume.voxels == np.where(one == two, one, 0)).all())
        source = read_volume(self.folder / "0")
        np.testing.assert_array_equal(affine_of(volume.header)[0], affine_of(source.header)[0])

    def test_steps_follow_and_readers_are_told(self) -> None:
        for number in range(3):
            mask = np.zeros((40, 40), np.uint8)
            mask[10:30, 10 + number : 30] = 255
            mask[2, 2 + number] = 255
            self.put(str(number), mask)
        steps = [{"do": "pieces", "how": "largest", "least": 1, "value": 0}]
        work = {"do": "join", "join": "staple", "classes": "any", "steps": steps}
        (told,) = self.run_join(work, ["0", "1", "2"])
        with Image.open(self.folder / told["made"][0]["path"]) as image:
            pixels = np.asarray(image)
        self.assertEqual((np.unique(pixels).tolist(), int(pixels[10:30].sum())), ([0, 1], int(pixels.sum())))
        readers = told["made"][0]["readers"]
        self.assertEqual([one["number"] for one in readers], [0, 1, 2])
        self.assertGreater(readers[0]["marked"] / readers[0]["positive"], 0.9)

    def test_samples_are_shown_and_masks_measured(self) -> None:
        spots = np.zeros((30, 20), np.uint8)
        spots[2:4, 3:8], spots[20, 19], spots[9, 9] = 1, 1, 6
        parts = [
            {"path": self.put("0", spots), "name": "a"},
            {"path": self.put("1", spots[:29]), "name": "b"},
        ]
        voxels = np.zeros((4, 6, 7), np.uint8)
        voxels[1:3, 2:5, 1:6] = 2
        self.put("2", nifti(voxels, spacing=(0.5, 0.75, 2.0)))
        self.put("3", b"no mask")
        work = {"join": "union", "classes": "each", "steps": []}
        told = self.ask(
            work=work,
            samples=[[parts[0], parts[0]], parts, [{"path": "3", "name": "c"}]],
            measured=[{"path": path} for path in ("0", "2", "3")],
        )
        good, wrong, broken = told["samples"]
        self.assertEqual((good["values"], good["hasSpacing"], good["reason"]), ([1, 6], False, None))
        self.assertTrue(good["after"]["image"].startswith("data:image/webp"))
        self.assertEqual((wrong["reason"]["name"], wrong["after"]), ("sizes_differ", None))
        self.assertEqual((broken["reason"]["name"], broken["before"]), ("part_unread", [None]))
        flat, volume, nothing = told["measured"]
        box = [[3, 19], [2, 20]]
        self.assertEqual(flat["rows"][0], {"value": 1, "count": 11, "size": None, "pieces": 2, "box": box})
        self.assertEqual(
            volume["rows"][0],
            {"value": 2, "count": 30, "size": 22.5, "pieces": 1, "box": [[1, 5], [2, 4], [1, 2]]},
        )
        self.assertEqual((nothing["reason"]["name"], nothing["rows"]), ("not_an_image", []))
