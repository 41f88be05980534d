/** Where things stand on the canvas: kept beside a document, never in it, and no part of its hash. */
import * as z from 'zod'
import { networkLimits } from './document.ts'

const place = z.tuple([z.number().min(-1e6).max(1e6), z.number().min(-1e6).max(1e6)])

export const layoutSchema = z.object({
  v: z.literal(1),
  /** By path of a node as the canvas shows it (`stem`, `up/cat` inside the opened `up`), `@image`, `heads.main`. What is missing is laid out by itself. */
  pos: z.record(z.string().max(400), place).refine((pos) => Object.keys(pos).length <= networkLimits.names),
  /** Paths of blocks that are open. */
  open: z.array(z.string().max(400)).max(networkLimits.names),
})
export type Layout = z.infer<typeof layoutSchema>

export const emptyLayout: Layout = { v: 1, pos: {}, open: [] }
