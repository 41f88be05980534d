import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readPhotoshop } from './photoshop.ts'

type Made = { mode?: number; depth?: number; planes: number[][]; palette?: Buffer; packing?: number }

/** Two pixels in one row, plane by plane, after a section of layers that nobody looks at. */
function make({ mode = 3, depth = 8, planes, palette = Buffer.alloc(0), packing = 0 }: Made): Buffer {
  const head = Buffer.alloc(26)
  head.write('8BPS')
  for (const [value, at] of [
    [1, 4],
    [planes.length, 12],
    [depth, 22],
    [mode, 24],
  ] as const)
    head.writeUInt16BE(value, at)
  head.writeUInt32BE(1, 14)
  head.writeUInt32BE(2, 18)
  const section = (bytes: Buffer) => Buffer.concat([long(bytes.length), bytes])
  const rows = planes.map((row) => Buffer.from(row))
  const layers = Buffer.from('layers')
  return Buffer.concat([
    head,
    section(palette),
    section(Buffer.alloc(0)),
    section(layers),
    packed(rows, packing),
  ])
}

/** 0 as they are, 1 row by row with the lengths before, 2 deflated. */
function packed(rows: Buffer[], packing: number): Buffer {
  const kind = Buffer.from([0, packing])
  if (packing === 2) return Buffer.concat([kind, deflateSync(Buffer.concat(rows))])
  if (packing === 0) return Buffer.concat([kind, ...rows])
  // Equal pixels as one that repeats, others as they are.
  const short = rows.map((row) =>
    row[0] === row[1] ? Buffer.from([255, row[0] ?? 0]) : Buffer.concat([Buffer.from([row.length - 1]), row]),
  )
  const lengths = short.map(({ length }) => Buffer.from([0, length]))
  return Buffer.concat([kind, ...lengths, ...short])
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

describe('the flat picture of a Photoshop file', () => {
  const [red, green, blue] = [
    [10, 10],
    [20, 21],
    [30, 31],
  ] as [number[], number[], number[]]
  const colours = [10, 20, 30, 10, 21, 31]

  it.each([0, 1, 2])('has its colours, packed in way %i', (packing) => {
    const { samples, channels, size, notes } = readPhotoshop(make({ planes: [red, green, blue], packing }))
    expect({ samples: [...samples], channels, size }).toEqual({
      samples: colours,
      channels: 3,
      size: [2, 1, 1, 1],
    })
    expect(notes).toEqual([])
  })

  it('is shown without what is see-through, which is said', () => {
    const { samples, notes } = readPhotoshop(make({ planes: [red, green, blue, [0, 255]] }))
    expect([...samples]).toEqual(colours)
    expect(notes.map(({ name }) => name)).toEqual(['transparency_dropped'])
  })

  it('has colours for a screen where it was made for paper, or with a table of colours', () => {
    const ink = readPhotoshop(make({ mode: 4, planes: [...[red, green, blue], [255, 0]] }))
    expect([...ink.samples]).toEqual([10, 20, 30, 0, 0, 0])
    const palette = Buffer.alloc(768)
    for (const [channel, value] of [7, 8, 9].entries()) palette[channel * 256 + 5] = value
    const table = readPhotoshop(make({ mode: 2, planes: [[5, 0]], palette }))
    expect([...table.samples]).toEqual([7, 8, 9, 0, 0, 0])
    for (const { notes } of [ink, table]) expect(notes.map(({ name }) => name)).toEqual(['colours_converted'])
  })

  it('keeps the 16 bits of a grey one', () => {
    const { samples, channels, bits } = readPhotoshop(make({ mode: 1, depth: 16, planes: [[1, 2, 3, 4]] }))
    expect({ samples: [...samples], channels, bits }).toEqual({ samples: [258, 772], channels: 1, bits: 16 })
  })
})
