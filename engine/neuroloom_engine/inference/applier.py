"""What each task must offer to be applied to new images, and what is told of one of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from ..data.normalise import Normalisation
from ..predict import Predictor
from ..recipe.replay import replay
from ..recipe.steps import Recipe
from ..spec import Item, Manifest, NetworkSpec
from ..tasks.decision import EVEN, Decision
from ..tasks.result import ItemResult

Cells = list[str | float | None]
# Raises to stop; called between the parts of what takes long.
OnPart = Callable[[], None]


@dataclass(frozen=True)
class Purpose:
    """What the weights are for: the run, what they know by name, and how they want pixels."""

    spec: NetworkSpec
    manifest: Manifest
    rule: Normalisation
    # The scores from which on boxes are believed and labels named, as training chose them.
    decision: Decision | None = None
    # What is done with each file first: as it was done with those that were learned from.
    recipe: Recipe | None = None

    @property
    def threshold(self) -> float:
        """Of detection."""
        return EVEN if self.decision is None else self.decision.thresholds[0]

    def path_of(self, item: Item) -> Path:
        """Where the item lies as the network wants it; with a recipe, what that makes of it."""
        path = self.spec.data_root / item.image
        return path if self.recipe is None else self.prepared(self.recipe, path, item)

    def prepared(self, recipe: Recipe, path: Path, item: Item) -> Path:
        folder = self.spec.out / "prepared"
        folder.mkdir(exist_ok=True)
        return replay(recipe, path, folder / item.id, self.most_pixels)

    @property
    def found(self) -> Path:
        """Folder of what is made of each item, before it is packed."""
        return self.spec.out / "found"

    @property
    def most_pixels(self) -> int:
        assert self.spec.max_pixels is not None
        return self.spec.max_pixels


@dataclass(frozen=True)
class Told:
    """Of one item: what pages show, its lines of the table, and what belongs into a common file."""

    result: ItemResult
    rows: list[Cells]
    # Name below `Purpose.found`.
    file: str | None = None
    detail: dict[str, Any] | None = None

    def drawn(self, path: str) -> Told:
        return replace(self, result=replace(self.result, overlay=path))


class Applier(Protocol):
    """`read` and `tell` run beside the network on other threads, and so keep nothing."""

    def read(self, item: Item, /) -> Any:
        """Decodes one item; raises `BadFile`."""
        ...

    def form(self, sample: Any, /) -> Hashable:
        """Samples of equal form may go through the network together."""
        ...

    def together(self, sample: Any, /) -> int:
        """At most so many of this form."""
        ...

    def size(self, sample: Any, /) -> int:
        """Bytes that it takes while it waits."""
        ...

    def answer(self, predictor: Predictor, samples: Sequence[Any], on_part: OnPart, /) -> Sequence[Any]: ...

    def tell(self, item: Item, sample: Any, answer: Any, drawing: Path | None, /) -> Told:
        """Writes what was made of the item; draws a picture for people where one is wanted.

        Raises `BadFile` where the network gave no numbers.
        """
        ...

    def header(self) -> Cells:
        """Of the table."""
        ...

    def pack(self, told: Sequence[tuple[Item, Told]], /) -> list[tuple[str, Path]]:
        """The files that people take away beside the table, by the contract's kind."""
        ...


def plain_result(item: Item, **values: Any) -> ItemResult:
    """Nobody knows the truth of it."""
    known: dict[str, Any] = {"truth": None, "probabilities": [], "score": None, "values": {}}
    return ItemResult(id=item.id, name=item.name, **(known | values))
