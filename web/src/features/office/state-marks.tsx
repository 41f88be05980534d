import type { Invoice, OrderState } from '@neuroloom/contract/membership/orders'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../ui/state-mark.tsx'

type Look = ComponentProps<typeof StateMark>['state']

/** The contract's own lists come with schemas that must not reach the browser; their types keep both equal. */
const orderLooks: Record<OrderState, Look> = {
  waiting: 'waiting',
  paid: 'done',
  returning: 'asked',
  refunded: 'cancelled',
  expired: 'cancelled',
  cancelled: 'cancelled',
}
const invoiceLooks: Record<Invoice['state'], Look> = {
  asked: 'asked',
  issued: 'done',
  refused: 'failed',
  void: 'cancelled',
}
export const orderStates = Object.keys(orderLooks).filter((name): name is OrderState => name in orderLooks)
export const invoiceStates = Object.keys(invoiceLooks).filter(
  (name): name is Invoice['state'] => name in invoiceLooks,
)

export function OrderMark({ state }: { state: OrderState }) {
  const { t } = useTranslation('office')
  return <StateMark state={orderLooks[state]} text={t(`state.${state}`)} />
}

export function InvoiceMark({ state }: { state: Invoice['state'] }) {
  const { t } = useTranslation('office')
  return <StateMark state={invoiceLooks[state]} text={t(`invoiceState.${state}`)} />
}
