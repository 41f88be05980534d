"""Draws ultrasound-like pictures with and without burned-in text, and writes down where each text stands.

Called by `npm run bench -- burned-in`: draw.py <folder> <first seed> <count> <text|names|clean> <font>…

A fan or a linear sector with speckle (log-compressed magnitude of filtered complex noise), attenuation
with depth, cysts, plates and a shadow, a Doppler box; around it what the machines draw: bars of grey and
colour, depth and time ticks, calipers, arrows, an ECG, body marks, icons. Texts (names, numbers, dates,
hospitals, settings) are random syllables and characters of no real person. Grey letters stand on black or
on a box; over tissue letters are white, yellow, green or cyan, and differ by 50 greys or more from nine
tenths of what lies below them: what people can read. `names` are for learning alone: more small
names, Chinese ones above all, of few and thin characters.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from picture import Furniture, tissue
from PIL import Image, ImageDraw, ImageFont
from words import KINDS, SCRIPTS, text_of

SIZES = ((640, 480), (800, 600), (1024, 768), (1280, 960))
# How much brighter or darker than nine tenths of what lies below.
LEGIBLE = 50
COLOURS = {
    "white": (255, 255, 255),
    "pale": (226, 228, 232),
    "yellow": (255, 240, 60),
    "green": (90, 255, 120),
    "cyan": (110, 235, 255),
    "grey": (165, 165, 165),
    "dim": (130, 132, 136),
}
BOXES = (
    ((255, 255, 255), (38, 60, 120)),
    ((235, 235, 235), (70, 70, 74)),
    ((20, 20, 20), (214, 214, 208)),
    ((0, 0, 0), (255, 224, 120)),
)


@dataclass(frozen=True)
class Asked:
    """Ends of ranges are not among them, as in numpy."""

    scripts: tuple[str, ...]
    kinds: tuple[str, ...]
    more: tuple[int, int]
    sizes: tuple[int, int]
    turned: float


ASKED = {
    "text": Asked(SCRIPTS, KINDS, more=(1, 7), sizes=(9, 29), turned=0.03),
    "names": Asked(
        ("chinese", "chinese", "latin"),
        ("name", "name", "name", "number", "setting"),
        more=(6, 12),
        sizes=(9, 19),
        turned=0.1,
    ),
}
# A seed draws other pictures for each; texts and clean ones share no numbers either.
STREAMS = ("clean", "text", "names")


@dataclass(frozen=True)
class Text:
    kind: str
    script: str
    size: int
    look: str
    x: int
    y: int
    w: int
    h: int


def main() -> None:
    folder, first, count, what, *fonts = sys.argv[1:]
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    by_script = {
        "latin": [f for f in fonts if "SC_" not in f and "CJK" not in f],
        "cyrillic": [f for f in fonts if "Roboto" in f or "DejaVu" in f],
        "chinese": [f for f in fonts if "SC_" in f or "CJK" in f],
    }
    for seed in range(int(first), int(first) + int(count)):
        name = f"{what}-{seed}"
        if not (out / f"{name}.json").exists():
            draw(out / name, np.random.default_rng([seed, STREAMS.index(what)]), what, by_script)


def draw(path: Path, rng: np.random.Generator, what: str, fonts: dict[str, list[str]]) -> None:
    width, height = SIZES[rng.integers(len(SIZES))]
    pixels, sector = tissue(rng, width, height)
    picture = Image.fromarray(pixels)
    furniture = Furniture(rng, picture, sector)
    furniture.draw()
    texts: list[Text] = []
    if what in ASKED:
        asked = ASKED[what]
        script = asked.scripts[rng.integers(3)]
        wanted = ["name", *rng.choice(asked.kinds, rng.integers(*asked.more))]
        for kind in wanted:
            own = (kind, script if rng.random() < 0.8 else "latin", fonts)
            put(rng, picture, furniture, texts, own, asked)
        if rng.random() < 0.3:
            digits(rng, picture, sector, texts, fonts["latin"])
    if rng.random() < 0.5:
        picture.save(f"{path}.png")
        file = f"{path.name}.png"
    else:
        picture.save(f"{path}.jpg", quality=int(rng.integers(60, 96)))
        file = f"{path.name}.jpg"
    Path(f"{path}.json").write_text(json.dumps({"file": file, "texts": [vars(t) for t in texts]}))


def put(
    rng: np.random.Generator,
    picture: Image.Image,
    furniture: Furniture,
    texts: list[Text],
    wanted: tuple[str, str, dict[str, list[str]]],
    asked: Asked,
) -> None:
    """One text in a free place where it can be read; left out after 60 tries."""
    kind, script, fonts = wanted
    size = int(rng.integers(*asked.sizes))
    font = ImageFont.truetype(str(rng.choice(fonts[script])), size)
    ink = ink_of(text_of(rng, kind, script), font, smooth=rng.random() < 0.75)
    if rng.random() < asked.turned:
        ink = np.rot90(ink)
    h, w = ink.shape
    width, height = picture.size
    for _ in range(60):
        if w >= width - 8 or h >= height - 8:
            return
        x, y = place(rng, (width, height), (w, h))
        around = (x - 6, y - 5, x + w + 6, y + h + 5)
        if furniture.takes(around) or any(meet(around, t) for t in texts):
            continue
        below = np.asarray(picture.crop((x, y, x + w, y + h)))
        look = look_for(rng, below)
        if look is None:
            continue
        paint(rng, picture, ink, (x, y), look)
        texts.append(Text(kind, script, size, look[0], x, y, w, h))
        return


def place(rng: np.random.Generator, size: tuple[int, int], text: tuple[int, int]) -> tuple[int, int]:
    """Half along the edges, where machines write; half anywhere."""
    free = (size[0] - text[0] - 4, size[1] - text[1] - 4)
    x, y = (int(rng.integers(4, side + 1)) for side in free)
    edge = rng.integers(8)
    if edge == 0:
        y = int(rng.integers(2, min(40, free[1])))
    elif edge == 1:
        y = free[1] - int(rng.integers(0, min(40, free[1])))
    elif edge == 2:
        x = int(rng.integers(2, min(20, free[0])))
    elif edge == 3:
        x = free[0] - int(rng.integers(0, min(20, free[0])))
    return x, y


Look = tuple[str, tuple[int, int, int], tuple[int, int, int] | None]


def look_for(rng: np.random.Generator, below: np.ndarray) -> Look | None:
    if rng.random() < 0.12:
        colour, box = BOXES[rng.integers(len(BOXES))]
        return "box", colour, box
    is_dark = np.percentile(below.max(axis=2), 97) < 40
    names = list(COLOURS) if is_dark else ["white", "yellow", "green", "cyan"]
    name = names[rng.integers(len(names))]
    colour = COLOURS[name]
    differs = np.abs(below.astype(int) - colour).max(axis=2)
    return (
        (name if is_dark else f"{name} over tissue", colour, None)
        if np.percentile(differs, 10) >= LEGIBLE
        else None
    )


def paint(
    rng: np.random.Generator, picture: Image.Image, ink: np.ndarray, at: tuple[int, int], look: Look
) -> None:
    (x, y), (name, colour, box) = at, look
    h, w = ink.shape
    if box:
        margin = int(rng.integers(2, 5))
        ImageDraw.Draw(picture).rectangle((x - margin, y - margin, x + w + margin, y + h + margin), fill=box)
    mask = Image.fromarray(ink)
    if "tissue" in name and rng.random() < 0.3:
        picture.paste((0, 0, 0), (x + 1, y + 1), mask)
    picture.paste(colour, (x, y), mask)


def ink_of(text: str, font: ImageFont.FreeTypeFont, smooth: bool) -> np.ndarray:
    canvas = Image.new("L", (int(font.getlength(text)) + 40, font.size * 3))
    pen = ImageDraw.Draw(canvas)
    pen.fontmode = "L" if smooth else "1"
    pen.text((20, font.size), text, fill=255, font=font)
    ink = np.asarray(canvas)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 60), np.flatnonzero(ink.max(axis=0) > 60)
    return ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def digits(
    rng: np.random.Generator,
    picture: Image.Image,
    sector: tuple[int, int, int, int],
    texts: list[Text],
    fonts: list[str],
) -> None:
    """Numbers of a depth scale: text that names nobody, reported in a row of its own."""
    font = ImageFont.truetype(fonts[0], int(rng.integers(9, 14)))
    x = min(sector[2] + 14, picture.size[0] - 30)
    step = max(40, (sector[3] - sector[1]) // int(rng.integers(4, 9)))
    for number, y in enumerate(range(sector[1] + step, min(sector[3], picture.size[1] - 20), step), start=1):
        ink = ink_of(str(number), font, smooth=True)
        h, w = ink.shape
        if any(meet((x - 4, y - 4, x + w + 4, y + h + 4), t) for t in texts):
            continue
        picture.paste((200, 200, 200), (x, y), Image.fromarray(ink))
        texts.append(Text("scale", "latin", font.size, "scale", x, y, w, h))


def meet(box: tuple[int, int, int, int], t: Text) -> bool:
    return box[0] < t.x + t.w + 6 and t.x - 6 < box[2] and box[1] < t.y + t.h + 5 and t.y - 5 < box[3]


if __name__ == "__main__":
    main()
