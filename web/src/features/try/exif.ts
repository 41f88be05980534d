/** The turn that a camera noted in a JPEG (EXIF tag 0x0112). The engine reads pictures as stored, so it is taken out here. */

const TURN = 0x0112

/** Sets the note to "as stored", in place. Answers what it was: 1 as stored, 6 a quarter to the right, 3 upside down, 8 a quarter to the left. */
export function forgetTurn(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (file.length < 4 || view.getUint16(0) !== 0xffd8) return 1
  for (let place = 2; place + 10 < file.length; ) {
    const marker = view.getUint16(place)
    // Of the picture itself from here on, or no JPEG any more.
    if (marker < 0xff01 || marker === 0xffda) return 1
    const length = view.getUint16(place + 2)
    if (marker === 0xffe1 && view.getUint32(place + 4) === 0x45786966) {
      // The file may end before what it announces.
      const bytes = Math.max(0, Math.min(length - 8, file.length - place - 10))
      return turnIn(new DataView(file.buffer, file.byteOffset + place + 10, bytes))
    }
    place += 2 + length
  }
  return 1
}

/** Of a TIFF head: byte order, then the first list of tags. */
function turnIn(tags: DataView): number {
  try {
    const isLittle = tags.getUint16(0) === 0x4949
    const start = tags.getUint32(4, isLittle)
    const count = tags.getUint16(start, isLittle)
    for (let index = 0; index < count; index++) {
      const at = start + 2 + 12 * index
      if (tags.getUint16(at, isLittle) !== TURN) continue
      const turn = tags.getUint16(at + 8, isLittle)
      tags.setUint16(at + 8, 1, isLittle)
      return turn >= 1 && turn <= 8 ? turn : 1
    }
  } catch {
    // A list that ends too early says nothing.
  }
  return 1
}
