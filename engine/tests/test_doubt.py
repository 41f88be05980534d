"""Doubt is entropy by class: nothing where a network is sure, one where it might as well toss a coin."""

from __future__ import annotations

import unittest

import numpy as np
import torch

from neuroloom_engine.tasks.doubt import of_boxes, of_class, of_labels, of_places


class DoubtTest(unittest.TestCase):
    def test_of_a_map_belongs_to_what_is_named(self) -> None:
        # A row of sure background, a row in which the thing wins by little.
        logits = torch.tensor([[[20.0, 20.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]])
        named = logits.max(0).indices.to(torch.uint8).numpy()
        background, thing = of_places(logits, named)
        p = float(torch.tensor([0.0, 1.0]).softmax(0)[1])
        self.assertAlmostEqual(background, 0, places=5)
        self.assertAlmostEqual(thing, -(p * np.log2(p) + (1 - p) * np.log2(1 - p)), places=5)

    def test_of_a_class_that_is_named_nowhere_is_nothing(self) -> None:
        logits = torch.zeros(3, 2, 2)
        logits[1] = 0.1
        named = logits.max(0).indices.to(torch.uint8).numpy()
        self.assertEqual([value > 0.9 for value in of_places(logits, named)], [False, True, False])

    def test_of_whole_images_lies_under_the_likeliest_class(self) -> None:
        self.assertEqual(of_class(np.array([0.0, 1.0])), [0.0, 0.0])
        self.assertEqual(of_class(np.full(4, 0.25)), [1.0, 0.0, 0.0, 0.0])
        self.assertEqual(of_labels(np.array([0.5, 1.0, 0.0])), [1.0, 0.0, 0.0])

    def test_of_boxes_is_that_of_the_most_doubted_one(self) -> None:
        classes, scores = np.array([0, 0, 2]), np.array([0.99, 0.5, 1.0], np.float32)
        self.assertEqual(of_boxes(classes, scores, 3), [1.0, 0.0, 0.0])


if __name__ == "__main__":
    unittest.main()
