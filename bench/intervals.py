"""How often a 95 % interval holds the truth: tests drawn from populations whose true figure is known.

Called by `npm run bench -- intervals`. The intervals are those of the engine.

Each draw is another population: how good the network is, and how alike the pictures of a patient are (a
share of 0.2 to 0.8 of the spread lies between patients), differ, because nobody knows them. At six pictures a
share takes seven values, so that coverage at a single truth jumps with it whatever the interval; it is the
mean over truths that is held against 93 to 97 %, as Newcombe (1998) and Agresti and Coull (1998) do. The
worst quarter of the truths stands beside it.

- accuracy, sensitivity: truths from 0.6 to 0.97; half of the cases are ill, and sensitivity is of these.
- Dice: skewed as overlaps are (beta, means from 0.6 to 0.92).
- mAP@50: one to five things an image, found with a chance that differs between patients, beside false boxes.
- AUC: two normal distributions 0.5 to 2.3 apart (areas from 0.64 to 0.95); whole patients are ill or not.

Without patients each picture is of a patient of its own; with them two pictures are of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import erf, sqrt

import numpy as np

from neuroloom_engine.tasks.average_precision import Matches, detection_scores
from neuroloom_engine.tasks.detection_evidence import precision_of
from neuroloom_engine.tasks.intervals import (
    Measure,
    intervals,
    mean_of,
    over_classes,
    share,
    weighted_roc_auc,
)

DRAWS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
SIZES = (6, 14, 28, 100)
LEAST, MOST = 0.93, 0.97
# Images from which the true average precision of a population is read.
POPULATION = 20_000

rng = np.random.default_rng(20)
normal = np.vectorize(lambda x: 0.5 * (1 + erf(x / sqrt(2))))

Draw = Callable[[np.ndarray], tuple[Measure, float]]


def alike(groups: np.ndarray) -> np.ndarray:
    """Normal numbers, of one patient's pictures the more alike the larger a share that is drawn anew."""
    own = rng.uniform(0.2, 0.8)
    return sqrt(own) * rng.standard_normal(groups.max() + 1)[groups] + sqrt(1 - own) * rng.standard_normal(
        len(groups)
    )


def accuracy(groups: np.ndarray) -> tuple[Measure, float]:
    truth = rng.uniform(0.6, 0.97)
    return share(normal(alike(groups)) < truth, np.ones(len(groups), bool)), truth


def sensitivity(groups: np.ndarray) -> tuple[Measure, float]:
    truth, ill = rng.uniform(0.6, 0.97), np.zeros(len(groups), bool)
    while not ill.any():
        ill = rng.random(len(groups)) < 0.5
    return share((normal(alike(groups)) < truth) & ill, ill), truth


def dice(groups: np.ndarray) -> tuple[Measure, float]:
    """Skewed as overlaps are: many good, some poor."""
    centre, strength = rng.uniform(0.6, 0.92), rng.uniform(5, 20)
    values = np.sort(rng.beta(centre * strength, (1 - centre) * strength, 20_000))
    places = (normal(alike(groups)) * len(values)).astype(int)
    return mean_of(values[places.clip(0, len(values) - 1)]), centre


def roc_auc(groups: np.ndarray) -> tuple[Measure, float]:
    """Half of the cases are ill: whole patients, as most illnesses are."""
    apart = rng.uniform(0.5, 2.3)
    order = rng.permutation(groups.max() + 1)
    ill = (order % 2 == 0)[groups]
    return weighted_roc_auc(ill, alike(groups) + apart * ill), 0.5 * (1 + erf(apart / 2))


def detections(groups: np.ndarray, chance: float, wrong: float) -> Matches:
    """One to five things an image, found with a chance that differs between patients, beside false ones."""
    images = len(groups)
    luck = normal(0.5 * alike(groups) + sqrt(1.25) * probit(chance))
    truth = rng.integers(1, 6, images)
    right, false = rng.binomial(truth, luck), rng.poisson(wrong, images)
    image = np.concatenate([np.repeat(np.arange(images), right), np.repeat(np.arange(images), false)])
    is_hit = np.r_[np.ones(right.sum(), bool), np.zeros(false.sum(), bool)]
    scores = (rng.standard_normal(len(image)) + 1.2 * is_hit).astype(np.float32)
    return Matches(np.zeros(len(image), int), scores, image, np.tile(is_hit, (10, 1)), truth[:, None])


def probit(chance: float) -> float:
    low, high = -5.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(normal(middle)) < chance else (low, middle)
    return low


worlds: list[tuple[float, float, float]] = []


def map50(groups: np.ndarray) -> tuple[Measure, float]:
    if not worlds:
        for chance in (0.6, 0.75, 0.9):
            for wrong in (0.3, 1.0):
                many = detections(np.arange(POPULATION), chance, wrong)
                worlds.append((chance, wrong, detection_scores(many)[1][0]["ap50"] or 0))
    chance, wrong, truth = worlds[rng.integers(len(worlds))]
    return over_classes([precision_of(detections(groups, chance, wrong), 0)], "mean"), truth


figures: dict[str, Draw] = {
    "accuracy": accuracy,
    "sensitivity": sensitivity,
    "Dice": dice,
    "mAP@50": map50,
    "AUC": roc_auc,
}


def main() -> None:
    inside_goal = 0
    print(f"share of {DRAWS} drawn tests whose 95 % interval holds the true figure (goal 93 to 97 %)")
    for of_patients in (False, True):
        for size in SIZES:
            groups = np.arange(size) // (2 if of_patients else 1)
            for name, draw in figures.items():
                truths: list[float] = []
                held: list[bool] = []
                widths: list[float] = []
                for _ in range(DRAWS):
                    measure, truth = draw(groups)
                    found = intervals(groups, {name: measure})[name]
                    if found is None:
                        continue
                    held.append(found[0] - 1e-9 <= truth <= found[1] + 1e-9)
                    truths.append(truth)
                    widths.append(found[1] - found[0])
                part = sum(held) / max(1, len(widths))
                by_truth = np.array(held)[np.argsort(truths, kind="stable")]
                worst = min(float(quarter.mean()) for quarter in np.array_split(by_truth, 4))
                inside_goal += LEAST <= part <= MOST
                of = f"{size:3d} pictures of {groups.max() + 1:3d} patients"
                word = "" if LEAST <= part <= MOST else " outside"
                print(
                    f"{name:12s} {of}: {100 * part:5.1f} %, worst quarter {100 * worst:5.1f} %, "
                    f"width {np.mean(widths):.2f}, "
                    f"none for {DRAWS - len(widths)}{word}",
                    flush=True,
                )
    print(f"{inside_goal} of {2 * len(SIZES) * len(figures)} within the goal")


main()
