/** Where things stand on the canvas: kept beside a document, never in it, and no part of its hash. */
import * as z from 'zod'
import { boundedRecord } from '../../schema/bounded-record.ts'
import { networkLimits } from '../document/document.ts'

const place = z.tuple([z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6)])

/** `id` begins with `#`, which no path does. */
const comment = z.object({ id: z.string().regex(/^#[a-z0-9]{1,40}$/), at: place, text: z.string().max(2000) })
export type CanvasComment = z.infer<typeof comment>

export const layoutSchema = z.object({
  v: z.literal(1),
  /** By path of a node as the canvas shows it (`stem`, `up/cat` inside the opened `up`), `@image`, `heads.main`. What is missing is laid out by itself. */
  pos: boundedRecord(z.string().max(400), place, networkLimits.names),
  /** Paths of blocks that are open. */
  open: z.array(z.string().max(400)).max(networkLimits.names),
  /** Paths that somebody moved by hand: to lay everything out neatly leaves them where they are. */
  held: z.array(z.string().max(400)).max(networkLimits.names).optional(),
  /** Where data flow to; missing = as the canvas has room. */
  direction: z.enum(['down', 'right']).optional(),
  /** Words on the canvas, of no meaning to the network. */
  comments: z.array(comment).max(200).optional(),
})
export type Layout = z.infer<typeof layoutSchema>

export const emptyLayout: Layout = { v: 1, pos: {}, open: [] }
