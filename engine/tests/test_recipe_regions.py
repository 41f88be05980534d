"""Pieces, holes and distances of masks against slow and simple ways to find them."""

from __future__ import annotations

import itertools
import unittest
from collections import deque
from typing import Any

import numpy as np

from neuroloom_engine.recipe.frame import Frame, Trouble
from neuroloom_engine.recipe.mask_steps import MASK_STEPS, numbers_of
from neuroloom_engine.recipe.regions import holes_of, pieces_of
from neuroloom_engine.tasks.surfaces import squares_within

from .volume_frames import volume_frame

RANDOM = np.random.default_rng(17)


def flooded(mask: np.ndarray, by_corners: bool) -> list[set[tuple[int, ...]]]:
    """Pieces pixel by pixel."""
    steps = [one for one in itertools.product((-1, 0, 1), repeat=mask.ndim) if any(one)]
    if not by_corners:
        steps = [one for one in steps if sum(map(abs, one)) == 1]
    left = {tuple(place) for place in np.argwhere(mask).tolist()}
    found = []
    while left:
        first = min(left)
        piece, waiting = {first}, deque([first])
        left.remove(first)
        while waiting:
            place = waiting.popleft()
            for step in steps:
                near = tuple(a + b for a, b in zip(place, step, strict=True))
                if near in left:
                    left.remove(near)
                    piece.add(near)
                    waiting.append(near)
        found.append(piece)
    return found


def by_brute_force(mask: np.ndarray, sides: tuple[float, ...]) -> np.ndarray:
    goals = np.argwhere(mask) * np.array(sides)
    places = np.argwhere(np.ones(mask.shape, bool)) * np.array(sides)
    return ((places[:, None] - goals[None]) ** 2).sum(2).min(1).reshape(mask.shape)


def stepped(mask: np.ndarray, **step: Any) -> np.ndarray:
    frame = Frame(mask, "png", True)
    return MASK_STEPS[step["do"]](frame, {"value": 0, **step}).pixels


class RegionsTest(unittest.TestCase):
    def test_pieces_are_those_of_a_flood_in_two_and_three_dimensions(self) -> None:
        for shape, share, by_corners in itertools.product(
            ((1, 1), (1, 9), (9, 1), (23, 31), (1, 7, 9), (6, 1, 8), (7, 9, 11)),
            (0.1, 0.4, 0.6),
            (True, False),
        ):
            mask = RANDOM.random(shape) < share
            found, expected = pieces_of(mask, by_corners), flooded(mask, by_corners)
            self.assertEqual(found.sizes.tolist(), [len(one) for one in expected], (shape, share))
            for number, piece in enumerate(expected):
                painted = found.painted(np.arange(found.count) == number)
                self.assertEqual({tuple(one) for one in np.argwhere(painted).tolist()}, piece)

    def test_a_snake_through_the_whole_picture_is_one_piece(self) -> None:
        mask = np.zeros((201, 201), bool)
        mask[::2] = True
        mask[1::4, -1] = mask[3::4, 0] = True
        self.assertEqual(pieces_of(mask).count, 1)
        self.assertEqual(pieces_of(np.zeros((5, 5), bool)).count, 0)
        self.assertEqual(pieces_of(np.ones((5, 5), bool)).sizes.tolist(), [25])

    def test_holes_are_what_cannot_reach_the_edge(self) -> None:
        for shape in ((1, 1), (14, 17), (1, 9, 12), (6, 8, 9)):
            mask = RANDOM.random(shape) < 0.7
            inner = np.zeros(shape, bool)
            for piece in flooded(~mask, False):
                # A volume of one slice is a picture.
                sides = [
                    axis
                    for axis in range(mask.ndim)
                    if axis == mask.ndim - 1 or shape[axis] > 1 or mask.ndim == 2
                ]
                edges = any(place[axis] in (0, shape[axis] - 1) for place in piece for axis in sides)
                for place in piece:
                    inner[place] = not edges
            self.assertTrue((holes_of(mask) == inner).all(), shape)

    def test_distances_are_those_of_every_pair_also_where_voxels_are_no_cubes(self) -> None:
        for shape, sides in (((13, 17), (1.0, 1.0)), ((11, 9), (0.7, 2.5)), ((5, 8, 9), (3.0, 0.8, 0.45))):
            mask = RANDOM.random(shape) < 0.03
            mask[tuple(side // 2 for side in shape)] = True
            true = by_brute_force(mask, sides)
            for reach in (1.0, 3.3, 100.0):
                found = squares_within(mask, np.array(sides), reach)
                inside = true <= reach**2
                np.testing.assert_allclose(found[inside], true[inside], rtol=1e-5)
                self.assertTrue((found[~inside] > reach**2).all())


class StepsTest(unittest.TestCase):
    def test_growing_and_shrinking_are_exact_and_leave_other_classes(self) -> None:
        mask = (RANDOM.random((30, 40)) < 0.02).astype(np.uint8)
        for radius in (1.0, 2.0, 3.6):
            made = stepped(mask, do="grow", how="grow", radius=radius)
            self.assertTrue(((made == 1) == (by_brute_force(mask == 1, (1, 1)) <= radius**2)).all(), radius)
        block = np.zeros((30, 40), np.uint8)
        block[5:20, 0:30] = 7
        made = stepped(block, do="grow", how="shrink", radius=3.0)
        kept = (block == 7) & (by_brute_force(block != 7, (1, 1)) > 9)
        # The edge of the picture is nothing to shrink from.
        self.assertTrue(((made == 7) == kept).all() and made[10, 0] == 7)
        two = np.zeros((1, 11), np.uint8)
        two[0, 2], two[0, 7] = 1, 2
        both = stepped(two, do="grow", how="grow", radius=3.0)
        self.assertEqual(both[0].tolist(), [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
        one = stepped(two, do="grow", how="grow", radius=9.0, value=1)
        self.assertEqual(one[0].tolist(), [1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1])

    def test_millimetres_are_those_of_the_volume(self) -> None:
        voxels = np.zeros((7, 9, 11), np.uint8)
        voxels[3, 4, 5] = 1
        frame = volume_frame(voxels, (0.5, 1.0, 3.0))
        made = MASK_STEPS["grow"](frame, {"value": 0, "how": "grow", "radius": 1.5})
        true = by_brute_force(voxels == 1, (3.0, 1.0, 0.5)) <= 1.5**2
        self.assertTrue(((made.pixels == 1) == true).all())
        least = {"value": 0, "how": "least", "least": 1.5}
        self.assertEqual(int(MASK_STEPS["pieces"](frame, least).pixels.sum()), 1)
        self.assertEqual(int(MASK_STEPS["pieces"](frame, {**least, "least": 1.6}).pixels.sum()), 0)

    def test_holes_pieces_and_numbers(self) -> None:
        ring = np.zeros((9, 9), np.uint8)
        ring[2:7, 2:7] = 4
        ring[3:6, 3:6] = 0
        ring[4, 4] = 9
        filled = stepped(ring, do="fill")
        self.assertEqual((int((filled == 4).sum()), int(filled[4, 4])), (24, 9))
        spots = np.zeros((9, 9), np.uint8)
        spots[0, 0:3], spots[4, 4], spots[8, 0:2] = 1, 1, 2
        self.assertEqual(
            np.argwhere(stepped(spots, do="pieces", how="largest") == 1).tolist(), [[0, 0], [0, 1], [0, 2]]
        )
        self.assertEqual(int((stepped(spots, do="pieces", how="least", least=2.0) > 0).sum()), 5)
        self.assertEqual(int((stepped(spots, do="pieces", how="least", least=9.0, value=2) > 0).sum()), 4)
        to = [{"from": 1, "to": 300}]
        moved = stepped(spots, do="remap", map=to, rest="stay")
        self.assertEqual((moved.dtype, np.unique(moved).tolist()), (np.uint16, [0, 2, 300]))
        alone = stepped(spots, do="remap", map=[{"from": 2, "to": 1}], rest="background")
        self.assertEqual((alone.dtype, np.unique(alone).tolist()), (np.uint8, [0, 1]))

    def test_empty_masks_stay_empty_and_odd_ones_are_told(self) -> None:
        empty = np.zeros((6, 6), np.uint8)
        for step in (
            {"do": "grow", "how": "grow", "radius": 3.0},
            {"do": "grow", "how": "shrink", "radius": 3.0},
            {"do": "fill"},
            {"do": "pieces", "how": "largest"},
            {"do": "remap", "map": [], "rest": "stay"},
        ):
            self.assertTrue((stepped(empty, **step) == empty).all())
        grey = np.repeat(np.eye(5, dtype=np.uint8)[..., None] * 255, 3, axis=2)
        self.assertTrue((numbers_of(Frame(grey, "png", True)) == np.eye(5) * 255).all())
        grey[0, 0] = (255, 0, 0)
        many = np.arange(400, dtype=np.uint16).reshape(20, 20)
        for mask, reason in (
            (grey, "mask_coloured"),
            (np.full((3, 3), 0.5, np.float32), "mask_values"),
            (many, "mask_classes"),
        ):
            with self.assertRaises(Trouble) as caught:
                stepped(mask, do="fill")
            self.assertEqual(caught.exception.reason, reason)
        with self.assertRaises(Trouble):
            stepped(np.array([[5, 70000]], np.float32), do="remap", map=[], rest="stay")
