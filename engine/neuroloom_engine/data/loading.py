"""Keeps decoded uint8 images in memory within a budget, else decodes again.

Says which files could not be used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..control import Control
from ..events import Emitter
from ..failures import RunFailure
from ..spec import Item, NetworkSpec
from .images import BadFile

S = TypeVar("S")
NAMED_FILES = 20
# Above this share of unusable files a run would train on something else than the user gave.
BAD_SHARE_LIMIT = 0.1


@dataclass
class Store(Generic[S]):
    """Samples by row.

    `decode` makes a sample of an item; those past the budget are made again at each use.
    """

    items: list[Item]
    decode: Callable[[Item], S]
    cached: list[S] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, row: int) -> S:
        return self.cached[row] if row < len(self.cached) else self.decode(self.items[row])


@dataclass(frozen=True)
class Job(Generic[S]):
    """How to fill a store: what a decoded sample weighs, and what is looked at once while it passes by."""

    decode: Callable[[Item], S]
    size_of: Callable[[S], int]
    look: Callable[[Item, S], Any]


def fill(
    spec: NetworkSpec, items: Sequence[Item], job: Job[S], control: Control
) -> tuple[Store[S], list[BadItem]]:
    """Decodes every item once, in order, on as many threads as the run may use."""
    budget = cache_budget(spec)
    store: Store[S] = Store([], job.decode)
    bad: list[BadItem] = []
    with ThreadPoolExecutor(spec.device.threads) as pool:
        # Windows keep the decoded but not yet stored samples few.
        for start in range(0, len(items), 64):
            control.check()
            window = items[start : start + 64]
            for item, sample in zip(
                window, pool.map(lambda item: attempt(job.decode, item), window), strict=True
            ):
                if isinstance(sample, BadItem):
                    bad.append(sample)
                    continue
                job.look(item, sample)
                budget -= job.size_of(sample)
                if budget >= 0 and len(store.cached) == len(store.items):
                    store.cached.append(sample)
                store.items.append(item)
    return store, bad


@dataclass(frozen=True)
class BadItem:
    item: Item
    reason: str


def attempt(decode: Callable[[Item], S], item: Item) -> S | BadItem:
    try:
        return decode(item)
    except BadFile as error:
        return BadItem(item, error.reason)
    except FileNotFoundError:
        return BadItem(item, "missing")


def judge(bad: Sequence[BadItem], total: int, emitter: Emitter) -> None:
    """Few bad files are skipped with a warning; a missing one, a wrong pair or many bad ones end the run."""
    for reason, code in (("missing", "data_missing"), ("pair", "data_pair_mismatch")):
        files = [entry.item.name for entry in bad if entry.reason == reason]
        if files:
            raise RunFailure(code, {"count": len(files), "files": files[:NAMED_FILES]})
    if not bad:
        return
    data = {
        "count": len(bad),
        "files": [entry.item.name for entry in bad[:NAMED_FILES]],
        "reasons": sorted({entry.reason for entry in bad}),
    }
    if len(bad) > max(1, BAD_SHARE_LIMIT * total):
        raise RunFailure("data_unreadable", data)
    emitter.emit("warning", code="file_skipped", data=data)


def cache_budget(spec: NetworkSpec) -> int:
    """A quarter of the machine, or of what the run was given."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    given = spec.device.memory_bytes if spec.device.kind == "cpu" else None
    return min(machine, given or machine) // 4


def path_below(spec: NetworkSpec, name: str) -> Path:
    return spec.data_root / name
