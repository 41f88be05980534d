/** Tells by the first bytes whether something is DICOM, with its head or without. */

/** With its head, without preamble, or the bare data set. */
export function isDicom(head: Uint8Array): boolean {
  return textAt(head, 128, 4) === 'DICM' || startsWithElements(head)
}

/**
 * A bare data set begins with small groups in rising order; three such elements in a row are no chance. The first
 * group of an object is 0008 (2 where a head without preamble comes first).
 */
function startsWithElements(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  if (head.length < 24) return false
  const isLittle = head[0] !== 0
  const first = view.getUint16(0, isLittle)
  if (first !== 2 && first !== 8) return false
  let [offset, before] = [0, 0]
  for (let count = 0; count < 3; count += 1) {
    if (offset + 8 > head.length) return false
    const tag = view.getUint16(offset, isLittle) * 0x10000 + view.getUint16(offset + 2, isLittle)
    const length = lengthAt(view, offset, isLittle)
    if (tag < before || tag > 0x00100000 || length === null || length.value > 4096) return false
    before = tag + 1
    offset += length.header + length.value
  }
  return true
}

function lengthAt(view: DataView, offset: number, isLittle: boolean) {
  const vr = String.fromCharCode(view.getUint8(offset + 4), view.getUint8(offset + 5))
  if (!/^[A-Z]{2}$/.test(vr)) return { header: 8, value: view.getUint32(offset + 4, isLittle) }
  if (!/^(O[BDFLVW]|S[QV]|U[CNRTV])$/.test(vr))
    return { header: 8, value: view.getUint16(offset + 6, isLittle) }
  return offset + 12 > view.byteLength ? null : { header: 12, value: view.getUint32(offset + 8, isLittle) }
}

const textAt = (bytes: Uint8Array, start: number, length: number) =>
  String.fromCharCode(...bytes.subarray(start, start + length))
