"""Recipes: what each step makes of pixels, volumes and values, and what is refused in which words."""

from __future__ import annotations

import struct
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from neuroloom_engine.data.images import MAX_PIXELS, BadFile
from neuroloom_engine.data.volumes import read_volume
from neuroloom_engine.recipe.cleaning import field_of
from neuroloom_engine.recipe.files import affine_of, name_after, read_frame, write_frame
from neuroloom_engine.recipe.frame import Frame, Trouble
from neuroloom_engine.recipe.steps import Head, foresee, prepare

from .make_volumes import nifti

RANDOM = np.random.default_rng(5)
GREY = RANDOM.integers(0, 256, (40, 60), dtype=np.uint8)
COLOUR = RANDOM.integers(0, 256, (40, 60, 3), dtype=np.uint8)
DEEP = RANDOM.integers(0, 65536, (40, 60), dtype=np.uint16)


def step(do: str, **values: Any) -> dict[str, Any]:
    return {"do": do, **values}


def made(pixels: np.ndarray, *steps: dict[str, Any], is_mask: bool = False) -> Frame:
    (frame,) = prepare(steps, Frame(pixels, "png", is_mask))
    return frame


class Files(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def put(self, name: str, image: Image.Image | bytes, **options: Any) -> Path:
        path = self.folder / name
        if isinstance(image, bytes):
            path.write_bytes(image)
        else:
            image.save(path, **options)
        return path

    def refusal(self, path: Path, is_mask: bool = False) -> str:
        with self.assertRaises((Trouble, BadFile)) as caught:
            read_frame(path, is_mask, MAX_PIXELS)
        return str(getattr(caught.exception, "reason", ""))


class GeometryTest(unittest.TestCase):
    def test_sizes_are_exact_inside_or_filled_up(self) -> None:
        cases = (
            ("stretch", 30, 30, (30, 30)),
            ("inside", 30, 30, (20, 30)),
            ("filled", 30, 30, (30, 30)),
            ("inside", 120, 120, (80, 120)),
        )
        for how, width, height, want in cases:
            frame = made(COLOUR, step("size", how=how, width=width, height=height))
            self.assertEqual(frame.pixels.shape[:2], want, how)

    def test_bytes_are_resized_as_pillow_does_and_deep_values_alike(self) -> None:
        want = np.asarray(Image.fromarray(GREY).resize((30, 20), Image.Resampling.BILINEAR))
        resize = step("size", how="stretch", width=30, height=20)
        np.testing.assert_array_equal(made(GREY, resize).pixels, want)
        deep = made(GREY.astype(np.uint16) * 257, resize).pixels
        self.assertEqual(deep.dtype, np.uint16)
        self.assertLessEqual(int(np.abs(deep / 257 - want).max()), 1)

    def test_masks_take_the_nearest_value_and_no_other(self) -> None:
        mask = np.zeros((40, 60), np.uint8)
        mask[10:30, 20:40] = 7
        frame = made(mask, step("size", how="stretch", width=33, height=17), is_mask=True)
        self.assertEqual(set(np.unique(frame.pixels)), {0, 7})
        half = made(mask, step("size", how="stretch", width=30, height=20), is_mask=True).pixels
        np.testing.assert_array_equal(half, mask[1::2, 1::2])

    def test_places_go_where_the_pixels_go(self) -> None:
        marked = np.zeros((40, 60), np.uint8)
        marked[12, 34] = 200
        for steps in (
            [step("crop", how="box", left=10, top=5, width=40, height=30)],
            [step("crop", how="centre", width=50, height=36)],
            [step("pad", fill="black", width=81, height=77)],
            [step("flip", axis="horizontal")],
            [step("flip", axis="vertical")],
            *([step("rotate", degrees=degrees)] for degrees in (90, -90, 180, 270)),
            [
                step("rotate", degrees=90),
                step("flip", axis="horizontal"),
                step("size", how="stretch", width=80, height=120),
                step("crop", how="centre", width=60, height=90),
            ],
        ):
            frame = made(marked, *steps, is_mask=True)
            x, y, _ = frame.placement.matrix @ np.array([34.5, 12.5, 1])
            self.assertEqual(int(frame.pixels[int(y), int(x)]), 200, steps)
            self.assertTrue(frame.placement.is_exact)

    def test_an_angle_makes_room_for_all_and_is_told_as_not_exact(self) -> None:
        frame = made(COLOUR, step("rotate", degrees=30))
        self.assertGreater(frame.width, 60)
        self.assertFalse(frame.placement.is_exact)

    def test_a_crop_beyond_the_picture_is_refused_with_its_size(self) -> None:
        with self.assertRaises(Trouble) as caught:
            made(GREY, step("crop", how="centre", width=61, height=20))
        self.assertEqual((caught.exception.reason, caught.exception.params["width"]), ("crop_outside", 60))

    def test_tiles_cover_all_and_end_at_the_edge(self) -> None:
        seen = np.zeros((40, 60), np.int64)
        marks = []
        for tile in prepare([step("tiles", width=16, height=16, overlap=4)], Frame(GREY, "png")):
            x, y, _ = np.linalg.inv(tile.placement.matrix) @ np.array([0, 0, 1])
            part = (slice(int(y), int(y) + 16), slice(int(x), int(x) + 16))
            np.testing.assert_array_equal(tile.pixels, GREY[part])
            seen[part] += 1
            marks.append(tile.mark)
        self.assertGreater(int(seen.min()), 0)
        self.assertEqual(marks[0], "__y00000_x00000_of_40x60")
        self.assertEqual(len(set(marks)), len(marks))


class TonesTest(unittest.TestCase):
    def test_a_window_ends_in_black_and_white(self) -> None:
        ramp = np.array([[0, 100, 150, 200, 65535]], np.uint16)
        pixels = made(ramp, step("window", centre=150, width=100)).pixels
        np.testing.assert_array_equal(pixels, [[0, 0, 128, 255, 255]])

    def test_values_are_spread_over_their_own_range(self) -> None:
        pixels = made(np.array([[1000, 1500, 2000]], np.uint16), step("normalise", how="minmax")).pixels
        np.testing.assert_array_equal(pixels, [[0, 32768, 65535]])
        spread = made(GREY // 2 + 50, step("normalise", how="percentile", low=1, high=99)).pixels
        self.assertEqual((int(spread.min()), int(spread.max())), (0, 255))

    def test_deviations_are_floats_and_refused_of_colours(self) -> None:
        frame = made(DEEP, step("normalise", how="zscore"))
        self.assertEqual(frame.pixels.dtype, np.float32)
        self.assertAlmostEqual(float(frame.pixels.mean()), 0, 3)
        self.assertAlmostEqual(float(frame.pixels.std()), 1, 3)
        with self.assertRaises(Trouble) as caught:
            made(COLOUR, step("normalise", how="zscore"))
        self.assertEqual(caught.exception.reason, "colour_floats")

    def test_clahe_raises_contrast_within_its_limit_and_keeps_the_type(self) -> None:
        dull = (GREY // 8 + 100).astype(np.uint8)
        strong, weak = (made(dull, step("clahe", tiles=4, clip=clip)).pixels for clip in (40, 1.5))
        self.assertGreater(float(strong.std()), float(weak.std()))
        self.assertGreater(float(weak.std()), float(dull.std()))
        for pixels in (DEEP, COLOUR, DEEP.astype(np.float32) / 7, np.full((9, 9), 3, np.uint8)):
            equalised = made(pixels, step("clahe", tiles=8, clip=2)).pixels
            self.assertEqual((equalised.shape, equalised.dtype), (pixels.shape, pixels.dtype))

    def test_clahe_with_one_tile_and_no_limit_is_equalisation(self) -> None:
        values = np.repeat(np.arange(256, dtype=np.uint8) // 4, 16).reshape(64, 64)
        pixels = made(values, step("clahe", tiles=1, clip=256)).pixels
        shares = np.cumsum(np.bincount(values.reshape(-1), minlength=256)) / values.size
        np.testing.assert_allclose(pixels, shares[values] * 255, atol=1)

    def test_tones_leave_masks_alone(self) -> None:
        for one in (step("clahe", tiles=8, clip=2), step("window", centre=3, width=1), step("grey")):
            np.testing.assert_array_equal(made(GREY, one, is_mask=True).pixels, GREY)

    def test_colours_become_the_numbers_that_were_given(self) -> None:
        mask = np.zeros((2, 3, 3), np.uint8)
        mask[0, 0], mask[1, 2] = (255, 0, 0), (0, 0, 255)
        colours = [{"colour": "#ff0000", "value": 2}, {"colour": "#000000", "value": 0}]
        pixels = made(mask, step("index", colours=colours, others="background"), is_mask=True).pixels
        np.testing.assert_array_equal(pixels, [[2, 0, 0], [0, 0, 0]])
        with self.assertRaises(Trouble) as caught:
            made(mask, step("index", colours=colours, others="refuse"), is_mask=True)
        self.assertEqual(caught.exception.params, {"count": 1, "colours": "#0000ff"})


class CleaningTest(unittest.TestCase):
    def test_noise_grows_less_and_edges_stay(self) -> None:
        clean = np.full((64, 64), 60, np.float32)
        clean[:, 32:] = 180
        noisy = np.clip(clean + RANDOM.normal(0, 8, clean.shape), 0, 255).astype(np.uint8)
        for one in (
            step("denoise", how="median", radius=1),
            step("denoise", how="gaussian", sigma=0.8),
            step("denoise", how="means", strength=1.0),
        ):
            pixels = made(noisy, one).pixels.astype(np.float32)
            self.assertLess(
                float(((pixels - clean) ** 2).mean()), 0.8 * float(((noisy - clean) ** 2).mean()), one
            )
        means = made(noisy, step("denoise", how="means", strength=1.0)).pixels.astype(np.float32)
        self.assertGreater(float(means[:, 34:].mean() - means[:, :30].mean()), 110)

    def test_shading_is_taken_out(self) -> None:
        down, across = np.mgrid[-1:1:80j, -1:1:90j]
        body = np.where(RANDOM.random((80, 90)) < 0.5, 90.0, 130.0)
        shading = np.exp(0.4 * across - 0.3 * down + 0.2 * across * down)
        shaded = (body * shading).astype(np.float32)
        evened = made(shaded, step("bias", degree=2)).pixels
        self.assertLess(float(np.log(evened / body).std()), 0.1 * float(np.log(shading).std()))
        np.testing.assert_array_equal(field_of(np.zeros((9, 9), np.float32), 3), 1)


class KindsTest(Files):
    def test_what_files_hold_is_kept(self) -> None:
        cases: list[tuple[str, Image.Image, Any, tuple[int, ...], str]] = [
            ("a.PNG", Image.fromarray(DEEP), np.uint16, (40, 60), "a.PNG"),
            ("b.tiff", Image.fromarray(DEEP.astype(np.float32)), np.float32, (40, 60), "b.tiff"),
            ("c.jpeg", Image.fromarray(COLOUR), np.uint8, (40, 60, 3), "c.jpeg"),
            ("d.jpg", Image.fromarray(COLOUR).convert("CMYK"), np.uint8, (40, 60, 3), "d.jpg"),
            ("e.bmp", Image.fromarray(GREY > 99), np.uint8, (40, 60), "e.png"),
            ("f.png", Image.fromarray(COLOUR).convert("RGBA"), np.uint8, (40, 60, 4), "f.png"),
            ("g.gif", Image.fromarray(COLOUR).convert("P"), np.uint8, (40, 60, 3), "g.png"),
            ("h.png", Image.fromarray(GREY).convert("LA"), np.uint8, (40, 60, 2), "h.png"),
        ]
        for name, image, kind, shape, new in cases:
            path = self.put(name, image)
            (frame,) = prepare([step("flip", axis="vertical")], read_frame(path, False, MAX_PIXELS))
            self.assertEqual((frame.pixels.dtype, frame.pixels.shape), (np.dtype(kind), shape), name)
            out = self.folder / "out"
            self.assertEqual(name_after(name, write_frame(frame, out), ""), new)
            again = read_frame(out, False, MAX_PIXELS).pixels
            self.assertEqual((again.dtype, again.shape), (np.dtype(kind), shape), name)

    def test_a_palette_with_transparency_keeps_both_and_a_mask_its_numbers(self) -> None:
        image = Image.fromarray(GREY % 4, "P")
        image.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
        path = self.put("mask.png", image, transparency=0)
        self.assertEqual(read_frame(path, False, MAX_PIXELS).pixels.shape, (40, 60, 4))
        mask = read_frame(path, True, MAX_PIXELS)
        np.testing.assert_array_equal(mask.pixels, GREY % 4)
        out = self.folder / "out"
        write_frame(mask, out)
        with Image.open(out) as again:
            self.assertEqual((again.mode, (again.getpalette() or [])[3:6]), ("P", [255, 0, 0]))

    def test_a_camera_s_note_is_followed(self) -> None:
        exif = Image.Exif()
        exif[0x0112] = 6
        frame = read_frame(self.put("a.jpg", Image.fromarray(GREY), exif=exif), False, MAX_PIXELS)
        self.assertEqual((frame.width, frame.height, frame.placement.is_exact), (40, 60, False))

    def test_what_would_lose_something_is_refused(self) -> None:
        pages = [Image.fromarray(GREY), Image.fromarray(255 - GREY)]
        broken = np.full((4, 4), np.nan, np.float32)
        cases = {
            "several_pictures": self.put("a.gif", pages[0], save_all=True, append_images=pages[1:]),
            "not_finite": self.put("b.tif", Image.fromarray(broken)),
            "deep_colours": self.put("d.png", b"\x89PNG\r\n\x1a\n" + bytes(16) + b"\x10\x02" + bytes(600)),
            "not_an_image": self.put("e.png", b"nothing"),
            "empty": self.put("f.png", b""),
        }
        self.assertEqual(
            {reason: self.refusal(path) for reason, path in cases.items()}, {one: one for one in cases}
        )
        large = self.put("g.png", Image.new("1", (4000, 4000)))
        with self.assertRaises(BadFile) as caught:
            read_frame(large, False, 1000)
        self.assertEqual(caught.exception.reason, "too_large")


class VolumesTest(Files):
    def test_things_lie_where_they_lay(self) -> None:
        voxels = np.zeros((5, 40, 60), np.int16)
        voxels[3, 12, 34] = 900
        path = self.put("a.nii.gz", nifti(voxels, spacing=(1, 2, 3), axes="LPS"))
        before, _ = affine_of(read_frame(path, False, MAX_PIXELS).header)  # type: ignore[arg-type]
        want = before @ np.array([34, 12, 3, 1])
        for steps in (
            [step("flip", axis="horizontal")],
            [step("rotate", degrees=90)],
            [step("crop", how="box", left=30, top=10, width=20, height=20)],
            [step("pad", fill="black", width=70, height=70), step("flip", axis="vertical")],
        ):
            (frame,) = prepare(steps, read_frame(path, True, MAX_PIXELS))
            out = self.folder / "out"
            write_frame(frame, out)
            volume = read_volume(out)
            self.assertEqual(volume.voxels.dtype, np.int16)
            depth, row, column = (int(place[0]) for place in np.nonzero(volume.voxels))
            after, _ = affine_of(volume.header)
            np.testing.assert_allclose(after @ np.array([column, row, depth, 1]), want, atol=1e-4)

    def test_the_spacing_follows_the_size(self) -> None:
        path = self.put("a.nii", nifti(RANDOM.integers(0, 99, (4, 40, 60)).astype("i2"), spacing=(1, 1, 5)))
        (frame,) = prepare(
            [step("size", how="stretch", width=30, height=10)], read_frame(path, False, MAX_PIXELS)
        )
        write_frame(frame, self.folder / "out")
        header = read_volume(self.folder / "out").header
        self.assertEqual(header.size, (4, 10, 30))
        np.testing.assert_allclose(header.spacing, (5, 4, 2), rtol=1e-6)

    def test_a_window_is_of_measured_values(self) -> None:
        voxels = np.array([[[0, 1000, 2000]]], np.int16)
        path = self.put("a.nii", nifti(voxels, slope=(1, -1000)))
        (frame,) = prepare([step("window", centre=0, width=2000)], read_frame(path, False, MAX_PIXELS))
        np.testing.assert_array_equal(frame.pixels, [[[0, 128, 255]]])
        write_frame(frame, self.folder / "out")
        start = read_volume(self.folder / "out").header
        self.assertEqual((start.slope, start.intercept), (1.0, 0.0))
        self.assertEqual(struct.calcsize("<2h18f"), len(start.place))


class ForesightTest(unittest.TestCase):
    def test_sizes_and_kinds_tell_what_the_steps_will_refuse(self) -> None:
        plain = Head(60, 40, 3, False, False)
        cases: list[tuple[Head, list[dict[str, Any]], str | None]] = [
            (plain, [step("crop", how="centre", width=61, height=1)], "crop_outside"),
            (
                plain,
                [step("rotate", degrees=90), step("crop", how="centre", width=41, height=1)],
                "crop_outside",
            ),
            (
                plain,
                [
                    step("pad", fill="black", width=99, height=99),
                    step("crop", how="centre", width=99, height=9),
                ],
                None,
            ),
            (plain, [step("normalise", how="zscore")], "colour_floats"),
            (plain, [step("grey"), step("normalise", how="zscore")], None),
            (
                plain,
                [
                    step("size", how="stretch", width=9000, height=9000),
                    step("tiles", width=64, height=64, overlap=0),
                ],
                "too_many_tiles",
            ),
            (Head(60, 40, 1, True, False), [step("tiles", width=9, height=9, overlap=0)], "volume_tiles"),
            (Head(60, 40, 1, True, False), [step("rotate", degrees=5)], "volume_turn"),
            (Head(60, 40, 1, True, True), [step("index", colours=[], others="background")], "volume_colours"),
        ]
        for head, steps, want in cases:
            try:
                foresee(steps, head)
                found = None
            except Trouble as trouble:
                found = trouble.reason
            self.assertEqual(found, want, steps)
