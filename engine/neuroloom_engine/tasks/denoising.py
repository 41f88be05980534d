"""Denoising: the clean image of a noisy one. Networks such as DnCNN subtract the noise themselves."""

from __future__ import annotations

from .restoration import Restoration

TASK = Restoration(NETWORK_TASK="denoising", baseline="input", is_added=False)
