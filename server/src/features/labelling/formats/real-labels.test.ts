/** Labels of real sets: read, written again in each format that can say them, and read with the same meaning. Skipped where they are not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import type { LabelFormat } from '@neuroloom/contract/labelling/exchange'
import { viewing } from '@neuroloom/contract/limits'
import { describe, expect, it } from 'vitest'
import {
  asTarget,
  chance,
  drawPixels,
  idNames,
  image,
  meaningOf,
  merged,
  type Read,
  readBy,
  written,
} from '../../../../test/label-files.ts'
import { openDicom } from '../../../infra/reader/dicom/file.ts'
import { placeOfImage } from '../../../infra/reader/labels/labels.ts'
import type { ReaderName } from './read/read.ts'
import { extentsOf } from './segments.ts'
import type { LabelledImage, Target } from './shapes.ts'
import { writers } from './write/write.ts'

const data = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../../shared/data')
const isThere = existsSync(data)

const placeOf = (...paths: string[]) =>
  placeOfImage({
    ...{ files: paths.map((path) => ({ path, name: path })), siblings: new Map(), folder: '/tmp' },
    limitBytes: viewing.pixelBytes,
  })

async function targetsIn(set: string, count: number): Promise<Target[]> {
  const names = (await readdir(join(data, set, 'images'))).sort().slice(0, count)
  return Promise.all(
    names.map(async (name) => ({
      name: `images/${name}`,
      ...(await placeOf(join(data, set, 'images', name))),
    })),
  )
}

async function filesIn(
  set: string,
  folder: string,
  wanted: (name: string) => boolean,
): Promise<Map<string, Buffer>> {
  const names = (await readdir(join(data, set, folder))).filter(wanted)
  return new Map(
    await Promise.all(
      names.map(
        async (name) => [`${folder}/${name}`, await readFile(join(data, set, folder, name))] as const,
      ),
    ),
  )
}

/** What was read, as images of a set whose classes are those that were found. */
function asSet({ images, classes: found }: Read, targets: readonly Target[]) {
  const classes = [...found.values()].map(
    (one, index): LabelClass => ({
      ...one,
      id: one.name,
      colour: one.colour ?? `#00${10 + index}ff`,
      description: '',
      key: null,
    }),
  )
  const all = targets.flatMap((target): LabelledImage[] => {
    const marks = images.get(target.name)
    return marks ? [{ ...image(target.name, target.size, marks), geometry: target.geometry }] : []
  })
  return { classes, all }
}

async function sameAgain(
  read: Read,
  targets: readonly Target[],
  to: readonly [LabelFormat, ReaderName][],
  digits = 6,
) {
  const { classes, all } = asSet(read, targets)
  const names = new Map<string, string>()
  for (const [format, reader] of to) {
    const again = await readBy(reader, await written(writers[format], all, classes), all.map(asTarget))
    expect(again.problems).toEqual([])
    for (const [name, marks] of read.images) {
      const other = again.images.get(name)
      expect(other && meaningOf(other, names, digits)).toEqual(meaningOf(marks, names, digits))
    }
  }
}

describe.skipIf(!isThere)('labels of real sets', () => {
  it('boxes of nuclei in COCO', async () => {
    const set = 'segmentation-nuclei-dsb2018'
    const targets = await targetsIn(set, 40)
    const list = readFileSync(join(data, set, 'nuclei_boxes_coco.json'))
    const read = await readBy('coco', new Map([['nuclei.json', list]]), targets)
    expect(read.images.size).toBe(40)
    expect(new Set(read.problems.map(({ reason }) => reason))).toEqual(new Set(['image_missing']))
    await sameAgain(read, targets, [['coco', 'coco'], ['yolo_boxes', 'yolo'], ['voc', 'voc'], ['cvat', 'cvat'], ['labelme', 'labelme'], ['csv', 'csv']]) // biome-ignore format: pairs
  })

  it('masks of nuclei in PNG', async () => {
    const targets = await targetsIn('segmentation-nuclei-dsb2018', 12)
    const stems = new Set(targets.map(({ name }) => name.slice('images/'.length)))
    const files = await filesIn('segmentation-nuclei-dsb2018', 'labels', (name) => stems.has(name))
    const read = await readBy('masks', files, targets)
    expect([...read.classes.values()].map(({ name, use }) => [name, use])).toEqual([['class 1', 'class']])
    expect([read.images.size, read.problems.length]).toEqual([12, 0])
    await sameAgain(read, targets, [['coco', 'coco'], ['png_palette', 'masks'], ['png_binary', 'masks'], ['voc', 'voc'], ['cvat', 'cvat']]) // biome-ignore format: pairs
  })

  it('boxes of blood cells in Pascal VOC', async () => {
    const set = 'detection-bccd'
    const targets = await targetsIn(set, 400)
    const read = await readBy('voc', await filesIn(set, 'annotations', () => true), targets)
    expect(read.images.size).toBe(readdirSync(join(data, set, 'annotations')).length)
    // Counted from 1 with the last pixel included, a box from 504 to 504 is one pixel wide.
    expect(read.problems).toEqual([])
    const odd: [string, string, ...number[]][] = JSON.parse(
      readFileSync(join(data, set, 'odd_boxes.json'), 'utf8'),
    )
    for (const [name, , x, y] of odd) {
      const marks = read.images.get(`images/${name.replace('.xml', '.jpg')}`)
      const shapes = [...(marks?.things.values() ?? [])].map(({ shape }) => shape)
      expect(shapes).toContainEqual({
        kind: 'box',
        x: (x ?? 0) - 1,
        y: (y ?? 0) - 1,
        width: 1,
        height: 1,
        angle: 0,
      })
    }
    await sameAgain(read, targets, [['coco', 'coco'], ['voc', 'voc']]) // biome-ignore format: pairs
  })

  it('volumes of the hippocampus in NIfTI', async () => {
    const set = 'segmentation-hippocampus-3d'
    const targets = await targetsIn(set, 3)
    const stems = new Set(targets.map(({ name }) => name.slice('images/'.length)))
    const read = await readBy('masks', await filesIn(set, 'labels', (name) => stems.has(name)), targets)
    expect(read.problems).toEqual([])
    expect([...read.classes.keys()].sort()).toEqual(['class 1', 'class 2'])
    await sameAgain(read, targets, [['nifti', 'masks'], ['nrrd', 'masks'], ['seg_nrrd', 'masks'], ['png_index', 'masks']]) // biome-ignore format: pairs
  })

  it('a DICOM segmentation of another program', async () => {
    const bytes = readFileSync(join(data, 'formats/dicom/segmentation-object_1bit.dcm'))
    const file = openDicom(bytes, { limitBytes: viewing.pixelBytes })
    const size = [file.numbers('00280011')[0] ?? 0, file.numbers('00280010')[0] ?? 0] as const
    const target = image('seg.dcm', [...size, 1])
    const read = await readBy('masks', new Map([['seg.dcm', bytes]]), [asTarget(target)])
    const marks = read.images.get('seg.dcm')
    expect(read.problems).toEqual([])
    expect([...read.classes.values()]).toMatchObject([{ name: 'Liver', use: 'class' }])
    const area = marks ? extentsOf(marks.pixels).reduce((sum, { count }) => sum + count, 0) : 0
    expect(area).toBe(LIVER)
  })

  it('a series of DICOM slices, with the same affine in DICOM-SEG, NRRD and NIfTI', async () => {
    const folder = join(data, 'formats/dicom-series-hippocampus')
    const paths = readdirSync(folder).map((name) => join(folder, name))
    const { size, geometry, dicom } = await placeOf(...paths)
    expect(dicom?.slices).toHaveLength(size[2])
    const drawn = { ...image('scan', size, drawPixels(chance(5), size, 6)), geometry, dicom }
    for (const [format, kept] of [
      ['dicom_seg', drawn.marks],
      ['seg_nrrd', drawn.marks],
      ['nifti', merged(drawn.marks)],
    ] as const) {
      // biome-ignore format: pairs
      const files = await written(writers[format], [drawn])
      const read = await readBy('masks', files, [asTarget(drawn)])
      expect(read.problems).toEqual([])
      const again = read.images.get('scan')
      expect(again && meaningOf(again, new Map())).toEqual(meaningOf(kept, idNames))
    }
    const bytes = (await written(writers.dicom_seg, [drawn])).get('segmentations/scan.dcm') ?? Buffer.alloc(0)
    const file = openDicom(bytes, { limitBytes: viewing.pixelBytes })
    const slice = openDicom(readFileSync(paths[0] ?? ''), { limitBytes: viewing.pixelBytes })
    for (const tag of ['0020000d', '00200052']) expect(file.text(tag)).toBe(slice.text(tag))
    expect(file.items('00081115')[0]?.text('0020000e')).toBe(slice.text('0020000e'))
    expect(file.items('00081115')[0]?.items('0008114a')).toHaveLength(size[2])
    // Attributes of type 1 and 1C, and those of type 2, which may be empty (PS3.3 A.51, C.8.20, C.7.6.16, C.7.6.17).
    for (const tag of filled) expect([tag, file.has(tag)]).toEqual([tag, true])
    for (const tag of empty) expect([tag, file.element(tag) !== undefined]).toEqual([tag, true])
    for (const segment of file.items('00620002'))
      for (const tag of ['00620003', '00620004', '00620005', '00620008', '0062000f'])
        expect(segment.has(tag)).toBe(true)
    const numbers = file.items('00620002').map((segment) => segment.numbers('00620004')[0])
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    const frames = file.items('52009230')
    expect(frames).toHaveLength(file.numbers('00280008')[0] ?? 0)
    for (const frame of frames)
      for (const tag of ['00089124', '00209111', '00209113', '0062000a'])
        expect(frame.items(tag)).toHaveLength(1)
  })
})

/** Pixels of the liver, as the drawing program of the file counts them (pydicom). */
const LIVER = 36_233
const filled = (
  '00080008 00080016 00080018 00080023 00080033 00080060 00080070 00081090 00081115 00181000 00181020 0020000d 0020000e ' +
  '00200013 00200052 00209221 00209222 00280002 00280004 00280008 00280010 00280011 00280100 00280101 00280102 00280103 ' +
  '00282110 00620001 00620002 00700080 52009229 52009230 7fe00010'
).split(' ')
const empty =
  '00080020 00080030 00080050 00080090 00100010 00100020 00100030 00100040 00200010 00200011 00201040 00700081 00700084'.split(
    ' ',
  )
