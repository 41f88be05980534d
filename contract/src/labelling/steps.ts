/**
 * The journal of a reading: each step says what was there before and what is there after it, so that any step can be taken
 * back by itself, and any moment brought back (marks.ts). Data only.
 */
import * as z from 'zod'
import { labelling as limits } from '../limits.ts'
import type { PixelMap } from './pixels.ts'
import { type Segment, segmentSchema, type Thing, thingSchema } from './things.ts'

const classIds = z.array(z.string().max(24)).max(limits.classes)

/** Pixels, a thing, a segment's description, or the labels of the image as a whole. */
export const deedSchema = z.discriminatedUnion('do', [
  /** `patch`: base64 of `patchOf`. */
  z.object({ do: z.literal('pixels'), patch: z.string().min(1).max(limits.patchLength) }),
  z.object({ do: z.literal('thing'), before: thingSchema.nullable(), after: thingSchema.nullable() }),
  z.object({ do: z.literal('segment'), before: segmentSchema.nullable(), after: segmentSchema.nullable() }),
  z.object({ do: z.literal('tags'), before: classIds, after: classIds }),
])
export type Deed = z.infer<typeof deedSchema>

export const stepSchema = z.object({
  /** Made by the page, so that a step that was sent twice counts once. */
  id: z.string().regex(/^[\w-]{8,24}$/),
  /** What one press, one stroke or one command made; taken back together. */
  stroke: z.string().regex(/^[\w-]{8,24}$/),
  /** Name of the tool, `undo` and `redo` among them. */
  tool: z.string().regex(/^[a-z][a-zA-Z-]{0,29}$/),
  /** By the page's clock, in ms since 1970; the server keeps its own beside it. */
  madeAt: z.int().min(0),
  deed: deedSchema,
})
export type Step = z.infer<typeof stepSchema>

/** All marks of one reader on one image. */
export type Marks = {
  tags: readonly string[]
  things: Map<string, Thing>
  segments: Map<number, Segment>
  pixels: PixelMap
}

/** As it travels and is kept: `pixels` is base64 of `wholePatch`, '' where none is marked. */
export const wholeSchema = z.object({
  tags: classIds,
  things: z.array(thingSchema),
  segments: z.array(segmentSchema),
  pixels: z.string(),
})
export type Whole = z.infer<typeof wholeSchema>
