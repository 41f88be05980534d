"""The `flow` run: one piece of work on one study. All but making it finer needs no torch."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import Any

from ..control import Control
from ..events import Emitter
from ..failures import RunFailure
from ..spec import field
from .files.reading import look, make
from .spec import FlowSpec, files_of
from .stored import digest_of


def work(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (spec.limits.memory_bytes, resource.RLIM_INFINITY))
    DOING[spec.do](spec, emitter, control)


def look_at(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    emitter.emit("flow_look", look=look(present(spec), spec.limits, control.check))


def make_study(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    told, answer = field(spec.work, "look", dict), field(spec.work, "answer", dict)
    path = path_in(spec)
    tell_made(spec, emitter, make(present(spec), told, answer, path, spec.limits, control.check))


def measure_phantom(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    # It and what follows need SciPy; the readers do without.
    from .known import measure

    name, scan = field(spec.work, "name", str), field(spec.work, "scan", dict)
    tell_made(spec, emitter, measure(name, scan, path_in(spec), control.check))


def compute_all(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    from .compute import compute

    compute(spec, emitter, control)


def measure_sections(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    from .sections import measure

    measure(spec, emitter, control)


def make_finer(spec: FlowSpec, emitter: Emitter, control: Control) -> None:
    from .sharpen import sharpen

    sharpen(spec, emitter, control)


def path_in(spec: FlowSpec) -> Path:
    return spec.out / "study.safetensors"


def tell_made(spec: FlowSpec, emitter: Emitter, head: dict[str, Any]) -> None:
    path = path_in(spec)
    place = path.relative_to(spec.folder).as_posix()
    emitter.emit("flow_made", path=place, sha256=digest_of(path), bytes=path.stat().st_size, head=head)


def present(spec: FlowSpec) -> list[Any]:
    files = files_of(spec)
    if gone := [file.name for file in files if not file.path.is_file()]:
        raise RunFailure("data_missing", {"files": gone[:20]})
    return files


# By what `do` says.
DOING = {
    "look": look_at,
    "make": make_study,
    "phantom": measure_phantom,
    "compute": compute_all,
    "sections": measure_sections,
    "sharpen": make_finer,
}
