"""A trained network of velocity super-resolution on the aorta of 4DFlowNet, beside interpolation.

The pair is a computed flow and its simulated measurement, once coarse and once fine (x 2); no training sees
it. Errors are root mean squares of a component over fluid voxels, as in acceptance test 24.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch

from neuroloom_engine.export import load_weights
from neuroloom_engine.flow.sample import refined
from neuroloom_engine.flow.sharpen import in_patches
from neuroloom_engine.network import build_network
from neuroloom_engine.predict import Predictor
from neuroloom_engine.spec import parse_plan
from neuroloom_engine.tasks.velocity import NETWORK_TASK, SHARE, blood, factor_of, interpolated, packed

Values = Any
AORTA = Path(os.environ["SHARED_DATA"]) / "flow4d-aorta-cfd" / "original"


def main() -> None:
    if not AORTA.is_dir():
        print(f"no aorta in {AORTA}")
        return
    folder = Path(sys.argv[1])
    plan = parse_plan(json.loads((folder / "run.json").read_text())["plan"])
    network = build_network(plan, NETWORK_TASK, 0)
    network.load_state_dict(load_weights(folder / "out" / "weights.safetensors")[0])
    low, bright, mask, venc, high, lumen = pair()
    factor = factor_of(plan)
    given = torch.from_numpy(packed(low / venc, bright / blood(bright, mask > 0.5)))[None]
    weighed = interpolated(given, factor)[0]
    with Predictor(network, torch.device("cpu")) as predictor:
        answer = in_patches(predictor, given, mask > 0.1, factor, lambda: None)
    held = low * (mask > 0.1)
    found = {
        "network": venc * (weighed + SHARE * answer).numpy(),
        "weighed linear, to which the network adds": venc * weighed.numpy(),
        "linear": refined(low, factor),
        "linear, mask > 0.1": refined(held, factor),
        "cubic, mask > 0.1": refined(held, factor, 3),
    }
    top = float(np.sqrt(np.square(high[:, lumen]).sum(0)).max())
    print(f"aorta, {int(lumen.sum())} fluid voxels, {top:.3f} m/s at most; goal: network below the others")
    for name, one in found.items():
        gap = np.abs(one - high)[:, lumen]
        print(f"{name:42} {np.sqrt(np.square(gap).mean()):.4f} m/s")


def pair() -> tuple[Values, Values, Values, float, Values, Values]:
    """Coarse velocity (3, z, y, x) in m/s, magnitude, share of lumen and VENC; fine velocity and lumen."""
    # h5py has no stubs.
    read = import_module("h5py").File
    with read(AORTA / "example_data.h5") as coarse, read(AORTA / "example_data_HR.h5") as fine:
        # u, v and w go along the first, second and third axis of the files.
        low, high = (np.stack([file[name][0].T for name in "uvw"]) for file in (coarse, fine))
        bright = np.mean([coarse[f"mag_{name}"][0].T for name in "uvw"], axis=0)
        return low, bright, coarse["mask"][0].T, float(coarse["venc_u"][0]), high, fine["mask"][0].T > 0.5


if __name__ == "__main__":
    main()
