/** Images and marks of any size for the page of the measurements: drawn, not loaded. */
import type { Thing } from '@neuroloom/contract/labelling/things'
import type { Volume } from '../source/nifti.ts'

export async function drawnTile({
  level,
  x,
  y,
}: {
  level: number
  x: number
  y: number
}): Promise<ImageBitmap> {
  const context = new OffscreenCanvas(512, 512).getContext('2d')
  if (!context) throw new Error('no drawing here')
  const shade = context.createLinearGradient(0, 0, 512, 512)
  shade.addColorStop(0, 'gray')
  shade.addColorStop(1, (x + y + level) % 2 === 0 ? 'silver' : 'dimgray')
  context.fillStyle = shade
  context.fillRect(0, 0, 512, 512)
  return createImageBitmap(context.canvas)
}

/** Polygons of 24 corners, spread over the image. */
export function someThings(count: number, side: number): Thing[] {
  const across = Math.ceil(Math.sqrt(count))
  const step = side / across
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [((index % across) + 0.5) * step, (Math.floor(index / across) + 0.5) * step]
    const ring = Array.from({ length: 24 }, (__, corner) => {
      const turn = (corner / 24) * 2 * Math.PI
      const reach = step * (0.4 + 0.2 * Math.sin(3 * turn + index))
      return [x + reach * Math.cos(turn), y + reach * Math.sin(turn)]
    }).flat()
    return {
      id: `thing-${index}`,
      class: 'a',
      place: { axis: 2, slice: 0 },
      shape: { kind: 'outline', rings: [ring] },
      by: 'hand',
      attributes: {},
      track: null,
      isLast: false,
    }
  })
}

export function someVolume(): Volume {
  const size = [512, 512, 300] as const
  const values = new Int16Array(size[0] * size[1] * size[2])
  for (let at = 0; at < values.length; at++) values[at] = ((at * 7) & 1023) - 200 + ((at >> 9) & 255)
  return { size, values, channels: 1, slope: 1, intercept: 0 }
}
