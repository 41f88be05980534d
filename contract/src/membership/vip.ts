/** Membership plans: what is sold, what it costs this member today, and buying it. */
import * as z from 'zod'
import { membership as limits } from '../limits.ts'
import { route } from '../route.ts'
import { checkInvoice, invoiceRequest } from './invoice-request.ts'
import { bankSchema, orderNoSchema, payMethodNames, payMethods } from './orders.ts'

/** The plans of the specification; administrators change what they cost and for how long they are. */
export const plansAtFirst = [
  { id: 1, priceFen: 0, number: 1 },
  { id: 2, priceFen: 500_000, number: 1 },
  { id: 3, priceFen: 1_000_000, number: 1 },
  { id: 4, priceFen: 2_000_000, number: 1 },
] as const

export const planIdSchema = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])
/** What an operator says of a plan, beside what is counted of its limits. */
const note = z.string().trim().max(limits.noteLength)
export const planNotesSchema = z.object({ en: note, zh: note, ru: note })

export const planSchema = z.object({
  id: planIdSchema,
  /** 1 ordinary to 4 gold. */
  level: planIdSchema,
  /** In yuan, as the specification has it; `priceFen` is exact. */
  price: z.number(),
  priceFen: z.int().min(0).max(limits.mostFen),
  /** Years; 0 = for ever. */
  number: z.int().min(0).max(limits.mostYears),
  notes: planNotesSchema,
})
export type Plan = z.infer<typeof planSchema>

/**
 * What buying a plan would be for this member: `free` and complete the full form; `new`; a `renewal` of the same level;
 * an `upgrade` from a paid one. Or why it cannot be: `held` already and free, a `lower` level, for ever already
 * (`endless`), a `super` member has all.
 */
export const offerKinds = ['free', 'new', 'renewal', 'upgrade', 'held', 'lower', 'endless', 'super'] as const
export type OfferKind = (typeof offerKinds)[number]
export const canBuy = (kind: OfferKind): boolean => ['free', 'new', 'renewal', 'upgrade'].includes(kind)

export const offerSchema = planSchema.extend({
  kind: z.enum(offerKinds),
  /** Of the unused days of the plan before. */
  creditFen: z.int(),
  /** What is to be paid: the price less what is taken off. */
  payFen: z.int(),
  /** When it would begin and end, bought now; null = not for sale, or without end. */
  from: z.iso.datetime().nullable(),
  until: z.iso.datetime().nullable(),
  /** Days on top, where the unused days before were worth more than the price. */
  extraDays: z.int(),
})
export type Offer = z.infer<typeof offerSchema>

export const vipCalls = {
  'vip/list': route({
    summary: 'The membership plans: level 1 to 4, price in yuan, years (0 = for ever)',
    request: z.object({}),
    response: z.array(planSchema),
    errors: ['not_found'],
  }),
  'vip/offers': route({
    summary: 'What each plan would cost the signed-in member today, and how it can be paid',
    request: z.object({}),
    response: z.object({
      offers: z.array(offerSchema),
      methods: z.array(z.enum(payMethodNames)),
      bank: bankSchema.nullable(),
      isTrial: z.boolean(),
      /** The member's name is still missing, without which nothing can be bought. */
      needsName: z.boolean(),
      /** The full form is not complete yet, which the free plan is. */
      needsForm: z.boolean(),
    }),
    errors: ['not_found'],
  }),
  'vip/pay': route({
    summary:
      'Order a plan: its order number and the text of its QR code; nothing where nothing is to be paid',
    request: z
      .object({
        vipId: z.coerce.number().pipe(planIdSchema),
        payMethod: z.coerce
          .number()
          .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
          .default(payMethods.alipay),
        ...invoiceRequest,
        /** What the page showed: refused when it is another amount by now. */
        payFen: z.int().optional(),
        userId: z.string().max(40).optional(),
      })
      .superRefine(checkInvoice),
    response: z.object({
      orderNo: orderNoSchema.optional(),
      qrCodeUrl: z.string().optional(),
      expiresAt: z.iso.datetime().optional(),
    }),
    errors: [
      'not_found',
      'information_needed',
      'form_needed',
      'level_higher',
      'level_held',
      'level_endless',
      'super_member',
      'method_closed',
      'price_changed',
      'payment_unreachable',
      'clock_doubtful',
      'rate_limited',
    ],
  }),
}

export const vipOfficeCalls = {
  'office/plans': route({
    summary: 'The plans with their texts; for administrators, as all calls here',
    request: z.object({}),
    response: z.object({ plans: z.array(planSchema), methods: z.array(z.enum(payMethodNames)) }),
    errors: ['not_found'],
  }),
  'office/savePlan': route({
    summary:
      'What a plan costs, for how many years it is, and what is said of it; orders that wait keep theirs',
    request: z.object({
      id: planIdSchema,
      priceFen: z.int().min(0).max(limits.mostFen),
      number: z.int().min(0).max(limits.mostYears),
      notes: planNotesSchema,
    }),
    response: planSchema,
    errors: ['invalid', 'not_found'],
  }),
}
