import type { LabelFormat } from '@neuroloom/contract/labelling/exchange'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import { describe, expect, it } from 'vitest'
import {
  asTarget,
  chance,
  classes,
  drawPixels,
  drawThings,
  idNames,
  image,
  meaningOf,
  merged,
  readBy,
  written,
} from '../../../../test/label-files.ts'
import type { Geometry } from '../../../infra/reader/model.ts'
import type { ReaderName } from './read/read.ts'
import type { LabelledImage, Size } from './shapes.ts'
import { writers } from './write/write.ts'

type Case = {
  format: LabelFormat
  reader: ReaderName
  size: Size
  things?: string[]
  bodies?: number
  tags?: boolean
  /** What the format keeps of marks; all of them when not said. */
  kept?: (marks: Marks) => Marks
}

const flat: Size = [301, 270, 1]
const deep: Size = [37, 41, 7]

const cases: Case[] = [
  {
    format: 'coco',
    reader: 'coco',
    size: flat,
    things: ['box', 'turned', 'outline', 'points', 'point'],
    bodies: 5,
  },
  { format: 'yolo_boxes', reader: 'yolo', size: flat, things: ['box'] },
  { format: 'yolo_turned', reader: 'yolo', size: flat, things: ['box', 'turned'] },
  { format: 'yolo_outlines', reader: 'yolo', size: flat, things: ['outline'] },
  { format: 'yolo_points', reader: 'yolo', size: flat, things: ['points'] },
  {
    format: 'voc',
    reader: 'voc',
    size: flat,
    things: ['box'],
    bodies: 6,
    kept: (marks) => mergedIgnored(marks),
  },
  {
    format: 'labelme',
    reader: 'labelme',
    size: flat,
    things: ['box', 'outline', 'line', 'points', 'point'],
    bodies: 5,
    tags: true,
  },
  {
    format: 'cvat',
    reader: 'cvat',
    size: flat,
    things: ['box', 'turned', 'outline', 'line', 'points', 'point'],
    bodies: 5,
    tags: true,
  },
  {
    format: 'cvat_video',
    reader: 'cvat',
    size: deep,
    things: ['box', 'turned', 'outline', 'line', 'points', 'point'],
    bodies: 4,
  },
  { format: 'csv', reader: 'csv', size: flat, things: ['box', 'turned'], tags: true },
  { format: 'csv', reader: 'csv', size: deep, things: ['box', 'turned'], tags: true },
  { format: 'png_index', reader: 'masks', size: flat, bodies: 6, kept: merged },
  { format: 'png_index', reader: 'masks', size: deep, bodies: 6, kept: merged },
  { format: 'png_palette', reader: 'masks', size: flat, bodies: 6, kept: merged },
  { format: 'png_colour', reader: 'masks', size: flat, bodies: 6, kept: merged },
  { format: 'png_binary', reader: 'masks', size: flat, bodies: 6, kept: merged },
  { format: 'png_binary', reader: 'masks', size: deep, bodies: 6, kept: merged },
  { format: 'nifti', reader: 'masks', size: deep, bodies: 6, kept: merged },
  { format: 'nrrd', reader: 'masks', size: deep, bodies: 6, kept: merged },
  { format: 'seg_nrrd', reader: 'masks', size: deep, bodies: 6 },
  { format: 'dicom_seg', reader: 'masks', size: deep, bodies: 6 },
]

/** In VOC what counts nowhere is one area. */
const mergedIgnored = (marks: Marks): Marks => {
  const ignored = new Set(
    [...marks.segments.values()].filter((one) => one.class === 'c4').map((one) => one.number),
  )
  const [first] = ignored
  if (first === undefined) return marks
  const tiles = new Map(
    [...marks.pixels.tiles].map(([at, tile]) => [
      at,
      typeof tile === 'number' ? tile : tile.map((number) => (ignored.has(number) ? first : number)),
    ]),
  )
  const segments = new Map([...marks.segments].filter(([number]) => number === first || !ignored.has(number)))
  return { ...marks, segments, pixels: { ...marks.pixels, tiles } }
}

/** A slanted body, as scanners lay slices. */
const slanted: Geometry = {
  spacing: [0.7, 0.7, 2.5],
  origin: [-101.25, 33.5, 12],
  axes: [
    [1, 0, 0],
    [0, 0.8, 0.6],
    [0, -0.6, 0.8],
  ],
}

function draw(one: Case, seed: number): LabelledImage {
  const by = chance(seed)
  const name = one.size[2] === 1 ? `images/case ${seed}.png` : `scans/case ${seed}.nii.gz`
  const marks = {
    ...(one.things ? { things: drawThings(by, one.things, one.size) } : {}),
    ...(one.bodies ? drawPixels(by, one.size, one.bodies) : {}),
    ...(one.tags ? { tags: by.one([[], ['c1'], ['c2', 'c3']]) } : {}),
  }
  const drawn = image(name, one.size, marks)
  return one.size[2] === 1 ? drawn : { ...drawn, geometry: slanted, dicom: seriesOf(drawn.size, slanted) }
}

function seriesOf([, , depth]: Size, { origin, axes, spacing }: Geometry) {
  const slices = Array.from({ length: depth }, (_, slice) => {
    const at = [0, 1, 2].map((part) => (origin?.[part] ?? 0) + (axes?.[2][part] ?? 0) * spacing[2] * slice)
    const position: [number, number, number] = [at[0] ?? 0, at[1] ?? 0, at[2] ?? 0]
    return {
      sopClassUid: '1.2.840.10008.5.1.4.1.1.2',
      sopInstanceUid: `2.25.7.${slice + 1}`,
      frame: null,
      position,
    }
  })
  const uids = { studyUid: '2.25.5', seriesUid: '2.25.6', frameOfReferenceUid: '2.25.8' }
  return { ...uids, studyDate: '20261125', studyTime: '100000', studyId: '', slices }
}

describe('labels that are written and read again', () => {
  for (const one of cases) {
    const { format, reader, size, kept = (marks: Marks) => marks } = one
    it(`are the same in ${format}, ${size[2] === 1 ? 'of pictures' : 'of volumes'}`, async () => {
      const images = [1, 2, 3].map((seed) => draw(one, seed))
      const files = await written(writers[format], images)
      const read = await readBy(reader, files, images.map(asTarget))
      expect(read.problems).toEqual([])
      for (const { name, marks } of images) {
        const again = read.images.get(name)
        expect(again && meaningOf(again, new Map())).toEqual(meaningOf(kept(marks), idNames))
      }
      for (const { name } of classes)
        if (read.classes.has(name)) expect(read.classes.get(name)?.name).toBe(name)
    })
  }
})
