/** What is marked by its outline: boxes, polygons, lines and points of one plane of an image. Data only. */
import * as z from 'zod'
import { labelling as limits } from '../limits.ts'
import { boundedRecord } from '../schema/bounded-record.ts'

/** In pixels from the left and upper edge of the plane; a pixel's centre lies at a half. Far outside is refused, a little is not. */
const coordinate = z
  .number()
  .min(-limits.side)
  .max(2 * limits.side)
/** x, y, x, y … */
const flat = (least: number) =>
  z
    .array(coordinate)
    .min(least * 2)
    .max(limits.thingPoints * 2)
    .refine(({ length }) => length % 2 === 0)

/** `angle` in degrees, clockwise as seen on the screen, about the middle; 0 where it stands straight. */
const box = z.object({
  kind: z.literal('box'),
  x: coordinate,
  y: coordinate,
  width: z.number().positive().max(limits.side),
  height: z.number().positive().max(limits.side),
  angle: z.number().gt(-360).lt(360).default(0),
})
/** Rings by the even-odd rule: the second one inside the first is a hole, one outside is a further part. */
const outline = z.object({ kind: z.literal('outline'), rings: z.array(flat(3)).min(1).max(limits.rings) })
const line = z.object({ kind: z.literal('line'), points: flat(2) })
/** In the order of the class's skeleton; `seen`: 0 not there, 1 hidden, 2 seen (as in COCO). */
const points = z.object({
  kind: z.literal('points'),
  points: flat(1),
  seen: z.array(z.int().min(0).max(2)).min(1).max(limits.skeletonPoints),
})
export const shapeSchema = z.discriminatedUnion('kind', [box, outline, line, points])
export type Shape = z.infer<typeof shapeSchema>

/** Across which axis the plane lies (2: x and y; 1: x and z; 0: y and z), and which one it is: slice, page or frame, from 0. */
export const placeSchema = z.object({
  axis: z.union([z.literal(0), z.literal(1), z.literal(2)]).default(2),
  slice: z.int().min(0).max(limits.slices).default(0),
})
export type Place = z.infer<typeof placeSchema>

/** Who made it: a hand, a network that a reader agreed with, an assist between slices or frames, or a file. */
export const makers = ['hand', 'network', 'assist', 'file'] as const

export const thingSchema = z.object({
  id: z.string().regex(/^[\w-]{1,24}$/),
  class: z.string().max(24),
  place: placeSchema,
  shape: shapeSchema,
  by: z.enum(makers).default('hand'),
  /** What other programs said of it and get back: difficult, truncated, occluded and the like. */
  attributes: boundedRecord(
    z.string().max(60),
    z.union([z.string().max(200), z.number(), z.boolean()]),
    limits.attributes,
  ).default({}),
  /** The same thing in other frames of a video; between two of its frames it moves evenly. */
  track: z.string().max(24).nullable().default(null),
  /** The track ends here: it is not in the next frame. */
  isLast: z.boolean().default(false),
})
export type Thing = z.infer<typeof thingSchema>

/** A body of pixels with a number of its own in the map: all of a class, or one of several that touch each other. */
export const segmentSchema = z.object({
  number: z.int().min(1).max(limits.segments),
  class: z.string().max(24),
  by: z.enum(makers).default('hand'),
})
export type Segment = z.infer<typeof segmentSchema>
