/** How the state of a model of the shop looks: to its seller and to administrators alike. */
import type { ListingState } from '@neuroloom/contract/shop/words'

export const listingLooks = {
  draft: 'waiting',
  checking: 'running',
  refused: 'failed',
  listed: 'done',
  hidden: 'cancelled',
  banned: 'failed',
  closed: 'cancelled',
} as const satisfies Record<ListingState, string>
