"""Masks as people have them: in colours, smeared, of counted things, of several readers, with regions."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from neuroloom_engine.data.images import BadFile, read_picture
from neuroloom_engine.data.masks import (
    COLOUR,
    MaskCode,
    agreement,
    as_picture,
    classes_from,
    code_of,
    mask_facts,
    mix,
    read_mask,
    table_of,
    text_of,
    to_classes,
)
from neuroloom_engine.spec import read_manifest
from neuroloom_engine.tasks import segmentation
from neuroloom_engine.tasks.losses import NOT_COUNTED, make_loss

from .make import draw_masks, make_run, of_type, run_here, save_png, write_json

RED, BLUE = (255, 0, 0), (0, 0, 255)


def blocks(*colours: Any, size: int = 32) -> np.ndarray[Any, Any]:
    """Upright stripes of equal width."""
    return np.repeat(np.array(colours, np.uint8), size, 0)[None].repeat(4 * size, 0)


class MaskTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def saved(self, pixels: Any, name: str = "m.png", **options: Any) -> Path:
        path = self.folder / name
        Image.fromarray(pixels).save(path, **options)
        return path

    def test_each_colour_is_a_value_also_where_jpeg_smeared_it(self) -> None:
        plain = self.saved(blocks((0, 0, 0), RED, BLUE, BLUE))
        self.assertEqual(
            mask_facts(read_mask(plain)),
            {"values": {"#000000": 4096, "#0000ff": 8192, "#ff0000": 4096}},
        )
        smeared = read_mask(self.saved(blocks((0, 0, 0), RED, BLUE, BLUE, size=29), "m.jpg", quality=85))
        facts = mask_facts(smeared)
        self.assertTrue(facts["smeared"])
        self.assertEqual(len(facts["values"]), 3)
        meaning = {code_of(text): index for index, text in enumerate(("#000000", "#ff0000", "#0000ff"))}
        classes = to_classes(smeared, meaning, None, False)
        shares = np.bincount(classes.reshape(-1)) / classes.size
        np.testing.assert_allclose(shares, [0.25, 0.25, 0.5], atol=0.02)
        # A mask of the same set in which nothing is marked is grey.
        empty = read_mask(self.saved(np.zeros((4, 4), np.uint8), "e.png"))
        self.assertEqual(to_classes(empty, meaning, None, False).max(), 0)

    def test_numbers_of_a_palette_are_told_with_their_colours_and_read_by_them_where_colours_count(
        self,
    ) -> None:
        numbers = np.repeat(np.array([0, 1, 2], np.uint8), 4)[None].repeat(6, 0)
        black, red, blue = 0x000000, 0xFF0000, 0x0000FF

        def saved(name: str, *palette: int) -> Path:
            image = Image.fromarray(numbers, "P")
            image.putpalette([part for colour in palette for part in colour.to_bytes(3)])
            image.save(self.folder / name)
            return self.folder / name

        one, other = saved("one.png", black, red, blue), saved("other.png", black, blue, red)
        self.assertEqual(
            mask_facts(read_mask(other)),
            {
                "values": {"0": 24, "1": 24, "2": 24},
                "things": 2,
                "palette": {"0": "#000000", "1": "#0000ff", "2": "#ff0000"},
            },
        )
        by_colour = {COLOUR + black: 0, COLOUR + red: 1, COLOUR + blue: 2}
        for path, expected in ((one, [0, 1, 2]), (other, [0, 2, 1])):
            self.assertEqual(to_classes(read_mask(path), by_colour, None, False)[0, ::4].tolist(), expected)
            by_number = to_classes(read_mask(path), {0: 0, 1: 1, 2: 2}, None, False)
            self.assertEqual(by_number[0, ::4].tolist(), [0, 1, 2])
        # Colours that do not tell numbers apart say nothing of them.
        self.assertIsNone(read_mask(saved("same.png", black, red, red)).palette)
        self.assertIsNone(read_mask(self.saved(numbers, "grey.png")).palette)

    def test_a_mask_of_a_palette_that_is_turned_or_joined_keeps_its_colours(self) -> None:
        for name, palette in (("a", [0, 0, 0, 255, 0, 0, 0, 0, 255]), ("b", [0, 0, 0, 0, 0, 255, 255, 0, 0])):
            numbers = np.zeros((6, 9), np.uint8)
            numbers[:, 3 if name == "a" else 6 :] = 1 if name == "a" else 2
            image = Image.fromarray(numbers, "P")
            image.putpalette(palette)
            image.save(self.folder / f"{name}.png")
        code = {"values": {"#000000": 0, "#0000ff": 1, "#ff0000": 2}, "nearest": False}
        turned = {"how": "any", "paths": [], "kinds": None, "turn": 6}
        joined = {"how": "any", "paths": ["b.png"], "kinds": None, "turn": 1, "code": code}
        files = [
            {"id": name, "path": "a.png", "role": "mask", "mix": mixed}
            for name, mixed in (("turned", turned), ("joined", joined))
        ]
        common = {"v": 1, "run": "c", "attempt": 1, "outputs": "out", "kind": "check"}
        write_json(
            self.folder / "run.json", common | {"maxPixels": 10**6, "thumbnailSize": 0, "files": files}
        )
        status, events = run_here(self.folder)
        self.assertEqual(status, 0)
        facts = {event["id"]: event["facts"] for event in of_type(events, "file")}
        self.assertEqual((facts["turned"]["width"], facts["turned"]["height"]), (6, 9))
        self.assertEqual(facts["turned"]["palette"], {"0": "#000000", "1": "#ff0000"})
        self.assertEqual(facts["joined"]["values"], {"#000000": 18, "#ff0000": 36})
        again = read_mask(self.folder / "out" / "made" / "turned")
        self.assertEqual(mask_facts(again)["palette"], facts["turned"]["palette"])

    def test_photographs_and_hundreds_of_colours_are_no_masks(self) -> None:
        rng = np.random.default_rng(0)
        for pixels in (rng.integers(0, 255, (64, 64, 3), np.uint8), colours_of(300)):
            with self.assertRaisesRegex(BadFile, "mask_colour"):
                mask_facts(read_mask(self.saved(pixels)))
        grey = read_mask(self.saved(rng.integers(0, 255, (64, 64), np.uint8)))
        self.assertNotIn("smeared", mask_facts(grey))

    def test_smeared_black_and_white_is_black_and_white_again(self) -> None:
        discs = (np.hypot(*np.mgrid[-32:32, -32:32]) < 20).astype(np.uint8) * 255
        mask = read_mask(self.saved(discs, "m.jpg", quality=70))
        facts = mask_facts(mask)
        self.assertTrue(facts["smeared"])
        low, high = sorted(map(int, facts["values"]))
        self.assertTrue(low < 8 and high > 247)
        classes = to_classes(mask, {0: 0, 255: 1}, None, False)
        self.assertLess(np.abs(classes * 255.0 - discs).mean(), 1)
        again = read_mask(self.saved(mask.pixels, "again.png"))
        with self.assertRaisesRegex(BadFile, "mask_values"):
            to_classes(again, {0: 0, 255: 1}, None, False)
        np.testing.assert_array_equal(to_classes(again, {0: 0, 255: 1}, None, True), classes)

    def test_edges_of_a_mask_that_was_enlarged_are_no_classes(self) -> None:
        rows, columns = np.mgrid[:100, :100]
        disc = Image.fromarray(((rows - 50) ** 2 + (columns - 50) ** 2 < 625).astype(np.uint8) * 255)
        large = np.asarray(disc.resize((200, 200), Image.Resampling.BILINEAR))
        self.assertGreater(len(np.unique(large)), 4)
        facts = mask_facts(read_mask(self.saved(large)))
        self.assertEqual((list(facts["values"]), facts["smeared"]), (["0", "255"], True))
        # Areas of as many greys are classes, also where one of them is but a line.
        grey = np.repeat(np.array([0, 64, 128, 191, 255], np.uint8), 16)[None].repeat(40, 0)
        self.assertEqual(len(mask_facts(read_mask(self.saved(grey)))["values"]), 5)
        grey[:, 15] = 32
        self.assertEqual(len(mask_facts(read_mask(self.saved(grey)))["values"]), 6)

    def test_a_thing_a_value_is_told_where_there_are_more_than_classes_can_be(self) -> None:
        things = np.arange(900, dtype=np.uint16).reshape(30, 30)
        mask = read_mask(self.saved(things))
        self.assertEqual(mask_facts(mask), {"values": {"0": 1, "1": 899}, "things": 899})
        classes = to_classes(mask, {0: 0}, 1, False)
        self.assertEqual(np.bincount(classes.reshape(-1)).tolist(), [1, 899])
        with self.assertRaisesRegex(BadFile, "mask_values"):
            mask_facts(read_mask(self.saved(things * 7)))

    def test_answers_are_saved_in_the_colours_of_the_masks(self) -> None:
        table = table_of([code_of("#000000"), code_of("#ff0000"), code_of("#0000ff")])
        classes = np.array([[0, 1], [2, 1]], np.uint8)
        path = self.folder / "a.png"
        Image.fromarray(table[classes]).save(path)
        self.assertEqual(np.asarray(Image.open(path))[1, 0].tolist(), list(BLUE))
        np.testing.assert_array_equal(classes_from(np.asarray(Image.open(path)), table), classes)
        grey = table_of([0, 255])
        np.testing.assert_array_equal(classes_from(grey[classes.clip(max=1)], grey), classes.clip(max=1))
        self.assertEqual(text_of(code_of("#00ff10")), "#00ff10")

    def test_several_are_mixed_pixel_by_pixel(self) -> None:
        one, two, three = (
            np.array([row], np.uint8) for row in ([0, 255, 255, 0], [0, 1, 0, 0], [0, 1, 1, 1])
        )
        self.assertEqual(mix([one, two, three], "any").tolist(), [[0, 1, 1, 1]])
        self.assertEqual(mix([one, two, three], "most").tolist(), [[0, 1, 1, 0]])
        # Even: nothing is marked.
        self.assertEqual(mix([one, two], "most").tolist(), [[0, 1, 0, 0]])
        self.assertEqual(mix([two, three], "kinds", [1, 2]).tolist(), [[0, 2, 2, 2]])
        self.assertEqual(mix([one], "any").tolist(), one.tolist())
        many = np.array([[0, 1, 2, 2]], np.uint8)
        self.assertEqual(mix([many, many, many * 0], "most").tolist(), many.tolist())
        self.assertAlmostEqual(agreement([one, two]) or 0, 2 / 3)
        with self.assertRaisesRegex(BadFile, "parts_differ"):
            mix([one, one.T], "any")

    def test_joined_masks_keep_the_code_of_their_set(self) -> None:
        one, two = (np.array([row], np.uint8) for row in ([0, 2, 0, 0], [0, 0, 2, 1]))
        numbers = MaskCode({0: 0, 1: 1, 2: 2})
        self.assertEqual(mix([one, two], "any", code=numbers).tolist(), [[0, 2, 2, 1]])
        self.assertEqual(mix([one, one, two], "most", code=numbers).tolist(), [[0, 2, 0, 0]])
        white = MaskCode({0: 0, 255: 1})
        self.assertEqual(mix([one * 0 + 255, one * 0], "any", code=white).tolist(), [[255] * 4])
        with self.assertRaisesRegex(BadFile, "mask_values"):
            mix([one, two], "any", code=white)
        red, ground = COLOUR + 0xFF0000, COLOUR
        drawn = np.array([[ground, red, ground, ground]], np.uint32)
        grey = np.array([[0, 0, 255, 0]], np.uint8)
        found = mix([drawn, grey], "any", code=MaskCode({ground: 0, red: 1, COLOUR + 0xFFFFFF: 1}))
        self.assertEqual(found.tolist(), [[ground, red, red, ground]])
        # A value a thing: all others are one class.
        things = mix([np.array([[0, 7, 0]]), np.array([[0, 0, 9]])], "any", code=MaskCode({0: 0}, others=1))
        self.assertEqual(things.tolist(), [[0, 1, 1]])

    def test_a_check_makes_the_mask_and_says_what_it_is(self) -> None:
        for name, pixels in (("a", np.eye(8, dtype=np.uint8)), ("b", np.eye(8, dtype=np.uint8)[::-1] * 255)):
            save_png(self.folder / f"{name}.png", pixels)
        mixing = {"how": "any", "paths": ["b.png"], "kinds": None, "turn": 1}
        facts = self.checked({"id": "x", "path": "a.png", "role": "mask", "mix": mixing})["facts"]
        self.assertEqual((facts["values"], facts["agreement"]), ({"0": 48, "1": 16}, 0.0))
        made = np.asarray(Image.open(self.folder / "out" / "made" / "x"))
        self.assertEqual(np.bincount(made.reshape(-1)).tolist(), [48, 16])

    def test_arrays_are_masks_of_whole_numbers(self) -> None:
        path = self.folder / "m.npy"
        drawn = np.array([[0, 3, 3], [0, 0, 1]])
        for stored in (drawn, drawn.astype(np.float32) + 0.004, drawn[None], drawn.astype(np.uint16)):
            np.save(path, stored)
            picture = read_mask(path)
            self.assertEqual((picture.pixels.tolist(), picture.format), (drawn.tolist(), "numpy"))
        np.save(path, drawn > 0)
        self.assertEqual(mask_facts(read_mask(path))["values"], {"0": 3, "1": 3})
        refused = {
            "mask_values": [drawn - 1, drawn + 0.4, drawn * 70_000],
            "unsupported_mode": [np.zeros((2, 3, 4)), np.zeros(5), np.array([["a"]])],
            "truncated": [np.array([[{}]], object)],
        }
        for reason, arrays in refused.items():
            for array in arrays:
                np.save(path, array, allow_pickle=True)
                with self.assertRaisesRegex(BadFile, reason):
                    read_mask(path)
        np.save(path, drawn)
        path.write_bytes(path.read_bytes()[:-9])
        with self.assertRaisesRegex(BadFile, "truncated"):
            read_mask(path)

    def test_pages_are_counted_and_previews_are_none(self) -> None:
        pages = [Image.fromarray(np.full((6, 8), shade, np.uint8)) for shade in (10, 90, 200)]
        pages[0].save(self.folder / "stack.tif", save_all=True, append_images=pages[1:])
        pages[0].save(self.folder / "preview.tif", save_all=True, append_images=[pages[1].resize((4, 3))])
        pages[0].save(self.folder / "film.gif", save_all=True, append_images=pages[1:])
        pages[0].save(self.folder / "one.png")
        for name, count in (("stack.tif", 3), ("preview.tif", 1), ("film.gif", 3), ("one.png", 1)):
            for role in ("image", "mask"):
                facts = self.checked({"id": "x", "path": name, "role": role})["facts"]
                self.assertEqual((name, role, facts["pages"]), (name, role, count))

    def checked(self, file: dict[str, Any]) -> dict[str, Any]:
        common = {"v": 1, "run": "c", "attempt": 1, "outputs": "out", "kind": "check"}
        write_json(
            self.folder / "run.json", common | {"maxPixels": 10**6, "thumbnailSize": 16, "files": [file]}
        )
        code, events = run_here(self.folder)
        self.assertEqual(code, 0)
        return of_type(events, "file")[0]


class TurnTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def noted(self, turn: int, name: str) -> Path:
        """A picture whose upper left corner is bright when it is seen as its camera noted."""
        upright = np.zeros((32, 48), np.uint8)
        upright[:8, :8] = 255
        back = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[turn]
        image = Image.fromarray(upright)
        image = image if back is None else image.transpose(Image.Transpose(back))
        exif = Image.Exif()
        exif[0x0112] = turn
        image.save(self.folder / name, exif=exif if name.endswith(".tif") else exif.tobytes(), quality=95)
        return self.folder / name

    def test_pictures_are_read_as_their_camera_noted_them(self) -> None:
        for name in ("p.jpg", "p.webp", "p.tif"):
            for turn in range(1, 9):
                picture = read_picture(self.noted(turn, name))
                self.assertEqual((picture.pixels.shape, picture.turn), ((32, 48), turn), (name, turn))
                grey = picture.pixels if picture.pixels.ndim == 2 else picture.pixels[..., 0]
                self.assertGreater(int(grey[:6, :6].min()), 200, (name, turn))
                self.assertLess(int(grey[12:, 12:].max()), 60, (name, turn))

    def test_a_mask_that_was_drawn_without_the_note_is_turned_by_it(self) -> None:
        raw = np.zeros((48, 32), np.uint8)
        raw[:8, -8:] = 255
        save_png(self.folder / "m.png", raw)
        mixing = {"how": "any", "paths": [], "kinds": None, "turn": 8}
        file = {"id": "x", "path": "m.png", "role": "mask", "mix": mixing}
        common = {"v": 1, "run": "c", "attempt": 1, "outputs": "out", "kind": "check"}
        write_json(
            self.folder / "run.json", common | {"maxPixels": 10**6, "thumbnailSize": 0, "files": [file]}
        )
        _, events = run_here(self.folder)
        self.assertEqual(of_type(events, "file")[0]["facts"]["width"], 48)
        made = np.asarray(Image.open(self.folder / "out" / "made" / "x"))
        self.assertEqual((made[:8, :8].min(), made[8:].max(), made.shape), (255, 0, (32, 48)))

    def test_a_note_that_cannot_be_read_says_nothing(self) -> None:
        path = self.noted(6, "p.jpg")
        data = path.read_bytes()
        at = data.index(b"Exif\0\0") + 6
        path.write_bytes(data[:at] + b"\xff" * 8 + data[at + 8 :])
        self.assertEqual(read_picture(path).turn, 1)

    def test_portable_maps_are_read(self) -> None:
        for name, pixels in (
            ("a.ppm", np.full((4, 5, 3), (9, 8, 7), np.uint8)),
            ("a.pgm", np.eye(4, dtype=np.uint8)),
        ):
            Image.fromarray(pixels).save(self.folder / name)
            np.testing.assert_array_equal(read_picture(self.folder / name).pixels, pixels)


class RegionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_the_loss_of_what_does_not_count_is_none(self) -> None:
        torch.manual_seed(0)
        logits = torch.randn(2, 3, 8, 8)
        target = torch.randint(0, 3, (2, 8, 8))
        outside = torch.zeros(8, 8, dtype=torch.bool)
        outside[:, 5:] = True
        partly = torch.where(outside, torch.tensor(NOT_COUNTED), target)
        for criterion in segmentation.CRITERIA:
            measure = make_loss(criterion, torch.tensor([0.5, 1.0, 2.0]), partly=True)
            found = measure(logits, partly)
            alone = make_loss(criterion, torch.tensor([0.5, 1.0, 2.0]))(logits[..., :5], target[..., :5])
            torch.testing.assert_close(found, alone, msg=criterion)
            other = torch.where(outside, 9.0, logits)
            torch.testing.assert_close(measure(other, partly), found, msg=criterion)
            nothing = torch.full_like(target, NOT_COUNTED)
            self.assertTrue(measure(logits, nothing).isfinite(), criterion)

    def test_training_and_test_count_what_lies_in_the_region(self) -> None:
        run = make_run(self.folder, "segmentation", count=12, criterion="ce_dice")
        self.mark_outside(run)
        code, events = run_here(run)
        self.assertEqual(code, 0, of_type(events, "error"))
        spec_values = of_type(events, "metrics")[-1]["values"]
        self.assertIsNotNone(spec_values["dice"])

    def test_what_is_marked_outside_changes_no_count(self) -> None:
        run = make_run(self.folder, "segmentation", count=4)
        self.mark_outside(run)
        manifest = read_manifest(run / "manifest.json")
        from neuroloom_engine.spec import read_spec

        spec = read_spec(run)
        for item in manifest.items:
            sample = segmentation.decode_sample(spec, manifest, item)  # type: ignore[arg-type]
            assert sample.region is not None
            self.assertEqual(segmentation.target_of(sample)[0].tolist(), [NOT_COUNTED] * sample.mask.shape[1])

    def test_what_masks_leave_open_counts_as_little_as_what_lies_outside(self) -> None:
        found = []
        for leave in (self.leave_open, self.cut_off):
            run = make_run(self.folder / leave.__name__, "segmentation", count=8)
            leave(run)
            code, events = run_here(run)
            self.assertEqual(code, 0, of_type(events, "error"))
            found.append([event["values"] for event in of_type(events, "metrics")])
            drawn = segmentation.values_of(read_manifest(run / "manifest.json"))
            self.assertEqual(drawn, [0, 1 if leave == self.leave_open else 255])
        self.assertTrue(found[0])
        self.assertEqual(*found)

    def leave_open(self, run: Path) -> None:
        """The uppermost row of each mask says that nobody decided on it."""
        manifest = json.loads((run / "manifest.json").read_text())
        for item in manifest["items"]:
            mask = np.array(Image.open(run / "data" / item["label"])) // 255
            mask[0] = 255
            save_png(run / "data" / item["label"], mask)
        manifest["maskValues"] = {"0": 0, "1": 1, "255": -1}
        write_json(run / "manifest.json", manifest)

    def cut_off(self, run: Path) -> None:
        self.mark_outside(run, drawn=0)

    def mark_outside(self, run: Path, drawn: int = 255) -> None:
        """The uppermost row of each image does not count, although all of it is marked."""
        path = run / "manifest.json"
        manifest = json.loads(path.read_text())
        for item in manifest["items"]:
            mask = np.array(Image.open(run / "data" / item["label"]))
            mask[0] = drawn
            save_png(run / "data" / item["label"], mask)
            region = np.full(mask.shape, 255, np.uint8)
            region[0] = 0
            item["region"] = f"regions/{item['id']}.png"
            save_png(run / "data" / item["region"], region)
        write_json(path, manifest)


def colours_of(count: int) -> np.ndarray[Any, Any]:
    """As many flat colours, far from each other in no order, as squares."""
    numbers = np.arange(count)
    colours = np.stack([numbers % 7 * 36, numbers // 7 % 7 * 36, numbers // 49 * 36], 1).astype(np.uint8)
    return np.repeat(np.repeat(colours.reshape(20, -1, 3), 6, 0), 6, 1)


class ColourTrainingTest(unittest.TestCase):
    def test_a_training_learns_from_colours_and_keeps_them(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        run = make_run(folder, "segmentation", count=12)
        draw_masks(folder, 12)
        manifest = json.loads((run / "manifest.json").read_text())
        for item in manifest["items"]:
            mask = np.asarray(Image.open(run / "data" / item["label"])) > 0
            save_png(run / "data" / item["label"], np.where(mask[..., None], RED, BLUE).astype(np.uint8))
        manifest["maskValues"] = {"#0000ff": 0, "#ff0000": 1}
        write_json(run / "manifest.json", manifest)
        code, events = run_here(run)
        self.assertEqual(code, 0, of_type(events, "error"))
        self.assertEqual(as_picture(np.full((1, 1), code_of("#ff0000"), np.uint32)).getpixel((0, 0)), RED)
