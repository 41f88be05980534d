"""Masks as volumes, as the engine reads them from files."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from neuroloom_engine.data.images import MAX_PIXELS
from neuroloom_engine.recipe.files import read_frame
from neuroloom_engine.recipe.frame import Frame

from .make_volumes import nifti


def volume_frame(voxels: np.ndarray, spacing: tuple[float, float, float], axes: str = "RAS") -> Frame:
    """Of voxels (z, y, x); spacing and axes in the order x, y, z."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "volume.nii")
        path.write_bytes(nifti(voxels, spacing=spacing, axes=axes))
        return read_frame(path, True, MAX_PIXELS)
