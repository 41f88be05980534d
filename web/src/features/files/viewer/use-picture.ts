import type { ImageFacts } from '@neuroloom/contract/viewing'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useToldValue, useViewLink } from './beside/view-link.ts'
import type { Point } from './measure/geometry.ts'
import type { Place } from './measure/marks.ts'
import { brightnessOf, type Grid } from './measure/measured.ts'
import type { Surface } from './measure/surface.ts'
import type { ImageView } from './view-address.ts'

/** Middle of the stage, in pixels of the picture, and how much larger than fitted. */
type Seen = { middle: Point | null; by: number }
const whole: Seen = { middle: null, by: 1 }
const ZOOM = { least: 0.5, most: 64 }
/** Larger pictures are shown, and measured without their values: the browser would need a second copy of them. */
const MOST_PIXELS = 64e6

const place: Place = { plane: 'axial', slice: 0, frame: 0 }

type PictureOptions = { facts: ImageFacts | null; start: Pick<ImageView, 'pan'> }

/** A picture on a stage: how large, which part, and its values. */
export function usePicture(stage: RefObject<HTMLElement | null>, { facts, start }: PictureOptions) {
  const [room, setRoom] = useState<Point>([0, 0])
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  const [seen, setSeen] = useState<Seen>(() =>
    start.pan ? { middle: [start.pan[0], start.pan[1]], by: start.pan[3] } : whole,
  )
  const values = useRef<ImageData | null>(null)
  useEffect(() => {
    const element = stage.current
    if (!element) return
    const measure = () => setRoom([element.clientWidth, element.clientHeight])
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [stage])

  const size: Point = image ? [image.naturalWidth || 1, image.naturalHeight || 1] : [1, 1]
  const fit = Math.min(room[0] / size[0], room[1] / size[1], MOST_FIT) || 1
  const scale = fit * seen.by
  const middle = seen.middle ?? [size[0] / 2, size[1] / 2]
  const origin: Point = [room[0] / 2 - middle[0] * scale, room[1] / 2 - middle[1] * scale]

  const [width, height] = size
  const [left, top] = origin
  const surface = useMemo((): Surface | null => {
    if (image === null) return null
    const clip = { left: 0, top: 0, width: room[0], height: room[1] }
    return {
      panes: [{ place, size: [width, height], origin: [left, top], step: [scale, scale], clip }],
      gridOf: () => gridOf(image, facts, values),
      orderOf: () => ({ start: 0, column: 1, row: width, size: [width, height] }),
    }
  }, [image, facts, room, width, height, left, top, scale])

  const middleOf = ({ middle: said }: Seen): Point => said ?? [width / 2, height / 2]
  const tell = useViewLink({
    hasPlace: null,
    onTold: ({ part }) => {
      // Before it is there, nothing is known of its size.
      if (!part || image === null) return
      const [x, y] = part.middle
      takeOver(
        part.by === 1 && x === 0.5 && y === 0.5 ? whole : { middle: [x * width, y * height], by: part.by },
      )
    },
  })
  const tellSeen = useCallback(
    ({ middle: said, by }: Seen) =>
      tell({ part: { middle: said ? [said[0] / width, said[1] / height] : [0.5, 0.5], by } }),
    [tell, width, height],
  )
  const takeOver = useToldValue(seen, tellSeen, setSeen)
  /** What lies at this point of the stage stays there; at the middle where none is said. */
  const zoom = (by: number, [x, y]: Point = [room[0] / 2, room[1] / 2]) =>
    setSeen((before) => {
      const after = Math.min(Math.max(before.by * by, ZOOM.least), Math.max(ZOOM.most, 1 / fit))
      const [column, row] = middleOf(before)
      const change = 1 / (fit * before.by) - 1 / (fit * after)
      return { middle: [column + (x - room[0] / 2) * change, row + (y - room[1] / 2) * change], by: after }
    })
  return {
    surface,
    scale,
    origin,
    setImage,
    zoom,
    /** By so many pixels of the screen. */
    pan: ([x, y]: Point) =>
      setSeen((before) => {
        const [column, row] = middleOf(before)
        return { ...before, middle: [column - x / (fit * before.by), row - y / (fit * before.by)] }
      }),
    /** A pixel of the picture on each of the screen, and back. */
    toggle: () => setSeen(seen.by === 1 && seen.middle === null ? { middle, by: 1 / fit } : whole),
    isWhole: seen.by === 1 && seen.middle === null,
    reset: () => setSeen(whole),
    look: (): ImageView['pan'] =>
      seen.middle === null && seen.by === 1 ? null : [middle[0], middle[1], 0, seen.by],
  }
}

/** Small pictures are shown larger, up to where their pixels are squares. */
const MOST_FIT = 8

function gridOf(
  image: HTMLImageElement,
  facts: ImageFacts | null,
  values: RefObject<ImageData | null>,
): Grid {
  const [width, height] = [image.naturalWidth, image.naturalHeight]
  const steps = facts?.spacing ?? null
  return {
    size: [width, height],
    stepsAt: () => steps && [steps[0], steps[1]],
    valueAt: (x, y) => {
      if (x < 0 || y < 0 || x >= width || y >= height || width * height > MOST_PIXELS) return null
      values.current ??= pixelsOf(image)
      const data = values.current?.data
      const at = 4 * (y * width + x)
      if (!data) return null
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      // Grey as it is: weighed, it would no longer be a whole number.
      return red === green && green === blue ? red : brightnessOf(red, green, blue)
    },
  }
}

function pixelsOf(image: HTMLImageElement): ImageData | null {
  const { naturalWidth: width, naturalHeight: height } = image
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  context?.drawImage(image, 0, 0)
  return context?.getImageData(0, 0, width, height) ?? null
}
