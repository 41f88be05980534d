/** Maps of numbers that are filled slice by slice, a further one where bodies lie on each other. */
import {
  closeTile,
  countSegments,
  makePixels,
  openTile,
  type PixelMap,
  TILE,
  tileOf,
} from '@neuroloom/contract/labelling/pixels'
import type { Geometry, Samples, Triple } from '../model.ts'

export type Layers = {
  size: Triple
  layers: PixelMap[]
  geometry: Geometry | null
  /** What numbers are called; of one layer by `<layer>/<number>`, or in all of them. */
  names: ReadonlyMap<number | string, { name: string; colour: string | null }>
  /** Each number is a body of its own, not a class. */
  areBodies: boolean
  /** Numbers count colours, in the order of their first pixels. */
  areColours?: boolean
}

export function layered(size: Triple) {
  const layers: PixelMap[] = []
  const [width, height] = size
  const layerAt = (index: number): PixelMap => {
    const layer = layers[index] ?? makePixels(size)
    layers[index] = layer
    return layer
  }
  return {
    /** Numbers from 0 to 65,535, row by row. */
    addNumbers(values: ArrayLike<number>, slice: number, index = 0): void {
      eachTile(size, (x0, y0) => {
        const layer = layerAt(index)
        if (!anyIn(values, { x0, y0, width, height, least: 1 })) return
        const tile = tileOf(layer, x0, y0, slice)
        const pixels = openTile(layer, tile)
        eachPixel({ x0, y0, width, height }, (at, from) => {
          pixels[at] = values[from] ?? 0
        })
        closeTile(layer, tile)
      })
    },
    /** One body: pixels from `least` on. */
    addBody(
      values: Samples,
      { slice, least, number }: { slice: number; least: number; number: number },
    ): void {
      eachTile(size, (x0, y0) => {
        const place = { x0, y0, width, height }
        if (!anyIn(values, { ...place, least })) return
        const tile = tileOf({ size, tiles: new Map() }, x0, y0, slice)
        let index = 0
        // The first layer in which nothing else has any of these pixels.
        while (isTaken(layerAt(index), tile, { ...place, values, least, number })) index += 1
        const layer = layerAt(index)
        const pixels = openTile(layer, tile)
        eachPixel(place, (at, from) => {
          if ((values[from] ?? 0) >= least) pixels[at] = number
        })
        closeTile(layer, tile)
      })
    },
    made: (): Pick<Layers, 'size' | 'layers'> => ({
      size,
      layers: layers.length > 0 ? layers : [makePixels(size)],
    }),
  }
}

type Place = { x0: number; y0: number; width: number; height: number }

function eachTile([width, height]: Triple, visit: (x0: number, y0: number) => void): void {
  for (let y0 = 0; y0 < height; y0 += TILE) for (let x0 = 0; x0 < width; x0 += TILE) visit(x0, y0)
}

/** `at`: in the tile; `from`: in the slice. */
function eachPixel({ x0, y0, width, height }: Place, visit: (at: number, from: number) => void): void {
  const [across, down] = [Math.min(TILE, width - x0), Math.min(TILE, height - y0)]
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++) visit(y * TILE + x, (y0 + y) * width + x0 + x)
}

function anyIn(values: ArrayLike<number>, { least, ...place }: Place & { least: number }): boolean {
  let isAny = false
  eachPixel(place, (_, from) => {
    isAny ||= (values[from] ?? 0) >= least
  })
  return isAny
}

type Body = Place & { values: Samples; least: number; number: number }

function isTaken(layer: PixelMap, tile: number, { values, least, number, ...place }: Body): boolean {
  const there = layer.tiles.get(tile) ?? 0
  if (typeof there === 'number' && (there === 0 || there === number)) return false
  let isAny = false
  eachPixel(place, (at, from) => {
    if (isAny || (values[from] ?? 0) < least) return
    const other = typeof there === 'number' ? there : (there[at] ?? 0)
    isAny = other !== 0 && other !== number
  })
  return isAny
}

/** The numbers of a layer, with how many pixels each has. */
export const numbersIn = (layer: PixelMap): number[] => [...countSegments(layer).keys()].sort((a, b) => a - b)
