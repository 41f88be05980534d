/** Tells by a file's first bytes whether it is DICOM; small, because every picked file passes here. */

export type Kind = 'dicom' | 'packed' | 'other'

/** Enough for the preamble, for a few elements, and for the first header inside a packed file. */
const headBytes = 4096

export async function kindOf(file: File): Promise<Kind> {
  let head: Uint8Array<ArrayBuffer>
  try {
    head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  } catch {
    // Gone or locked: sending it will fail, and say so.
    return 'other'
  }
  if (isDicom(head)) return 'dicom'
  if (head[0] === 0x1f && head[1] === 0x8b) return (await isDicomWithin(head)) ? 'packed' : 'other'
  // Its name says so, its content cannot be read: the member decides.
  return dicomName.test(file.name) ? 'dicom' : 'other'
}

const dicomName = /(\.(dcm|dicom|dcm30|ima)|^DICOMDIR)$/i

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

/** The head is cut off, so that unpacking ends in an error; what came out before is what counts. */
async function isDicomWithin(head: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const stream = new DecompressionStream('gzip')
  const writer = stream.writable.getWriter()
  writer.write(head).catch(() => {})
  writer.close().catch(() => {})
  const reader = stream.readable.getReader()
  try {
    const { value } = await reader.read()
    return value !== undefined && isDicom(value)
  } catch {
    return false
  } finally {
    reader.cancel().catch(() => {})
  }
}
