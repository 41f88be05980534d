/**
 * What goes with a message or a post besides its text. An attachment says what is meant and nothing of what it holds: whoever
 * opens it asks for that with their own rights.
 */
import * as z from 'zod'
import { id } from './people.ts'

const image = z.object({
  kind: z.literal('image'),
  id,
  /** In pixels: its place is kept while it loads. */
  width: z.int().positive(),
  height: z.int().positive(),
})

/** As readers get it, and as it is stored. */
export const attachmentSchema = z.discriminatedUnion('kind', [image])
export type Attachment = z.infer<typeof attachmentSchema>
