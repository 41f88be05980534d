"""Sets up the processor or graphics card that a run was given; chooses nothing by itself."""

from __future__ import annotations

import os

import torch
from torch.backends import cudnn

from .failures import RunFailure
from .spec import Device


def prepare_device(device: Device) -> torch.device:
    """Debian's torch starts with one thread, so the count is always set.

    Denormals cost time and carry nothing.
    """
    torch.set_num_threads(device.threads)
    torch.set_flush_denormal(True)
    if device.kind == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available() or device.index >= torch.cuda.device_count():
        raise RunFailure("device_lost", {"reason": f"no cuda device {device.index}"})
    # The same spec and seed give the same weights: read by cuBLAS when it is first asked.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    cudnn.benchmark = False
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_float32_matmul_precision("high")
    return torch.device("cuda", device.index)
