/** Marks drawn by chance, files that writers made of them, and what readers find in files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { mapFrom } from '@neuroloom/contract/labelling/patch'
import { fillRow, makePixels, type PixelMap, readRow } from '@neuroloom/contract/labelling/pixels'
import type { Marks } from '@neuroloom/contract/labelling/steps'
import type { Shape, Thing } from '@neuroloom/contract/labelling/things'
import { viewing } from '@neuroloom/contract/limits'
import { targetFinder } from '../src/features/labelling/formats/read/find.ts'
import type { Decoded, From } from '../src/features/labelling/formats/read/from.ts'
import { type ReaderName, readAs } from '../src/features/labelling/formats/read/read.ts'
import { extentsOf } from '../src/features/labelling/formats/segments.ts'
import type {
  Found,
  FoundClass,
  LabelledImage,
  Size,
  Target,
  Writer,
} from '../src/features/labelling/formats/shapes.ts'
import { stemsOf } from '../src/features/labelling/formats/shapes.ts'
import { labelsOf } from '../src/infra/reader/labels/labels.ts'

/** The same numbers for the same seed (mulberry32). */
export function chance(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    between: (least: number, most: number): number => least + next() * (most - least),
    whole: (least: number, most: number): number => Math.floor(least + next() * (most - least + 1)),
    one: <Kind>(of: readonly Kind[]): Kind => of[Math.floor(next() * of.length)] as Kind,
  }
}
export type Chance = ReturnType<typeof chance>

const plain = { description: '', key: null, skeleton: null }
export const classes: LabelClass[] = [
  { ...plain, id: 'c0', name: 'background', colour: '#000000', use: 'background' },
  { ...plain, id: 'c1', name: 'lésion & "cyst" <1>', colour: '#e69f00', use: 'class' },
  { ...plain, id: 'c2', name: '肝脏', colour: '#56b4e9', use: 'class' },
  { ...plain, id: 'c3', name: 'сосуд', colour: '#56b4e9', use: 'class' },
  { ...plain, id: 'c4', name: 'unclear', colour: '#999999', use: 'ignore' },
  {
    ...{ ...plain, id: 'c5', name: 'hand', colour: '#cc79a7', use: 'class' },
    skeleton: { points: ['wrist', 'thumb', 'ring'], joins: [[0, 1], [0, 2]] }, // biome-ignore format: pairs
  },
]

/** Bodies of pixels that touch each other: rectangles, and single pixels strewn about. */
export function drawPixels(by: Chance, size: Size, count: number): Pick<Marks, 'pixels' | 'segments'> {
  const pixels = makePixels(size)
  const segments: Marks['segments'] = new Map()
  const [width, height, depth] = size
  for (let number = 1; number <= count; number++) {
    segments.set(number * 3, { number: number * 3, class: by.one(['c1', 'c2', 'c3', 'c4']), by: 'hand' })
    const [x, y] = [by.whole(0, width - 2), by.whole(0, height - 2)]
    const [right, down] = [by.whole(x + 1, width), by.whole(y + 1, height)]
    const [first, last] = [by.whole(0, depth - 1), by.whole(0, depth - 1)].sort((a, b) => a - b)
    for (let z = first ?? 0; z <= (last ?? 0); z++) {
      for (let row = y; row < down; row++)
        fillRow(pixels, { y: row, z, from: x, to: right, segment: number * 3 })
      for (let dot = 0; dot < 20; dot++)
        fillRow(pixels, dotAt(by, size, { z, segment: by.whole(0, number) * 3 }))
    }
  }
  return { pixels, segments: used(pixels, segments) }
}

function dotAt(by: Chance, [width, height]: Size, { z, segment }: { z: number; segment: number }) {
  const x = by.whole(0, width - 1)
  return { y: by.whole(0, height - 1), z, from: x, to: x + by.whole(1, 3), segment }
}

const used = (pixels: PixelMap, segments: Marks['segments']): Marks['segments'] => {
  const numbers = new Set(extentsOf(pixels).map(({ number }) => number))
  return new Map([...segments].filter(([number]) => numbers.has(number)))
}

export function drawShape(by: Chance, kind: string, [width, height]: Size): Shape {
  const point = (): number[] => [by.between(0, width), by.between(0, height)]
  switch (kind) {
    case 'box':
    case 'turned': {
      const [w, h] = [by.between(1, width / 3), by.between(1, height / 3)]
      const [x, y] = [by.between(width / 3, width / 2), by.between(height / 3, height / 2)]
      return { kind: 'box', x, y, width: w, height: h, angle: kind === 'box' ? 0 : by.between(-179, 179) }
    }
    case 'line':
      return { kind: 'line', points: Array.from({ length: by.whole(2, 6) }, point).flat() }
    case 'points':
      return { kind: 'points', points: [point(), point(), point()].flat(), seen: [2, by.whole(0, 2), 1] }
    case 'point':
      return { kind: 'points', points: point(), seen: [2] }
    default: {
      // A star round a middle crosses itself nowhere.
      const [x, y] = [by.between(width / 3, width / 2), by.between(height / 3, height / 2)]
      const count = by.whole(3, 12)
      const ring = Array.from({ length: count }, (_, index) => {
        const [turn, far] = [(2 * Math.PI * index) / count, by.between(2, Math.min(width, height) / 3)]
        return [x + far * Math.cos(turn), y + far * Math.sin(turn)]
      })
      return { kind: 'outline', rings: [ring.flat()] }
    }
  }
}

export function drawThings(by: Chance, kinds: readonly string[], size: Size): Marks['things'] {
  return new Map(
    Array.from({ length: 8 }, (_, index): [string, Thing] => {
      const kind = by.one(kinds)
      const shape = drawShape(by, kind, size)
      const owner = kind === 'points' ? 'c5' : by.one(['c1', 'c2', 'c3'])
      const place = { axis: 2 as const, slice: by.whole(0, size[2] - 1) }
      const common = { by: 'hand' as const, attributes: {}, track: null, isLast: false }
      return [`t${index}`, { id: `t${index}`, class: owner, shape, place, ...common }]
    }),
  )
}

export const noMarksOf = (size: Size): Marks => ({
  ...{ tags: [], things: new Map(), segments: new Map(), pixels: makePixels(size) },
})

export const image = (name: string, size: Size, marks: Partial<Marks> = {}): LabelledImage => ({
  ...{ name, stem: stemsOf([name]).get(name) ?? name, size, geometry: null, dicom: null },
  marks: { ...noMarksOf(size), ...marks },
})

export async function written(
  writer: Writer,
  images: readonly LabelledImage[],
  own = classes,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer[]>()
  const each = async function* () {
    yield* images
  }
  const set = { name: 'A set', classes: own, images: each(), now: new Date('2026-11-25T10:00:00Z') }
  for await (const { path, bytes } of writer(set))
    files.set(path, [...(files.get(path) ?? []), Buffer.from(bytes)])
  return new Map([...files].map(([path, parts]) => [path, Buffer.concat(parts)]))
}

export type Read = {
  images: Map<string, Marks>
  classes: Map<string, FoundClass>
  problems: Extract<Found, { kind: 'problem' }>[]
}

/** What a reader finds in these files about these images. */
export async function readBy(
  name: ReaderName,
  files: ReadonlyMap<string, Buffer | string>,
  targets: readonly Target[],
): Promise<Read> {
  const folder = await mkdtemp(join(tmpdir(), 'neuroloom-labels-'))
  try {
    const read: Read = { images: new Map(), classes: new Map(), problems: [] }
    for await (const found of readAs(name, fromFiles(folder, files, targets))) {
      if (found.kind === 'image') read.images.set(found.target.name, found.marks)
      else if (found.kind === 'class') read.classes.set(found.class.name, found.class)
      else read.problems.push(found)
    }
    return read
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** By the reading program's own functions, in this process. */
export function fromFiles(
  folder: string,
  files: ReadonlyMap<string, Buffer | string>,
  targets: readonly Target[],
): From {
  let made = 0
  const decode = async (
    path: string,
    name: string,
    bytes: Buffer,
  ): Promise<Decoded | { path: string; refused: never }> => {
    const number = made++
    const own = join(folder, `mask${number}`)
    await writeFile(own, bytes)
    const source = {
      files: [{ path: own, name }],
      siblings: new Map(),
      limitBytes: viewing.pixelBytes,
      folder,
    }
    const answer = await labelsOf(source, number)
    if ('refused' in answer) return { path, refused: answer.refused as never }
    const layers: PixelMap[] = []
    for (const file of answer.made)
      layers.push(mapFrom(answer.size, file === '' ? null : await readFile(join(folder, file))))
    return { ...answer, path, layers }
  }
  return {
    paths: [...files.keys()],
    read: async (path, most) => {
      const content = files.get(path)
      if (content === undefined || content.length > most) return null
      return content.toString('utf8').replace(/^\ufeff/, '')
    },
    async *masks(paths) {
      for (const path of paths) {
        const bytes = Buffer.from(files.get(path) ?? '')
        // A refusal of the reading program is one of ours.
        yield await decode(path, path.slice(path.lastIndexOf('/') + 1), bytes).catch(
          (error: { reason: string }) => ({
            path,
            refused: { name: error.reason as 'data_damaged', params: {} },
          }),
        )
      }
    },
    inside: (all) => Promise.all(all.map((bytes, index) => decode(String(index), `${index}.png`, bytes))),
    find: targetFinder(targets),
    targets,
  }
}

export const asTarget = ({ name, size, geometry }: LabelledImage): Target => ({ name, size, geometry })

/** What marks mean, whatever things and segments are numbered: to be compared. `names`: of classes by their numbers. */
export function meaningOf(marks: Marks, names: ReadonlyMap<string, string>, digits = 6) {
  const round = (value: number): number => Number(value.toFixed(digits)) + 0
  const rounded = (shape: Shape): object =>
    JSON.parse(JSON.stringify(shape), (key, value: unknown) => {
      if (typeof value !== 'number') return value
      return round(key === 'angle' ? (((value % 360) + 540) % 360) - 180 : value)
    })
  const name = (id: string): string => names.get(id) ?? id
  const things = [...marks.things.values()].map(({ shape, class: owner, place, attributes }) =>
    JSON.stringify([name(owner), sorted(place), sorted(rounded(shape)), Object.entries(attributes).sort()]),
  )
  const segments = [...marks.segments.values()].map(({ number, class: owner }) =>
    JSON.stringify([name(owner), runsOf(marks.pixels, number)]),
  )
  return { tags: marks.tags.map(name).sort(), things: things.sort(), segments: segments.sort() }
}

/** A database gives keys in another order. */
const sorted = (given: object): object => Object.fromEntries(Object.entries(given).sort())

function runsOf(map: PixelMap, number: number): number[] {
  const [width, height, depth] = map.size
  const runs: number[] = []
  const row = new Uint16Array(width)
  for (let z = 0; z < depth; z++)
    for (let y = 0; y < height; y++) {
      readRow(map, { x: 0, y, z }, row)
      for (let x = 0; x < width; x++)
        if (row[x] === number && row[x - 1] !== number) runs.push((z * height + y) * width + x)
        else if (row[x] !== number && row[x - 1] === number) runs.push((z * height + y) * width + x)
    }
  return runs
}

/** All of a class in one segment, as masks of classes hold it. */
export function merged(marks: Marks): Marks {
  const byClass = new Map<string, number>()
  const table = new Map<number, number>()
  for (const { number, class: owner } of marks.segments.values()) {
    byClass.set(owner, byClass.get(owner) ?? byClass.size + 1)
    table.set(number, byClass.get(owner) ?? 0)
  }
  const tiles: PixelMap['tiles'] = new Map(
    [...marks.pixels.tiles].map(([at, tile]) => [
      at,
      typeof tile === 'number' ? (table.get(tile) ?? 0) : tile.map((number) => table.get(number) ?? 0),
    ]),
  )
  const segments = new Map(
    [...byClass].map(([owner, number]) => [number, { number, class: owner, by: 'file' as const }]),
  )
  return { ...marks, segments, pixels: { size: marks.pixels.size, tiles } }
}

export const idNames = new Map(classes.map(({ id, name }) => [id, name]))
