"""Opens the files of a study by what their bytes say, and reads every number once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...data.images import BadFile
from ...data.volumes import Source, version_of
from ..study import Refusal
from . import hdf5, matlab, vtk_legacy
from .found import File, Found, Limits, Problem, Series, Values, blocking
from .guess import Figures, Row, chosen, completed
from .hdf5 import read_hdf5
from .matlab import read_mat
from .nifti import read_nifti
from .vtk_grid import Image, read_vtk
from .vtk_legacy import open_legacy
from .vtk_xml import open_vti, read_list

MOST_FILES = 10_000
MOST_SERIES = 200
# Of each frame, for what only a few of its numbers tell.
SAMPLES = 20_000
ENDINGS = (".nii", ".nii.gz", ".h5", ".hdf5", ".mat", ".vti", ".vtk", ".pvd")


@dataclass(frozen=True)
class Gathered:
    source: str
    vendor: str | None
    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]
    left_out: int


def gather(files: Sequence[File], limits: Limits, go_on: Callable[[], None]) -> Gathered:
    """`go_on` is called now and then and may raise."""
    if len(files) > MOST_FILES:
        return Gathered(
            "nifti", None, (), (blocking("too_many_files", count=len(files), most=MOST_FILES),), 0
        )
    found, problems = opened(files, limits)
    used = [one for one in found if any(series.meaning.role != "unused" for series in one.series)] or found
    kinds = sorted({one.source for one in used})
    if len(kinds) > 1:
        problems.append(blocking("two_studies", count=len(kinds)))
    first = used[0] if used else Found("nifti")
    series = [series for one in used if one.source == first.source for series in one.series]
    series.sort(key=lambda one: (one.meaning.role == "unused", one.name))
    rows = []
    for together in by_files(series[:MOST_SERIES]):
        try:
            rows += [Row(one, one.meaning, figures) for one, figures in measured(together, go_on)]
        except Refusal as error:
            problems.append(Problem(error.reason, error.params, True))
        except MemoryError:
            problems.append(blocking("unreadable", name=together[0].name, why="too_large"))
    vendor = next((one.vendor for one in used if one.vendor), None)
    left_out = (
        sum(one.left_out for one in found)
        + len(files)
        - sum(len(one) for one in sorted_files(files).values())
    )
    return Gathered(first.source, vendor, tuple(completed(chosen(rows))), tuple(problems), max(0, left_out))


def opened(files: Sequence[File], limits: Limits) -> tuple[list[Found], list[Problem]]:
    """What each kind of file gives; what cannot be read is told, and blocks."""
    kinds = sorted_files(files)
    found: list[Found] = []
    problems: list[Problem] = []

    def attempt(read: Callable[[], Found], name: str) -> None:
        try:
            found.append(read())
        except Refusal as error:
            problems.append(Problem(error.reason, error.params, True))
        except MemoryError:
            problems.append(blocking("unreadable", name=name, why="too_large"))

    for file in kinds["unknown"]:
        problems.append(blocking("unreadable", name=file.name, why="unknown_format"))
    if kinds["nifti"]:
        attempt(lambda: read_nifti(kinds["nifti"], kinds["json"], limits), kinds["nifti"][0].name)
    for file in kinds["hdf5"]:
        attempt(lambda file=file: read_hdf5(file, limits), file.name)
    for file in kinds["mat"]:
        attempt(lambda file=file: read_mat(file, limits), file.name)
    images = [*kinds["vti"], *kinds["vtk"]]
    if images:
        attempt(lambda: vtk_of(kinds, images, limits), images[0].name)
    return found, problems


def vtk_of(kinds: dict[str, list[File]], images: Sequence[File], limits: Limits) -> Found:
    times: dict[str, float] = {}
    for file in kinds["pvd"]:
        times |= read_list(file, images, limits)
    xml = {file.name for file in kinds["vti"]}

    def open_image(file: File) -> Image:
        return open_vti(file, limits) if file.name in xml else open_legacy(file, limits)

    return read_vtk(images, times, open_image)


def sorted_files(files: Sequence[File]) -> dict[str, list[File]]:
    """By kind, each in the order of its names; what is none of them, and is not called so, is left out."""
    kinds: dict[str, list[File]] = {
        kind: [] for kind in ("nifti", "hdf5", "mat", "vti", "vtk", "pvd", "json", "unknown")
    }
    for file in sorted(files, key=lambda file: file.name):
        kind = kind_of(file)
        if kind is not None:
            kinds[kind].append(file)
    return kinds


def kind_of(file: File) -> str | None:
    """By its first bytes; `unknown` where only the name says that it could be read."""
    name = file.name.lower()
    with file.path.open("rb") as opened:
        start = opened.read(4096)
    if any(start[place : place + 8] == hdf5.SIGNATURE for place in (0, 512, 1024, 2048)):
        return "hdf5"
    if start.startswith(matlab.SIGNATURE):
        return "mat"
    if start.startswith(vtk_legacy.SIGNATURE):
        return "vtk"
    if b"<VTKFile" in start or (name.endswith((".vti", ".pvd")) and start.lstrip().startswith(b"<")):
        return "pvd" if b'"Collection"' in start or name.endswith(".pvd") else "vti"
    if name.endswith(".json"):
        return "json"
    if is_nifti(file, name):
        return "nifti"
    return "unknown" if name.endswith(ENDINGS) else None


def is_nifti(file: File, name: str) -> bool:
    if name.endswith((".nii", ".nii.gz")):
        return True
    try:
        with Source(file.path) as source:
            version_of(source.take(540))
    except BadFile:
        return False
    return True


def by_files(series: Sequence[Series]) -> list[list[Series]]:
    """Those of the same files together: they are read in one go."""
    groups: dict[tuple, list[Series]] = {}
    for one in series:
        groups.setdefault((tuple(file.name for file in one.files), one.frames), []).append(one)
    return list(groups.values())


def measured(series: Sequence[Series], go_on: Callable[[], None]) -> list[tuple[Series, Figures]]:
    """Every number of them is read; what is certainly not used only by its head."""
    wanted = [one for one in series if one.meaning.role != "unused" or "role" in one.meaning.unsure]
    tallies = [Tally() for _ in wanted]
    for frames in zip(*(one.read() for one in wanted), strict=True):
        go_on()
        for tally, frame in zip(tallies, frames, strict=True):
            tally.add(frame)
    told = {one.id: tally.figures() for one, tally in zip(wanted, tallies, strict=True)}
    return [(one, told.get(one.id, Figures(0.0, 0.0, 0.0, 0, 0))) for one in series]


class Tally:
    def __init__(self) -> None:
        self.low, self.high, self.missing, self.count = math.inf, -math.inf, 0, 0
        self.samples: list[Values] = []

    def add(self, frame: Values) -> None:
        finite = frame[np.isfinite(frame)]
        self.count += frame.size
        self.missing += frame.size - finite.size
        if finite.size:
            self.low, self.high = min(self.low, float(finite.min())), max(self.high, float(finite.max()))
            self.samples.append(np.abs(finite[:: max(1, finite.size // SAMPLES)], dtype=np.float64))

    def figures(self) -> Figures:
        if not self.samples:
            return Figures(0.0, 0.0, 0.0, self.missing, self.count)
        top = float(np.percentile(np.concatenate(self.samples), 99.9, method="higher"))
        return Figures(self.low, self.high, top, self.missing, self.count)
