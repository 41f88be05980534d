/** Reads the heads of all files of a folder and parts their images into series. A few files at a time, never their pixels. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { FlowProblem } from '@neuroloom/contract/flow/study'
import { flowReading } from '@neuroloom/contract/limits'
import { Refusal } from '../model.ts'
import { isPhilips } from '../volume/philips.ts'
import { dicomImages } from './dicom-images.ts'
import { gridOf } from './grid.ts'
import {
  blocking,
  type FlowFile,
  type FlowImage,
  FlowRefusal,
  type FlowRow,
  note,
  type Told,
  type Traits,
} from './images.ts'
import { parImages } from './par.ts'
import { recognise } from './rules.ts'

export type Gathered = {
  rows: FlowRow[]
  /** Files that are no images. */
  leftOut: number
  problems: FlowProblem[]
}

export async function gather(files: readonly FlowFile[]): Promise<Gathered> {
  if (files.length > flowReading.images)
    throw new FlowRefusal([blocking('too_many_files', { count: files.length, most: flowReading.images })])
  const parts: Parts = new Map()
  const problems: FlowProblem[] = []
  const used = new Set<number>()
  const seen = new Set<string>()
  const recs = recsOf(files)
  let images = 0
  await atOnce(files, async (file, index) => {
    try {
      const found = (await toldOf(file, index, recs)) ?? []
      // Exports often hold a file twice: then it is read once, and the other is left out.
      const [first] = found
      const same = first ? sameOf(first) : ''
      if (first?.uid && seen.has(same)) return
      seen.add(same)
      for (const told of found) {
        images += 1
        used.add(index).add(told.image.file)
        put(parts, told)
      }
    } catch (error) {
      if (error instanceof FlowRefusal) throw error
      problems.push(note('unreadable', { name: file.name, why: reasonOf(error) }))
    }
    if (images > flowReading.images)
      throw new FlowRefusal([blocking('too_many_files', { count: images, most: flowReading.images })])
    // No examination has so many; comparing each with each would take too long.
    if (parts.size > flowReading.series * 5)
      throw new FlowRefusal([blocking('two_studies', { count: parts.size })])
  })
  const rows = named([...parts.values()].flatMap(rowsOf)).sort(byName)
  return { rows, leftOut: files.length - used.size, problems: problems.slice(0, MOST_TOLD) }
}

const MOST_TOLD = 20

/** Careless tools give many files one identifier: what is told of them must be the same too. */
const sameOf = ({ uid, traits, image }: Told): string =>
  JSON.stringify([uid, keyOf(traits), image.number, image.place, image.time])

/** Series that are called alike are told apart by what else differs between them. */
function named(rows: FlowRow[]): FlowRow[] {
  const alike = (row: FlowRow): FlowRow[] => rows.filter(({ series }) => series.name === row.series.name)
  return rows.map((row) => {
    const others = alike(row)
    const more = (['protocol', 'sequence', 'label', 'imageType'] as const).flatMap((words) =>
      others.some(({ traits }) => traits[words] !== row.traits[words]) ? row.traits[words] || [] : [],
    )
    const name = [row.series.name, ...more].join(' · ').slice(0, 400)
    return { ...row, series: { ...row.series, name } }
  })
}

/** However the files came. */
const byName = ({ series: a }: FlowRow, { series: b }: FlowRow): number =>
  `${a.name} ${a.id}` < `${b.name} ${b.id}` ? -1 : 1

/** So many at a time as are worth it; the first failure ends all. */
async function atOnce(files: readonly FlowFile[], work: (file: FlowFile, index: number) => Promise<void>) {
  let next = 0
  const run = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index]
      if (file) await work(file, index)
    }
  }
  await Promise.all(Array.from({ length: flowReading.headsAtOnce }, run))
}

/** What is wrong with a file is no fault of the program. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.reason
  // The DICOM library throws texts; numbers that lead out of a file's bytes are range errors.
  if (typeof error === 'string' || error instanceof RangeError) return 'data_damaged'
  throw error
}

type Recs = ReadonlyMap<string, number>
const stem = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase()

const recsOf = (files: readonly FlowFile[]): Recs =>
  new Map(files.flatMap(({ name }, index) => (/\.rec$/i.test(name) ? [[stem(name), index]] : [])))

async function toldOf(file: FlowFile, index: number, recs: Recs): Promise<Told[] | null> {
  if (!/\.par$/i.test(file.name)) return /\.rec$/i.test(file.name) ? null : dicomImages(file.path, index)
  const { size } = await stat(file.path)
  if (size > PAR_BYTES) return null
  const bytes = await readFile(file.path)
  if (!isPhilips(bytes)) return null
  const rec = recs.get(stem(file.name))
  if (rec === undefined)
    throw new Refusal('data_file_missing', { name: `${file.name.replace(/\.par$/i, '')}.rec` })
  const name = file.name.split('/').at(-1) ?? file.name
  return parImages(bytes.toString('latin1'), rec).map(({ traits, image, uid }) => ({
    traits: {
      ...traits,
      series: `${file.name} ${traits.series}`,
      description: `${name} ${traits.imageType}`,
    },
    image,
    uid,
  }))
}

/** A line an image: some hundred bytes for each of those that are taken. */
const PAR_BYTES = 32 * 1024 * 1024

type Parts = Map<string, { traits: Traits; images: FlowImage[] }>

function put(parts: Parts, { traits, image }: Told): void {
  const key = keyOf(traits)
  const part = parts.get(key)
  if (part) part.images.push(image)
  else parts.set(key, { traits, images: [image] })
}

/** What differs between images of one series does not part them: place, time, scale. */
function keyOf(traits: Traits): string {
  const { study, frameOfReference, series, imageType, component, sequence, label, columns, rows } = traits
  const near = (numbers: readonly number[] | null): string =>
    (numbers ?? []).map((one) => (Math.abs(one) < 5e-4 ? 0 : one).toFixed(3)).join()
  const axes = near(traits.directions ? traits.directions.flat() : null)
  return JSON.stringify([
    ...[study, frameOfReference, series, imageType, component, sequence, label, columns, rows],
    ...[axes, near(traits.vector), near(traits.encoded), traits.description],
  ])
}

function rowsOf({ traits, images }: { traits: Traits; images: FlowImage[] }): FlowRow[] {
  const piles = pilesOf(images)
  const isParted = piles.length > 1
  const alone = recognise(traits)
  const open = alone.unsure.filter((one) => one !== 'role' && one !== 'direction')
  const found: typeof alone = isParted
    ? { ...alone, direction: null, unsure: ['role', 'direction', ...open] }
    : alone
  return piles.map((pile, index) => {
    const grid = gridOf(pile)
    const name = traits.description || traits.protocol || traits.sequence || traits.imageType
    const id = createHash('sha256')
      .update(`${keyOf(traits)} ${index}`)
      .digest('hex')
      .slice(0, 16)
    return {
      traits,
      images: pile,
      grid,
      series: {
        ...found,
        id,
        name: `${name}${isParted ? ` (${index + 1})` : ''}`.slice(0, 400),
        size: [traits.columns, traits.rows, Math.max(grid.places.length, 1)],
        frames: Math.max(grid.times.length, 1),
        files: new Set(pile.map(({ file }) => file)).size,
      },
    }
  })
}

/** Where names were taken away, directions of one series may be told by nothing but their order: each place and time comes up to four times. */
function pilesOf(images: FlowImage[]): FlowImage[][] {
  const cells = new Map<string, FlowImage[]>()
  for (const image of images) {
    if (image.place === null || (image.time === null && image.turn === 0)) return [images]
    const key = `${image.place.toFixed(1)} ${image.time?.toFixed(3) ?? image.turn}`
    const cell = cells.get(key)
    if (cell) cell.push(image)
    else cells.set(key, [image])
  }
  const counts = new Set([...cells.values()].map(({ length }) => length))
  const [count = 1] = counts
  if (counts.size !== 1 || count < 2 || count > 4 || cells.size < 2) return [images]
  for (const cell of cells.values()) cell.sort((a, b) => a.number - b.number)
  return Array.from({ length: count }, (_, at) => [...cells.values()].flatMap((cell) => cell[at] ?? []))
}
