"""Parts items into train, validation and test by hashes of their groups.

The same for every run, leak-free by group.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from ..failures import RunFailure
from ..spec import Item, Validation

# Of the training side, kept aside for choosing the best epoch.
VALIDATION_SHARE = 0.15


@dataclass(frozen=True)
class Parts:
    """Indices into the manifest's items."""

    train: list[int]
    validation: list[int]
    test: list[int]


@dataclass(frozen=True)
class Group:
    key: str
    stratum: int
    items: tuple[int, ...]


def split(items: Sequence[Item], validation: Validation) -> list[Parts]:
    """One `Parts` per fold."""
    if validation.method == "given":
        return [given_parts(items, validation.seed)]
    groups = grouped(items)
    need = max(3, validation.splits) if validation.method == "kfold" else 3
    if len(groups) < need:
        raise RunFailure("data_too_few", {"have": len(groups), "need": need})
    if validation.method == "kfold":
        folds = deal(groups, validation.splits, validation.seed)
        tests = [[group for group in groups if folds[group.key] == fold] for fold in range(validation.splits)]
    else:
        share = validation.test / (validation.train + validation.test)
        tests = [draw(groups, share, f"{validation.seed}/test")]
    return [part(groups, test, f"{validation.seed}/validation/{fold}") for fold, test in enumerate(tests)]


def given_parts(items: Sequence[Item], seed: int) -> Parts:
    """As the data set says; what it gives to no part is left out."""

    def of(name: str) -> list[int]:
        return [index for index, item in enumerate(items) if item.part == name]

    train, validation, test = of("train"), of("validation"), of("test")
    if validation or not train:
        return Parts(train, validation, test)
    held = part(
        [group for group in grouped(items) if set(group.items) <= set(train)], [], f"{seed}/validation/0"
    )
    return Parts(held.train, held.validation, test)


def part(groups: Sequence[Group], test: Sequence[Group], salt: str) -> Parts:
    held = {group.key for group in test}
    rest = [group for group in groups if group.key not in held]
    if len(rest) == 1:
        return of_one_group(rest[0], test, salt)
    validation = draw(rest, VALIDATION_SHARE, salt)
    chosen = {group.key for group in validation}
    train = [group for group in rest if group.key not in chosen]
    return Parts(indices(train), indices(validation), indices(test))


def of_one_group(group: Group, test: Sequence[Group], salt: str) -> Parts:
    """All that is there to learn from is of one patient: epochs are chosen on other pictures of the same.

    A single picture is both. The test stays apart in any case.
    """
    alone = [Group(str(index), group.stratum, (index,)) for index in group.items]
    validation = draw(alone, VALIDATION_SHARE, salt) or alone
    chosen = {one.key for one in validation}
    train = [one for one in alone if one.key not in chosen] or alone
    return Parts(indices(train), indices(validation), indices(test))


def grouped(items: Sequence[Item]) -> list[Group]:
    """Groups with their most frequent class, which is what the parts are balanced by.

    Of several labels the rarest stands for an item: the others are frequent enough to be anywhere.
    """
    label_counts = Counter(label for item in items for label in item.labels or ())
    members: dict[str, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        members[item.group].append(index)
    groups = []
    for key, indexes in members.items():
        classes = Counter(stratum_of(items[index], label_counts) for index in indexes)
        stratum = min(classes, key=lambda name: (-classes[name], name))
        groups.append(Group(key, stratum, tuple(indexes)))
    return groups


def stratum_of(item: Item, label_counts: Counter[int]) -> int:
    """Its class, or its rarest label; -1 for an item without any label."""
    if item.labels is None:
        return item.class_index or 0
    return min(item.labels, key=lambda label: (label_counts[label], label), default=-1)


def draw(groups: Sequence[Group], share: float, salt: str) -> list[Group]:
    """About this share of each class's items, at least one group of a class that has two."""
    chosen: list[Group] = []
    for stratum in strata(groups):
        ordered = in_hash_order(stratum, salt)
        target = share * sum(len(group.items) for group in ordered)
        taken = 0
        for group in ordered[:-1]:
            if taken and taken + len(group.items) / 2 > target:
                break
            chosen.append(group)
            taken += len(group.items)
    # Where every class has but one group, a part without some class is better than no part at all.
    return chosen or in_hash_order(groups, salt)[: min(1, len(groups) - 1)]


def deal(groups: Sequence[Group], folds: int, seed: int) -> dict[str, int]:
    """Deals each class's groups to the fold that has least of the class, then least of all."""
    total = [0] * folds
    fold_of: dict[str, int] = {}
    for stratum in strata(groups):
        own = [0] * folds
        for group in in_hash_order(stratum, f"{seed}/fold"):
            fold = min(range(folds), key=lambda index: (own[index], total[index], index))
            fold_of[group.key] = fold
            own[fold] += len(group.items)
            total[fold] += len(group.items)
    return fold_of


def strata(groups: Sequence[Group]) -> list[list[Group]]:
    by_class: dict[int, list[Group]] = defaultdict(list)
    for group in groups:
        by_class[group.stratum].append(group)
    return [by_class[name] for name in sorted(by_class)]


def in_hash_order(groups: Sequence[Group], salt: str) -> list[Group]:
    return sorted(groups, key=lambda group: hashlib.sha256(f"{salt}/{group.key}".encode()).digest())


def indices(groups: Sequence[Group]) -> list[int]:
    return sorted(index for group in groups for index in group.items)
