/** The Shepp–Logan head phantom in three dimensions, with the greys of Toft (1996): a volume that is nobody's. */
import { niftiVolume } from '../../server/test/images.ts'

/** Grey, half axes, centre, and the turn about the long axis in degrees; lengths in halves of the volume's side. */
const ellipsoids = [
  [1, [0.69, 0.92, 0.81], [0, 0, 0], 0],
  [-0.8, [0.6624, 0.874, 0.78], [0, -0.0184, 0], 0],
  [-0.2, [0.11, 0.31, 0.22], [0.22, 0, 0], -18],
  [-0.2, [0.16, 0.41, 0.28], [-0.22, 0, 0], 18],
  [0.1, [0.21, 0.25, 0.41], [0, 0.35, -0.15], 0],
  [0.1, [0.046, 0.046, 0.05], [0, 0.1, 0.25], 0],
  [0.1, [0.046, 0.046, 0.05], [0, -0.1, 0.25], 0],
  [0.1, [0.046, 0.023, 0.05], [-0.08, -0.605, 0], 0],
  [0.1, [0.023, 0.023, 0.02], [0, -0.606, 0], 0],
  [0.1, [0.023, 0.046, 0.02], [0.06, -0.605, 0], 0],
] as const

/** Gzipped NIfTI of `side` voxels a side, a millimetre each. */
export function headPhantom(side: number): Buffer {
  const place = (index: number) => (2 * (index + 0.5)) / side - 1
  return niftiVolume({
    size: [side, side, side],
    at: (x, y, z) => Math.round(1000 * greyAt(place(x), place(y), place(z))),
  })
}

function greyAt(x: number, y: number, z: number): number {
  let grey = 0
  for (const [value, [a, b, c], [x0, y0, z0], degrees] of ellipsoids) {
    const turn = (degrees * Math.PI) / 180
    const across = (x - x0) * Math.cos(turn) + (y - y0) * Math.sin(turn)
    const along = (y - y0) * Math.cos(turn) - (x - x0) * Math.sin(turn)
    if ((across / a) ** 2 + (along / b) ** 2 + ((z - z0) / c) ** 2 <= 1) grey += value
  }
  return grey
}
