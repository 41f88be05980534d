import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writtenPixels } from '../../../../test/letters.ts'
import { dicomBytes, type Entry } from '../dicom/bytes.ts'
import { EXPLICIT, openDicom } from '../dicom/file.ts'
import { writeBlackened } from './blacken.ts'
import { type Box, meet } from './boxes.ts'
import { openFilm } from './film.ts'
import { findTexts } from './find.ts'
import type { Picture } from './planes.ts'
import { textsOf } from './scan-film.ts'

const [width, height] = [420, 320]

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'texts-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function picture(texts: Parameters<typeof writtenPixels>[1]): Promise<Picture> {
  return { pixels: await writtenPixels([width, height], texts), width, height, channels: 3 }
}

const covers = (box: Box, { x, y, w, h }: Box): boolean =>
  box.x <= x && box.y <= y && box.x + box.w >= x + w && box.y + box.h >= y + h

describe('texts in a picture', () => {
  it.each(['Name: Kinaha', 'ФИО Вежурочаро', 'ID 0034521-B'])('%s is found as one line', async (text) => {
    const found = findTexts(await picture([{ text, x: 30, y: 20 }]))
    expect(found).toHaveLength(1)
    expect(meet(found[0] ?? { x: 0, y: 0, w: 0, h: 0 }, { x: 40, y: 25, w: 60, h: 10 })).toBe(true)
  })

  it.each(['white', '#828488'])('%s characters of few strokes are found', async (colour) => {
    const place = { x: 30, y: 20, size: 10, font: 'Noto Sans SC', colour } as const
    const company = { text: 'Name: Kinaha', x: 200, y: 290 }
    const found = findTexts(await picture([{ ...place, text: '一志' }, company]))
    expect(found.some((box) => covers(box, { x: 31, y: 23, w: 18, h: 8 }))).toBe(true)
  })

  it.each(['#6eebff', '#5aff78'])('%s, which JPEG smears over tissue, are found', async (colour) => {
    const place = { x: 180, y: 150, size: 9, font: 'Noto Sans SC', colour } as const
    const company = { text: 'Name: Kinaha', x: 200, y: 290 }
    const drawn = await picture([{ ...place, text: '姜于' }, company])
    const raw = { raw: { width, height, channels: 3 as const } }
    const smeared = await sharp(drawn.pixels, raw).jpeg({ quality: 75 }).toBuffer()
    const found = findTexts({ ...drawn, pixels: await sharp(smeared).raw().toBuffer() })
    expect(found.some((box) => covers(box, { x: 181, y: 152, w: 16, h: 8 }))).toBe(true)
  })

  it('are found upright, and dark on light', async () => {
    const written = await picture([{ text: 'KINAHA Wijerice', x: 30, y: 20 }])
    const raw = { raw: { width, height, channels: 3 as const } }
    const { data, info } = await sharp(written.pixels, raw)
      .rotate(270)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const upright = findTexts({ pixels: data, width: info.width, height: info.height, channels: 3 })
    expect(upright).toHaveLength(1)
    expect(upright[0]?.h).toBeGreaterThan(upright[0]?.w ?? 0)
    const pixels = written.pixels.map((value) => 255 - value)
    expect(findTexts({ ...written, pixels }).length).toBeGreaterThan(0)
  })

  it('are not seen in tissue, ticks and frames', async () => {
    const plain = await picture([])
    const { pixels } = plain
    const dot = (x: number, y: number): void =>
      void pixels.fill(230, (y * width + x) * 3, (y * width + x) * 3 + 3)
    for (let y = 20; y < 300; y += 10) for (let x = 330; x < (y % 50 === 0 ? 342 : 336); x += 1) dot(x, y)
    for (let x = 100; x < 300; x += 1) dot(x, 260)
    expect(findTexts(plain)).toEqual([])
  })
})

describe('DICOM', () => {
  const overlay = Buffer.alloc(2000, 0xff)

  async function film() {
    const written = await writtenPixels([width, height], [{ text: 'KINAHA', x: 30, y: 20 }])
    const indexes = Buffer.from(Uint8Array.from({ length: width * height }, (_, at) => written[at * 3] ?? 0))
    const greys = Buffer.from(Uint8Array.from({ length: 256 }, (_, at) => at))
    const bytes = Buffer.concat(
      dicomBytes(EXPLICIT, [
        ['00080008', 'CS', 'ORIGINAL\\PRIMARY'],
        ['00080016', 'UI', '1.2.840.10008.5.1.4.1.1.6.1'],
        ['00080018', 'UI', '2.25.7'],
        ['00090010', 'LO', 'MAKER'],
        ['00091001', 'OB', overlay],
        ['00120063', 'LO', 'Earlier'],
        ['00280002', 'US', 1],
        ['00280004', 'CS', 'PALETTE COLOR'],
        ['00280008', 'IS', '2'],
        ['00280010', 'US', height],
        ['00280011', 'US', width],
        ['00280100', 'US', 8],
        ['00280101', 'US', 8],
        ['00280102', 'US', 7],
        ['00280103', 'US', 0],
        ...[1, 2, 3].map((end): Entry => [`0028110${end}`, 'US', [256, 0, 8]]),
        ...[1, 2, 3].map((end): Entry => [`0028120${end}`, 'OW', greys]),
        ['60003000', 'OW', overlay],
        // The second frame has no letters.
        ['7fe00010', 'OB', Buffer.concat([indexes, Buffer.alloc(indexes.length, 30)])],
      ]),
    )
    const path = join(folder, 'named.dcm')
    await writeFile(path, bytes)
    const source = { files: [{ path, name: 'named.dcm' }], siblings: new Map(), limitBytes: 1e8, folder }
    return { source, opened: await openFilm(source) }
  }

  it('of coloured indexes, in several frames, is written again as colours, without what else could hold a picture', async () => {
    const { source, opened } = await film()
    const regions = textsOf(opened)
    expect(regions).toHaveLength(1)
    expect(regions[0]).toMatchObject({ first: 0, last: 0 })
    const name = await writeBlackened(opened, regions, folder)
    const path = join(folder, name)
    const again = await openFilm({ ...source, files: [{ path, name }] })
    expect(textsOf(again)).toEqual([])
    const { dicom } = again
    if (!dicom) throw new Error('It is no DICOM file any more')
    expect(dicom.elements().filter(([tag]) => /^(0009|6000|002811|002812)/.test(tag))).toEqual([])
    expect(dicom.text('00280004')).toBe('RGB')
    expect(dicom.text('00080008')).toBe('DERIVED\\PRIMARY')
    expect(dicom.text('00120063')).toMatch(/^Earlier\\Burned-in text blacked out/)
    expect(dicom.text('00080018')).not.toBe('2.25.7')
    expect(dicom.text('00020003')).toBe(dicom.text('00080018'))
    expect(again.scan.samples.length).toBe(width * height * 3 * 2)
    expect(openDicom(Buffer.from(dicom.bytes), { limitBytes: 1e8 }).text('00280301')).toBe('NO')
  })
})
