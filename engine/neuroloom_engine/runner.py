"""Runs one run folder and turns whatever happens into the contract's last events and an exit code."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .control import Control, locked
from .events import Emitter
from .failures import DONE, STOPPED, Stopped, as_failure
from .flow.spec import FlowSpec, read_flow, read_training
from .memory import resident_bytes
from .recipe.spec import PrepareSpec, read_prepare
from .spec import CheckSpec, NetworkSpec, read_json, read_manifest, read_spec
from .usage import Usage

HEARTBEAT_SECONDS = 5.0
RunSpec = NetworkSpec | CheckSpec | PrepareSpec | FlowSpec


def run_folder(folder: Path, emitter: Emitter, control: Control) -> int:
    """The exit code; `end` is always the last event."""
    spec: RunSpec | None = None
    usage = Usage()
    try:
        spec = read_run(folder)
        spec.out.mkdir(exist_ok=True)
        control.watch(folder, spec.attempt)
        with locked(folder), heartbeat(emitter):
            metrics, digest = dispatch(spec, emitter, control)
    except Stopped as stopped:
        emitter.emit(
            "end",
            state="stopped",
            metrics=stopped.metrics,
            weightsSha256=stopped.digest,
            quietSeconds=usage.quiet_seconds(),
        )
        return STOPPED
    except BaseException as error:
        failure = as_failure(error, spec.hyper.batch_size if isinstance(spec, NetworkSpec) else None)
        emitter.emit("error", code=failure.code, data=failure.data, trace=traceback.format_exc())
        emitter.emit("end", state="failed", metrics={}, weightsSha256=None)
        return failure.exit_code
    quiet = usage.quiet_seconds()
    emitter.emit("end", state="done", metrics=metrics, weightsSha256=digest, quietSeconds=quiet)
    return DONE


def read_run(folder: Path) -> RunSpec:
    kind = read_json(folder / "run.json").get("kind")
    if kind == "flow":
        return read_flow(folder)
    if kind == "flow_train":
        return read_training(folder)
    return read_prepare(folder) if kind == "prepare" else read_spec(folder)


def dispatch(spec: RunSpec, emitter: Emitter, control: Control) -> tuple[dict[str, float | None], str | None]:
    """Imports only what the kind of run needs: a check does not wait for torch."""
    if isinstance(spec, CheckSpec):
        from .check import check

        check(spec, emitter, control)
        return {}, None
    if isinstance(spec, PrepareSpec):
        from .recipe.work import work

        work(spec, emitter, control)
        return {}, None
    if isinstance(spec, FlowSpec):
        from .flow.work import work as work_on_flow

        work_on_flow(spec, emitter, control)
        return {}, None
    if spec.kind == "train":
        from .train import train

        return train(spec, read_manifest(spec.manifest_path), emitter, control)
    if spec.kind == "flow_train":
        from .flow.learn import learn

        return learn(spec, emitter, control)
    if spec.kind == "predict":
        from .inference.apply import apply

        apply(spec, emitter, control)
        return {}, None
    from .test import test

    return test(spec, emitter, control), None


@contextmanager
def heartbeat(emitter: Emitter) -> Iterator[None]:
    done = threading.Event()

    def beat() -> None:
        while not done.wait(HEARTBEAT_SECONDS):
            emitter.emit("heartbeat", memoryBytes=resident_bytes())

    thread = threading.Thread(target=beat, name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
