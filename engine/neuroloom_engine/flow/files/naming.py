"""What names of files, arrays and variables say: role, direction, unit and VENC. A table of words; looks at
no numbers.

Two letters of the body are from where to where a positive value goes (RL: from right to left), as Siemens'
and Philips' names have it. SI and IS name an axis in GE's, so their sign is unsure. x, y, z, and u, v, w go
along the axes that the file itself counts.
"""

from __future__ import annotations

import re
import unicodedata

from .found import Meaning

# In English, German, French, Spanish, Italian, Russian; those of Chinese are looked for within words.
VELOCITY = set(
    [
        "vel",
        "velo",
        "velocity",
        "velocities",
        "vels",
        "vitesse",
        "geschwindigkeit",
        "velocidad",
        "velocita",
        "velocità",
        "скорость",
        "скорости",
        "vec",
    ]
)
# They name the kind of measurement as well: a magnitude may carry them.
MEASURED = set(
    [
        "phase",
        "pha",
        "ph",
        "phs",
        "phases",
        "fase",
        "pc",
        "pca",
        "flow",
        "fluss",
        "flux",
        "flujo",
        "flusso",
        "venc",
        "фаза",
        "поток",
        "pcm",
        "qflow",
    ]
)
MAGNITUDE = set(
    [
        "mag",
        "magn",
        "magnitude",
        "anatomy",
        "anat",
        "ffe",
        "amplitude",
        "modulus",
        "magnitud",
        "betrag",
        "amplitud",
        "ampiezza",
        "modulo",
        "module",
        "амплитуда",
        "магнитуда",
        "модуль",
    ]
)
OTHER = set(
    [
        "mask",
        "masks",
        "maske",
        "masque",
        "mascara",
        "maschera",
        "маска",
        "seg",
        "segmentation",
        "label",
        "labels",
        "lumen",
        "roi",
        "vorticity",
        "vort",
        "omega",
        "wss",
        "pressure",
        "pcmra",
        "mra",
        "angio",
        "helicity",
        "divergence",
        "distance",
        "std",
        "sigma",
        "snr",
        "quality",
        "speed",
        "rms",
        "probability",
    ]
)
CHINESE = {
    "velocity": ("速度", "流速"),
    "measured": ("相位", "血流"),
    "magnitude": ("幅度", "幅值", "模值", "强度图"),
    "other": ("掩膜", "掩码", "分割", "涡量", "压力"),
}
LETTERS = {"rl": "RL", "lr": "LR", "ap": "AP", "pa": "PA", "fh": "FH", "hf": "HF", "si": "HF", "is": "FH"}
AXIS_ONLY = {"si", "is"}
ENDS = {
    **dict.fromkeys(("right", "rechts", "droite"), "R"),
    **dict.fromkeys(("left", "links", "gauche"), "L"),
    **dict.fromkeys(("anterior", "ant"), "A"),
    **dict.fromkeys(("posterior", "post"), "P"),
    **dict.fromkeys(("foot", "feet", "inferior", "fuss"), "F"),
    **dict.fromkeys(("head", "superior", "kopf"), "H"),
}
# Alone in a name, or behind a `v`.
GRID = {"x": "+x", "y": "+y", "z": "+z"}
ALONE = {"u": "+x", "v": "+y", "w": "+z"}
UNIT = re.compile(
    r"(?<![a-z])(cm|mm|m)\s*(?:/|_per_|_?p|_)\s*s(?:ec)?(?![a-z])|(?<![a-z])(rad|radian)s?(?![a-z])"
)
# Siemens' sequences are called `fl3d1_v150fh`.
VENC = re.compile(
    r"venc[^0-9a-z]{0,3}(\d+(?:\.\d+)?)|(?<![a-z0-9])v(\d{2,3})(?:rl|lr|ap|pa|fh|hf|in)?(?![a-z0-9])"
)


def meaning_of(name: str) -> Meaning:
    """Of a name without folders or ending. An unknown name is unused, and unsure so."""
    words = words_of(name)
    role, is_sure = role_of(name, words)
    if role != "velocity":
        return Meaning(role, unsure=frozenset() if is_sure else frozenset({"role"}))
    direction, is_signed = direction_of(words)
    venc, is_in_unit = venc_of(name)
    unsure = set()
    if not is_sure:
        unsure.add("role")
    if direction is None or not is_signed:
        unsure.add("direction")
    if venc is not None and not is_in_unit:
        unsure.add("venc")
    return Meaning(role, direction, unit_of(name), venc, frozenset(unsure))


def words_of(name: str) -> list[str]:
    """Small letters; parted at capitals, at digits and at everything that is neither."""
    text = unicodedata.normalize("NFC", name)
    text = re.sub(r"(?<=[a-zа-яё])(?=[A-ZА-ЯЁ])", " ", text).lower()
    # `v_x` and `Ux` are `vx`.
    text = re.sub(r"(?<![a-z])[uv][ _.-]?([xyz])(?![a-z])", r"v\1", text)
    return re.findall(r"[a-zà-öø-ÿа-яё]+|[\u4e00-\u9fff]+|\d+", text)


def role_of(name: str, words: list[str]) -> tuple[str, bool]:
    """And whether it is sure."""
    seen = {kind for kind, parts in CHINESE.items() if any(part in name for part in parts)}
    known = set(words)
    tables = {"velocity": VELOCITY, "measured": MEASURED, "magnitude": MAGNITUDE, "other": OTHER}
    seen |= {kind for kind, table in tables.items() if table & known}
    direction, _ = direction_of(words)
    if "other" in seen:
        return "unused", True
    if "magnitude" in seen:
        # The magnitude of a velocity is a speed.
        return ("unused", False) if "velocity" in seen else ("magnitude", True)
    if "velocity" in seen or (direction is not None and (has_own(words) or "measured" in seen)):
        return "velocity", True
    if "measured" in seen:
        return "velocity", False
    return "unused", False


def has_own(words: list[str]) -> bool:
    """The direction alone says that it is a velocity: vx, RL, u; x may be anything."""
    return any(word in LETTERS or re.fullmatch(r"v[xyz]", word) for word in words) or (
        len(words) == 1 and words[0] in ALONE
    )


def direction_of(words: list[str]) -> tuple[str | None, bool]:
    """And whether its sign is told; the last word that names one counts."""
    ends = [ENDS.get(word) for word in words]
    for first, second in zip(ends, ends[1:], strict=False):
        if first and second and first + second in LETTERS.values():
            return first + second, True
    for word in reversed(words):
        if word in LETTERS:
            return LETTERS[word], word not in AXIS_ONLY
        if (found := re.fullmatch(r"v?([xyz])", word)) is not None:
            return GRID[found[1]], True
        if (found := re.fullmatch(r"(?:v|vel)([a-z]{2})", word)) is not None and found[1] in LETTERS:
            return LETTERS[found[1]], found[1] not in AXIS_ONLY
    if words and words[-1] in ALONE:
        return ALONE[words[-1]], True
    return None, False


def unit_of(text: str) -> str | None:
    found = UNIT.search(text.lower())
    if found is None:
        return None
    return "phase" if found[2] else f"{found[1]}/s"


def venc_of(text: str) -> tuple[float | None, bool]:
    """In m/s, and whether its unit is beyond doubt: scanners count in cm/s."""
    found = VENC.search(text.lower())
    value = float(found[1] or found[2]) if found else 0.0
    # v2 is a version, v150 a VENC.
    is_one = value > 0 and (found is None or found[1] is not None or value >= 30)
    return as_venc(value) if is_one else (None, False)


def as_venc(value: float, unit: str | None = None) -> tuple[float, bool]:
    """Of a number whose unit is not told: no vessel needs 20 m/s, and none less than 1 cm/s."""
    scale = {"m/s": 1.0, "cm/s": 0.01, "mm/s": 0.001}.get(unit or "")
    if scale is not None:
        return value * scale, True
    return (value / 100, 30 <= value <= 1000) if value > 10 else (value, False)
