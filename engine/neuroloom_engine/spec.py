"""Reads `run.json` and the manifest into frozen dataclasses.

Refuses what the contract does not allow, opens no data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

from .data.changes import CHANGES
from .data.masks import MaskCode, code_of

T = TypeVar("T")

TASKS = (
    "classification",
    "multilabel",
    "segmentation",
    "volume_segmentation",
    "detection",
    "super_resolution",
    "denoising",
)
FileRole = Literal["image", "mask", "volume", "volume_mask"]


class SpecError(ValueError):
    """A run folder that breaks the contract; the message holds the place and the offending value."""

    is_spec_error = True


@dataclass(frozen=True)
class TensorType:
    """Type of one sample.

    `map` has channels and a size per axis, `vec` channels, `seq` tokens and channels.
    """

    kind: Literal["map", "vec", "seq"]
    channels: int
    size: tuple[int, ...] = ()
    tokens: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        if self.kind == "map":
            return (self.channels, *self.size)
        return (self.channels,) if self.kind == "vec" else (self.tokens, self.channels)


@dataclass(frozen=True)
class PlanNode:
    id: str
    op: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any]
    type: TensorType
    learn: int
    buffers: int
    share: str | None


@dataclass(frozen=True)
class Head:
    task: str
    source: str
    weight: float


@dataclass(frozen=True)
class Plan:
    name: str
    inputs: Mapping[str, TensorType]
    nodes: tuple[PlanNode, ...]
    heads: Mapping[str, Head]
    learn: int
    buffers: int
    kept_bytes: float
    transient_bytes: float


@dataclass(frozen=True)
class Hyper:
    learning_rate: float
    scheduler: str
    decay_interval: int
    decay_ratio: float
    epochs: int
    validation_interval: int
    batch_size: int
    optimizer: str
    num_class: int
    criterion: str
    weight_decay: float
    image_size: tuple[int, int]
    depth: int
    augment: bool
    class_weights: bool
    # Cross-entropy of a classification has it alone: elsewhere left out, 0.
    label_smoothing: float
    # Offered by some devices alone, and so left out elsewhere
    mixed_precision: bool
    patience: int
    seed: int
    # Which random changes `augment` makes: a training all of them, a look at them perhaps one.
    changes: frozenset[str] = CHANGES


@dataclass(frozen=True)
class Validation:
    method: Literal["holdout", "kfold", "given"]
    train: int
    test: int
    splits: int
    seed: int

    @property
    def folds(self) -> int:
        return self.splits if self.method == "kfold" else 1


@dataclass(frozen=True)
class Device:
    kind: Literal["cpu", "cuda"]
    index: int
    threads: int
    memory_bytes: int | None


@dataclass(frozen=True)
class Box:
    """In pixels of the stored image, from its left and upper edge."""

    class_index: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Item:
    id: str
    name: str
    image: str
    label: str | None
    class_index: int | None
    group: str
    labels: tuple[int, ...] | None = None
    boxes: tuple[Box, ...] | None = None
    part: Literal["train", "validation", "test"] | None = None
    # A mask of where in the image there is something to see; nothing else counts.
    region: str | None = None


@dataclass(frozen=True)
class Manifest:
    task: str
    classes: tuple[str, ...]
    channels: int
    mask_values: Mapping[int, int]
    items: tuple[Item, ...]
    factor: int = 1
    # The class of every value without one of its own, and whether the nearest known value will do.
    other_values: int | None = None
    nearest: bool = False
    # Mask values of outlines and of what nobody decided on.
    not_counted: tuple[int, ...] = ()
    # By which pictures of DICOM were drawn, where not by their own.
    window: Mapping[str, float] | None = None


@dataclass(frozen=True)
class NetworkSpec:
    """What train, test and predict runs share. `raw` is `run.json` as read, for hashes and checkpoints."""

    folder: Path
    kind: Literal["train", "test", "predict", "flow_train"]
    attempt: int
    task: str
    plan: Plan
    plan_hash: str
    manifest_path: Path
    data_root: Path
    hyper: Hyper
    validation: Validation
    device: Device
    resume: str | None
    # Train: weights to begin with, and the earlier paths of nodes that were renamed since
    start: str | None
    start_names: Mapping[str, str]
    weights: str | None
    part: Literal["held-out", "all"]
    # Of a file that nobody has looked at before: larger ones are not decoded. None where all were looked at.
    max_pixels: int | None
    # Predict: also how unsure the network is of each class
    doubts: bool
    raw: Mapping[str, Any]

    @property
    def out(self) -> Path:
        return self.folder / "out"


@dataclass(frozen=True)
class Mixing:
    """Of what else a mask is made, how, and the camera's note of its image that it was drawn without."""

    how: Literal["any", "most", "kinds"]
    paths: tuple[Path, ...]
    kinds: tuple[int, ...] | None
    turn: int
    # What values mean in all masks of the data set.
    code: MaskCode | None = None


@dataclass(frozen=True)
class CheckFile:
    id: str
    path: Path
    role: FileRole
    mix: Mixing | None = None


@dataclass(frozen=True)
class CheckSpec:
    folder: Path
    kind: Literal["check"]
    attempt: int
    max_pixels: int
    thumbnail_size: int
    files: tuple[CheckFile, ...]

    @property
    def out(self) -> Path:
        return self.folder / "out"


def read_spec(folder: Path) -> NetworkSpec | CheckSpec:
    """The run folder's `run.json`."""
    raw = read_json(folder / "run.json")
    if raw.get("v") != 1:
        raise SpecError(f"run.json: v is {raw.get('v')!r}, this engine reads 1")
    kind = one_of(raw, "kind", ("train", "test", "predict", "check"))
    if kind == "check":
        return check_spec(folder, raw)
    data = field(raw, "data", dict)
    return NetworkSpec(
        folder=folder,
        kind=cast(Any, kind),
        attempt=field(raw, "attempt", int),
        task=one_of(raw, "task", TASKS),
        plan=parse_plan(field(raw, "plan", dict)),
        plan_hash=field(raw, "planHash", str),
        manifest_path=folder / field(data, "manifest", str),
        data_root=folder / field(data, "root", str),
        hyper=parse_hyper(field(raw, "hyper", dict)),
        validation=parse_validation(field(raw, "validation", dict)),
        device=parse_device(field(raw, "device", dict)),
        resume=optional(raw, "resume", str) if kind == "train" else None,
        start=optional(raw, "start", str) if kind == "train" else None,
        start_names={str(new): str(old) for new, old in (optional(raw, "startNames", dict) or {}).items()},
        weights=field(raw, "weights", str) if kind != "train" else None,
        part="all" if kind == "test" and one_of(raw, "part", ("held-out", "all")) == "all" else "held-out",
        max_pixels=field(raw, "maxPixels", int) if kind == "predict" else None,
        doubts=kind == "predict" and bool(raw.get("doubts", False)),
        raw=raw,
    )


def check_spec(folder: Path, raw: Mapping[str, Any]) -> CheckSpec:
    files = tuple(
        CheckFile(
            id=safe_name(field(file, "id", str)),
            path=folder / field(file, "path", str),
            role=cast(FileRole, one_of(file, "role", get_args(FileRole))),
            mix=None if (mixing := optional(file, "mix", dict)) is None else parse_mixing(folder, mixing),
        )
        for file in field(raw, "files", list)
    )
    return CheckSpec(
        folder=folder,
        kind="check",
        attempt=field(raw, "attempt", int),
        max_pixels=field(raw, "maxPixels", int),
        thumbnail_size=field(raw, "thumbnailSize", int),
        files=files,
    )


def parse_mixing(folder: Path, raw: Mapping[str, Any]) -> Mixing:
    kinds = optional(raw, "kinds", list)
    return Mixing(
        how=cast(Any, one_of(raw, "how", ("any", "most", "kinds"))),
        paths=tuple(folder / str(path) for path in field(raw, "paths", list)),
        kinds=None if kinds is None else tuple(map(int, kinds)),
        turn=field(raw, "turn", int),
        code=parse_code(optional(raw, "code", dict)),
    )


def parse_code(raw: Mapping[str, Any] | None) -> MaskCode | None:
    if raw is None:
        return None
    told = {str(value): int(index) for value, index in field(raw, "values", dict).items()}
    others = told.pop("*", None)
    values = {code_of(value): index for value, index in told.items()}
    return MaskCode(values, others, field(raw, "nearest", bool)) if values else None


def read_manifest(path: Path) -> Manifest:
    raw = read_json(path)
    classes = tuple(str(name) for name in field(raw, "classes", list))
    told = {str(value): int(index) for value, index in field(raw, "maskValues", dict).items()}
    others = told.pop("*", None)
    not_counted = tuple(sorted(code_of(value) for value, index in told.items() if index == -1))
    told = {value: index for value, index in told.items() if index != -1}
    mask_values = {code_of(value): index for value, index in told.items()}
    items = tuple(
        Item(
            id=safe_name(field(item, "id", str)),
            name=field(item, "name", str),
            image=safe_path(field(item, "image", str)),
            label=None if (label := optional(item, "label", str)) is None else safe_path(label),
            class_index=optional(item, "class", int),
            group=field(item, "group", str),
            labels=None if (labels := optional(item, "labels", list)) is None else tuple(map(int, labels)),
            boxes=None if (boxes := optional(item, "boxes", list)) is None else tuple(map(parse_box, boxes)),
            part=cast(Any, optional(item, "part", str)),
            region=None if (region := optional(item, "region", str)) is None else safe_path(region),
        )
        for item in field(raw, "items", list)
    )
    task = one_of(raw, "task", TASKS)
    for index in (*told.values(), *([] if others is None else [others]), *class_indices(items)):
        if not 0 <= index < len(classes):
            raise SpecError(f"manifest: class index {index} but {len(classes)} classes")
    factor = 1 if raw.get("factor") is None else at_least(raw, "factor", 1)
    nearest = optional(raw, "nearest", bool) or False
    channels = field(raw, "channels", int)
    window = optional(raw, "window", dict)
    return Manifest(
        task,
        classes,
        channels,
        mask_values,
        items,
        factor,
        others,
        nearest,
        not_counted=not_counted,
        window=None if window is None else {name: number(window, name) for name in ("center", "width")},
    )


def parse_box(raw: Mapping[str, Any]) -> Box:
    sides = [number(raw, side) for side in ("x0", "y0", "x1", "y1")]
    if not (sides[0] < sides[2] and sides[1] < sides[3]):
        raise SpecError(f"manifest: box {sides} has no area")
    return Box(field(raw, "class", int), *sides)


def class_indices(items: Sequence[Item]) -> Iterator[int]:
    """Of everything that is labelled."""
    for item in items:
        if item.class_index is not None:
            yield item.class_index
        yield from item.labels or ()
        yield from (box.class_index for box in item.boxes or ())


def parse_plan(raw: Mapping[str, Any]) -> Plan:
    if raw.get("v") != 1:
        raise SpecError(f"plan: v is {raw.get('v')!r}, this engine reads 1")
    nodes = tuple(
        PlanNode(
            id=field(node, "id", str),
            op=field(node, "op", str),
            inputs=field(node, "in", dict),
            params=field(node, "params", dict),
            type=parse_type(field(node, "type", dict)),
            learn=field(node, "learn", int),
            buffers=field(node, "buffers", int),
            share=optional(node, "share", str),
        )
        for node in field(raw, "nodes", list)
    )
    heads = {
        name: Head(field(head, "task", str), field(head, "from", str), number(head, "weight"))
        for name, head in field(raw, "heads", dict).items()
    }
    if not heads:
        raise SpecError("plan: has no head")
    return Plan(
        name=field(raw, "name", str),
        inputs={name: parse_type(kind) for name, kind in field(raw, "inputs", dict).items()},
        nodes=nodes,
        heads=heads,
        learn=field(raw, "learn", int),
        buffers=field(raw, "buffers", int),
        kept_bytes=number(raw, "keptBytes"),
        transient_bytes=number(raw, "transientBytes"),
    )


def parse_type(raw: Mapping[str, Any]) -> TensorType:
    kind = one_of(raw, "k", ("map", "vec", "seq"))
    channels = field(raw, "c", int)
    if kind == "map":
        return TensorType("map", channels, size=tuple(int(axis) for axis in field(raw, "s", list)))
    return (
        TensorType("vec", channels)
        if kind == "vec"
        else TensorType("seq", channels, tokens=field(raw, "n", int))
    )


def parse_hyper(raw: Mapping[str, Any]) -> Hyper:
    height, width = (int(side) for side in field(raw, "imageSize", list))
    return Hyper(
        learning_rate=number(raw, "learningRate"),
        scheduler=one_of(
            raw, "scheduler", ("constant", "step", "exponential", "cosine", "onecycle", "plateau")
        ),
        decay_interval=field(raw, "decayInterval", int),
        decay_ratio=number(raw, "decayRatio"),
        epochs=at_least(raw, "epochs", 1),
        validation_interval=at_least(raw, "validationInterval", 1),
        batch_size=at_least(raw, "batchSize", 1),
        optimizer=one_of(raw, "optimizer", ("adamw", "adam", "sgd", "rmsprop")),
        num_class=at_least(raw, "numClass", 1),
        criterion=field(raw, "criterion", str),
        weight_decay=number(raw, "weightDecay"),
        image_size=(height, width),
        depth=at_least(raw, "depth", 1),
        augment=field(raw, "augment", bool),
        class_weights=field(raw, "classWeights", bool),
        label_smoothing=number(raw, "labelSmoothing") if "labelSmoothing" in raw else 0.0,
        mixed_precision=optional(raw, "mixedPrecision", bool) or False,
        patience=at_least(raw, "patience", 0),
        seed=at_least(raw, "seed", 0),
    )


def parse_validation(raw: Mapping[str, Any]) -> Validation:
    seed = at_least(raw, "seed", 0)
    method = one_of(raw, "method", ("holdout", "kfold", "given"))
    if method == "kfold":
        return Validation("kfold", 0, 0, at_least(raw, "splits", 2), seed)
    if method == "given":
        return Validation("given", 0, 0, 1, seed)
    return Validation("holdout", at_least(raw, "train", 1), at_least(raw, "test", 1), 1, seed)


def parse_device(raw: Mapping[str, Any]) -> Device:
    kind = one_of(raw, "kind", ("cpu", "cuda"))
    return Device(
        kind="cuda" if kind == "cuda" else "cpu",
        index=int(raw.get("index", 0)),
        threads=at_least(raw, "threads", 1),
        memory_bytes=optional(raw, "memoryBytes", int),
    )


def read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except ValueError as error:
        raise SpecError(f"{path.name}: not JSON ({error})") from None
    if not isinstance(value, dict):
        raise SpecError(f"{path.name}: expected an object, got {type(value).__name__}")
    return value


def field(raw: Mapping[str, Any], name: str, kind: Callable[..., T]) -> T:
    """A required field of exactly this type."""
    value = raw.get(name) if isinstance(raw, dict) else None
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):  # type: ignore[arg-type]
        raise SpecError(f"{name}: expected {getattr(kind, '__name__', kind)}, got {value!r:.80}")
    return value  # type: ignore[return-value]


def optional(raw: Mapping[str, Any], name: str, kind: Callable[..., T]) -> T | None:
    return None if raw.get(name) is None else field(raw, name, kind)


def number(raw: Mapping[str, Any], name: str) -> float:
    value = raw.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise SpecError(f"{name}: expected a number, got {value!r:.80}")
    return float(value)


def at_least(raw: Mapping[str, Any], name: str, low: int) -> int:
    value = field(raw, name, int)
    if value < low:
        raise SpecError(f"{name}: {value} is below {low}")
    return value


def one_of(raw: Mapping[str, Any], name: str, values: tuple[str, ...]) -> str:
    value = field(raw, name, str)
    if value not in values:
        raise SpecError(f"{name}: {value!r} is none of {', '.join(values)}")
    return value


def safe_name(name: str) -> str:
    """Ids become file names below `out`, so they may not leave it."""
    if not name or "/" in name or "\\" in name or "\0" in name or name.startswith("."):
        raise SpecError(f"id {name!r:.80} cannot be a file name")
    return name


def safe_path(path: str) -> str:
    """Item paths stay below the data root."""
    if path.startswith("/") or "\0" in path or ".." in Path(path).parts:
        raise SpecError(f"path {path!r:.200} leaves the data root")
    return path
