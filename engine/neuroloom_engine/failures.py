"""How a run can fail, by the names of the contract.

No texts for people: those are locale keys on the other side.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping

DONE, STOPPED, BAD_SPEC, DATA, INTERNAL, MEMORY = 0, 3, 64, 65, 70, 71

EXIT_CODES = {
    "plan_invalid": BAD_SPEC,
    "internal_plan_mismatch": INTERNAL,
    "data_missing": DATA,
    "data_unreadable": DATA,
    "nothing_readable": DATA,
    "data_pair_mismatch": DATA,
    "data_too_few": DATA,
    "class_unseen": DATA,
    "memory_estimate_exceeded": MEMORY,
    "out_of_memory": MEMORY,
    "loss_not_finite": DATA,
    "device_lost": INTERNAL,
    "disk_full": INTERNAL,
    "checkpoint_incompatible": DATA,
    "weights_unfit": DATA,
    "packages_missing": INTERNAL,
    "flow_refused": DATA,
    "flow_not_computed": DATA,
    "internal": INTERNAL,
}

Parameters = Mapping[str, "str | int | float | list[str]"]


class RunFailure(Exception):
    """A failure with a name that the user is told, and the numbers that its text needs."""

    def __init__(self, code: str, data: Parameters | None = None) -> None:
        super().__init__(f"{code} {dict(data or {})}")
        self.code = code
        self.data: dict[str, str | int | float | list[str]] = dict(data or {})

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.code]


class Stopped(Exception):
    """The user, a signal or a closed input asked the run to end.

    Everything worth keeping is saved by the catcher, which may add what the run gave so far.
    """

    def __init__(self, metrics: Mapping[str, float | None] | None = None, digest: str | None = None) -> None:
        super().__init__()
        self.metrics = dict(metrics or {})
        self.digest = digest


def as_failure(error: BaseException, batch_size: int | None) -> RunFailure:
    """The contract's name for any exception."""
    if isinstance(error, RunFailure):
        return error
    if is_out_of_memory(error):
        return RunFailure("out_of_memory", {"tryBatch": max(1, (batch_size or 2) // 2)})
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return RunFailure("disk_full")
    if "CUDA error" in str(error):
        return RunFailure("device_lost", {"reason": str(error).splitlines()[0][:200]})
    if isinstance(error, ValueError) and getattr(error, "is_spec_error", False):
        return RunFailure("plan_invalid", {"reason": str(error)[:500]})
    return RunFailure("internal", {"reason": f"{type(error).__name__}: {str(error)[:200]}"})


def is_out_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError):
        return True
    text = str(error)
    return isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text)
