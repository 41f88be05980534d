/** Orders of members: what was bought, how it is paid, and its invoice. */
import * as z from 'zod'
import { customKinds } from '../custom/task-states.ts'
import { membership as limits } from '../limits.ts'
import { route } from '../route.ts'

/** By the specification's number in `payMethod`; a bank transfer is confirmed by an administrator. */
export const payMethods = { wechat: 0, alipay: 1, transfer: 2 } as const
export type PayMethod = keyof typeof payMethods
export const payMethodNames = ['wechat', 'alipay', 'transfer'] as const satisfies readonly PayMethod[]

/** What is sold. */
export const orderKinds = ['plan', 'model', 'work', 'custom'] as const
export type OrderKind = (typeof orderKinds)[number]

/**
 * `waiting` for its payment; `paid`; `expired` by time; `cancelled` by the member, or by a later order; `returning`:
 * money that came, and goes back; `refunded`: it is back.
 */
export const orderStates = ['waiting', 'paid', 'expired', 'cancelled', 'returning', 'refunded'] as const
export type OrderState = (typeof orderStates)[number]

/** What `payState` answers (design 4.20). */
export const payStates = {
  waiting: 0,
  paid: 1,
  expired: 2,
  cancelled: 2,
  returning: 3,
  refunded: 3,
} as const satisfies Record<OrderState, number>

export const orderNoSchema = z.string().regex(/^[0-9]{20}$/)

export const invoiceStates = ['asked', 'issued', 'refused', 'void'] as const

export const invoiceSchema = z.object({
  id: z.string(),
  orderNo: z.string(),
  /** 0 person, 1 organisation. */
  type: z.union([z.literal(0), z.literal(1)]),
  title: z.string(),
  tax: z.string(),
  addr: z.string(),
  phone: z.string(),
  bank: z.string(),
  account: z.string(),
  amountFen: z.int(),
  state: z.enum(invoiceStates),
  /** Of the issued invoice. */
  number: z.string(),
  /** Why it was refused. */
  reason: z.string(),
  askedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
})
export type Invoice = z.infer<typeof invoiceSchema>

export const orderSchema = z.object({
  orderNo: orderNoSchema,
  kind: z.enum(orderKinds),
  /** Of a plan: its level and years; of everything else 0. */
  level: z.int(),
  years: z.int(),
  /** Of a model: its listing in the shop, and its name then. */
  model: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Of work: its demand, and the title then. */
  work: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Of a custom task: what it is, and its title then. */
  custom: z.object({ id: z.string(), kind: z.enum(customKinds), title: z.string() }).nullable(),
  amountFen: z.int(),
  /** Taken off for unused days of the plan before. */
  creditFen: z.int(),
  method: z.enum(payMethodNames),
  state: z.enum(orderStates),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  paidAt: z.iso.datetime().nullable(),
  /** What it gave, from when until when; null = nothing yet, or without end. */
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  refundedFen: z.int(),
  /** While it waits: the text of its QR code; empty for a bank transfer. */
  qrCodeUrl: z.string(),
  invoice: invoiceSchema.nullable(),
})
export type Order = z.infer<typeof orderSchema>

/** Where to a bank transfer goes, as the operator wrote it. */
export const bankSchema = z.object({ holder: z.string(), bank: z.string(), account: z.string() })

/** What changes a member's points. */
export const pointKinds = [
  'plan_paid',
  'plan_refunded',
  'model_paid',
  'model_refunded',
  'sale_recorded',
] as const

const page = z.int().min(1).max(100_000).default(1)
const payState = (provider: string) =>
  route({
    summary: `How an order at ${provider} stands: 0 waiting, 1 paid, 2 expired or cancelled, 3 refunded`,
    request: z.object({ orderNo: z.string().max(64) }),
    response: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    errors: ['order_missing', 'not_found'],
  })

export const orderCalls = {
  'payment/wechat/payState': payState('WeChat Pay'),
  'payment/alipay/payState': payState('Alipay'),
  'payment/orders': route({
    summary: 'One page of the own orders, the newest first',
    request: z.object({ page }),
    response: z.object({
      orders: z.array(orderSchema),
      total: z.int(),
      pageSize: z.int(),
      /** Null = no bank transfers here. */
      bank: bankSchema.nullable(),
      /** Payments are made at a cashier for trying: no money moves. */
      isTrial: z.boolean(),
    }),
    errors: ['not_found'],
  }),
  'payment/cancel': route({
    summary: 'Give up an own order that waits; one that is paid stays paid',
    request: z.object({ orderNo: orderNoSchema }),
    response: orderSchema,
    errors: ['order_missing', 'order_paid', 'order_over', 'payment_unreachable', 'not_found'],
  }),
  'points/list': route({
    summary: 'The own points, and one page of what changed them, the newest first',
    request: z.object({ page }),
    response: z.object({
      /** May be below zero after a refund. */
      balance: z.int(),
      records: z.array(
        z.object({
          id: z.string(),
          /**
           * `model_paid`: a model bought, by points (below zero) or by money, which brings points; `model_refunded` takes
           * that back; `sale_recorded`: a model sold for points.
           */
          kind: z.enum(pointKinds),
          orderNo: z.string(),
          /** Of a plan; null of a model. */
          level: z.int().nullable(),
          /** The name of a model; null of a plan. */
          model: z.string().nullable(),
          /** Below zero = taken back. */
          points: z.int(),
          at: z.iso.datetime(),
        }),
      ),
      total: z.int(),
      pageSize: z.int(),
    }),
    errors: ['not_found'],
  }),
}

/** An order as administrators see it. */
export const officeOrderSchema = orderSchema.extend({
  /** Whose it is: the name to sign in with, '' where the account is gone. */
  account: z.string(),
  nickName: z.string(),
  /** Nobody confirms a payment of one's own, or gives it back. */
  isOwn: z.boolean(),
  /** At the provider; what a bank transfer was recognised by. */
  transactions: z.array(z.object({ id: z.string(), amountFen: z.int(), at: z.iso.datetime() })),
  /** What its unused days are worth today: what a refund gives unless another amount is fair. */
  unusedFen: z.int(),
  /** Why it is given back, and what the provider said when that failed. */
  refundReason: z.string(),
  refundProblem: z.string(),
})
export type OfficeOrder = z.infer<typeof officeOrderSchema>

/** `account` is the one at the bank, as in every invoice; whose invoice it is stands beside it. */
export const officeInvoiceSchema = invoiceSchema.extend({
  /** What was bought: the level of a plan, 0 of all else, whose name stands beside it. */
  level: z.int(),
  model: z.string().nullable(),
  work: z.string().nullable(),
  custom: z.string().nullable(),
  /** `account` '' where it is gone. */
  member: z.object({ account: z.string(), nickName: z.string() }),
})
export type OfficeInvoice = z.infer<typeof officeInvoiceSchema>

const reason = z.string().trim().min(1).max(limits.reasonLength)

export const orderOfficeCalls = {
  'office/orders': route({
    summary: 'One page of all orders, the newest first; for administrators, as all calls here',
    request: z.object({
      /** An order number, or a part of an account's name. */
      search: z.string().trim().max(200).default(''),
      state: z.enum(orderStates).nullable().default(null),
      method: z.enum(payMethodNames).nullable().default(null),
      page,
    }),
    response: z.object({ orders: z.array(officeOrderSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/confirmTransfer': route({
    summary: 'A bank transfer for this order has arrived: its reference at the bank, and the amount',
    request: z.object({
      orderNo: orderNoSchema,
      reference: z.string().trim().min(1).max(limits.referenceLength),
      amountFen: z.int().min(1).max(limits.mostFen),
    }),
    response: officeOrderSchema,
    errors: [
      'order_missing',
      'amount_differs',
      'order_paid',
      'order_over',
      'transfer_known',
      'clock_doubtful',
      'not_found',
    ],
  }),
  'office/refund': route({
    summary: 'Give money of a paid order back; what it gave ends',
    request: z.object({ orderNo: orderNoSchema, amountFen: z.int().min(1).max(limits.mostFen), reason }),
    response: officeOrderSchema,
    errors: ['order_missing', 'order_over', 'refund_too_much', 'not_found'],
  }),
  'office/returned': route({
    summary: 'The money of a bank transfer that goes back has been sent: its reference at the bank',
    request: z.object({
      orderNo: orderNoSchema,
      reference: z.string().trim().min(1).max(limits.referenceLength),
    }),
    response: officeOrderSchema,
    errors: ['order_missing', 'order_over', 'not_found'],
  }),
  'office/invoices': route({
    summary: 'One page of the invoices that members asked for, those that wait first',
    request: z.object({ state: z.enum(invoiceStates).nullable().default('asked'), page }),
    response: z.object({ invoices: z.array(officeInvoiceSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/invoice': route({
    summary: 'An invoice was issued under this number, or is refused for this reason',
    request: z.object({
      id: z.string().max(40),
      decision: z.discriminatedUnion('is', [
        z.object({ is: z.literal('issued'), number: z.string().trim().min(1).max(limits.referenceLength) }),
        z.object({ is: z.literal('refused'), reason }),
      ]),
    }),
    response: officeInvoiceSchema,
    errors: ['order_missing', 'order_over', 'not_found'],
  }),
}
