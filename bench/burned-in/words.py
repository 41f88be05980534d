"""Random names, numbers, dates, hospitals and settings in three scripts; nobody is meant."""

from __future__ import annotations

import numpy as np

SCRIPTS = ("latin", "chinese", "cyrillic")
KINDS = ("name", "number", "date", "hospital", "setting")

LATIN = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "ve",
    "wi",
    "xo",
    "ya",
    "zel",
)
CYRILLIC = (
    "ба",
    "ве",
    "ги",
    "до",
    "жу",
    "зя",
    "ил",
    "ко",
    "лю",
    "мы",
    "на",
    "пе",
    "ро",
    "су",
    "ти",
    "фе",
    "хо",
    "ча",
    "ше",
    "щё",
    "эль",
)
CHINESE = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗郑梁谢宋唐许邓冯韩曹曾彭萧蔡潘田董袁于余叶蒋杜苏魏程吕丁沈任姚卢傅钟姜崔谭廖范汪陆金石戴贾韦夏"
    "一二小大中文明国华建军平志强伟丽敏静秀英桂兰玉梅红霞飞龙凤春雷雪晨曦宇轩涵梓萱怡佳欣思雨嘉懿鑫"
)


def text_of(rng: np.random.Generator, kind: str, script: str) -> str:
    match kind:
        case "name":
            return name(rng, script)
        case "number":
            return number(rng, script)
        case "date":
            return date(rng, script)
        case "hospital":
            return hospital(rng, script)
        case _:
            return setting(rng)


def pick(rng: np.random.Generator, of: tuple[str, ...] | str) -> str:
    return of[int(rng.integers(len(of)))]


def word(rng: np.random.Generator, script: str) -> str:
    syllables = LATIN if script == "latin" else CYRILLIC
    made = "".join(pick(rng, syllables) for _ in range(int(rng.integers(2, 5)))).capitalize()
    return made.upper() if rng.random() < 0.4 else made


def characters(rng: np.random.Generator, least: int, most: int) -> str:
    return "".join(pick(rng, CHINESE) for _ in range(int(rng.integers(least, most + 1))))


def name(rng: np.random.Generator, script: str) -> str:
    if script == "chinese":
        return pick(rng, ("", "姓名:", "姓名 ")) + characters(rng, 2, 4)
    parts = f"{word(rng, script)}{pick(rng, (' ', ', ', '^'))}{word(rng, script)}"
    before = ("", "Name: ", "Pt ") if script == "latin" else ("", "Пациент: ", "ФИО ")
    return pick(rng, before) + (parts if rng.random() < 0.8 else word(rng, script))


def number(rng: np.random.Generator, script: str) -> str:
    figures = "".join(str(rng.integers(10)) for _ in range(int(rng.integers(5, 11))))
    before = {
        "latin": ("ID: ", "MRN ", "", "#"),
        "chinese": ("病历号 ", "编号:", "ID "),
        "cyrillic": ("№ ", "ИБ ", ""),
    }
    return pick(rng, before[script]) + figures + pick(rng, ("", "", "-B", "/2"))


def date(rng: np.random.Generator, script: str) -> str:
    y, m, d = int(rng.integers(1931, 2027)), int(rng.integers(1, 13)), int(rng.integers(1, 29))
    time = f" {rng.integers(24):02}:{rng.integers(60):02}:{rng.integers(60):02}" if rng.random() < 0.4 else ""
    forms = {
        "latin": (f"{y}-{m:02}-{d:02}", f"{d:02}/{m:02}/{y}", f"DOB {m:02}/{d:02}/{y}"),
        "chinese": (f"{y}年{m}月{d}日", f"{y}/{m:02}/{d:02}"),
        "cyrillic": (f"{d:02}.{m:02}.{y}", f"{d:02}.{m:02}.{y} г."),
    }
    return pick(rng, forms[script]) + time


def hospital(rng: np.random.Generator, script: str) -> str:
    if script == "chinese":
        return characters(rng, 2, 3) + pick(rng, ("医院", "市人民医院", "大学附属医院", "中心医院"))
    if script == "cyrillic":
        return pick(
            rng, (f"ГКБ № {rng.integers(1, 90)}", f"Больница {word(rng, script)}", f"{word(rng, script)} МЦ")
        )
    return pick(
        rng,
        (
            f"{word(rng, script)} Hospital",
            f"St. {word(rng, script)} Clinic",
            f"{word(rng, script)} Medical Center",
        ),
    )


def setting(rng: np.random.Generator) -> str:
    return pick(
        rng,
        (
            f"MI {rng.random() * 2:.1f}",
            f"TIs {rng.random() * 2:.1f}",
            f"Gn {rng.integers(20, 90)}",
            f"{rng.integers(10, 70)} Hz",
            f"DR {rng.integers(40, 90)} dB",
            f"C5-2 / Abd {rng.integers(2, 9)}.{rng.integers(10)} MHz",
            f"D {rng.integers(3, 24)}.{rng.integers(10)} cm",
        ),
    )
