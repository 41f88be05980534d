import {
  type InvoiceForm,
  invoiceFormOf,
  invoiceProblems,
  noInvoice,
} from '@neuroloom/contract/membership/invoice'
import { type PayMethod, payMethods } from '@neuroloom/contract/membership/orders'
import { canBuy, type Offer } from '@neuroloom/contract/membership/vip'
import { useState } from 'react'
import { CallError } from '../../lib/api.ts'
import { useAction, useCall } from '../../lib/query.ts'

/** What stands in the way, as the specification has it; `null` = nothing. */
export type Hindrance = 'name' | 'form' | 'held' | 'lower' | 'endless' | 'super' | 'agreement' | 'invoice'

/** What must be known to pay an order: one that was just made, or one that waits. */
export type Payable = {
  orderNo: string
  method: PayMethod
  amountFen: number
  qrCodeUrl: string
  expiresAt: string
}

/** Choices of the upgrade dialog. Prices are the server's: it refuses when they are others by now. */
export function useUpgrade({
  onOrdered,
  onGiven,
}: {
  onOrdered: (order: Payable) => void
  onGiven: () => void
}) {
  const query = useCall('vip/offers', {}, { quiet: true })
  const { data } = query
  const [wanted, setWanted] = useState<number | null>(null)
  const [wantedMethod, setMethod] = useState<PayMethod | null>(null)
  const [invoice, setInvoice] = useState(noInvoice)
  const [isAgreed, setAgreed] = useState(false)
  const [hindrance, setHindrance] = useState<Hindrance | null>(null)
  const [isAsking, setAsking] = useState(false)
  const offer = data?.offers.find(({ id }) => id === wanted) ?? (data && bestOf(data.offers))
  const method = wantedMethod ?? data?.methods[0]
  const form = invoiceFormOf(invoice)
  const order = useAction('vip/pay', {
    refresh: ['payment/orders', 'vip/offers'],
    quiet: true,
    onDone: ({ orderNo, qrCodeUrl = '', expiresAt = '' }, { payFen = 0 }) => {
      if (orderNo && method) onOrdered({ orderNo, method, amountFen: payFen, qrCodeUrl, expiresAt })
      else onGiven()
    },
    onFailed: (error) => {
      if (error instanceof CallError && error.name === 'price_changed') void query.refetch()
    },
  })
  const send = () => {
    setAsking(false)
    if (!offer || !method) return
    order.mutate({ vipId: offer.id, payMethod: payMethods[method], payFen: offer.payFen, ...form })
  }
  const handlePay = () => {
    if (!data || !offer) return
    order.reset()
    const found = hindranceOf(offer, { ...data, isAgreed, form })
    setHindrance(found)
    if (found) return
    if (offer.kind === 'renewal') setAsking(true)
    else send()
  }
  /** What stood in the way may stand there no longer. */
  const changing =
    <Value>(change: (value: Value) => void) =>
    (value: Value) => {
      change(value)
      setHindrance(null)
      order.reset()
    }
  return {
    ...{ query, data, offer, method, invoice, isAgreed, hindrance, isAsking, order, handlePay, send },
    // What is known of before the last purchase would sell the same again without asking.
    isBusy: order.isPending || query.isFetching,
    choose: changing(setWanted),
    setMethod: changing(setMethod),
    setInvoice: changing(setInvoice),
    setAgreed: changing(setAgreed),
    stopAsking: () => setAsking(false),
  }
}

/** The cheapest that can be bought and costs something; else the first. */
const bestOf = (offers: readonly Offer[]): Offer | undefined =>
  offers.find(({ kind, priceFen }) => canBuy(kind) && priceFen > 0) ?? offers[0]

type Facts = { needsName: boolean; needsForm: boolean; isAgreed: boolean; form: InvoiceForm }

function hindranceOf({ kind }: Offer, { needsName, needsForm, isAgreed, form }: Facts): Hindrance | null {
  if (kind === 'super' || kind === 'held' || kind === 'lower' || kind === 'endless') return kind
  if (kind === 'free') return needsForm ? 'form' : 'held'
  if (needsName) return 'name'
  if (Object.keys(invoiceProblems(form)).length > 0) return 'invoice'
  return isAgreed ? null : 'agreement'
}
