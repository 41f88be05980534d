/**
 * What goes with a message or a post besides its text. An attachment says what is meant and nothing of what it holds: whoever
 * opens it asks for that with their own rights.
 */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'
import { id } from './people.ts'

export const attachmentKinds = ['image'] as const

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
/** What the upload of an image answers. */
export type ImageAttachment = z.infer<typeof image>

/** As it is sent and opened. */
const referenceSchema = z.discriminatedUnion('kind', [image.pick({ kind: true, id: true })])
export type AttachmentReference = z.infer<typeof referenceSchema>

export const sentAttachmentsSchema = z
  .array(referenceSchema)
  .max(limits.attachments)
  .refine((list) => list.filter(({ kind }) => kind === 'image').length <= limits.images)
  .default([])

/** Addresses are good for a while, as long as the session stands and the reader sees what it went with. */
export const openedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), url: z.string(), previewUrl: z.string() }),
])
export type Opened = z.infer<typeof openedSchema>

export const socialAttachmentCalls = {
  'social/openAttachments': route({
    summary:
      'What attachments hold, in their order; null of what is not there any more or not for the caller',
    request: z.object({ attachments: z.array(referenceSchema).max(limits.opened) }),
    response: z.object({ opened: z.array(openedSchema.nullable()) }),
    errors: [],
  }),
}
