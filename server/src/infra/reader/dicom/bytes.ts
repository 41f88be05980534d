/** Writes DICOM files (explicit, little-endian) out of plain elements. Knows no image. */

export type Value = string | number | number[] | Buffer | Buffer[]
/** `00280010`, its type, its value; several buffers are fragments of packed pixels. */
export type Entry = readonly [tag: string, type: string, value: Value]

/** Those whose length takes four bytes. */
export const longTypes: ReadonlySet<string> = new Set(['OB', 'OW', 'OF', 'OD', 'SQ', 'UN', 'UT', 'UC', 'UR'])

/** Preamble, file meta and data set; elements may come in any order. */
export function dicomBytes(transferSyntax: string, entries: readonly Entry[]): Buffer[] {
  const of = (tag: string): string => String(entries.find(([one]) => one === tag)?.[2] ?? '')
  const meta = join([
    ['00020001', 'OB', Buffer.from([0, 1])],
    ['00020002', 'UI', of('00080016')],
    ['00020003', 'UI', of('00080018')],
    ['00020010', 'UI', transferSyntax],
    // Ours, made of a random number as PS3.5 B.2 allows.
    ['00020012', 'UI', '2.25.131405843640198237512853404318253981127'],
    ['00020013', 'SH', 'NEUROLOOM'],
  ])
  const length = meta.reduce((sum, part) => sum + part.length, 0)
  return [
    Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')]),
    ...join([['00020000', 'UL', length]]),
    ...meta,
    ...join([...entries].sort(([a], [b]) => (a < b ? -1 : 1))),
  ]
}

/** The value of a sequence: each item with its length. */
export const sequence = (...items: (readonly Entry[])[]): Buffer =>
  Buffer.concat(
    items.flatMap((entries) => {
      const body = join([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
      const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
      head.writeUInt32LE(
        body.reduce((sum, part) => sum + part.length, 0),
        4,
      )
      return [head, ...body]
    }),
  )

/** Of a type `AT`: a tag as a value. */
export function tagValue(tag: string): Buffer {
  const value = Buffer.alloc(4)
  value.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0)
  value.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2)
  return value
}

const join = (entries: readonly Entry[]): Buffer[] => entries.flatMap(elementOf)

/** One element as it stands in a file; without its type where that is implicit. */
export function elementBytes(entry: Entry, isExplicit: boolean): Buffer {
  const [head = Buffer.alloc(0), ...body] = elementOf(entry)
  if (isExplicit) return Buffer.concat([head, ...body])
  const bare = Buffer.alloc(8)
  head.copy(bare, 0, 0, 4)
  bare.writeUInt32LE(
    body.reduce((sum, part) => sum + part.length, 0),
    4,
  )
  return Buffer.concat([bare, ...body])
}

function elementOf([tag, type, value]: Entry): Buffer[] {
  const isPacked = Array.isArray(value) && Buffer.isBuffer(value[0])
  const head = Buffer.alloc(longTypes.has(type) ? 12 : 8)
  head.writeUInt16LE(Number.parseInt(tag.slice(0, 4), 16), 0)
  head.writeUInt16LE(Number.parseInt(tag.slice(4), 16), 2)
  head.write(type, 4, 'latin1')
  if (isPacked) {
    head.writeUInt32LE(0xffffffff, 8)
    // The type says that a list with one buffer holds nothing else.
    return [head, ...fragmentsOf(value as Buffer[])]
  }
  const body = padded(bodyOf(type, value), type)
  if (longTypes.has(type)) head.writeUInt32LE(body.length, 8)
  else head.writeUInt16LE(body.length, 6)
  return [head, body]
}

/** Values have an even length: texts end with a blank, identifiers and bytes with a zero. */
function padded(body: Buffer, type: string): Buffer {
  if (body.length % 2 === 0) return body
  return Buffer.concat([body, Buffer.from(['UI', 'OB', 'UN'].includes(type) ? [0] : [0x20])])
}

function bodyOf(type: string, value: Value): Buffer {
  if (Buffer.isBuffer(value)) return value
  const list = Array.isArray(value) ? value.map(Number) : [value]
  const write: Record<string, [number, (body: Buffer, one: number, at: number) => void]> = {
    US: [2, (body, one, at) => body.writeUInt16LE(one, at)],
    SS: [2, (body, one, at) => body.writeInt16LE(one, at)],
    UL: [4, (body, one, at) => body.writeUInt32LE(one, at)],
    FD: [8, (body, one, at) => body.writeDoubleLE(one, at)],
  }
  const writer = write[type]
  if (!writer) return Buffer.from(list.join('\\'), 'utf8')
  const body = Buffer.alloc(list.length * writer[0])
  for (const [index, one] of list.entries()) writer[1](body, Number(one), index * writer[0])
  return body
}

/** An empty table of offsets, then one fragment a frame. */
function fragmentsOf(frames: Buffer[]): Buffer[] {
  const item = (bytes: Buffer): Buffer[] => {
    const body = padded(bytes, 'OB')
    const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
    head.writeUInt32LE(body.length, 4)
    return [head, body]
  }
  return [
    ...item(Buffer.alloc(0)),
    ...frames.flatMap(item),
    Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]),
  ]
}
