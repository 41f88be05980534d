"""From a file to a frame and back: whatever may be read, in the kind that holds what came of it."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as np
from PIL import Image
from PIL.TiffImagePlugin import TiffImageFile

from ..data.images import BadFile, Pixels, deep_colours, open_image, sixteen_bit
from ..data.nrrd import is_nrrd, read_nrrd
from ..data.volumes import TYPES, Header, read_stored, turn_of
from .frame import Frame, Matrix, Placement, Trouble

DEEP = ("I", "I;16", "I;16B", "I;16L", "I;16N")
# Names that a file of a kind may keep; the first is given to what had another.
ENDINGS = {
    "png": (".png",),
    "jpeg": (".jpg", ".jpeg", ".jfif"),
    "tiff": (".tif", ".tiff"),
    "nifti": (".nii.gz",),
}
# Hardly to be seen, and colours at full size: what is prepared is often prepared again.
JPEG_QUALITY = 95
GZIP_LEVEL = 4
# Where NIfTI describes itself: of DICOM, each slice a picture (server: `writeStack`).
PICTURES = b"neuroloom pictures"
NIFTI_CODES = {kind: code for code, kind in TYPES.items()}


def read_frames(path: Path, is_mask: bool, max_pixels: int) -> list[Frame]:
    """One, or each picture of a file that was made of DICOM, marked by its number where there are several."""
    start = head_of(path)
    if not (is_nifti(start) and start[148 : 148 + len(PICTURES)] == PICTURES):
        return [read_frame(path, is_mask, max_pixels)]
    whole = read_volume_frame(path, is_mask, max_pixels)
    values = plain_values(whole)
    digits = max(3, len(str(len(values))))
    marks = [f"_{number:0{digits}}" if len(values) > 1 else "" for number in range(1, len(values) + 1)]
    return [Frame(plane, "png", is_mask, mark=mark) for plane, mark in zip(values, marks, strict=True)]


def plain_values(frame: Frame) -> Pixels:
    """With slope and intercept: 8 or 16 bits where all values are whole and fit, else floats."""
    assert frame.header is not None
    stored = frame.pixels
    if stored.dtype == np.uint8 and (frame.header.slope, frame.header.intercept) in ((1.0, 0.0), (0.0, 0.0)):
        return stored
    values = frame.values()
    whole = np.rint(values)
    if values.min() >= 0 and values.max() <= np.iinfo(np.uint16).max and bool((whole == values).all()):
        return whole.astype(np.uint8 if stored.dtype.itemsize == 1 and values.max() < 256 else np.uint16)
    return values


def read_frame(path: Path, is_mask: bool, max_pixels: int) -> Frame:
    """Upright, as its camera noted; without losing a bit of what it holds."""
    start = head_of(path)
    if is_nifti(start) or is_nrrd(start):
        return read_volume_frame(path, is_mask, max_pixels)
    # Pillow would make bytes of them without a word.
    if start[:8] == b"\x89PNG\r\n\x1a\n" and len(start) > 25 and start[24] == 16 and start[25] in (2, 4, 6):
        raise Trouble("deep_colours")
    refuse_several(path)
    image, kind, turn = open_image(path, max_pixels)
    if kind == "tiff" and deep_colours(path, kind, turn) is not None:
        raise Trouble("deep_colours")
    palette = image.getpalette("RGB") if image.mode == "P" and is_mask else None
    pixels = pixels_of(image, is_mask)
    # What was drawn on it may have been drawn before it was turned, or after.
    placement = Placement(is_exact=turn == 1)
    return Frame(pixels, kind, is_mask, palette=palette, placement=placement)


def head_of(path: Path) -> bytes:
    with path.open("rb") as file:
        start = file.read(600)
    if start[:2] != b"\x1f\x8b":
        return start
    try:
        with gzip.open(path) as file:
            return file.read(600)
    except (OSError, EOFError, ValueError):
        return start


def is_nifti(start: bytes) -> bool:
    return start[344:347] == b"n+1" or start[4:7] == b"n+2"


def refuse_several(path: Path) -> None:
    """Which of its pictures was meant, nobody can know."""
    try:
        with Image.open(path, formats=("TIFF", "GIF", "WEBP", "PNG")) as image:
            count = int(getattr(image, "n_frames", 1))
    except Exception:  # told by whoever reads it
        return
    if count > 1:
        raise Trouble("several_pictures", count=count)


def pixels_of(image: Image.Image, is_mask: bool) -> Pixels:
    mode = image.mode
    if mode in DEEP:
        return sixteen_bit(image)
    if mode == "F":
        values = np.asarray(image, np.float32)
        if not np.isfinite(values).all():
            raise BadFile("not_finite")
        return values
    if mode in ("1", "L", "RGB", "RGBA", "LA"):
        return np.asarray(image.convert("L") if mode == "1" else image)
    if mode == "P" and is_mask:
        return np.asarray(image)
    if mode in ("P", "PA"):
        is_clear = mode == "PA" or "transparency" in image.info
        return np.asarray(image.convert("RGBA" if is_clear else "RGB"))
    if mode in ("RGBX", "CMYK", "YCbCr", "LAB"):
        return np.asarray(image.convert("RGB"))
    raise BadFile("unsupported_mode")


def read_volume_frame(path: Path, is_mask: bool, max_pixels: int) -> Frame:
    header, raw = (read_nrrd if is_nrrd(head_of(path)) else read_stored)(path, max_pixels)
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        raise BadFile("not_finite")
    return Frame(raw, "nifti", is_mask, header=header)


def kind_after(frame: Frame) -> str:
    """As the file was, where that kind holds it without a further loss; else PNG or TIFF."""
    if frame.is_volume:
        return "nifti"
    if frame.pixels.dtype.kind == "f" or frame.kind == "tiff":
        return "tiff"
    if (
        frame.kind == "jpeg"
        and not frame.is_mask
        and frame.pixels.dtype == np.uint8
        and is_plain(frame.pixels)
    ):
        return "jpeg"
    return "png"


def is_plain(pixels: Pixels) -> bool:
    return pixels.ndim == 2 or pixels.shape[2] == 3


def write_frame(frame: Frame, path: Path) -> str:
    """Answers what kind it became."""
    kind = kind_after(frame)
    if kind == "nifti":
        path.write_bytes(nifti_bytes(frame))
        return kind
    image = Image.fromarray(frame.pixels)
    if frame.palette is not None and image.mode == "L":
        image = Image.fromarray(frame.pixels, "P")
        image.putpalette(frame.palette)
    if kind == "jpeg":
        image.save(path, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    elif kind == "tiff":
        image.save(path, "TIFF", compression="tiff_adobe_deflate")
    else:
        image.save(path, "PNG")
    return kind


def name_after(name: str, kind: str, mark: str) -> str:
    """The name stays where its ending tells the truth."""
    endings = ENDINGS[kind]
    lower = name.lower()
    found = next((one for one in endings if lower.endswith(one)), None)
    if found is not None:
        return name[: -len(found)] + mark + name[-len(found) :]
    return stem_of(name) + mark + endings[0]


def stem_of(name: str) -> str:
    lower = name.lower()
    if lower.endswith(".nii.gz"):
        return name[:-7]
    dot = name.rfind(".")
    return name[:dot] if dot > 0 else name


def nifti_bytes(frame: Frame) -> bytes:
    """NIfTI-1 of the stored type, its new grid placed so that everything lies where it lay."""
    header = frame.header
    assert header is not None
    voxels = frame.pixels
    if voxels.dtype.kind == "b":
        voxels = voxels.astype(np.uint8)
    kind = f"{voxels.dtype.kind}{voxels.dtype.itemsize}"
    if kind not in NIFTI_CODES:
        voxels, kind = voxels.astype(np.float32), "f4"
    depth, height, width = voxels.shape
    affine, code = affine_of(header)
    affine = affine @ old_from_new(frame.placement.matrix)
    steps = np.linalg.norm(affine[:3, :3], axis=0)
    start = bytearray(352)
    struct.pack_into("<i", start, 0, 348)
    struct.pack_into("<8h", start, 40, 3, width, height, depth, 1, 1, 1, 1)
    struct.pack_into("<2h", start, 70, NIFTI_CODES[kind], voxels.dtype.itemsize * 8)
    struct.pack_into("<8f", start, 76, 1.0, *steps, 1.0, 1.0, 1.0, 1.0)
    struct.pack_into("<3f", start, 108, 352.0, header.slope, header.intercept)
    struct.pack_into("<b", start, 123, header.units)
    if code > 0:
        struct.pack_into("<2h", start, 252, 0, code)
        struct.pack_into("<12f", start, 280, *affine[:3].reshape(-1))
    start[344:348] = b"n+1\0"
    content = bytes(start) + voxels.astype(voxels.dtype.newbyteorder("<")).tobytes()
    return gzip.compress(content, GZIP_LEVEL, mtime=0)


def affine_of(header: Header) -> tuple[Matrix, int]:
    """(4, 4) from voxels (i, j, k) to the body, and by which form; 0: nobody knows where it lies."""
    qform, sform, *numbers = struct.unpack("<2h18f", header.place)
    affine = np.eye(4)
    if sform > 0:
        affine[:3] = np.array(numbers[6:]).reshape(3, 4)
        return affine, sform
    if qform > 0:
        affine[:3, :3] = turn_of(tuple(numbers[:6]), header.pixdim)
        affine[:3, 3] = numbers[3:6]
        return affine, qform
    affine[:3, :3] = np.diag(np.abs(header.pixdim[1:4]))
    return affine, 0


def old_from_new(matrix: Matrix) -> Matrix:
    """(4, 4) from new voxels to old ones, whose middles lie at whole numbers."""
    back = np.linalg.inv(matrix)
    step = np.eye(4)
    step[:2, :2] = back[:2, :2]
    step[:2, 3] = back[:2, :2] @ np.array([0.5, 0.5]) + back[:2, 2] - 0.5
    return step


def pages(path: Path, max_pixels: int) -> list[Image.Image]:
    """All pictures of a file, of one that opens."""
    try:
        image = Image.open(path, formats=("TIFF", "GIF", "WEBP", "PNG"))
    except Exception as error:
        raise BadFile("not_an_image") from error
    with image:
        count = int(getattr(image, "n_frames", 1))
        if image.size[0] * image.size[1] * count > max_pixels:
            raise BadFile("too_large")
        made: list[Image.Image] = []
        for number in range(count):
            try:
                image.seek(number)
                page = image.copy() if isinstance(image, TiffImageFile) else image.convert("RGBA")
            except Exception as error:
                raise BadFile("truncated") from error
            made.append(page)
        return made
