/** What is sent of an attachment, and what tells one from all others. */
import type { Attachment, AttachmentReference } from '@neuroloom/contract/social/attachments'

export type CardAttachment = Extract<Attachment, { kind: 'file' | 'card' }>

export const isCard = (one: Attachment): one is CardAttachment => one.kind === 'file' || one.kind === 'card'

/** What pages choose and open; rounds and second opinions come from the server alone. */
export type Openable = Extract<Attachment, { kind: 'image' | 'file' | 'card' }>

export const isOpenable = (one: Attachment): one is Openable => one.kind === 'image' || isCard(one)

export const referenceOf = (one: Openable): AttachmentReference =>
  one.kind === 'image' ? { kind: 'image', id: one.id } : one

export const cardKey = (one: CardAttachment): string =>
  one.kind === 'card' ? `${one.of} ${one.id}` : `file ${one.id}`
