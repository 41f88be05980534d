"""Tells before training whether a run fits into the memory it was given, and how much this process uses
now.
"""

from __future__ import annotations

import os
from math import prod

from .failures import RunFailure
from .spec import NetworkSpec

# Interpreter, torch and its kernels, measured at 190–260 MB.
BASE_BYTES = 300_000_000
OPTIMIZER_COPIES = {"adamw": 2, "adam": 2, "rmsprop": 1, "sgd": 1}


def check_estimate(spec: NetworkSpec) -> None:
    """Weights, gradients and optimiser once, the kept tensors for each image of a batch."""
    if spec.device.memory_bytes is None:
        return
    plan, hyper = spec.plan, spec.hyper
    size = next(iter(plan.inputs.values())).size
    wanted = (hyper.depth, *hyper.image_size)[-len(size) :]
    scale = prod(wanted) / prod(size) if size else 1.0
    fixed = BASE_BYTES + 4 * plan.learn * (2 + OPTIMIZER_COPIES[hyper.optimizer]) + 4 * plan.buffers
    per_image = scale * (plan.kept_bytes + plan.transient_bytes)
    need = fixed + hyper.batch_size * per_image
    if need > spec.device.memory_bytes:
        fits = int((spec.device.memory_bytes - fixed) / max(1.0, per_image))
        data = {"needBytes": int(need), "haveBytes": spec.device.memory_bytes, "tryBatch": max(1, fits)}
        raise RunFailure("memory_estimate_exceeded", data)


def resident_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
