/** Writes DICOM files for tests, by its own simple means rather than those under test. */

export type Syntax = { isExplicit: boolean; isLittle: boolean; uid: string }
export const syntaxes = {
  implicit: { isExplicit: false, isLittle: true, uid: '1.2.840.10008.1.2' },
  explicit: { isExplicit: true, isLittle: true, uid: '1.2.840.10008.1.2.1' },
  big: { isExplicit: true, isLittle: false, uid: '1.2.840.10008.1.2.2' },
} as const satisfies Record<string, Syntax>

/** Text, bytes, or the items of a sequence. */
export type Value = string | Uint8Array | Element[][]
export type Element = { tag: number; vr: string; value: Value; isOpen?: boolean }

export const make = (tag: number, vr: string, value: Value, isOpen = false): Element => ({
  tag,
  vr,
  value,
  isOpen,
})

const longForms = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])

export function write(elements: Element[], syntax: Syntax): Uint8Array<ArrayBuffer> {
  const sorted = [...elements].sort((a, b) => a.tag - b.tag)
  return join(sorted.map((element) => writeOne(element, syntax)))
}

/** Preamble, head and data set. */
export function file(
  elements: Element[],
  syntax: Syntax = syntaxes.explicit,
  preamble = new Uint8Array(128),
) {
  const head = write(
    [
      make(0x00020001, 'OB', Uint8Array.of(0, 1)),
      make(0x00020002, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
      make(0x00020003, 'UI', textOf(elements, 0x00080018)),
      make(0x00020010, 'UI', syntax.uid),
      make(0x00020016, 'AE', 'SECRET_AE_TITLE'),
    ],
    syntaxes.explicit,
  )
  const length = write([make(0x00020000, 'UL', number(head.length, 4, syntaxes.explicit))], syntaxes.explicit)
  return join([preamble, ascii('DICM'), length, head, write(elements, syntax)])
}

export const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
export const binary = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

export function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const part of parts) {
    all.set(part, offset)
    offset += part.length
  }
  return all
}

export function number(value: number, size: 2 | 4, { isLittle }: Syntax): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  if (size === 2) view.setUint16(0, value, isLittle)
  else view.setUint32(0, value, isLittle)
  return bytes
}

export function header(tag: number, vr: string, length: number, syntax: Syntax): Uint8Array {
  const start = [number(tag >>> 16, 2, syntax), number(tag & 0xffff, 2, syntax)]
  if (!syntax.isExplicit || vr === '') return join([...start, number(length, 4, syntax)])
  if (longForms.has(vr)) return join([...start, ascii(vr), new Uint8Array(2), number(length, 4, syntax)])
  return join([...start, ascii(vr), number(length, 2, syntax)])
}

function writeOne({ tag, vr, value, isOpen }: Element, syntax: Syntax): Uint8Array {
  if (Array.isArray(value)) {
    const items = join(value.map((item) => writeItem(item, syntax, isOpen ?? false)))
    const end = isOpen ? header(0xfffee0dd, '', 0, syntax) : new Uint8Array()
    return join([header(tag, vr, isOpen ? 0xffffffff : items.length, syntax), items, end])
  }
  const bytes = typeof value === 'string' ? ascii(value) : value
  const padding = bytes.length % 2 === 0 ? [] : [vr === 'UI' || vr.startsWith('O') ? 0 : 0x20]
  const even = join([bytes, Uint8Array.from(padding)])
  return join([header(tag, vr, even.length, syntax), even])
}

function writeItem(elements: Element[], syntax: Syntax, isOpen: boolean): Uint8Array {
  const content = write(elements, syntax)
  const end = isOpen ? header(0xfffee00d, '', 0, syntax) : new Uint8Array()
  return join([header(0xfffee000, '', isOpen ? 0xffffffff : content.length, syntax), content, end])
}

function textOf(elements: Element[], tag: number): string {
  const value = elements.find((element) => element.tag === tag)?.value
  return typeof value === 'string' ? value : ''
}

/** A small picture that a scanner could have made. */
export const picture = (): Element[] => [
  make(0x00080005, 'CS', 'ISO_IR 192'),
  make(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
  make(0x00080018, 'UI', '1.2.3.18'),
  make(0x00080060, 'CS', 'CT'),
  make(0x00100010, 'PN', 'Doe^Jane'),
  make(0x00100020, 'LO', 'PAT-4711'),
  make(0x0020000d, 'UI', '1.2.3.13'),
  make(0x0020000e, 'UI', '1.2.3.14'),
  make(0x00280002, 'US', Uint8Array.of(1, 0)),
  make(0x00280004, 'CS', 'MONOCHROME2'),
  make(0x7fe00010, 'OW', pixels),
]

export const pixels = Uint8Array.from({ length: 64 }, (_, index) => (index * 37) % 256)

/** Reads a data set back: tag, kind, and raw bytes or items; by its own simple means too. */
export type Read = { tag: number; vr: string; bytes: Uint8Array; items: Read[][] | null }

export function read(bytes: Uint8Array, syntax: Syntax, start = 0, end = bytes.length): Read[] {
  return readUntil(bytes, syntax, start, end).elements
}

/** Head and data set of a whole file; the syntax is the one that the head names, unless one is given. */
export function readFile(bytes: Uint8Array, given?: Syntax): { head: Read[]; data: Read[] } {
  // Group by group: the length that the head gives is not always true.
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  let dataStart = 132
  while (dataStart < bytes.length && view.getUint16(dataStart, true) === 2) {
    const isLong = longForms.has(binary(bytes.subarray(dataStart + 4, dataStart + 6)))
    dataStart += isLong ? 12 + view.getUint32(dataStart + 8, true) : 8 + view.getUint16(dataStart + 6, true)
  }
  const head = read(bytes, syntaxes.explicit, 132, dataStart)
  const uid = binary(head.find(({ tag }) => tag === 0x00020010)?.bytes ?? new Uint8Array()).replace('\0', '')
  const syntax = given ?? Object.values(syntaxes).find((one) => one.uid === uid) ?? syntaxes.explicit
  return { head, data: read(bytes, syntax, dataStart) }
}

function readUntil(bytes: Uint8Array, syntax: Syntax, start: number, end: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const elements: Read[] = []
  let offset = start
  while (offset < end) {
    const tag =
      view.getUint16(offset, syntax.isLittle) * 0x10000 + view.getUint16(offset + 2, syntax.isLittle)
    if (tag === 0xfffee00d) return { elements, offset: offset + 8 }
    const vr = syntax.isExplicit ? binary(bytes.subarray(offset + 4, offset + 6)) : ''
    const isLong = longForms.has(vr)
    const lengthAt = offset + (vr === '' ? 4 : isLong ? 8 : 6)
    const length =
      vr === '' || isLong
        ? view.getUint32(lengthAt, syntax.isLittle)
        : view.getUint16(lengthAt, syntax.isLittle)
    const value = lengthAt + (vr === '' || isLong ? 4 : 2)
    if (tag === 0x7fe00010 && length === 0xffffffff) {
      const after = endOfFragments(view, value, syntax)
      elements.push({ tag, vr, bytes: bytes.subarray(value, after), items: null })
      offset = after
      continue
    }
    const isItems =
      length > 0 && tag !== 0x7fe00010 && view.byteLength >= value + 4 && isItem(view, value, syntax)
    if (isItems || length === 0xffffffff) {
      const { items, offset: after } = readItems(
        bytes,
        syntax,
        value,
        length === 0xffffffff ? null : value + length,
      )
      elements.push({ tag, vr, bytes: bytes.subarray(value, after), items })
      offset = after
    } else {
      elements.push({ tag, vr, bytes: bytes.subarray(value, value + length), items: vr === 'SQ' ? [] : null })
      offset = value + length
    }
  }
  return { elements, offset }
}

function endOfFragments(view: DataView, start: number, { isLittle }: Syntax): number {
  let offset = start
  while (view.getUint16(offset + 2, isLittle) !== 0xe0dd) offset += 8 + view.getUint32(offset + 4, isLittle)
  return offset + 8
}

const isItem = (view: DataView, offset: number, { isLittle }: Syntax) =>
  view.getUint16(offset, isLittle) === 0xfffe && view.getUint16(offset + 2, isLittle) === 0xe000

function readItems(bytes: Uint8Array, syntax: Syntax, start: number, end: number | null) {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const items: Read[][] = []
  let offset = start
  while (end === null || offset < end) {
    const tag = view.getUint16(offset + 2, syntax.isLittle)
    const length = view.getUint32(offset + 4, syntax.isLittle)
    offset += 8
    if (tag === 0xe0dd) break
    const item = readUntil(bytes, syntax, offset, length === 0xffffffff ? bytes.length : offset + length)
    items.push(item.elements)
    offset = item.offset
  }
  return { items, offset }
}
