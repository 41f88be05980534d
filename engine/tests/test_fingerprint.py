"""Copies of a picture are known again, other pictures are not."""

from __future__ import annotations

import io
import unittest
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from neuroloom_engine.data.fingerprint import fingerprint_of, volume_fingerprint_of

Grey = NDArray[np.uint8]
# `doubles.distance` of contract/src/limits.ts.
NEAR = 36


def drawn(seed: int, side: int = 200) -> Grey:
    """Blobs on a wide black background, as scans are."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[:side, :side] / side
    picture = np.zeros((side, side))
    for _ in range(12):
        row, column, size, level = rng.uniform(0.25, 0.75, 4)
        picture += level * np.exp(-((rows - row) ** 2 + (columns - column) ** 2) / (0.02 * size) ** 1.3)
    return np.asarray(picture * (220 / picture.max()), np.uint8)


def jpeg(pixels: Grey) -> Grey:
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=60)
    return np.asarray(Image.open(file))


def scaled(pixels: Grey, times: float) -> Grey:
    size = (round(pixels.shape[1] * times), round(pixels.shape[0] * times))
    return np.asarray(Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC))


def distance(one: str | None, other: str | None) -> int:
    assert one is not None and other is not None and len(one) == len(other) == 128

    def between(left: str, right: str) -> int:
        return (int(left, 16) ^ int(right, 16)).bit_count()

    return min(between(one[:64], other[:64]), between(one[:64], other[64:]), between(one[64:], other[:64]))


class FingerprintTest(unittest.TestCase):
    COPIES: dict[str, Callable[[Grey], Grey]] = {
        "compressed": jpeg,
        "smaller": lambda pixels: scaled(pixels, 0.5),
        "larger": lambda pixels: scaled(pixels, 1.7),
        "brighter": lambda pixels: np.asarray((pixels * 1.1 + 8).clip(0, 255), np.uint8),
        "trimmed": lambda pixels: pixels[4:-4, 4:-4],
        "in colour": lambda pixels: np.repeat(pixels[..., None], 3, axis=2),
    }

    def test_copies_are_near_and_other_pictures_far(self) -> None:
        pictures = [drawn(seed) for seed in range(8)]
        prints = [fingerprint_of(picture) for picture in pictures]
        for name, copy in self.COPIES.items():
            for picture, known in zip(pictures, prints, strict=True):
                with self.subTest(copy=name):
                    self.assertLessEqual(distance(known, fingerprint_of(copy(picture))), NEAR)
        others = [distance(prints[i], prints[j]) for i in range(8) for j in range(i)]
        self.assertGreater(min(others), NEAR)

    def test_a_volume_is_known_by_its_middle_slices_whatever_its_numbers(self) -> None:
        volumes = [np.stack([drawn(seed + index, 64) for index in range(10)]) for seed in (1, 50)]
        one, other = (volume_fingerprint_of(volume) for volume in volumes)
        self.assertEqual(distance(one, volume_fingerprint_of(volumes[0].astype(np.float32) * 0.37 - 500)), 0)
        self.assertGreater(distance(one, other), NEAR)

    def test_an_even_area_looks_like_nothing(self) -> None:
        self.assertIsNone(fingerprint_of(np.full((40, 30), 7, np.uint8)))
        self.assertIsNone(volume_fingerprint_of(np.zeros((1, 8, 8), np.float32)))
