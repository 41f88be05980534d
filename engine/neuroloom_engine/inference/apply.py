"""One predict run: saved weights on new images without labels, a result for every one, files to take away.

Measures nothing and judges nothing: nobody knows what would be right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import export
from ..checkpoint import write_durably
from ..control import Control
from ..data.normalise import Normalisation
from ..device import prepare_device
from ..events import Emitter
from ..failures import RunFailure, Stopped
from ..prepare import check_fit
from ..recipe.replay import replayed
from ..session import report_started
from ..spec import Item, Manifest, NetworkSpec, read_manifest
from ..tasks import denoising, super_resolution
from ..tasks.decision import decision_of
from ..tasks.result import ItemResult, Table
from ..test import Ticker, load_network
from .applier import Applier, Purpose
from .boxes import Boxes
from .flow import Flow
from .journal import Journal
from .labels import Labels
from .masks import Masks
from .restored import Restored
from .swift import SwiftPredictor
from .volumes import Volumes

# Pictures are drawn of the first so many items.
MAX_OVERLAYS = 300
NAMED_FILES = 20


def apply(spec: NetworkSpec, emitter: Emitter, control: Control) -> None:
    """The whole run. Stopped by its member, what was done so far can be taken away all the same."""
    device = prepare_device(spec.device)
    report_started(spec, emitter, None)

    # Weights and the rules they were trained with
    emitter.emit("phase", phase="preparing", counts=None)
    manifest = read_manifest(spec.manifest_path)
    check_fit(spec, manifest)
    network, about = load_network(spec, manifest)
    rule = Normalisation.from_json(about["normalisation"])
    raw = spec.raw.get("recipe")
    recipe = None if raw is None else replayed(raw)
    purpose = Purpose(spec, manifest, rule, decision_of(about), recipe)
    applier = applier_of(purpose)
    purpose.found.mkdir(exist_ok=True)

    # Every item through the network, but those that an earlier attempt did
    emitter.emit("phase", phase="predicting", counts=counts_of(manifest, None))
    journal = Journal(spec.folder, purpose.found, spec.out / "journal.jsonl")
    tick = Ticker(emitter, control, len(manifest.items), len(journal))
    drawings = {item.id: spec.out / "overlays" / f"{item.id}.png" for item in drawn(spec, manifest)}
    left = [item for item in manifest.items if item.id not in journal]
    try:
        with SwiftPredictor(network.to(device), device) as predictor:
            flow = Flow(applier, predictor, lambda item: drawings.get(item.id), control.check)
            for item, answer in flow.run(left):
                is_drawn = not isinstance(answer, str) and item.id in drawings
                path = drawings[item.id].relative_to(spec.folder).as_posix() if is_drawn else ""
                journal.add(item.id, answer.drawn(path) if is_drawn else answer)  # type: ignore[union-attr]
                tick(len(journal))
    except Stopped:
        if control.is_final and journal.told:
            save(purpose, applier, journal, emitter)
        raise
    finally:
        journal.close()

    # What the user takes away
    save(purpose, applier, journal, emitter)
    if not journal.told:
        names = [item.name for item in manifest.items]
        raise RunFailure("nothing_readable", {"count": len(names), "files": names[:NAMED_FILES]})


def applier_of(purpose: Purpose) -> Applier:
    """By the task that the weights were trained for."""
    match purpose.spec.task:
        case "classification":
            return Labels(purpose, is_one=True)
        case "multilabel":
            return Labels(purpose, is_one=False)
        case "segmentation":
            return Masks(purpose)
        case "volume_segmentation":
            return Volumes(purpose)
        case "detection":
            return Boxes(purpose)
        case "super_resolution":
            return Restored(purpose, super_resolution.TASK)
        case _:
            assert purpose.spec.task == "denoising", purpose.spec.task
            return Restored(purpose, denoising.TASK)


def drawn(spec: NetworkSpec, manifest: Manifest) -> Sequence[Item]:
    """Classes are told in words."""
    return [] if spec.task in ("classification", "multilabel") else manifest.items[:MAX_OVERLAYS]


def counts_of(manifest: Manifest, journal: Journal | None) -> dict[str, int]:
    counts = {"files": len(manifest.items)}
    if journal is None:
        return counts
    empty = sum(says_nothing(manifest.task, one.result) for one in journal.told.values())
    return counts | {"predicted": len(journal.told), "bad": len(journal.bad), "empty": empty}


def says_nothing(task: str, result: ItemResult) -> bool:
    """Not one box, area or label is believed in; a class or a picture is always an answer."""
    match task:
        case "multilabel":
            return not result.named
        case "detection" | "segmentation" | "volume_segmentation":
            return not any(result.values.values())
        case _:
            return False


def save(purpose: Purpose, applier: Applier, journal: Journal, emitter: Emitter) -> None:
    """In the order of the manifest, whatever order things were done in."""
    spec, manifest = purpose.spec, purpose.manifest
    emitter.emit("phase", phase="exporting", counts=counts_of(manifest, journal))
    bad = [
        {"name": item.name, "reason": journal.bad[item.id]}
        for item in manifest.items
        if item.id in journal.bad
    ]
    announce_json(spec, emitter, "set_aside", bad)
    told = [(item, journal.told[item.id]) for item in manifest.items if item.id in journal.told]
    if not told:
        return
    announce_json(spec, emitter, "items", [one.result.to_json() for _, one in told])
    table: Table = [applier.header(), *(row for _, one in told for row in one.rows)]
    export.save_table(spec.out / "predictions.csv", table)
    export.announce(emitter, "predictions_csv", spec.folder, spec.out / "predictions.csv")
    for kind, path in applier.pack(told):
        export.announce(emitter, kind, spec.folder, path)


def announce_json(spec: NetworkSpec, emitter: Emitter, kind: str, value: Any) -> None:
    path: Path = spec.out / f"{kind}.json"
    write_durably(path, json.dumps(value, allow_nan=False).encode())
    export.announce(emitter, kind, spec.folder, path)
