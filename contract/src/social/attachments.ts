/**
 * What goes with a message or a post besides its text. An attachment says what is meant and nothing of what it holds: whoever
 * opens it asks for that with their own rights.
 */
import * as z from 'zod'
import { social as limits } from '../limits.ts'
import { route } from '../route.ts'
import { runSchema } from '../runs.ts'
import { withPatients } from '../sharing.ts'
import { projectTaskSchema } from '../task-schema.ts'
import { cardKinds } from './attachment-kinds.ts'
import { id } from './people.ts'

const image = z.object({
  kind: z.literal('image'),
  id,
  /** In pixels: its place is kept while it loads. */
  width: z.int().positive(),
  height: z.int().positive(),
})

/** A case round. */
const round = z.object({ kind: z.literal('round'), id })
/** A request for a second opinion. */
const opinion = z.object({ kind: z.literal('opinion'), id })

/** A file or folder of somebody's cloud; it is not copied. */
const file = z.object({ kind: z.literal('file'), id })

const card = z.object({ kind: z.literal('card'), of: z.enum(cardKinds), id })

/** As readers get it, and as it is stored. */
export const attachmentSchema = z.discriminatedUnion('kind', [image, file, card, round, opinion])
export type Attachment = z.infer<typeof attachmentSchema>
/** What the upload of an image answers. */
export type ImageAttachment = z.infer<typeof image>

/** As it is sent and opened; rounds and opinions are put into messages by the server. */
const referenceSchema = z.discriminatedUnion('kind', [image.pick({ kind: true, id: true }), file, card])
export type AttachmentReference = z.infer<typeof referenceSchema>

export const sentAttachmentsSchema = z
  .array(referenceSchema)
  .max(limits.attachments)
  .refine((list) => list.filter(({ kind }) => kind === 'image').length <= limits.images)
  .default([])

const openedCard = z.object({
  kind: z.literal('card'),
  of: z.enum(cardKinds),
  id,
  /** Empty of runs and reports, which have none: `run` says what they are called. */
  name: z.string(),
  /** The page that shows it to this reader; null where none does. */
  page: z
    .object({ path: z.enum(['projectDetail', 'dripe', 'run', 'report', 'merchandiseDetail']), id })
    .nullable(),
  run: z.object({ kind: runSchema.shape.kind, number: z.int() }).nullable(),
  task: projectTaskSchema.nullable(),
  /** Main figure of its task. */
  score: z.number().nullable(),
  /** In which project it lies, and on which data it was made; '' where that says nothing. */
  project: z.string(),
  dataset: z.string(),
  /** Of a model of the shop. */
  priceYuan: z.int().nullable(),
})
export type OpenedCard = z.infer<typeof openedCard>

/** Addresses are good for a while, as long as the session stands and the reader sees what it went with. */
export const openedSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('image'), url: z.string(), previewUrl: z.string() }),
  z.object({
    kind: z.literal('file'),
    id,
    name: z.string(),
    isFolder: z.boolean(),
    /** Null of folders. */
    sizeBytes: z.int().nullable(),
    thumbnail: z.string().nullable(),
  }),
  openedCard,
])
export type Opened = z.infer<typeof openedSchema>
export type OpenedFile = Extract<Opened, { kind: 'file' }>

export const socialAttachmentCalls = {
  'social/openAttachments': route({
    summary:
      'What attachments hold, in their order; null of what is not there any more or not for the caller',
    request: z.object({ attachments: z.array(referenceSchema).max(limits.opened) }),
    response: z.object({ opened: z.array(openedSchema.nullable()) }),
    errors: [],
  }),
  'social/ownCards': route({
    summary:
      'What of one kind the caller could send as a card: own things and received ones whose name holds the text',
    request: z.object({ of: z.enum(cardKinds), text: z.string().trim().max(100).default('') }),
    response: z.object({ cards: z.array(openedCard) }),
    errors: [],
  }),
  'social/shareFile': route({
    summary:
      'Let the other member of a conversation of two look at an own file or folder, by a share of the cloud',
    request: z.object({ chatId: id, fileId: id, withPatients }),
    response: z.object({}),
    errors: [
      'chat_missing',
      'missing',
      'not_friends',
      'social_refused',
      'patients_named',
      'share_limit',
      'shared_datasets_limit',
      'upgrade_needed',
    ],
  }),
}
