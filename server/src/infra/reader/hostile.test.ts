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

function open(name: string, bytes: Buffer) {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  return readImage({ files: [{ path, name }], siblings: new Map(), limitBytes, folder })
}

/** `opens`, or the reason; anything else is a defect. */
async function outcome(name: string, bytes: Buffer): Promise<string> {
  try {
    await open(name, bytes)
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
      ['complex_values', (bytes) => bytes.writeInt16LE(32, 70)],
      ['number_type_unknown', (bytes) => bytes.writeInt16LE(1536, 70)],
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
    expect(await outcome('a.png', bytes)).toBe('too_large')
  })

  it('that is a page or a script by its content is no picture', async () => {
    expect(await outcome('a.png', Buffer.from('<script>alert(1)</script>'))).toBe('not_this_kind')
    expect(await outcome('a.svg', Buffer.from('<html><svg/></html>'))).toBe('not_this_kind')
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
})

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}

describe('a file of a kind that is not read', () => {
  it('is called what it is, not what its first numbers resemble', async () => {
    const targa = Buffer.concat([
      Buffer.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 3, 0, 24, 0]),
      Buffer.alloc(36),
    ])
    for (const name of ['a.tga', 'a'])
      await expect(open(name, targa)).rejects.toMatchObject({
        reason: 'kind_not_yet',
        params: { kind: 'TGA (Targa)' },
      })
  })
})

describe('a drawing', () => {
  const svg = (inner: string, before = ''): Buffer =>
    Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8">${inner}</svg>`)

  it('becomes a picture: scripts are not run, and nothing outside of it is read', async () => {
    const secret = join(folder, 'secret.png')
    writeFileSync(secret, await tinyPng())
    const evil = svg(
      `<script>process.exit(7)</script><image href="file://${secret}" width="8" height="8"/>
       <image href="http://127.0.0.1:1/x.png" width="8" height="8"/>`,
    )
    const { scan } = await open('a.svg', evil)
    expect(scan).toMatchObject({ size: [8, 8, 1, 1], channels: 3 })
    expect(scan.samples.every((sample) => sample === 255)).toBe(true)
  })

  it('of black lines on transparent ground is shown on white', async () => {
    const { scan } = await open('a.svg', svg('<path d="M0 0h4v8H0z" opacity="0.5"/><path d="M0 0h2v8H0z"/>'))
    const line = Array.from(scan.samples.subarray(0, 24)).filter((_, index) => index % 3 === 0)
    expect(line).toEqual([0, 0, 127, 127, 255, 255, 255, 255])
    expect(scan.notes).toEqual([])
  })

  it('that unfolds to more than it should, or is too large, is refused', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`,
    )
    const bomb = svg('<text>&e9;</text>', `<!DOCTYPE svg [<!ENTITY e0 "ha">${laughs.join('')}]>`)
    expect(await outcome('a.svg', bomb)).not.toBe('opens')
    const large = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>')
    expect(await outcome('a.svg', large)).not.toBe('opens')
    expect(await outcome('a.svg', Buffer.from('<svg/>'))).not.toBe('opens')
  })
})

describe('a file of a further format', () => {
  const psd = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.alloc(40 + 12)
    bytes.write('8BPS')
    for (const [value, at] of [
      [1, 4],
      [3, 12],
      [8, 22],
      [3, 24],
    ] as const)
      bytes.writeUInt16BE(value, at)
    for (const at of [14, 18]) bytes.writeUInt32BE(2, at)
    change(bytes)
    return bytes
  }
  const npy = (header: string): Buffer => {
    const head = Buffer.from(`\x93NUMPY\x01\x00\x00\x00${header}`, 'latin1')
    head.writeUInt16LE(header.length, 8)
    return Buffer.concat([head, Buffer.alloc(64)])
  }
  const fields = (descr: string, shape: string, order = 'False') =>
    npy(`{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`)
  const mgh = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = Buffer.alloc(284 + 8)
    for (const [index, value] of [1, 2, 2, 2, 1, 0].entries()) bytes.writeInt32BE(value, index * 4)
    change(bytes)
    return bytes
  }

  it.each<[string, string, Buffer]>([
    ['opens', 'a.psd', psd(() => undefined)],
    ['too_large', 'a.psd', psd((bytes) => bytes.writeUInt32BE(0x7fffffff, 14))],
    ['data_short', 'a.psd', psd((bytes) => bytes.writeUInt32BE(0x7fffffff, 26))],
    ['data_short', 'a.psd', psd((bytes) => bytes.writeUInt32BE(9, 18))],
    ['kind_not_yet', 'a.psd', psd((bytes) => bytes.writeUInt16BE(9, 24))],
    ['opens', 'a.pgm', Buffer.from('P5 # two\n2 2\n255\n1234')],
    ['opens', 'a.pbm', Buffer.from('P1\n2 2\n01 10')],
    ['too_large', 'a.pgm', Buffer.from('P5 999999 999999 255\n1')],
    ['data_short', 'a.pgm', Buffer.from('P5 2 9 255\n1234')],
    ['data_short', 'a.ppm', Buffer.from('P3 2 2 255\n1 2 3')],
    ['header_damaged', 'a.pgm', Buffer.from('P5 two two')],
    ['opens', 'a.npy', fields("'<f8'", '(2, 2, 2)')],
    ['opens', 'a.npy', fields("'>i2'", '(4, 2)', 'True')],
    ['number_type_unknown', 'a.npy', fields("'|O'", '(2, 2)')],
    ['number_type_unknown', 'a.npy', fields("[('a', '<f4')]", '(2, 2)')],
    ['complex_values', 'a.npy', fields("'<c8'", '(2, 2)')],
    ['too_large', 'a.npy', fields("'<f8'", '(99999, 99999)')],
    ['size_impossible', 'a.npy', fields("'<f8'", '(0, 2)')],
    ['size_impossible', 'a.npy', fields("'<f8'", '(2,)')],
    ['data_short', 'a.npy', fields("'<f8'", '(9, 9)')],
    ['header_damaged', 'a.npy', npy("__import__('os').system('x')")],
    ['opens', 'a.mgh', mgh(() => undefined)],
    ['too_large', 'a.mgh', mgh((bytes) => [4, 8, 12].map((at) => bytes.writeInt32BE(60_000, at)))],
    ['data_short', 'a.mgh', mgh((bytes) => bytes.writeInt32BE(9, 4))],
    ['not_this_kind', 'a.mgz', mgh((bytes) => bytes.writeInt32BE(-1, 4))],
    ['header_damaged', 'a.jp2', Buffer.from('\0\0\0\x0cjP  \r\n\x87\n\0\0\0\0', 'latin1')],
    ['data_damaged', 'a.j2k', Buffer.concat([Buffer.from([0xff, 0x4f, 0xff, 0x51]), jpegSizes()])],
    ['data_file_missing', 'a.par', Buffer.from('# === DATA DESCRIPTION FILE')],
    ['data_file_missing', 'a.img', Buffer.alloc(400)],
  ])('%s as %s', async (reason, name, bytes) => {
    expect(await outcome(name, bytes)).toBe(reason)
  })
})

/** Of a codestream of 4 by 4 grey pixels, after which nothing comes. */
function jpegSizes(): Buffer {
  const sizes = Buffer.alloc(60)
  for (const at of [4, 8]) sizes.writeUInt32BE(4, at)
  sizes.writeUInt16BE(1, 36)
  sizes[38] = 7
  return sizes
}
