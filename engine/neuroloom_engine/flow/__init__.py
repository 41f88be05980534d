"""4D flow MRI: numbers as pure functions on arrays; `files/` reads and writes, `work.py` is the run.

Metres, seconds and m/s throughout the numbers. Positions are metres on the grid: the middle of voxel
(0, 0, 0) is the origin, x along the last axis. No value is NaN, never 0. Only this folder imports SciPy.
"""
