"""Scores are what their definitions say, and both tasks really learn."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch

from neuroloom_engine import safetensors
from neuroloom_engine.export import metadata_entry, safe_cell
from neuroloom_engine.names import entry_names
from neuroloom_engine.optim import learning_rate, make_optimizer
from neuroloom_engine.spec import parse_hyper
from neuroloom_engine.tasks import multilabel
from neuroloom_engine.tasks.losses import class_weights, dice, focal, make_loss, weighted
from neuroloom_engine.tasks.scores import (
    classification_scores,
    confusion_matrix,
    roc_auc,
    segmentation_scores,
)

from .make import make_run, of_type, run_here


class ScoresTest(unittest.TestCase):
    def test_classification_scores_of_a_small_case_worked_out_by_hand(self) -> None:
        truth = np.array([0, 0, 0, 1, 1])
        probabilities = np.array([[0.9, 0.1, 0], [0.8, 0.2, 0], [0.3, 0.7, 0], [0.4, 0.6, 0], [0.6, 0.4, 0]])
        values, per_class, matrix = classification_scores(truth, probabilities)
        self.assertEqual(matrix.tolist(), [[2, 1, 0], [1, 1, 0], [0, 0, 0]])
        self.assertAlmostEqual(values["accuracy"] or 0, 3 / 5)
        self.assertAlmostEqual(values["balancedAccuracy"] or 0, (2 / 3 + 1 / 2) / 2)
        self.assertAlmostEqual(values["macroF1"] or 0, (2 / 3 + 1 / 2) / 2)
        self.assertEqual(
            per_class[2], {"precision": None, "recall": None, "f1": None, "rocAuc": None, "support": 0}
        )

    def test_roc_auc_counts_ties_half_and_is_undefined_for_one_class(self) -> None:
        self.assertEqual(roc_auc(np.array([True, False]), np.array([0.5, 0.5])), 0.5)
        self.assertEqual(roc_auc(np.array([False, True, True]), np.array([0.1, 0.2, 0.9])), 1.0)
        self.assertIsNone(roc_auc(np.array([True, True]), np.array([0.1, 0.2])))

    def test_dice_is_the_mean_over_images_and_an_empty_image_found_empty_is_perfect(self) -> None:
        half, empty = np.array([[90, 0], [5, 5]]), np.array([[100, 0], [0, 0]])
        values, per_class = segmentation_scores([half, empty])
        self.assertAlmostEqual(values["dice"] or 0, (10 / 15 + 1) / 2)
        self.assertAlmostEqual(per_class[0]["iou"] or 0, 0.5)
        self.assertAlmostEqual(per_class[0]["sensitivity"] or 0, 0.5)
        self.assertEqual(per_class[0]["specificity"], 1.0)

    def test_outline_figures_are_means_over_images_and_of_all_pixels_together(self) -> None:
        """Recounted from raw masks, pixel by pixel, for two classes in three images of different size."""
        rng = np.random.default_rng(3)
        truths = [rng.integers(0, 3, size) for size in ((6, 8), (20, 16), (5, 5))]
        # The last image is without the second class, in truth and prediction.
        truths[2][truths[2] == 2] = 0
        named = [
            np.where(rng.random(truth.shape) < wrong, (truth + 1) % 3, truth)
            for truth, wrong in zip(truths, (0.1, 0.5, 0.3), strict=True)
        ]
        named[2][named[2] == 2] = 0
        pairs = list(zip(truths, named, strict=True))
        values, per_class = segmentation_scores(
            [confusion_matrix(truth.reshape(-1), found.reshape(-1), 3) for truth, found in pairs]
        )

        def by_hand(pairs: list[tuple[np.ndarray, np.ndarray]], of: int) -> dict[str, float]:
            is_true = np.concatenate([(truth == of).reshape(-1) for truth, _ in pairs])
            is_named = np.concatenate([(found == of).reshape(-1) for _, found in pairs])
            both, either = (is_true & is_named).sum(), (is_true | is_named).sum()
            with np.errstate(invalid="ignore"):
                return {
                    "dice": float(2 * both / (is_true.sum() + is_named.sum())),
                    "iou": float(both / either),
                    "sensitivity": float(both / is_true.sum()),
                    "specificity": float((~is_true & ~is_named).sum() / (~is_true).sum()),
                }

        names = {
            "dice": ("dice", "pooledDice"),
            "iou": ("meanIou", "iou"),
            "sensitivity": ("meanSensitivity", "sensitivity"),
            "specificity": ("meanSpecificity", "specificity"),
        }
        for figure, (of_images, of_all) in names.items():
            table = np.array([[by_hand([pair], of)[figure] for of in (1, 2)] for pair in pairs])
            pooled = [by_hand(pairs, of)[figure] for of in (1, 2)]
            for index in range(2):
                self.assertAlmostEqual(per_class[index][of_images] or 0, float(np.nanmean(table[:, index])))
                self.assertAlmostEqual(per_class[index][of_all] or 0, pooled[index])
            self.assertAlmostEqual(values[of_images] or 0, float(np.nanmean(np.nanmean(table, axis=1))))
            self.assertAlmostEqual(values[of_all] or 0, float(np.mean(pooled)))
            self.assertNotAlmostEqual(values[of_images] or 0, values[of_all] or 0, places=3)

    def test_weights_go_to_the_device_of_what_they_weigh(self) -> None:
        """Without a graphics card, by the device that knows shapes alone."""
        there = torch.device("meta")
        target = torch.zeros(4, dtype=torch.long, device=there)
        logits = torch.zeros(4, 3, device=there)
        for name in ("cross_entropy", "focal", "ce_dice"):
            loss = weighted(lambda own, name=name: make_loss(name, own), class_weights([1, 2, 3]))
            self.assertEqual(loss(logits, target).device, there, name)
        for name in ("cross_entropy", "focal"):
            hyper = SimpleNamespace(criterion=name)
            labels = weighted(lambda own, hyper=hyper: multilabel.make_loss(hyper, own), torch.ones(3))  # type: ignore[arg-type]
            self.assertEqual(labels(logits, logits).device, there, name)

    def test_losses_fall_with_better_answers_and_rare_classes_weigh_more(self) -> None:
        target = torch.tensor([[[0, 1], [1, 0]]])
        right = torch.nn.functional.one_hot(target, 2).permute(0, 3, 1, 2).float() * 20
        for name in ("ce_dice", "dice", "cross_entropy", "focal"):
            loss = make_loss(name, None)
            self.assertLess(float(loss(right, target)), 0.01)
            self.assertGreater(float(loss(-right, target)), 0.5)
        empty = torch.zeros_like(target)
        self.assertLess(float(dice(right * 0 + torch.tensor([9.0, -9.0]).view(1, 2, 1, 1), empty)), 0.01)
        self.assertLess(float(focal(right, target, class_weights([1, 3]))), 0.01)
        smoothed = make_loss("cross_entropy", None, smoothing=0.1)
        # A tenth of the label is parted between both classes: 0.95 and 0.05 are the least that it can be.
        least = -(0.95 * np.log(0.95) + 0.05 * np.log(0.05))
        self.assertAlmostEqual(float(smoothed(right / 20 * np.log(19), target)), least, places=6)
        self.assertGreater(float(smoothed(right, target)), least)
        weights = class_weights([1, 4, 0])
        self.assertAlmostEqual(float(weights[0] / weights[1]), 2.0)


class LearningTest(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_bars_are_told_apart(self) -> None:
        code, events = run_here(make_run(self.folder, count=80, epochs=8, learningRate=0.02))
        self.assertEqual(code, 0)
        self.assertGreaterEqual(events[-1]["metrics"]["accuracy"], 0.9)

    def test_discs_are_found(self) -> None:
        code, events = run_here(make_run(self.folder, "segmentation", count=40, epochs=8, learningRate=0.02))
        self.assertEqual(code, 0)
        self.assertGreaterEqual(events[-1]["metrics"]["dice"], 0.9)

    def test_every_optimiser_scheduler_and_loss_trains(self) -> None:
        for optimizer, scheduler in (
            ("sgd", "step"),
            ("adam", "exponential"),
            ("rmsprop", "plateau"),
            ("adamw", "onecycle"),
        ):
            folder = make_run(
                self.folder / optimizer,
                epochs=2,
                optimizer=optimizer,
                scheduler=scheduler,
                criterion="focal",
                learningRate=0.001,
                classWeights=True,
                patience=1,
            )
            self.assertEqual(run_here(folder)[0], 0)

    def test_the_best_epoch_of_a_classification_has_the_least_loss_and_of_a_segmentation_the_most_dice(
        self,
    ) -> None:
        for task, name, sign in (("classification", "loss", -1), ("segmentation", "dice", 1)):
            for scheduler, settled in (("constant", 10), ("cosine", 8)):
                folder = make_run(
                    self.folder / scheduler / task, task, epochs=10, learningRate=0.05, scheduler=scheduler
                )
                _, events = run_here(folder)
                told = [event for event in of_type(events, "metrics") if event["split"] == "validation"]
                most = -np.inf
                for event in told:
                    # While the rate still comes down, what was best counts until it has.
                    most = -np.inf if event["epoch"] == settled + 1 else most
                    score = sign * event["values"][name]
                    if score != most:
                        self.assertEqual(event["best"], score > most)
                    most = max(most, score)
                chosen = [event for event in told if event["best"]][-1]
                self.assertEqual(events[-1]["metrics"], {**chosen["values"], **events[-1]["metrics"]})

    def test_training_ends_early_without_progress(self) -> None:
        folder = make_run(
            self.folder, epochs=200, learningRate=1e-7, patience=2, augment=False, optimizer="sgd"
        )
        _, events = run_here(folder)
        self.assertEqual(events[-1]["state"], "done")
        self.assertLess(max(event["epoch"] for event in events if event["type"] == "metrics"), 200)


class RatesTest(unittest.TestCase):
    def hyper(self, **changes: object):
        common = {
            **{
                "learningRate": 0.1,
                "decayInterval": 2,
                "decayRatio": 0.5,
                "epochs": 10,
                "validationInterval": 1,
            },
            **{"batchSize": 2, "optimizer": "adamw", "numClass": 2, "criterion": "dice", "weightDecay": 0.1},
            **{
                "imageSize": [8, 8],
                "depth": 1,
                "augment": True,
                "classWeights": False,
                "patience": 0,
                "seed": 1,
            },
        }
        return parse_hyper({**common, "scheduler": "constant", **changes})

    def test_rates_follow_their_curves(self) -> None:
        self.assertEqual(learning_rate(self.hyper(), 7, 0.5, 1.0), 0.1)
        self.assertEqual(learning_rate(self.hyper(scheduler="step"), 5, 0.5, 1.0), 0.1 * 0.5**2)
        self.assertEqual(learning_rate(self.hyper(scheduler="exponential"), 3, 0.0, 1.0), 0.1 * 0.5**2)
        self.assertEqual(learning_rate(self.hyper(scheduler="plateau"), 3, 0.0, 0.25), 0.025)
        self.assertAlmostEqual(learning_rate(self.hyper(scheduler="cosine"), 6, 0.0, 1.0), 0.05)
        onecycle = [
            learning_rate(self.hyper(scheduler="onecycle"), epoch, 0.5, 1.0) for epoch in range(1, 11)
        ]
        self.assertEqual(onecycle.index(max(onecycle)), 1)
        self.assertLess(onecycle[-1], 0.002)

    def test_biases_and_norms_are_not_decayed(self) -> None:
        network = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2))
        decays = [group["weight_decay"] for group in make_optimizer(network, self.hyper()).param_groups]
        self.assertEqual(decays, [0.1, 0.0])


class OutputsTest(unittest.TestCase):
    def test_safetensors_round_trip_every_type_and_refuse_lies(self) -> None:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        tensors = {
            "a/b.weight": torch.randn(2, 3),
            "empty": torch.empty(0, 4),
            "scalar": torch.tensor(7),
            "half": torch.randn(3).half(),
            "mask": torch.tensor([True, False]),
        }
        first = safetensors.save(folder / "x.safetensors", tensors, {"k": "v"})
        self.assertEqual(
            first, safetensors.save(folder / "y.safetensors", dict(reversed(tensors.items())), {"k": "v"})
        )
        loaded, metadata = safetensors.load(folder / "x.safetensors")
        self.assertEqual(metadata, {"k": "v"})
        for name, tensor in tensors.items():
            self.assertTrue(torch.equal(tensor, loaded[name]), name)
        whole = (folder / "x.safetensors").read_bytes()
        lies = [
            whole[:-1],
            whole + b"x",
            (1 << 60).to_bytes(8, "little") + whole[8:],
            b"",
            whole.replace(b"[2,3]", b"[3,3]"),
        ]
        for lie in lies:
            (folder / "lie").write_bytes(lie)
            with self.assertRaises(ValueError):
                safetensors.load(folder / "lie")

    def test_cells_cannot_be_formulas_and_archive_names_cannot_leave_or_collide(self) -> None:
        self.assertEqual(safe_cell("=1+1"), "'=1+1")
        self.assertEqual(safe_cell("@x"), "'@x")
        self.assertEqual(safe_cell(-0.5), -0.5)
        names = ["../../a.png", "A.tif", "b\\c:d.png", "..", "a.png"]
        self.assertEqual(entry_names(names, ".png"), ["a.png", "A-2.png", "c_d.png", "item.png", "a-3.png"])

    def test_metadata_is_appended_in_protobuf_form(self) -> None:
        entry = metadata_entry("k", "v" * 200)
        self.assertEqual(entry[:8], bytes([0x72, 0xCE, 0x01, 0x0A, 1, ord("k"), 0x12, 0xC8]))
