/**
 * LabelMe (https://github.com/wkentaro/labelme): a JSON an image. Pixels as `mask` shapes; labels of the whole image as its flags;
 * what flags cannot say as `attributes`, as X-AnyLabeling has them.
 */

import { cornersOf } from '@neuroloom/contract/labelling/corners'
import type { Thing } from '@neuroloom/contract/labelling/things'
import { pairs } from '../geometry.ts'
import { pngBytes } from '../png.ts'
import type { Crop } from '../rle.ts'
import { cropOf, cropOfRings, extentsOf } from '../segments.ts'
import { type LabelledImage, type LabelledSet, type Piece, text } from '../shapes.ts'

export async function* writeLabelme({ classes, images }: LabelledSet): AsyncIterable<Piece> {
  const names = new Map(classes.map(({ id, name }) => [id, name]))
  for await (const image of images) {
    const [width, height, slices] = image.size
    if (slices > 1) continue
    const shapes: object[] = []
    for await (const { owner, ...shape } of shapesIn(image))
      shapes.push({ label: names.get(owner) ?? '', group_id: null, description: '', flags: {}, ...shape })
    const body = {
      version: '5.5.0',
      flags: Object.fromEntries(image.marks.tags.map((id) => [names.get(id) ?? '', true])),
      shapes,
      imagePath: image.name.slice(image.name.lastIndexOf('/') + 1),
      imageData: null,
      imageHeight: height,
      imageWidth: width,
    }
    yield text(`${image.stem}.json`, `${JSON.stringify(body, null, 1)}\n`)
  }
}

type Shape = { owner: string; shape_type: string; points: (readonly number[])[]; mask?: string }

async function* shapesIn({ marks, size }: LabelledImage): AsyncIterable<Shape> {
  for (const thing of marks.things.values()) {
    const found = await shapeOf(thing, size)
    if (found) yield { owner: thing.class, ...found, ...attributesOf(thing) }
  }
  for (const extent of extentsOf(marks.pixels)) {
    const owner = marks.segments.get(extent.number)?.class
    if (owner !== undefined) yield { owner, ...(await maskOf(cropOf(marks.pixels, extent))) }
  }
}

function attributesOf({ attributes }: Thing): object {
  const entries = Object.entries(attributes)
  const flags = entries.filter(([, value]) => typeof value === 'boolean')
  const others = entries.filter(([, value]) => typeof value !== 'boolean')
  return {
    ...(flags.length > 0 ? { flags: Object.fromEntries(flags) } : {}),
    ...(others.length > 0 ? { attributes: Object.fromEntries(others) } : {}),
  }
}

async function shapeOf({ shape }: Thing, size: LabelledImage['size']): Promise<Omit<Shape, 'owner'> | null> {
  switch (shape.kind) {
    case 'box': {
      if (shape.angle !== 0) return { shape_type: 'polygon', points: cornersOf(shape) }
      const { x, y, width, height } = shape
      return { shape_type: 'rectangle', points: [[x, y], [x + width, y + height]] } // biome-ignore format: corners
    }
    case 'outline': {
      const [ring, ...more] = shape.rings
      if (ring && more.length === 0) return { shape_type: 'polygon', points: pairs(ring) }
      const crop = cropOfRings(shape.rings, size)
      return crop ? maskOf(crop) : null
    }
    case 'line': {
      const points = pairs(shape.points)
      return { shape_type: points.length === 2 ? 'line' : 'linestrip', points }
    }
    case 'points': {
      const points = pairs(shape.points)
      const isPlain = points.length === 1 && shape.seen[0] === 2
      return { shape_type: isPlain ? 'point' : 'points', points, ...(isPlain ? {} : { seen: shape.seen }) }
    }
  }
}

/** The corners are pixels, the last one included. */
async function maskOf({ x, y, width, height, values }: Crop): Promise<Omit<Shape, 'owner'>> {
  const png = await pngBytes({ kind: 'grey', values }, width, height)
  const points = [[x, y], [x + width - 1, y + height - 1]] // biome-ignore format: corners
  return { shape_type: 'mask', points, mask: png.toString('base64') }
}
