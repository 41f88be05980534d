"""Super-resolution: a network adds to the bicubic enlargement what it lacks."""

from __future__ import annotations

from .restoration import Restoration

TASK = Restoration(NETWORK_TASK="super-resolution", baseline="bicubic", is_added=True)
