/** Writes TIFF stacks: a page a slice, every number as it is, spacing as ImageJ writes it. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { deflateSync } from 'node:zlib'
import { refuse, type Scan, typeOf } from '../model.ts'
import { plainValues } from '../values.ts'

const DEFLATE = 8
const LIMIT_BYTES = 4 * 1024 ** 3 - 1024 ** 2

type Tag = readonly [
  number: number,
  type: 'short' | 'int' | 'ratio' | 'text',
  values: readonly number[] | string,
]

export async function writeTiff(scan: Scan, path: string): Promise<void> {
  const plain = plainValues(scan)
  await pipeline(Readable.from(parts(plain)), createWriteStream(path))
}

/** The header, then for each page its pixels and its tags, which point to the next page's. */
function* parts(scan: Scan): Iterable<Buffer> {
  const { size, channels, samples } = scan
  const [x, y, z, t] = size
  const pages = z * t
  const each = x * y * channels
  let at = 8
  let link: Buffer = Buffer.alloc(8)
  link.write('II*\0', 0, 'latin1')
  for (let page = 0; page < pages; page += 1) {
    const part = samples.subarray(page * each, (page + 1) * each)
    const packed = deflateSync(Buffer.from(part.buffer, part.byteOffset, part.byteLength), { level: 6 })
    const even = Buffer.concat([packed, Buffer.alloc(packed.length % 2)])
    const directory = directoryOf(
      tagsOf(scan, { page, stripAt: at, stripBytes: packed.length }),
      at + even.length,
    )
    if (at + even.length + directory.bytes.length > LIMIT_BYTES) throw refuse('too_large', { limit: 4096 })
    link.writeUInt32LE(directory.at, link.length - 4)
    yield link
    yield even
    yield directory.before
    at = directory.at + directory.entries.length
    link = directory.entries
  }
  yield link
}

function tagsOf(
  scan: Scan,
  { page, stripAt, stripBytes }: { page: number; stripAt: number; stripBytes: number },
): Tag[] {
  const { size, channels, samples, geometry } = scan
  const bits = samples.BYTES_PER_ELEMENT * 8
  const format = typeOf(samples).startsWith('float') ? 3 : typeOf(samples).startsWith('int') ? 2 : 1
  const [spacingX, spacingY] = geometry?.spacing ?? [1, 1]
  return [
    [256, 'int', [size[0]]],
    [257, 'int', [size[1]]],
    [258, 'short', Array.from({ length: channels }, () => bits)],
    [259, 'short', [DEFLATE]],
    [262, 'short', [channels === 3 ? 2 : 1]],
    ...(page === 0 ? [[270, 'text', descriptionOf(scan)] as const] : []),
    [273, 'int', [stripAt]],
    [277, 'short', [channels]],
    [278, 'int', [size[1]]],
    [279, 'int', [stripBytes]],
    [282, 'ratio', [1 / spacingX]],
    [283, 'ratio', [1 / spacingY]],
    [296, 'short', [1]],
    [339, 'short', Array.from({ length: channels }, () => format)],
  ]
}

function descriptionOf({ size: [, , z, t], geometry, frameSeconds }: Scan): string {
  const lines = [
    'ImageJ=1.53t',
    `images=${z * t}`,
    `slices=${z}`,
    ...(t > 1 ? [`frames=${t}`, 'hyperstack=true'] : []),
    ...(geometry ? ['unit=mm', `spacing=${geometry.spacing[2]}`] : []),
    ...(frameSeconds ? [`finterval=${frameSeconds}`] : []),
    'loop=false',
    '',
  ]
  return lines.join('\n')
}

type Directory = { at: number; before: Buffer; entries: Buffer; bytes: Buffer }

/** Values that do not fit into their tag lie before the directory. */
function directoryOf(tags: Tag[], start: number): Directory {
  const before: Buffer[] = []
  let free = start
  const entries = Buffer.alloc(2 + tags.length * 12 + 4)
  entries.writeUInt16LE(tags.length, 0)
  for (const [index, [number, type, values]] of tags.entries()) {
    const body = bodyOf(type, values)
    const at = 2 + index * 12
    entries.writeUInt16LE(number, at)
    entries.writeUInt16LE({ text: 2, short: 3, int: 4, ratio: 5 }[type], at + 2)
    entries.writeUInt32LE(typeof values === 'string' ? body.length : values.length, at + 4)
    if (body.length <= 4) body.copy(entries, at + 8)
    else {
      const even = Buffer.concat([body, Buffer.alloc(body.length % 2)])
      entries.writeUInt32LE(free, at + 8)
      before.push(even)
      free += even.length
    }
  }
  const bytes = Buffer.concat(before)
  return { at: free, before: bytes, entries, bytes: Buffer.concat([bytes, entries]) }
}

function bodyOf(type: Tag[1], values: Tag[2]): Buffer {
  if (typeof values === 'string') return Buffer.from(`${values}\0`, 'utf8')
  const body = Buffer.alloc(values.length * { text: 1, short: 2, int: 4, ratio: 8 }[type])
  for (const [index, value] of values.entries()) {
    if (type === 'short') body.writeUInt16LE(value, index * 2)
    else if (type === 'int') body.writeUInt32LE(value, index * 4)
    else writeRatio(body, value, index * 8)
  }
  return body
}

/** As exact as two numbers of 32 bits can be. */
function writeRatio(body: Buffer, value: number, at: number): void {
  const below = value > 1 ? Math.floor(0xfffffff0 / Math.ceil(value)) : 0xfffffff0
  body.writeUInt32LE(Math.round(value * below), at)
  body.writeUInt32LE(below, at + 4)
}
