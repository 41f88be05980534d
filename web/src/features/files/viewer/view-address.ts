/**
 * What is seen of an image, as a short text for addresses: plane, place, window, zoom, overlays, measurements. Nothing in
 * it was written by anybody: names of measurements stay at home, because people write patients' names there. Pure.
 */
import {
  imageViews,
  type MarkKind,
  type OverlayView,
  type Plane,
  type WrittenView,
  writtenViewSchema,
} from '@neuroloom/contract/image-view'
import type { Mark } from './measure/marks.ts'

export type ImageView = {
  isSeries: boolean
  plane: Plane | null
  voxel: readonly [number, number, number] | null
  frame: number
  window: readonly [number, number] | null
  pan: readonly [x: number, y: number, z: number, zoom: number] | null
  kind: MarkKind | null
  overlays: readonly OverlayView[]
  marks: readonly Mark[]
}

export const plainView: ImageView = {
  isSeries: false,
  plane: null,
  voxel: null,
  frame: 0,
  window: null,
  pan: null,
  kind: null,
  overlays: [],
  marks: [],
}

const VERSION = '1.'
/** Of a pixel, as finely as points are kept; without a point they are shorter. */
const HUNDREDTHS = 100

/** Without its marks where they are too many for an address. */
export function textOfView(view: ImageView): { text: string; isCut: boolean } {
  const whole = written(view)
  if (whole.length <= imageViews.length) return { text: whole, isCut: false }
  return { text: written({ ...view, marks: [] }), isCut: true }
}

function written(view: ImageView): string {
  const { isSeries, plane, voxel, frame, window, pan, kind, overlays, marks } = view
  const wire: WrittenView = {
    ...(isSeries ? { s: 1 } : {}),
    ...(plane ? { p: plane } : {}),
    ...(voxel ? { c: [...voxel] } : {}),
    ...(frame > 0 ? { f: frame } : {}),
    ...(window ? { w: [short(window[0]), short(window[1])] } : {}),
    ...(pan ? { z: [short(pan[0]), short(pan[1]), short(pan[2]), short(pan[3])] } : {}),
    ...(kind ? { k: kind } : {}),
    ...(overlays.length > 0 ? { o: [...overlays] } : {}),
    ...(marks.length > 0
      ? {
          m: marks.map((mark) => [
            mark.kind,
            mark.plane,
            mark.slice,
            mark.frame,
            ...mark.points.flat().map((part) => Math.round(part * HUNDREDTHS)),
          ]),
        }
      : {}),
  }
  return VERSION + toBase64(JSON.stringify(wire))
}

const short = (value: number): number => Number(value.toPrecision(6))

/** Null of what is no such text: an address may have been cut, or typed. */
export function viewOfText(text: string | null): ImageView | null {
  if (!text?.startsWith(VERSION) || text.length > imageViews.length) return null
  const read = writtenViewSchema.safeParse(fromBase64(text.slice(VERSION.length)))
  if (!read.success) return null
  const { s, p, c, f, w, z: pan, k, o, m } = read.data
  return {
    isSeries: s === 1,
    plane: p ?? null,
    voxel: c ?? null,
    frame: f ?? 0,
    window: w ?? null,
    pan: pan ?? null,
    kind: k ?? null,
    overlays: o ?? [],
    marks: (m ?? []).map(([kind, plane, slice, frame, ...flat], at) => ({
      number: at + 1,
      name: '',
      ...{ kind, plane, slice, frame },
      points: Array.from({ length: flat.length / 2 }, (_, point) => [
        (flat[2 * point] ?? 0) / HUNDREDTHS,
        (flat[2 * point + 1] ?? 0) / HUNDREDTHS,
      ]),
    })),
  }
}

/** For addresses: without signs that would be written as three. All of it is ASCII. */
const toBase64 = (text: string): string =>
  btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

function fromBase64(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return null
  }
}
