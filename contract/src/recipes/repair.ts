/** What makes a mask fit its image, one step after the other; the engine refuses a result that does not. Data only. */
import * as z from 'zod'
import { recipes as limits } from '../limits.ts'

export const repairSchema = z.discriminatedUnion('do', [
  /** First mirrored left to right, then so many quarters clockwise. */
  z.object({ do: z.literal('turn'), quarters: z.int().min(0).max(3), isMirrored: z.boolean() }),
  /** To the size of the image, each pixel by the nearest value. */
  z.object({ do: z.literal('size') }),
  /** From the upper left corner on; what is missing becomes background. */
  z.object({ do: z.literal('cut') }),
  /** Numbers, or colours as `#rrggbb`; those that are not listed become background. */
  z.object({
    do: z.literal('values'),
    map: z
      .array(
        z.object({ from: z.string().regex(/^(-?\d{1,10}|#[0-9a-f]{6})$/), to: z.int().min(0).max(65_535) }),
      )
      .max(limits.maskValues),
  }),
  z.object({ do: z.literal('threshold'), least: z.number().min(-1e6).max(1e6) }),
  /** Of volumes: the voxels stay and are said to lie where those of the image lie. */
  z.object({ do: z.literal('place') }),
  /** Of volumes: on the grid of the image, so that everything stays where it is in the body. */
  z.object({ do: z.literal('grid') }),
])
export type Repair = z.infer<typeof repairSchema>

const sides = {
  width: z.int(),
  height: z.int(),
  /** Null of what is no volume. */
  depth: z.int().nullable(),
  /** How the camera was held (EXIF); width and height are those of the upright picture. */
  turn: z.int().min(1).max(8),
  /** Of volumes that say it: from voxels (i, j, k) to millimetres, the three rows of the affine. */
  place: z.array(z.number()).length(12).nullable(),
}
export const imageLookSchema = z.object(sides)
export const maskLookSchema = z.object({
  ...sides,
  kind: z.enum(['numbers', 'palette', 'colours']),
  /** Written in a way that changes values, as JPEG is. */
  isLossy: z.boolean(),
  /** How often each stands there; null = so many that they are no classes. */
  values: z.array(z.object({ value: z.string(), count: z.int() })).nullable(),
})
export type ImageLook = z.infer<typeof imageLookSchema>
export type MaskLook = z.infer<typeof maskLookSchema>
