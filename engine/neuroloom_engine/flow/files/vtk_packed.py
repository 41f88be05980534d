"""How VTK's XML packs the numbers of an array: base64 or bytes, behind a head, perhaps in blocks of zlib."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import numpy as np

from .found import File

CHUNK = 1 << 16
MOST_HEAD = 1 << 24


@dataclass(frozen=True)
class Stored:
    """How the arrays of a file are written."""

    order: str
    head: np.dtype
    is_packed: bool
    appended: int | None
    is_base64: bool


def decoded(source: Encoded | Plain, stored: Stored, wanted: int) -> bytes:
    """The bytes of an array; never more than are wanted.

    Packed ones begin with how many blocks there are, two sizes of these, and how long each is.
    """
    width = stored.head.itemsize
    if not stored.is_packed:
        return source.join(width, wanted)
    blocks = int(np.frombuffer(source.peek(width), stored.head)[0])
    if blocks * width > MOST_HEAD:
        raise ValueError(blocks)
    sizes = [int(one) for one in np.frombuffer(source.take((3 + blocks) * width), stored.head)[3:]]
    content = source.take(min(sum(sizes), 2 * wanted + CHUNK))
    made = bytearray()
    place = 0
    for size in sizes:
        if len(made) < wanted:
            made += zlib.decompressobj().decompress(content[place : place + size], wanted - len(made))
        place += size
    return bytes(made)


class Encoded:
    """Bytes from the front of base64. A head and what it tells of are encoded apart, or together."""

    def __init__(self, text: bytes) -> None:
        self.text = b"".join(text.split())

    def take(self, count: int) -> bytes:
        """So many bytes, whose letters end with them."""
        letters = -(-count // 3) * 4
        part, self.text = self.text[:letters], self.text[letters:]
        return base64.b64decode(part)[:count]

    def peek(self, count: int) -> bytes:
        return base64.b64decode(self.text[: -(-count // 3) * 4])[:count]

    def join(self, first: int, count: int) -> bytes:
        """Those behind the first of a single run of letters."""
        return base64.b64decode(self.text[: -(-(first + count) // 3) * 4])[first : first + count]


class Plain:
    def __init__(self, file: File, offset: int) -> None:
        self.file, self.offset = file, offset

    def take(self, count: int) -> bytes:
        with self.file.path.open("rb") as opened:
            opened.seek(self.offset)
            content = opened.read(count)
        self.offset += count
        return content

    def peek(self, count: int) -> bytes:
        content = self.take(count)
        self.offset -= count
        return content

    def join(self, first: int, count: int) -> bytes:
        self.take(first)
        return self.take(count)
