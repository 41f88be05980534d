"""Stopping anywhere and going on again gives the very weights of a run that was never disturbed."""

from __future__ import annotations

from . import test_resume as resume


class ResumeAnywhereTest(resume.ResumeTest):
    stops: dict[str, tuple[int, ...]] = {
        "classification": (2, 3, 4, 5, 6, 8),
        "segmentation": (2, 3, 4, 5, 6, 8),
    }
    stops_of_pairs = (3, 9)
    stops_of_folds = (7, 9, 14)
