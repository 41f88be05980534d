/** Where a volume is looked at, on the drawing library's canvas: told to other volumes, and taken over from them. */
import type { Niivue } from '@niivue/niivue'
import { fractionsOf } from '../volume-surface.ts'
import type { Looked } from './view-link.ts'

/** `text` tells two of them apart. */
export type Sight = { looked: Looked; text: string }
type Known = { sides: readonly number[]; hasPlace: boolean }

export function sightOf(drawn: Niivue, { sides, hasPlace }: Known): Sight {
  const fractions = drawn.scene.crosshairPos
  const [x = 0, y = 0, z = 0] = drawn.frac2mm(fractions)
  const [left = 0, front = 0, up = 0, zoom = 1] = drawn.scene.pan2Dxyzmm
  const voxel = (axis: number): number => Math.floor((fractions[axis] ?? 0) * (sides[axis] ?? 1))
  const looked: Looked = {
    cross: { millimetres: hasPlace ? [x, y, z] : null, voxel: [voxel(0), voxel(1), voxel(2)] },
    pan: { by: [left, front, up], zoom },
  }
  return { looked, text: textOf(fractions, drawn.scene.pan2Dxyzmm) }
}

const textOf = (...numbers: ArrayLike<number>[]): string =>
  numbers.map((list) => Array.from(list, (one) => one.toFixed(3)).join(' ')).join(' ')

/** By place in the body where both say how they lie, else by number; beyond an edge, at the edge. */
export function lookedAt(drawn: Niivue, { cross, pan }: Looked, known: Known): Sight {
  const millimetres = known.hasPlace ? cross.millimetres : null
  const own = drawn.scene.pan2Dxyzmm
  const [x, y, z] = millimetres ? pan.by : [own[0] ?? 0, own[1] ?? 0, own[2] ?? 0]
  drawn.scene.pan2Dxyzmm = [x, y, z, pan.zoom]
  const fractions = millimetres ? drawn.mm2frac([...millimetres]) : fractionsOf(cross.voxel, known.sides)
  const held = (axis: number): number => Math.min(Math.max(fractions[axis] ?? 0, 0), 1 - EDGE)
  drawn.scene.crosshairPos = [held(0), held(1), held(2)]
  const sight = sightOf(drawn, known)
  drawn.createOnLocationChange()
  drawn.drawScene()
  return sight
}

/** A cross on the far edge would lie in no voxel. */
const EDGE = 1e-6
