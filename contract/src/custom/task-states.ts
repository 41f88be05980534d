/** How a custom task moves from its request to its end: one table for the pages, the server and the tests. Pure. */

/** What is asked for: work of the technical team on a member's task, or good hyperparameters for a network. */
export const customKinds = ['customisation', 'tuning'] as const
export type CustomKind = (typeof customKinds)[number]

export const customStates = [
  'unpaid',
  'pending_review',
  'approved',
  'rejected',
  'processing',
  'completed',
] as const
export type CustomState = (typeof customStates)[number]

/**
 * `pay` and `payReviewed`: the money arrived before the review, or after it, for a price that the review set. `quote`: the
 * review passed, and set a price that is to be paid. `resubmit` and `resubmitPriced`: handed in again, where the price is
 * set by the review, or fixed. `report`: progress. `refund`: an administrator gave the money back. `remove`: given up.
 */
export const customActions = [
  'pay',
  'payReviewed',
  'approve',
  'quote',
  'reject',
  'resubmit',
  'resubmitPriced',
  'report',
  'complete',
  'refund',
  'remove',
] as const
export type CustomAction = (typeof customActions)[number]

/** What is not in the table is refused. */
export const customTransitions = {
  unpaid: { pay: 'pending_review', payReviewed: 'approved', remove: 'removed' },
  pending_review: { approve: 'approved', quote: 'unpaid', reject: 'rejected', refund: 'rejected' },
  approved: { report: 'processing', complete: 'completed', refund: 'rejected' },
  rejected: { resubmit: 'pending_review', resubmitPriced: 'unpaid', remove: 'removed' },
  processing: { report: 'processing', complete: 'completed', refund: 'rejected' },
  completed: { refund: 'completed' },
} as const satisfies Record<CustomState, Partial<Record<CustomAction, CustomState | 'removed'>>>

/** The state that an action leads to; null where it is not allowed. */
export function customStateAfter(state: CustomState, action: CustomAction): CustomState | 'removed' | null {
  const allowed: Partial<Record<CustomAction, CustomState | 'removed'>> = customTransitions[state]
  return allowed[action] ?? null
}

/** The states from which an action is allowed. */
export const customStatesBefore = (action: CustomAction): CustomState[] =>
  customStates.filter((state) => customStateAfter(state, action) !== null)
