/** What can go with a message or a post. Data only, without zod: pages choose from it. */

/** One image as the body of the request, without a name: it is looked at, and its pixels alone are kept. */
export const IMAGE_UPLOAD_PATH = 'social/image'

export const attachmentKinds = ['image', 'file', 'card', 'round', 'opinion'] as const

/** What a card shows of: each opens the page of that thing. */
export const cardKinds = ['project', 'dataset', 'network', 'run', 'report', 'listing'] as const
export type CardKind = (typeof cardKinds)[number]
