/** What readers of labels are given: names, ways to texts and to decoded masks, and the images that they may be about. */
import type { PixelMap } from '@neuroloom/contract/labelling/pixels'
import type { LabelsRefused } from '../../../../infra/reader/labels/labels.ts'
import type { Geometry } from '../../../../infra/reader/model.ts'
import type { Found, Target } from '../shapes.ts'

/** A mask as the reading program decoded it: numbers in maps, and what they are called. */
export type Decoded = {
  path: string
  size: readonly [number, number, number]
  geometry: Geometry | null
  /** Bodies that lie on each other are in layers of their own. */
  layers: PixelMap[]
  /** Of each number but 0. */
  values: { layer: number; value: number; body: string; name: string | null; colour: string | null }[]
  /** Each value is a body of its own, not a class. */
  areBodies: boolean
}

export type From = {
  paths: readonly string[]
  /** The text of a file; null when it is larger than this or no text. */
  read: (path: string, maxBytes: number) => Promise<string | null>
  /** Decodes masks in the reading program, in the order given. */
  masks: (paths: readonly string[]) => AsyncIterable<Decoded | { path: string; refused: LabelsRefused }>
  /** The same of PNG files that stand in a text. */
  inside: (files: readonly Buffer[]) => Promise<(Decoded | { path: string; refused: LabelsRefused })[]>
  /** The image that a name means; null where none does, or several could. */
  find: (name: string) => Target | null
  /** All images. */
  targets: readonly Target[]
}

/** Null where nothing is of this format. */
export type Reader = (from: From) => AsyncIterable<Found>
