import type { Invoice, OrderState } from '@neuroloom/contract/membership/orders'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { StateMark } from '../../ui/state-mark.tsx'

type Look = ComponentProps<typeof StateMark>['state']

const orderLooks: Record<OrderState, Look> = {
  waiting: 'asked',
  paid: 'done',
  returning: 'waiting',
  refunded: 'cancelled',
  expired: 'cancelled',
  cancelled: 'cancelled',
}
const invoiceLooks: Record<Invoice['state'], Look> = {
  asked: 'waiting',
  issued: 'done',
  refused: 'failed',
  void: 'cancelled',
}

/** To the member: what waits for the payment asks for something, what the operator has to do is waited for. */
export function OrderMark({ state }: { state: OrderState }) {
  const { t } = useTranslation('membership')
  return <StateMark state={orderLooks[state]} text={t(`orders.states.${state}`)} />
}

export function InvoiceMark({ state }: { state: Invoice['state'] }) {
  const { t } = useTranslation('membership')
  return <StateMark state={invoiceLooks[state]} text={t(`orders.invoiceStates.${state}`)} />
}
