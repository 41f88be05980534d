"""Files, parts and pixels.

Hostile images are refused by name, parts never leak, the same seed gives the same batch.
"""

from __future__ import annotations

import struct
import tempfile
import unittest
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from neuroloom_engine.data import augment
from neuroloom_engine.data.images import BadFile, as_uint8, read_picture
from neuroloom_engine.data.masks import read_mask, text_of
from neuroloom_engine.data.pairs import levels_of
from neuroloom_engine.data.split import split
from neuroloom_engine.prepare import data_hash
from neuroloom_engine.spec import Item, SpecError, Validation, read_manifest

from .make import edit_spec, of_type, process, run_here, save_png, write_json

HOLDOUT = Validation("holdout", 4, 1, 1, 9)
KFOLD = Validation("kfold", 0, 0, 5, 9)


class HostileImagesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def reason(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        with self.assertRaises(BadFile) as caught:
            read_picture(path)
        return caught.exception.reason

    def test_files_that_are_no_usable_image_are_refused_by_reason(self) -> None:
        save_png(self.folder / "whole.png", np.random.default_rng(0).integers(0, 255, (64, 64, 3), np.uint8))
        whole = (self.folder / "whole.png").read_bytes()
        self.assertEqual(self.reason("a.png", b""), "empty")
        self.assertEqual(self.reason("b.png", b"just some text"), "not_an_image")
        self.assertEqual(self.reason("c.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "not_an_image")
        self.assertEqual(
            self.reason("d.png", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"), "not_an_image"
        )
        self.assertEqual(self.reason("e.png", whole[: len(whole) // 2]), "truncated")
        self.assertEqual(self.reason("f.png", png_header(60_000, 60_000)), "too_large")
        Image.fromarray(np.full((4, 4), np.nan, np.float32)).save(self.folder / "float.tiff")
        self.assertEqual(self.reason("g.tiff", (self.folder / "float.tiff").read_bytes()), "not_finite")

    def test_depth_palette_and_constant_alpha_are_read_as_what_they_show(self) -> None:
        grey = np.arange(64, dtype=np.uint8).reshape(8, 8)
        save_png(self.folder / "rgba.png", np.dstack([grey, grey, grey, np.full_like(grey, 255)]))
        self.assertEqual(read_picture(self.folder / "rgba.png").channels, 1)
        save_png(self.folder / "deep.png", (grey.astype(np.int32) * 900).astype(np.uint16))
        deep = read_picture(self.folder / "deep.png")
        self.assertEqual((deep.bits, deep.pixels.max()), (16, 63 * 900))
        self.assertEqual((as_uint8(deep, 3).shape, as_uint8(deep, 3).max()), ((8, 8, 3), 255))
        floats = np.linspace(-0.3, 1.2e6, 64, dtype=np.float32).reshape(8, 8)
        Image.fromarray(floats).save(self.folder / "float.tiff")
        real = read_picture(self.folder / "float.tiff")
        self.assertEqual((real.bits, real.pixels.min(), real.pixels.max()), (32, 0, 65535))
        self.assertTrue((np.diff(real.pixels.reshape(-1).astype(int)) > 0).all())
        Image.fromarray(np.full((8, 8), 5.5, np.float32)).save(self.folder / "even.tiff")
        self.assertEqual(read_picture(self.folder / "even.tiff").pixels.max(), 0)
        with self.assertRaises(BadFile):
            levels_of(real, 1)
        palette = Image.fromarray(grey // 32, mode="P")
        palette.putpalette([0, 0, 0, 255, 0, 0])
        palette.save(self.folder / "palette.png")
        self.assertEqual(read_picture(self.folder / "palette.png").channels, 3)
        self.assertEqual(set(np.unique(read_mask(self.folder / "palette.png").pixels)), {0, 1})

    def test_all_sixteen_bits_of_colours_are_read(self) -> None:
        dim = np.arange(64, dtype=np.uint16).reshape(8, 8) * 60
        colours = np.dstack([dim, dim // 2, dim])
        written = {
            "rgb.png": deep_png(colours),
            "grey_alpha.png": deep_png(np.dstack([dim, np.full_like(dim, 65_535)])),
            "clear.png": deep_png(np.dstack([colours, np.full_like(dim, 65_535)])),
            "little.tiff": tiff(colours, "<"),
            "big.tiff": tiff(colours, ">"),
        }
        for name, data in written.items():
            (self.folder / name).write_bytes(data)
            picture = read_picture(self.folder / name)
            self.assertEqual((picture.bits, picture.pixels.dtype), (16, np.uint16), name)
            expected = dim if name == "grey_alpha.png" else colours
            self.assertTrue(np.array_equal(picture.pixels, expected), name)
            self.assertEqual(as_uint8(picture, 3).max(), 255)
        # Numbers of classes in a mask that was saved so.
        marks = (dim > 1000).astype(np.uint16) * 2
        (self.folder / "mask.png").write_bytes(deep_png(np.dstack([marks] * 3)))
        self.assertTrue(np.array_equal(read_mask(self.folder / "mask.png").pixels, marks))
        red = np.dstack([marks * 32_767, 0 * marks, 0 * marks])
        (self.folder / "red.png").write_bytes(deep_png(red))
        codes = np.unique(read_mask(self.folder / "red.png").pixels).tolist()
        self.assertEqual([text_of(code) for code in codes], ["#000000", "#ff0000"])

    def test_what_is_drawn_on_nothing_is_seen_whatever_its_colour(self) -> None:
        alpha = np.zeros((8, 8), np.uint8)
        alpha[2:5, 3:7] = 255
        for shade in (0, 255):
            even = np.full_like(alpha, shade)
            Image.fromarray(np.dstack([even, alpha]), "LA").save(self.folder / "grey.png")
            save_png(self.folder / "colour.png", np.dstack([even, even, even, alpha]))
            for name in ("grey.png", "colour.png"):
                for read in (read_mask, read_picture):
                    self.assertTrue(np.array_equal(read(self.folder / name).pixels, alpha), name)

    def test_a_tiff_that_counts_from_white_is_shown_as_it_was_meant(self) -> None:
        film = np.arange(64, dtype=np.uint16).reshape(8, 8) * 500
        (self.folder / "film.tiff").write_bytes(tiff(film[..., None], "<", photometric=0))
        self.assertTrue(np.array_equal(read_picture(self.folder / "film.tiff").pixels, 65_535 - film))
        self.assertEqual(
            self.reason("two.tiff", tiff(np.dstack([film, film]), "<", photometric=1)), "unsupported_mode"
        )

    def test_black_is_the_background_whichever_number_a_palette_gives_it(self) -> None:
        black, red, blue = [0, 0, 0], [200, 0, 0], [0, 0, 200]
        numbers = np.array([[1, 0, 1], [1, 0, 0]], np.uint8)

        def read(numbers: NDArray[np.uint8], *palette: list[int]) -> list[int]:
            image = Image.fromarray(numbers, mode="P")
            image.putpalette([channel for colour in palette for channel in colour])
            image.save(self.folder / "palette.png")
            return read_mask(self.folder / "palette.png").pixels.reshape(-1).tolist()

        self.assertEqual(read(numbers, black, red), [1, 0, 1, 1, 0, 0])
        self.assertEqual(read(numbers, red, black), [0, 1, 0, 0, 1, 1])
        # White before blue, and no black: the numbers are all that is known.
        self.assertEqual(read(numbers, [255, 255, 255], blue), [1, 0, 1, 1, 0, 0])
        self.assertEqual(read(np.ones((2, 3), np.uint8), red, black), [0] * 6)
        # Of more than two, colours count: another file may number them in another way.
        three = read(np.array([[2, 0, 1], [1, 1, 0]], np.uint8), red, black, blue)
        expected = ["#0000c8", "#c80000", "#000000", "#000000", "#000000", "#c80000"]
        self.assertEqual([text_of(code) for code in three], expected)

    def test_coloured_masks_and_masks_of_too_many_values_are_refused_in_a_check_that_goes_on(self) -> None:
        rng = np.random.default_rng(0)
        save_png(self.folder / "colour.png", rng.integers(0, 255, (30, 30, 3), np.uint8))
        save_png(self.folder / "many.png", np.arange(900, dtype=np.uint16).reshape(30, 30) * 7)
        save_png(self.folder / "good.png", np.eye(40, dtype=np.uint8) * 255)
        files = [
            {"id": name, "path": f"{name}.png", "role": "mask"} for name in ("colour", "many", "none", "good")
        ]
        common = {"v": 1, "run": "c", "attempt": 1, "outputs": "out", "kind": "check"}
        write_json(
            self.folder / "run.json", common | {"maxPixels": 10**6, "thumbnailSize": 16, "files": files}
        )
        code, events = run_here(self.folder)
        self.assertEqual(code, 0)
        reasons = {event["id"]: event["reason"] for event in of_type(events, "file")}
        self.assertEqual(
            reasons, {"colour": "mask_colour", "many": "mask_values", "none": "empty", "good": None}
        )
        facts = of_type(events, "file")[-1]["facts"]
        self.assertEqual(facts["values"], {"0": 1560, "255": 40})
        self.assertAlmostEqual(facts["mean"], 40 / 1600)
        with Image.open(self.folder / "out" / "thumbnails" / "good.webp") as thumbnail:
            self.assertEqual((thumbnail.format, thumbnail.size), ("WEBP", (16, 16)))
        edit_spec(self.folder, files=[{"id": "../x", "path": "good.png", "role": "image"}])
        self.assertEqual(run_here(self.folder)[0], 64)

    def test_a_check_does_not_wait_for_torch(self) -> None:
        code = (
            "import sys, neuroloom_engine.check, neuroloom_engine.runner; print(int('torch' in sys.modules))"
        )
        with process(code=code) as engine:
            self.assertEqual(list(engine.events()), [0])

    def test_a_window_of_dicom_is_read_and_tells_no_other_data(self) -> None:
        manifest = {"v": 1, "task": "classification", "classes": ["x"], "channels": 1, "maskValues": {}}
        write_json(self.folder / "m.json", manifest | {"items": []})
        plain = read_manifest(self.folder / "m.json")
        write_json(self.folder / "m.json", manifest | {"items": [], "window": {"center": 60, "width": 400.5}})
        drawn = read_manifest(self.folder / "m.json")
        self.assertEqual((plain.window, drawn.window), (None, {"center": 60.0, "width": 400.5}))
        self.assertEqual(data_hash(drawn), data_hash(plain))

    def test_manifest_paths_may_not_leave_the_data_root(self) -> None:
        item = {"id": "a", "name": "a", "image": "../secret.png", "label": None, "class": 0, "group": "a"}
        manifest = {"v": 1, "task": "classification", "classes": ["x"], "channels": 1, "maskValues": {}}
        for path in ("../secret.png", "/etc/passwd", "a/../../b"):
            write_json(self.folder / "m.json", manifest | {"items": [item | {"image": path}]})
            with self.assertRaises(SpecError):
                read_manifest(self.folder / "m.json")


class SplitTest(unittest.TestCase):
    def test_no_group_stands_on_two_sides_and_every_item_on_one(self) -> None:
        items = make_items(100, classes=3, per_group=3)
        for validation in (HOLDOUT, KFOLD):
            for parts in split(items, validation):
                sides = [
                    {items[index].group for index in side}
                    for side in (parts.train, parts.validation, parts.test)
                ]
                self.assertFalse(sides[0] & sides[1] or sides[0] & sides[2] or sides[1] & sides[2])
                self.assertEqual(sorted(parts.train + parts.validation + parts.test), list(range(100)))

    def test_what_the_data_set_gives_to_no_part_is_in_none(self) -> None:
        given = ("train", "test", None)
        every = enumerate(make_items(30, classes=2))
        items = [replace(item, part=given[index % 3]) for index, item in every]
        parts = split(items, Validation("given", 0, 0, 0, 3))[0]
        used = {*parts.train, *parts.validation, *parts.test}
        self.assertEqual(used, {index for index, item in enumerate(items) if item.part is not None})

    def test_each_item_is_the_test_side_of_exactly_one_fold(self) -> None:
        tested = [index for parts in split(make_items(53, classes=2), KFOLD) for index in parts.test]
        self.assertEqual(sorted(tested), list(range(53)))

    def test_classes_keep_their_shares_and_even_rare_ones_are_on_every_side(self) -> None:
        items = make_items(90, classes=1) + make_items(10, classes=1, first_class=1, prefix="rare")
        (parts,) = split(items, HOLDOUT)
        counts = [
            sum(items[index].class_index == 1 for index in side) for side in (parts.test, parts.validation)
        ]
        self.assertEqual(len(parts.test), 20)
        self.assertEqual(counts, [2, 1])
        (few,) = split(make_items(9, classes=3), HOLDOUT)
        self.assertEqual({len(few.train), len(few.validation), len(few.test)}, {3})

    def test_the_order_of_items_does_not_change_the_parts(self) -> None:
        items = make_items(40, classes=2)
        names = {items[index].id for index in split(items, HOLDOUT)[0].test}
        back = items[::-1]
        self.assertEqual(names, {back[index].id for index in split(back, HOLDOUT)[0].test})
        other = Validation("holdout", 4, 1, 1, 10)
        self.assertNotEqual(names, {items[index].id for index in split(items, other)[0].test})


class AugmentTest(unittest.TestCase):
    def test_small_images_are_filled_up_by_reflection_and_large_ones_cut(self) -> None:
        rng = np.random.default_rng(0)
        for shape in ((3, 5), (16, 16), (40, 9), (1, 1)):
            mask = np.zeros(shape, np.uint8)
            for pose in range(8):
                window = augment.choose_window(mask, (16, 16), rng)
                self.assertEqual(augment.posed(augment.cut(mask, window), pose, (16, 16)).shape, (16, 16))

    def test_crops_find_a_small_structure_far_more_often_than_chance(self) -> None:
        mask = np.zeros((200, 200), np.uint8)
        mask[150:153, 20:23] = 1
        rng = np.random.default_rng(0)
        hits = sum(augment.cut(mask, augment.choose_window(mask, (32, 32), rng)).any() for _ in range(200))
        self.assertGreater(hits, 80)


def make_items(
    count: int, classes: int, per_group: int = 1, first_class: int = 0, prefix: str = "i"
) -> list[Item]:
    return [
        Item(
            f"{prefix}{index}",
            "n",
            "p",
            None,
            first_class + index // per_group % classes,
            f"{prefix}{index // per_group}",
        )
        for index in range(count)
    ]


def deep_png(pixels: NDArray[Any]) -> bytes:
    """16 bits a channel, which Pillow writes of greys alone."""
    height, width, channels = pixels.shape
    head = struct.pack(">IIBBBBB", width, height, 16, {2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in pixels)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def tiff(pixels: NDArray[Any], order: str, photometric: int = 2, planes: int = 1) -> bytes:
    """16 bits a channel, in one strip."""
    height, width, channels = pixels.shape
    data = pixels.astype(f"{order}u2").tobytes()
    bits_at, strip_at = 8 + 2 + 10 * 12 + 4, 8 + 2 + 10 * 12 + 4 + 2 * channels
    short, long = 3, 4
    fields = (
        (256, short, 1, width),
        (257, short, 1, height),
        (258, short, channels, bits_at if channels > 2 else 16),
        (259, short, 1, 1),
        (262, short, 1, photometric),
        (273, long, 1, strip_at),
        (277, short, 1, channels),
        (278, short, 1, height),
        (279, long, 1, len(data)),
        (284, short, 1, planes),
    )
    entries = b"".join(
        struct.pack(f"{order}HHI", tag, kind, count)
        + (
            struct.pack(f"{order}HH", value, value)
            if kind == short and count < 3
            else struct.pack(f"{order}I", value)
        )
        for tag, kind, count, value in fields
    )
    start = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}IH", 8, len(fields))
    return start + entries + bytes(4) + struct.pack(f"{order}{channels}H", *[16] * channels) + data


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
