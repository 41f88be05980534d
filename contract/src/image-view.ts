/** What is seen of an image and measured on it, as the address of a view holds it. Data only. */
import * as z from 'zod'

export const markKinds = [
  'distance',
  'angle',
  'cobb',
  'ellipse',
  'polygon',
  'freehand',
  'profile',
  'point',
  'arrow',
] as const
export const markKindSchema = z.enum(markKinds)
export type MarkKind = z.infer<typeof markKindSchema>

/** So many points make it; null = as many as are set, at least three. */
export const pointsOf: Record<MarkKind, number | null> = {
  distance: 2,
  angle: 3,
  cobb: 4,
  ellipse: 2,
  polygon: null,
  freehand: null,
  profile: 2,
  point: 1,
  /** What it shows, then where it comes from. */
  arrow: 2,
}

export const flatPlanes = ['axial', 'coronal', 'sagittal'] as const
export type FlatPlane = (typeof flatPlanes)[number]
export const planes = ['three', ...flatPlanes] as const
export type Plane = (typeof planes)[number]

export const imageViews = {
  marks: 50,
  /** Of an outline. */
  points: 64,
  leastPoints: 3,
  /** A truth and a prediction; a third would hide both. */
  overlays: 2,
  /** Images next to each other. */
  beside: 4,
  /** Longer addresses are cut by mail programs and servers. */
  length: 3000,
} as const

const number = z.number().min(-1e9).max(1e9)
const index = z.int().min(0).max(1e6)

export const overlayViewSchema = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  /** Filled, or its outline alone. */
  isFilled: z.boolean(),
  opacity: z.number().min(0).max(1),
  /** Labels that are not shown, counted from 1 on. */
  hidden: z.array(z.int().min(1).max(255)).max(255),
})
export type OverlayView = z.infer<typeof overlayViewSchema>

/** Kind, plane, slice, point in time, then points: x and y in hundredths of a pixel. */
const flatMark = z
  .tuple([markKindSchema, z.enum(flatPlanes), index, index])
  .rest(number)
  .refine(([kind, , , , ...flat]) => isWhole(kind, flat.length))

function isWhole(kind: MarkKind, numbers: number): boolean {
  const wanted = pointsOf[kind]
  if (wanted !== null) return numbers === 2 * wanted
  return numbers % 2 === 0 && numbers >= 2 * imageViews.leastPoints && numbers <= 2 * imageViews.points
}

/** Each part may be missing: then it is as the image is first shown. Names are short, because addresses are to be. */
export const writtenViewSchema = z.object({
  /** The whole series of a DICOM slice. */
  s: z.literal(1).optional(),
  p: z.enum(planes).optional(),
  /** Voxel under the cross. */
  c: z.tuple([number, number, number]).optional(),
  f: index.optional(),
  w: z.tuple([number, number]).optional(),
  /** Moved by, and how many times as large. */
  z: z.tuple([number, number, number, z.number().min(0.01).max(1000)]).optional(),
  /** What the next mark will be. */
  k: markKindSchema.optional(),
  o: z.array(overlayViewSchema).max(imageViews.overlays).optional(),
  m: z.array(flatMark).max(imageViews.marks).optional(),
})
export type WrittenView = z.infer<typeof writtenViewSchema>
