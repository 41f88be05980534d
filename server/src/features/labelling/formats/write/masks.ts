/** Masks that hold the numbers or colours of classes: PNG, NIfTI, NRRD. What lies on top counts. */
import type { LabelClass } from '@neuroloom/contract/labelling/classes'
import { type HeaderOf, niftiHeader, nrrdHeader } from '../../../../infra/reader/write/volumes.ts'
import { flat } from '../flat.ts'
import { packed } from '../packed.ts'
import { pngBytes } from '../png.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'
import { classSlice, IGNORED, type Numbered, numbered, partsOf, valuesOf } from '../values.ts'

/** Also read by what recognises data sets. */
const valueTable = (numbers: readonly Numbered[]): Piece => {
  const lines = numbers.map(({ name, value }) => `${value}: ${name}\n`)
  return text('labels.txt', `0: background\n${lines.join('')}`)
}

export const writePng = (kind: 'index' | 'palette' | 'colour') =>
  async function* ({ classes, images }: LabelledSet): AsyncIterable<Piece> {
    const numbers = distinct(numbered(classes, kind === 'colour' ? null : IGNORED))
    yield kind === 'colour' ? colourTable(numbers) : valueTable(numbers)
    const palette = paletteOf(numbers)
    for await (const image of images) {
      const own = flat(image)
      const values = valuesOf(numbers, own)
      const [width, height, slices] = image.size
      for (let slice = 0; slice < slices; slice++) {
        const pixels = Uint8Array.from(classSlice(own, values, slice))
        const bytes = await pngBytes(as[kind](pixels, palette), width, height)
        yield { path: slicePath(`masks/${image.stem}`, slice, slices), bytes }
      }
    }
  }

type Palette = [number, number, number][]

const as = {
  index: (values: Uint8Array) => ({ kind: 'grey' as const, values }),
  palette: (values: Uint8Array, palette: Palette) => ({ kind: 'indexes' as const, values, palette }),
  colour(values: Uint8Array, palette: Palette) {
    const colours = new Uint8Array(values.length * 3)
    for (let at = 0; at < values.length; at++) colours.set(palette[values[at] ?? 0] ?? [0, 0, 0], at * 3)
    return { kind: 'colours' as const, values: colours }
  },
}

const slicePath = (path: string, slice: number, slices: number): string =>
  slices === 1 ? `${path}.png` : `${path}/${String(slice + 1).padStart(String(slices).length, '0')}.png`

const colourTable = (numbers: readonly Numbered[]): Piece => {
  const lines = numbers.map(
    ({ name, colour }) => `${name.replaceAll(':', ' ')}:${partsOf(colour).join(',')}::`,
  )
  return text('labelmap.txt', `# label:color_rgb:parts:actions\nbackground:0,0,0::\n${lines.join('\n')}\n`)
}

/** No two classes of one colour, and none of the background's. */
function distinct(numbers: readonly Numbered[]): Numbered[] {
  const taken = new Set(['#000000'])
  return numbers.map((one) => {
    let colour = one.colour
    while (taken.has(colour))
      colour = `#${((Number.parseInt(colour.slice(1), 16) + 1) % 0x1000000).toString(16).padStart(6, '0')}`
    taken.add(colour)
    return { ...one, colour }
  })
}

function paletteOf(numbers: readonly Numbered[]): Palette {
  const palette = Array.from({ length: 256 }, (): Palette[number] => [0, 0, 0])
  for (const { value, colour } of numbers) palette[value] = partsOf(colour)
  return palette
}

/** A folder for each class, 255 where it is. */
export async function* writeBinaryPng({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const numbers = numbered(classes, null)
  const folders = foldersOf(numbers)
  for await (const image of images) {
    const own = flat(image)
    const values = valuesOf(numbers, own)
    const [width, height, slices] = image.size
    for (let slice = 0; slice < slices; slice++) {
      const found = classSlice(own, values, slice)
      for (const { id, value } of numbers) {
        const pixels = Uint8Array.from(found, (number) => (number === value ? 255 : 0))
        const path = slicePath(`masks/${folders.get(id)}/${image.stem}`, slice, slices)
        yield { path, bytes: await pngBytes({ kind: 'grey', values: pixels }, width, height) }
      }
    }
  }
}

/** Names that folders may have, each once; signs that they may not are written by their numbers, as in addresses. */
function foldersOf(classes: readonly Pick<LabelClass, 'id' | 'name'>[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    classes.map(({ id, name }) => {
      const clean = name.replace(/[/\\:*?"<>|%]|^\.|[. ]$/g, byNumber)
      let folder = clean
      for (let more = 2; taken.has(folder.toLowerCase()); more++) folder = `${clean} (${more})`
      taken.add(folder.toLowerCase())
      return [id, folder]
    }),
  )
}

const byNumber = (sign: string): string =>
  `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

export async function* writeNifti({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const numbers = numbered(classes, null)
  yield valueTable(numbers)
  for await (const image of images) {
    const own = flat(image)
    const body = slices(image, (slice) => Uint8Array.from(classSlice(own, valuesOf(numbers, own), slice)))
    const head = niftiHeader(headerOf(image, new Uint8Array(0)))
    yield* packed({ path: `labels/${image.stem}.nii.gz`, head, body, isHeadPacked: true })
  }
}

export async function* writeNrrd({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const numbers = numbered(classes, null)
  yield valueTable(numbers)
  for await (const image of images) {
    const own = flat(image)
    const body = slices(image, (slice) => Uint8Array.from(classSlice(own, valuesOf(numbers, own), slice)))
    const head = Buffer.from(nrrdHeader(headerOf(image, new Uint8Array(0))), 'utf8')
    yield* packed({ path: `labels/${image.stem}.nrrd`, head, body, isHeadPacked: false })
  }
}

export const headerOf = ({ size, geometry }: LabelledImage, samples: HeaderOf['samples']): HeaderOf => ({
  ...{ size: [...size, 1], samples, channels: 1, geometry, slope: 1, intercept: 0, frameSeconds: null },
})

export function* slices(
  { size }: LabelledImage,
  of: (slice: number) => Uint8Array | Uint16Array,
): Iterable<Buffer> {
  for (let slice = 0; slice < size[2]; slice++) {
    const pixels = of(slice)
    yield Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  }
}
