"""What an ultrasound picture shows besides text: tissue with speckle, and what machines draw around it."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
from PIL import Image, ImageDraw

Box = tuple[int, int, int, int]


def blurred(values: np.ndarray, across: int, down: int) -> np.ndarray:
    """Running means along both axes, twice: near a normal bell."""
    for _ in range(2):
        for axis, width in ((1, across), (0, down)):
            if width > 1:
                total = np.cumsum(np.insert(values, 0, 0, axis=axis), axis=axis)
                inner = np.take(total, range(width, total.shape[axis]), axis=axis) - np.take(
                    total, range(total.shape[axis] - width), axis=axis
                )
                pad = [(0, 0), (0, 0)]
                pad[axis] = (width // 2, width - 1 - width // 2)
                values = np.pad(inner / width, pad, mode="edge")
    return values


def tissue(rng: np.random.Generator, width: int, height: int) -> tuple[np.ndarray, Box]:
    """Pixels (height, width, 3) and the box around the sector."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    top = float(rng.uniform(0.06, 0.16)) * height
    bottom = float(rng.uniform(0.82, 0.95)) * height
    centre = float(rng.uniform(0.42, 0.58)) * width
    if rng.random() < 0.6:
        apex = top - float(rng.uniform(0.0, 0.25)) * height
        radius = np.hypot(x - centre, y - apex)
        inside = (np.abs(np.arctan2(x - centre, y - apex)) < float(rng.uniform(0.45, 0.75))) & (
            radius < bottom - apex
        )
        inside &= radius > top - apex + 2
        depth = (radius - (top - apex)) / (bottom - top)
    else:
        half = float(rng.uniform(0.2, 0.38)) * width
        inside = (np.abs(x - centre) < half) & (y > top) & (y < bottom)
        depth = (y - top) / (bottom - top)
    across, down = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    noise = [blurred(rng.standard_normal((height, width)), across, down) for _ in range(2)]
    strength = np.hypot(noise[0], noise[1])
    level = scene(rng, x / width, y / height) * np.exp(-depth * float(rng.uniform(0.0, 2.5)))
    decibels = 20 * np.log10(strength / strength.mean() * level + 1e-6)
    span = float(rng.uniform(40, 65))
    grey = (
        np.clip((decibels + span * float(rng.uniform(0.45, 0.75))) / span, 0, 1)
        * 255
        * float(rng.uniform(0.55, 0.9))
    )
    grey = np.where(inside, grey, float(rng.integers(0, 12)))
    pixels = np.repeat(grey[..., None], 3, axis=2)
    if rng.random() < 0.3:
        doppler(rng, pixels, inside)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    return pixels.astype(np.uint8), (int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1]))


def scene(rng: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How strongly each place sends back: regions, dark cysts, bright plates with shadows."""
    level = np.exp(0.5 * blurred(rng.standard_normal(x.shape), 101, 61) * 40)
    for _ in range(rng.integers(1, 6)):
        cx, cy, a, b = (
            rng.uniform(0.3, 0.7),
            rng.uniform(0.2, 0.9),
            rng.uniform(0.02, 0.15),
            rng.uniform(0.02, 0.12),
        )
        level = np.where(
            ((x - cx) / a) ** 2 + ((y - cy) / b) ** 2 < 1, level * rng.choice([0.02, 0.2, 0.4, 2.5]), level
        )
    for _ in range(rng.integers(0, 4)):
        cy, bend, thick = rng.uniform(0.2, 0.9), rng.uniform(-0.6, 0.6), rng.uniform(0.003, 0.012)
        plate = np.abs(y - cy - bend * (x - 0.5) ** 2) < thick
        level = np.where(
            plate & (np.abs(x - rng.uniform(0.3, 0.7)) < rng.uniform(0.03, 0.2)), level * 6, level
        )
    return level


def doppler(rng: np.random.Generator, pixels: np.ndarray, inside: np.ndarray) -> None:
    height, width = inside.shape
    w, h = int(rng.uniform(0.12, 0.3) * width), int(rng.uniform(0.12, 0.3) * height)
    x, y = int(rng.uniform(0.35, 0.5) * width), int(rng.uniform(0.25, 0.6) * height)
    flow = blurred(rng.standard_normal((h, w)), 15, 11) * 18
    colour = np.stack(
        [np.clip(flow, 0, 1) * 255, np.abs(flow).clip(0, 1) ** 2 * 130, np.clip(-flow, 0, 1) * 255], axis=2
    )
    part = pixels[y : y + h, x : x + w]
    shown = (np.abs(flow) > 0.35)[..., None] & inside[y : y + h, x : x + w][..., None]
    part[:] = np.where(shown, colour, part)


class Furniture:
    """What machines draw around the sector, none of it letters; texts keep clear of where it is."""

    def __init__(self, rng: np.random.Generator, picture: Image.Image, sector: Box) -> None:
        self.rng, self.pen, self.sector = rng, ImageDraw.Draw(picture), sector
        self.width, self.height = picture.size
        self.taken: list[Box] = []

    def draw(self) -> None:
        draws = (
            self.bars,
            self.grey_bar,
            self.depth_ticks,
            self.time_ticks,
            self.calipers,
            self.arrows,
            self.ecg,
        )
        for one in (*draws, self.body_mark, self.icons, self.probe_mark, self.frame):
            if self.rng.random() < 0.45:
                one()

    def takes(self, box: Box) -> bool:
        return any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in self.taken)

    def take(self, *box: float) -> None:
        x0, y0, x1, y1 = (int(value) for value in box)
        self.taken.append((min(x0, x1) - 3, min(y0, y1) - 3, max(x0, x1) + 3, max(y0, y1) + 3))

    def shade(self, least: int = 150) -> tuple[int, int, int]:
        value = int(self.rng.integers(least, 256))
        choices = ((value,) * 3, (value, value, 60), (90, value, 110), (240, 160, 40))
        return choices[self.rng.integers(4)]

    def bars(self) -> None:
        """Plain areas of a program's window; texts may stand on them."""
        shade = int(self.rng.integers(18, 46))
        if self.rng.random() < 0.6:
            self.pen.rectangle(
                (0, 0, self.width, int(self.rng.integers(16, 34))), fill=(shade, shade, shade + 6)
            )
        if self.rng.random() < 0.4:
            self.pen.rectangle(
                (0, self.height - int(self.rng.integers(14, 30)), self.width, self.height), fill=(shade,) * 3
            )

    def grey_bar(self) -> None:
        x = int(self.rng.choice([self.rng.integers(6, 26), self.width - self.rng.integers(22, 50)]))
        top, tall, wide = (
            int(self.rng.uniform(0.1, 0.4) * self.height),
            int(self.rng.uniform(0.15, 0.5) * self.height),
            int(self.rng.integers(6, 18)),
        )
        is_colour = self.rng.random() < 0.4
        for row in range(tall):
            part = 1 - row / tall
            warm = (
                (255 * min(1, 2 * part - 1), 160 * (2 * part - 1) ** 2, 0)
                if part > 0.5
                else (0, 160 * (1 - 2 * part) ** 2, 255 * (1 - 2 * part))
            )
            fill = tuple(int(v) for v in warm) if is_colour else (int(255 * part),) * 3
            self.pen.line((x, top + row, x + wide, top + row), fill=fill)
        if self.rng.random() < 0.5:
            self.pen.rectangle((x - 1, top - 1, x + wide + 1, top + tall), outline=(150, 150, 150))
        self.take(x, top, x + wide, top + tall)

    def depth_ticks(self) -> None:
        x = (
            self.sector[2] + int(self.rng.integers(4, 10))
            if self.rng.random() < 0.7
            else max(4, self.sector[0] - 14)
        )
        step, fill = float(self.rng.uniform(6, 30)), self.shade(120)
        y, number = float(self.sector[1]), 0
        while y < self.sector[3]:
            long = 10 if number % 5 == 0 else 5
            self.pen.line((x, int(y), x + long, int(y)), fill=fill)
            y, number = y + step, number + 1
        self.take(x, self.sector[1], x + 10, self.sector[3])
        if self.rng.random() < 0.5:
            focus = self.rng.uniform(self.sector[1] + 20, self.sector[3] - 20)
            self.pen.polygon(((x + 14, focus), (x + 22, focus - 5), (x + 22, focus + 5)), fill=fill)
            self.take(x + 14, focus - 5, x + 22, focus + 5)

    def time_ticks(self) -> None:
        y, fill = min(self.sector[3] + int(self.rng.integers(4, 14)), self.height - 12), self.shade(120)
        step = float(self.rng.uniform(7, 40))
        for number in range(int((self.sector[2] - self.sector[0]) / step)):
            x = self.sector[0] + int(number * step)
            self.pen.line((x, y, x, y + (8 if number % 5 == 0 else 4)), fill=fill)
        self.take(self.sector[0], y, self.sector[2], y + 8)

    def calipers(self) -> None:
        for _ in range(self.rng.integers(1, 4)):
            (x0, y0), (x1, y1) = self.inside(), self.inside()
            r, fill, is_cross = int(self.rng.integers(3, 8)), self.shade(), self.rng.random() < 0.5
            for x, y in ((x0, y0), (x1, y1)):
                ends = ((-r, -r, r, r), (-r, r, r, -r)) if is_cross else ((-r, 0, r, 0), (0, -r, 0, r))
                for a, b, c, d in ends:
                    self.pen.line((x + a, y + b, x + c, y + d), fill=fill)
                self.take(x - r, y - r, x + r, y + r)
            if self.rng.random() < 0.7:
                steps = int(np.hypot(x1 - x0, y1 - y0) / self.rng.uniform(4, 9))
                for step in range(1, steps):
                    x, y = x0 + (x1 - x0) * step / steps, y0 + (y1 - y0) * step / steps
                    self.pen.rectangle((x, y, x + 1, y + self.rng.integers(2)), fill=fill)
                    self.take(x, y, x + 1, y + 1)

    def inside(self) -> tuple[int, int]:
        return tuple(int(self.rng.integers(self.sector[k] + 12, self.sector[k + 2] - 12)) for k in (0, 1))  # type: ignore[return-value]

    def arrows(self) -> None:
        for _ in range(self.rng.integers(1, 4)):
            (x, y), angle, long, fill = (
                self.inside(),
                self.rng.uniform(0, 2 * pi),
                self.rng.uniform(12, 36),
                self.shade(),
            )
            tip = (x + long * cos(angle), y + long * sin(angle))
            self.pen.line((x, y, *tip), fill=fill, width=int(self.rng.integers(1, 4)))
            wings = [
                (tip[0] - 9 * cos(angle + turn), tip[1] - 9 * sin(angle + turn)) for turn in (-0.45, 0.45)
            ]
            self.pen.polygon((tip, *wings), fill=fill)
            self.take(min(x, tip[0]) - 6, min(y, tip[1]) - 6, max(x, tip[0]) + 6, max(y, tip[1]) + 6)

    def ecg(self) -> None:
        base, tall, beat = (
            self.height - self.rng.uniform(30, 60),
            self.rng.uniform(8, 24),
            self.rng.uniform(40, 120),
        )
        points = []
        for x in range(self.sector[0], self.sector[2]):
            phase = ((x / beat) % 1) * 2 * pi
            points.append(
                (
                    x,
                    base
                    - tall
                    * (
                        np.exp(-((phase - 2) ** 2) * 40)
                        - 0.3 * np.exp(-((phase - 2.3) ** 2) * 60)
                        + 0.2 * np.exp(-((phase - 3.6) ** 2) * 5)
                    ),
                )
            )
        self.pen.line(points, fill=self.shade(), width=int(self.rng.integers(1, 3)))
        self.take(self.sector[0], base - tall - 3, self.sector[2], base + tall * 0.4)

    def body_mark(self) -> None:
        x, y = self.rng.uniform(0.02, 0.9) * self.width, self.rng.uniform(0.7, 0.88) * self.height
        w, h, fill = self.rng.uniform(20, 50), self.rng.uniform(30, 70), self.shade()
        shapes = (self.pen.ellipse, self.pen.rectangle)
        shapes[self.rng.integers(2)]((x, y, x + w, y + h), outline=fill)
        self.pen.line((x + w * 0.3, y + h * 0.5, x + w * 0.7, y + h * 0.6), fill=self.shade(), width=2)
        self.take(x, y, x + w, y + h)

    def icons(self) -> None:
        """A row or a column of buttons with plain shapes in them."""
        side, fill = int(self.rng.integers(10, 28)), self.shade(120)
        x, y = int(self.rng.integers(4, self.width - 40)), int(self.rng.integers(4, self.height - 40))
        is_row, gap = self.rng.random() < 0.6, int(self.rng.integers(3, 16))
        for number in range(self.rng.integers(1, 6)):
            x0, y0 = x + (side + gap) * number * is_row, y + (side + gap) * number * (not is_row)
            box = (x0, y0, x0 + side, y0 + side)
            if x0 + side > self.width - 4 or y0 + side > self.height - 4 or self.takes(box):
                return
            self.icon(box, fill)
            self.take(*box)

    def icon(self, box: Box, fill: tuple[int, int, int]) -> None:
        x0, y0, x1, y1 = box
        m = (x1 - x0) // 4
        match int(self.rng.integers(6)):
            case 0:
                self.pen.ellipse(box, outline=fill, width=2)
            case 1:
                self.pen.rectangle(box, outline=fill)
                self.pen.polygon(((x0 + m, y0 + m), (x1 - m, (y0 + y1) / 2), (x0 + m, y1 - m)), fill=fill)
            case 2:
                self.pen.rectangle(box, fill=fill)
            case 3:
                self.pen.polygon(((x0, y1), ((x0 + x1) / 2, y0), (x1, y1)), outline=fill)
            case 4:
                for row in range(3):
                    self.pen.line((x0, y0 + m + row * m, x1, y0 + m + row * m), fill=fill, width=2)
            case _:
                self.pen.pieslice(box, 30, 300, fill=fill)

    def probe_mark(self) -> None:
        x, y, r = (
            self.sector[0] + self.rng.integers(0, 40),
            self.sector[1] - 12,
            int(self.rng.integers(4, 10)),
        )
        fill = self.shade()
        if self.rng.random() < 0.5:
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)
        else:
            self.pen.arc((x - r, y - r, x + r, y + r), 0, 250, fill=fill, width=2)
            self.pen.line((x, y - r, x, y + r), fill=fill, width=2)
        self.take(x - r, y - r, x + r, y + r)

    def frame(self) -> None:
        x0, y0, x1, y1 = self.sector
        self.pen.rectangle((x0 - 2, y0 - 2, x1 + 2, y1 + 2), outline=self.shade(80))
        for box in (
            (x0 - 2, y0 - 2, x1 + 2, y0),
            (x0 - 2, y1, x1 + 2, y1 + 2),
            (x0 - 2, y0, x0, y1),
            (x1, y0, x1 + 2, y1),
        ):
            self.take(*box)
