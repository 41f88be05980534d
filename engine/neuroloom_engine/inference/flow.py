"""Sends items through a network: files are read and results written beside it, on other threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..data.images import BadFile
from ..data.loading import BadItem, attempt
from ..predict import Predictor
from ..spec import Item
from .applier import Applier, OnPart, Told

# What waits for the network, read or being read, and what is being written: memory stays bounded.
MOST_BYTES = 256_000_000
MOST_AHEAD = 64
THREADS = 2

Answer = tuple[Item, Told | str]
Waiting = list[tuple[Item, Any]]


class Flow:
    """`drawing_of` names the picture that is to be drawn of an item, or None."""

    def __init__(
        self,
        applier: Applier,
        predictor: Predictor,
        drawing_of: Callable[[Item], Path | None],
        on_part: OnPart,
    ) -> None:
        self._applier = applier
        self._predictor = predictor
        self._drawing_of = drawing_of
        self._on_part = on_part
        self._reading: deque[tuple[Item, Future[Any]]] = deque()
        self._waiting: dict[Hashable, Waiting] = {}
        self._writing: deque[Future[Answer]] = deque()
        self._held = 0
        self._largest = 1

    def run(self, items: Sequence[Item]) -> Iterator[Answer]:
        """One answer an item, in no particular order; a file that cannot be read gives its reason."""
        ahead = deque(items)
        with ThreadPoolExecutor(THREADS) as pool:
            try:
                while ahead or self._reading:
                    self._on_part()
                    self._read_ahead(pool, ahead)
                    item, reading = self._reading.popleft()
                    sample = reading.result()
                    if isinstance(sample, BadItem):
                        yield item, sample.reason
                        continue
                    self._put(pool, item, sample)
                    yield from self._written(MOST_AHEAD)
                for form in list(self._waiting):
                    self._send(pool, form)
                yield from self._written(0)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _read_ahead(self, pool: ThreadPoolExecutor, ahead: deque[Item]) -> None:
        """At least one is always read; how large the next ones are is guessed from those before."""
        while ahead and len(self._reading) < MOST_AHEAD:
            if self._reading and self._held + (len(self._reading) + 1) * self._largest > MOST_BYTES:
                return
            item = ahead.popleft()
            self._reading.append((item, pool.submit(self._read, item)))

    def _read(self, item: Item) -> Any:
        try:
            return attempt(self._applier.read, item)
        except MemoryError:
            return BadItem(item, "too_large")

    def _put(self, pool: ThreadPoolExecutor, item: Item, sample: Any) -> None:
        """With those of its form; they are sent once they are enough, or too much waits."""
        size = self._applier.size(sample)
        self._largest = max(self._largest, size)
        self._held += size
        form = self._applier.form(sample)
        self._waiting.setdefault(form, []).append((item, sample))
        if len(self._waiting[form]) >= self._applier.together(sample):
            self._send(pool, form)
        while self._held > MOST_BYTES // 2 and self._waiting:
            self._send(pool, max(self._waiting, key=lambda one: len(self._waiting[one])))

    def _send(self, pool: ThreadPoolExecutor, form: Hashable) -> None:
        part = self._waiting.pop(form)
        samples = [sample for _, sample in part]
        self._held -= sum(map(self._applier.size, samples))
        self._on_part()
        answers = self._applier.answer(self._predictor, samples, self._on_part)
        for (item, sample), answer in zip(part, answers, strict=True):
            self._writing.append(pool.submit(self._tell, item, sample, answer))

    def _tell(self, item: Item, sample: Any, answer: Any) -> Answer:
        try:
            return item, self._applier.tell(item, sample, answer, self._drawing_of(item))
        except BadFile as error:
            return item, error.reason

    def _written(self, most_left: int) -> Iterator[Answer]:
        """Those that are done, and as many more as there must be."""
        while self._writing and (self._writing[0].done() or len(self._writing) > most_left):
            yield self._writing.popleft().result()
