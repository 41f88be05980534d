/**
 * Pascal VOC (http://host.robots.ox.ac.uk/pascal/VOC/voc2012/htmldoc/devkit_doc.html): an XML an image with boxes, counted from 1
 * with the last pixel included; classes and single things as PNG with VOC's palette, 255 where nothing counts.
 */

import { boundsOf } from '../geometry.ts'
import { pngBytes } from '../png.ts'
import { sliceOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'
import { classSlice, IGNORED, type Numbered, numbered, valuesOf } from '../values.ts'
import { escapeXml } from '../xml.ts'

export async function* writeVoc({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const numbers = numbered(classes, IGNORED)
  yield text('labelmap.txt', labelMap(numbers))
  for await (const image of images) {
    if (image.size[2] > 1) continue
    const isMarked = image.marks.segments.size > 0 && image.marks.pixels.tiles.size > 0
    yield text(`Annotations/${image.stem}.xml`, xmlOf(image, { numbers, isMarked }))
    if (!isMarked) continue
    yield { path: `SegmentationClass/${image.stem}.png`, bytes: await classPng(image, numbers) }
    yield { path: `SegmentationObject/${image.stem}.png`, bytes: await objectPng(image, numbers) }
  }
}

/** As CVAT writes it beside masks: name, colour, parts, actions. */
const labelMap = (numbers: readonly Numbered[]): string =>
  [
    '# label:color_rgb:parts:actions',
    'background:0,0,0::',
    ...numbers.map(
      ({ name, value }) => `${name.replaceAll(':', ' ')}:${vocPalette[value]?.join(',') ?? ''}::`,
    ),
    '',
  ].join('\n')

/** Bits of the number, spread over red, green and blue from the top down (`VOClabelcolormap`). */
const vocPalette = Array.from({ length: 256 }, (_, index): [number, number, number] => {
  const colour: [number, number, number] = [0, 0, 0]
  for (let bit = 0; bit < 8; bit++)
    for (const part of [0, 1, 2] as const) colour[part] |= ((index >> (3 * bit + part)) & 1) << (7 - bit)
  return colour
})

/** More classes than a palette holds are numbered in grey of 16 bits. */
async function classPng(image: LabelledImage, numbers: readonly Numbered[]): Promise<Buffer> {
  const own = { pixels: image.marks.pixels, segments: image.marks.segments, covered: 0 }
  return numbersPng(classSlice(own, valuesOf(numbers, own), 0), image.size)
}

/** Things are numbered anew, from 1, so that few of them fit into the palette. */
async function objectPng({ marks, size }: LabelledImage, numbers: readonly Numbered[]): Promise<Buffer> {
  const ignored = new Set(numbers.flatMap(({ id, use }) => (use === 'ignore' ? [id] : [])))
  const pixels = sliceOf(marks.pixels, 0)
  const renamed = new Uint16Array(65_536)
  let next = 0
  for (let at = 0; at < pixels.length; at++) {
    const number = pixels[at] ?? 0
    if (number === 0) continue
    if (renamed[number] === 0) {
      const owner = marks.segments.get(number)?.class
      if (owner !== undefined && ignored.has(owner)) renamed[number] = IGNORED
      else {
        next += next + 1 === IGNORED ? 2 : 1
        renamed[number] = next
      }
    }
    pixels[at] = renamed[number] ?? 0
  }
  return numbersPng(pixels, size)
}

function numbersPng(values: Uint16Array, [width, height]: LabelledImage['size']): Promise<Buffer> {
  const isDeep = values.some((value) => value > 255)
  return isDeep
    ? pngBytes({ kind: 'grey', values }, width, height)
    : pngBytes({ kind: 'indexes', values: Uint8Array.from(values), palette: vocPalette }, width, height)
}

type About = { numbers: readonly Numbered[]; isMarked: boolean }

function xmlOf(image: LabelledImage, { numbers, isMarked }: About): string {
  const names = new Map(
    numbers.flatMap(({ id, name, use }) => (use === 'ignore' ? [] : [[id, name] as const])),
  )
  const slash = image.name.lastIndexOf('/')
  const [width, height] = image.size
  return [
    '<annotation>',
    `  <folder>${escapeXml(image.name.slice(0, Math.max(slash, 0)))}</folder>`,
    `  <filename>${escapeXml(image.name.slice(slash + 1))}</filename>`,
    '  <source><database>Neuroloom</database></source>',
    `  <size><width>${width}</width><height>${height}</height><depth>3</depth></size>`,
    `  <segmented>${isMarked ? 1 : 0}</segmented>`,
    ...[...image.marks.things.values()].flatMap(({ shape, class: owner, attributes }) => {
      const name = names.get(owner)
      if (name === undefined || shape.kind === 'line' || shape.kind === 'points') return []
      return objectXml(name, { bounds: boundsOf(shape), attributes, width, height })
    }),
    '</annotation>',
    '',
  ].join('\n')
}

type Boxed = {
  bounds: ReturnType<typeof boundsOf>
  attributes: Readonly<Record<string, string | number | boolean>>
  width: number
  height: number
}

function objectXml(name: string, { bounds, attributes, width, height }: Boxed): string[] {
  const [x0, y0] = [Math.max(0, bounds.x0), Math.max(0, bounds.y0)]
  const [x1, y1] = [Math.min(width, bounds.x1), Math.min(height, bounds.y1)]
  if (x1 <= x0 || y1 <= y0) return []
  const isCut = x0 !== bounds.x0 || y0 !== bounds.y0 || x1 !== bounds.x1 || y1 !== bounds.y1
  const flag = (of: string): number => (attributes[of] === true || attributes[of] === 1 ? 1 : 0)
  return [
    '  <object>',
    `    <name>${escapeXml(name)}</name>`,
    `    <pose>${escapeXml(String(attributes.pose ?? 'Unspecified'))}</pose>`,
    `    <truncated>${isCut ? 1 : flag('truncated')}</truncated>`,
    `    <occluded>${flag('occluded')}</occluded>`,
    `    <difficult>${flag('difficult')}</difficult>`,
    `    <bndbox><xmin>${x0 + 1}</xmin><ymin>${y0 + 1}</ymin><xmax>${x1}</xmax><ymax>${y1}</ymax></bndbox>`,
    '  </object>',
  ]
}
