/** Looks for texts in every frame; what stands still on a film is told by what all frames have in common. */
import { burnedIn } from '@neuroloom/contract/limits'
import { refuse } from '../model.ts'
import { around, type Box } from './boxes.ts'
import { type Film, frameOf, isWindowed } from './film.ts'
import { type Found, findTexts } from './find.ts'
import type { Picture } from './planes.ts'

/** In the frames `first` to `last`, counted from 0. */
export type Region = Found & { first: number; last: number }

export function textsOf(film: Film): Region[] {
  if (film.frames > burnedIn.frames) throw refuse('too_large', { limit: burnedIn.frames })
  const regions: Region[] = []
  for (let index = 0; index < film.frames; index += 1) {
    for (const found of foundIn(film, index)) add(regions, { ...found, first: index, last: index })
  }
  if (film.frames > 1) {
    for (const found of findTexts(stillOf(film))) add(regions, { ...found, first: 0, last: film.frames - 1 })
  }
  return regions.sort((a, b) => b.weight - a.weight)
}

function foundIn(film: Film, index: number): Found[] {
  const shown = findTexts(frameOf(film, index))
  return isWindowed(film) ? [...shown, ...findTexts(frameOf(film, index, true))] : shown
}

/** The same place again makes the range of frames longer, those between included: writing seldom goes and comes. */
function add(regions: Region[], one: Region): void {
  const same = regions.find((other) => isSame(other, one))
  if (!same) {
    regions.push(one)
    return
  }
  Object.assign(same, around(same, one), {
    weight: Math.max(same.weight, one.weight),
    first: Math.min(same.first, one.first),
    last: Math.max(same.last, one.last),
  })
}

function isSame(a: Box, b: Box): boolean {
  const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)
  const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y)
  if (across <= 0 || down <= 0) return false
  const shared = across * down
  return shared >= SAME * Math.max(a.w * a.h, b.w * b.h) || shared >= 0.95 * Math.min(a.w * a.h, b.w * b.h)
}

const SAME = 0.6

/** The least of all frames: moving tissue is dark at some time, bright letters that stand still never are. */
function stillOf(film: Film): Picture {
  const first = frameOf(film, 0)
  const least = first.pixels.slice()
  for (let index = 1; index < film.frames; index += 1) {
    const { pixels } = frameOf(film, index)
    for (let at = 0; at < pixels.length; at += 1) {
      const value = pixels[at] ?? 0
      if (value < (least[at] ?? 0)) least[at] = value
    }
  }
  return { ...first, pixels: least }
}
