"""The `prepare` run and the trial: files by numbers in and out, one line each."""

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
from neuroloom_engine.recipe.trial import attempt, trial

from .make import Json, of_type, run_here

RANDOM = np.random.default_rng(7)
GREY = RANDOM.integers(0, 256, (50, 70), dtype=np.uint8)
MEMORY = 8 * 1024**3


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

    def work(self, work: Json, *files: Json) -> list[Json]:
        known = {"isMask": False, "expect": None}
        listed = [{"id": str(number), **known, **file} for number, file in enumerate(files)]
        spec = {"v": 1, "kind": "prepare", "run": "prepare", "attempt": 1, "outputs": "out"}
        limits = {"maxPixels": MAX_PIXELS, "memoryBytes": MEMORY}
        (self.folder / "run.json").write_text(json.dumps({**spec, **limits, "work": work, "files": listed}))
        code, events = run_here(self.folder)
        self.assertEqual(code, 0, events)
        return of_type(events, "prepared")

    def one(self, work: Json, *names: str) -> Json:
        (told,) = self.work(work, {"paths": list(names), "names": list(names)})
        return told

    def opened(self, told: Json, number: int = 0) -> np.ndarray:
        with Image.open(self.folder / told["made"][number]["path"]) as image:
            return np.asarray(image)

    def recipe(self, *steps: dict[str, Any]) -> Json:
        return {"do": "recipe", "recipe": {"v": 1, "steps": list(steps)}}

    def test_each_file_is_told_in_order_and_a_bad_one_costs_itself_alone(self) -> None:
        paths = [self.put(str(number), GREY if number != 5 else b"nothing") for number in range(12)]
        files = [{"paths": [path], "names": [f"снимок '{path}'.png"]} for path in paths]
        told = self.work(self.recipe({"do": "size", "how": "stretch", "width": 35, "height": 25}), *files)
        self.assertEqual([one["id"] for one in told], paths)
        self.assertEqual([one["reason"] and one["reason"]["name"] for one in told].index("not_an_image"), 5)
        self.assertEqual(told[0]["before"], {"width": 70, "height": 50})
        self.assertEqual(told[0]["made"][0]["name"], "снимок '0'.png")
        self.assertEqual(told[0]["made"][0]["matrix"], [0.5, 0, 0, 0, 0.5, 0])
        self.assertEqual(self.opened(told[0]).shape, (25, 35))

    def test_a_mask_of_another_size_than_its_image_is_refused(self) -> None:
        names = {"paths": [self.put("0", GREY)], "names": ["a.png"], "isMask": True}
        sizes = ({"width": 70, "height": 50}, {"width": 70, "height": 51})
        told = self.work(self.recipe(), *({**names, "expect": size} for size in sizes))
        self.assertEqual([one["reason"] and one["reason"]["name"] for one in told], [None, "mask_size"])

    def test_a_crop_to_the_content_takes_the_mask_along(self) -> None:
        picture, mask = np.full((50, 70), 9, np.uint8), np.zeros((50, 70), np.uint8)
        picture[10:20, 30:60], mask[12:18, 30:35] = 200, 3
        files = [
            {"paths": [self.put("0", picture)], "names": ["a.png"]},
            {"paths": [self.put("1", mask), "0"], "names": ["a.png", "a.png"], "isMask": True},
            {"paths": ["1"], "names": ["b.png"], "isMask": True},
            {"paths": [self.put("2", np.full((50, 70), 9, np.uint8))], "names": ["c.png"]},
        ]
        crop = {"do": "crop", "how": "content", "above": 5, "margin": 2}
        turn = {"do": "rotate", "degrees": 90}
        told = self.work(self.recipe(turn, crop), *files)
        self.assertEqual(
            [one["reason"] and one["reason"]["name"] for one in told],
            [None, None, "crop_alone", "crop_empty"],
        )
        np.testing.assert_array_equal(self.opened(told[0]), np.rot90(picture[8:22, 28:62], -1))
        np.testing.assert_array_equal(self.opened(told[1]), np.rot90(mask[8:22, 28:62], -1))
        self.assertEqual(told[0]["made"][0]["matrix"], told[1]["made"][0]["matrix"])

    def test_tiles_put_together_are_the_picture_again(self) -> None:
        self.put("0", GREY)
        told = self.work(
            self.recipe({"do": "tiles", "width": 32, "height": 32, "overlap": 8}),
            {"paths": ["0"], "names": ["a.png"]},
        )[0]
        names = [made["name"] for made in told["made"]]
        for made in told["made"]:
            (self.folder / made["name"]).write_bytes((self.folder / made["path"]).read_bytes())
        whole = self.one({"do": "stitch"}, *names)
        self.assertEqual(whole["made"][0]["name"], "a.png")
        np.testing.assert_array_equal(self.opened(whole), GREY)
        self.assertEqual(self.one({"do": "stitch"}, *names[1:])["reason"]["name"], "tiles_missing")

    def test_pictures_become_a_stack_and_a_stack_pictures(self) -> None:
        names = [self.put(f"{number}.png", GREY // (number + 1)) for number in range(3)]
        stack = self.one({"do": "stack_tiff"}, *names)
        (self.folder / "stack.tif").write_bytes((self.folder / stack["made"][0]["path"]).read_bytes())
        pages = self.one({"do": "split"}, "stack.tif")
        self.assertEqual(
            [made["name"] for made in pages["made"]], [f"stack_00{number}.png" for number in (1, 2, 3)]
        )
        np.testing.assert_array_equal(self.opened(pages, 2), GREY // 3)
        volume = self.one({"do": "stack_nifti"}, *names)
        np.testing.assert_array_equal(
            read_volume(self.folder / volume["made"][0]["path"]).voxels[1], GREY // 2
        )
        other = self.put("9.png", GREY[1:])
        self.assertEqual(self.one({"do": "stack_tiff"}, *names, other)["reason"]["name"], "sizes_differ")
        self.assertEqual(self.one({"do": "split"}, names[0])["reason"]["name"], "one_picture")

    def test_tables_of_the_same_columns_become_one(self) -> None:
        self.put("a.csv", "имя,age\nx,1\n".encode())
        self.put("b.csv", b"\xef\xbb\xbf" + "age;имя\n2;y\n".encode())
        self.put("c.csv", b"age\n3\n")
        told = self.one({"do": "table"}, "a.csv", "b.csv")
        text = (self.folder / told["made"][0]["path"]).read_text("utf-8")
        self.assertEqual(text, "имя,age\nx,1\ny,2\n")
        self.assertEqual(self.one({"do": "table"}, "a.csv", "c.csv")["reason"]["name"], "columns_differ")

    def test_a_trial_shows_before_and_after_and_foresees(self) -> None:
        self.put("0", GREY)
        self.put("1", b"nothing")
        head = {"width": 20, "height": 90, "channels": 1, "isVolume": False, "isMask": False}
        spec = {
            "recipe": {"v": 1, "steps": [{"do": "crop", "how": "centre", "width": 40, "height": 40}]},
            **{"maxPixels": MAX_PIXELS, "memoryBytes": MEMORY, "side": 32},
            "heads": [head, {**head, "width": 90}],
            "samples": [
                {"path": "0", "isMask": False},
                {"path": "1", "isMask": False},
                {"path": "0", "isMask": True},
            ],
        }
        (self.folder / "try.json").write_text(json.dumps(spec))
        self.assertIsNone(attempt(trial, self.folder))
        tried = json.loads((self.folder / "tried.json").read_text())
        self.assertEqual([one and one["name"] for one in tried["heads"]], ["crop_outside", None])
        first, broken, _ = tried["samples"]
        self.assertEqual((first["before"]["width"], first["after"][0]["width"]), (70, 40))
        self.assertTrue(first["after"][0]["image"].startswith("data:image/webp;base64,"))
        self.assertEqual(broken["reason"]["name"], "not_an_image")
