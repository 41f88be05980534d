/** Files made to hurt: each is refused with a reason, soon, and without taking the memory that it claims. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { dicomSlice, niftiVolume, tinyPng } from '../../../test/images.ts'
import { Refusal } from './model.ts'
import { readImage } from './read.ts'

const folder = mkdtempSync(join(tmpdir(), 'neuroloom-hostile-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const limitBytes = 64 * 1024 ** 2

/** `opens`, or the reason; anything else is a defect. */
async function outcome(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  try {
    await readImage({ files: [{ path, name }], siblings: new Map(), limitBytes, folder })
    return 'opens'
  } catch (error) {
    if (error instanceof Refusal) return error.reason
    throw error
  }
}

const nifti = (change: (bytes: Buffer) => void): Buffer => {
  const bytes = gunzipSync(niftiVolume({ size: [4, 4, 4] }))
  change(bytes)
  return bytes
}

describe('a NIfTI file', () => {
  it('that claims impossible sizes or places is refused', async () => {
    const cases: [string, (bytes: Buffer) => void][] = [
      ['size_impossible', (bytes) => bytes.writeInt16LE(-4, 42)],
      ['size_impossible', (bytes) => bytes.writeInt16LE(8, 40)],
      ['header_damaged', (bytes) => bytes.writeFloatLE(Number.NaN, 108)],
      ['data_short', (bytes) => bytes.writeFloatLE(1e9, 108)],
      [
        'too_large',
        (bytes) => {
          for (const at of [42, 44, 46]) bytes.writeInt16LE(30_000, at)
        },
      ],
      ['data_short', (bytes) => bytes.writeInt16LE(5, 46)],
      ['compression_unknown', (bytes) => bytes.writeInt16LE(32, 70)],
    ]
    for (const [reason, change] of cases) expect(await outcome('a.nii', nifti(change))).toBe(reason)
  })

  it('whose scale is no number shows the numbers themselves', async () => {
    expect(
      await outcome(
        'a.nii',
        nifti((bytes) => bytes.writeFloatLE(Number.NaN, 112)),
      ),
    ).toBe('opens')
  })

  it('that unpacks to far more than it should is given up', async () => {
    const bomb = gzipSync(Buffer.alloc(limitBytes * 3))
    expect(bomb.length).toBeLessThan(1024 ** 2)
    expect(await outcome('a.nii.gz', bomb)).toBe('too_large')
  })
})

describe('a DICOM file', () => {
  const patched = (tag: [number, number], type: string, value: Buffer): Buffer => {
    const bytes = dicomSlice()
    const head = Buffer.alloc(4)
    head.writeUInt16LE(tag[0], 0)
    head.writeUInt16LE(tag[1], 2)
    const at = bytes.indexOf(head, 132)
    const element = Buffer.concat([head, Buffer.from(type), Buffer.from([value.length, 0]), value])
    return Buffer.concat([
      bytes.subarray(0, at),
      element,
      bytes.subarray(at + 8 + bytes.readUInt16LE(at + 6)),
    ])
  }
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }

  it('with rows of another type, or more frames than there are, is refused', async () => {
    expect(await outcome('a.dcm', patched([0x28, 0x10], 'UL', number(0x10000)))).toBe('data_short')
    expect(await outcome('a.dcm', patched([0x28, 0x10], 'UL', number(0xffffffff)))).toBe('too_large')
    expect(await outcome('a.dcm', patched([0x28, 0x10], 'US', Buffer.from([0, 0])))).toBe('size_impossible')
  })

  it('with ten thousand sequences inside each other ends in a reason', async () => {
    const open = Buffer.from([
      0x08, 0, 0x40, 0x11, 0x53, 0x51, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff, 0, 0xe0, 0xff, 0xff, 0xff,
      0xff,
    ])
    const bytes = dicomSlice()
    const at = bytes.indexOf(Buffer.from([0x10, 0, 0x10, 0]), 132)
    const nested = Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: 10_000 }, () => open)])
    expect(['header_damaged', 'data_short']).toContain(await outcome('a.dcm', nested))
  })

  it('behind a program for another system is still only an image', async () => {
    const bytes = dicomSlice()
    bytes.write('MZ\x90\0', 0, 'latin1')
    expect(await outcome('a.dcm', bytes)).toBe('opens')
  })
})

describe('a picture', () => {
  it('of 50,000 × 50,000 pixels in some hundred kilobytes is refused before it is unpacked', async () => {
    const chunk = (type: string, body: Buffer): Buffer => {
      const bytes = Buffer.concat([Buffer.from(type), body])
      const out = Buffer.alloc(bytes.length + 8)
      out.writeUInt32BE(body.length, 0)
      bytes.copy(out, 4)
      out.writeUInt32BE(crc(bytes), bytes.length + 4)
      return out
    }
    const head = Buffer.alloc(13)
    head.writeUInt32BE(50_000, 0)
    head.writeUInt32BE(50_000, 4)
    head.set([8, 0, 0, 0, 0], 8)
    const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
    const bytes = Buffer.concat([
      signature,
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(1024 ** 2))),
      chunk('IEND', Buffer.alloc(0)),
    ])
    const started = performance.now()
    expect(await outcome('a.png', bytes)).toBe('too_large')
    expect(performance.now() - started).toBeLessThan(2000)
  })

  it('that is a page or a script by its content is no picture', async () => {
    expect(await outcome('a.png', Buffer.from('<script>alert(1)</script>'))).toBe('not_this_kind')
    expect(await outcome('a.svg', Buffer.from('<svg/>'))).toBe('vector_drawing')
  })
})

describe('a header of text', () => {
  it('never leads to files elsewhere', async () => {
    const nrrd = (file: string): Buffer =>
      Buffer.from(`NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 2\nencoding: raw\ndata file: ${file}\n\n`)
    const mhd = (file: string): Buffer =>
      Buffer.from(`NDims = 2\nDimSize = 2 2\nElementType = MET_UCHAR\nElementDataFile = ${file}\n`)
    for (const file of ['/etc/passwd', '../other/secret.raw', 'C:\\secret.raw', 'a/b.raw', '..']) {
      expect(await outcome('a.nhdr', nrrd(file))).toBe('data_file_outside')
      expect(await outcome('a.mhd', mhd(file))).toBe('data_file_outside')
    }
    expect(await outcome('a.nhdr', nrrd('LIST'))).toBe('kind_not_yet')
  })
})

it('mutated files open or are refused, and never break the reader', async () => {
  const seeds: [string, Buffer][] = [
    ['a.nii', gunzipSync(niftiVolume({ size: [4, 4, 4] }))],
    ['a.nii.gz', niftiVolume({ size: [4, 4, 4] })],
    ['a.dcm', dicomSlice()],
    ['a.png', await tinyPng()],
    [
      'a.mha',
      Buffer.from('NDims = 2\nDimSize = 2 2\nElementType = MET_UCHAR\nElementDataFile = LOCAL\nabcd'),
    ],
    ['a.nrrd', Buffer.from('NRRD0004\ntype: uchar\ndimension: 2\nsizes: 2 2\nencoding: raw\n\nabcd')],
  ]
  let state = 20_261_121
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 1) % below
  }
  const outcomes = new Map<string, number>()
  for (let round = 0; round < 1500; round += 1) {
    const [name, seed] = seeds[draw(seeds.length)] ?? ['', Buffer.alloc(0)]
    const bytes = Buffer.from(draw(4) === 0 ? seed.subarray(0, draw(seed.length)) : seed)
    for (let change = draw(6); change >= 0 && bytes.length > 0; change -= 1)
      bytes[draw(bytes.length)] = draw(256)
    const found = await outcome(name, bytes).catch((error: unknown) => {
      throw new Error(`round ${round}, ${name}: ${error instanceof Error ? error.stack : error}`)
    })
    outcomes.set(found, (outcomes.get(found) ?? 0) + 1)
  }
  expect(outcomes.get('opens')).toBeGreaterThan(100)
  expect(outcomes.size).toBeGreaterThan(5)
}, 120_000)

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}
