/**
 * How a demand goes on: one table of states, actions and who may take them. Pure, without zod: pages and the server ask the
 * same function. What a transition moves besides (money, shares, messages) is the server's.
 *
 *   open ──assign──▶ assigned ──deliver──▶ delivered ──accept──▶ accepted ──rate──▶ closed
 *    │                │    ◀──send_back / accept_part──│                              ▲
 *    ▼ withdraw       └──────── dispute ───────────────┴──▶ disputed ──decide─────────┘
 *   withdrawn                   give_up: assigned or delivered ──────────────────────▶ closed
 */
export const demandStates = [
  'open',
  'assigned',
  'delivered',
  'accepted',
  'disputed',
  'closed',
  'withdrawn',
] as const
export type DemandState = (typeof demandStates)[number]

export const demandActions = [
  'edit',
  'offer',
  'withdraw',
  'assign',
  'deliver',
  'send_back',
  'accept_part',
  'accept',
  'dispute',
  'give_up',
  'decide',
  'rate',
] as const
export type DemandAction = (typeof demandActions)[number]

/** `bidder`: any provider but the owner; `payment`: the money of a selected offer has come. */
export const demandActors = ['owner', 'bidder', 'provider', 'payment', 'administrator'] as const
export type DemandActor = (typeof demandActors)[number]

type Transition = { by: readonly DemandActor[]; to: DemandState }

const transitions: Record<DemandState, { readonly [Action in DemandAction]?: Transition }> = {
  open: {
    edit: { by: ['owner'], to: 'open' },
    offer: { by: ['bidder'], to: 'open' },
    withdraw: { by: ['owner'], to: 'withdrawn' },
    assign: { by: ['payment'], to: 'assigned' },
  },
  assigned: {
    deliver: { by: ['provider'], to: 'delivered' },
    dispute: { by: ['owner', 'provider'], to: 'disputed' },
    give_up: { by: ['provider'], to: 'closed' },
  },
  delivered: {
    /** Of a milestone that is not the last one: the next is to be delivered. */
    accept_part: { by: ['owner'], to: 'assigned' },
    accept: { by: ['owner'], to: 'accepted' },
    send_back: { by: ['owner'], to: 'assigned' },
    dispute: { by: ['owner', 'provider'], to: 'disputed' },
    give_up: { by: ['provider'], to: 'closed' },
  },
  accepted: { rate: { by: ['owner'], to: 'closed' } },
  disputed: { decide: { by: ['administrator'], to: 'closed' } },
  closed: {},
  withdrawn: {},
}

/** The state after an action; null where it is not allowed. */
export function nextState(state: DemandState, action: DemandAction, actor: DemandActor): DemandState | null {
  const transition = transitions[state][action]
  return transition?.by.includes(actor) ? transition.to : null
}

/** Money of the customer is held, and the provider has the data. */
export const isUnderWay = (state: DemandState): boolean =>
  state === 'assigned' || state === 'delivered' || state === 'disputed'

/** How a closed demand ended: rated after acceptance, decided in a dispute, or given up by its provider. */
export const demandEnds = ['rated', 'decided', 'given_up'] as const
export type DemandEnd = (typeof demandEnds)[number]

export const deliveryStates = ['waiting', 'accepted', 'sent_back'] as const
export type DeliveryState = (typeof deliveryStates)[number]
