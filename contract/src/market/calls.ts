/** The market: posting demands, offering, ordering, delivering, accepting. */
import * as z from 'zod'
import { market as limits } from '../limits.ts'
import { checkInvoice, invoiceRequest } from '../membership/invoice-request.ts'
import { orderNoSchema, payMethods } from '../membership/orders.ts'
import { route } from '../route.ts'
import {
  demandCardSchema,
  demandSchema,
  fenSchema,
  marketIdSchema as id,
  milestoneSchema,
  wordsSchema as words,
  workTasks,
} from './demand.ts'

const page = z.int().min(1).max(100_000).default(1)
const one = z.object({ id })
const fileIds = z.array(id).max(limits.files).default([])

const demandShape = {
  title: z.string().trim().min(1).max(limits.titleLength),
  task: z.enum(workTasks),
  description: z.string().trim().min(1).max(limits.textLength),
  budgetFen: fenSchema,
  deadline: z.iso.date().max(10),
  /** Own files of the cloud, to be attached. */
  fileIds,
  /** Own folders that the work is about: its provider sees them from the payment to the end of the order, nobody else. */
  folderIds: z.array(id).max(limits.folders).default([]),
  /** The own word that files in these folders which name their patient are shown, too. */
  withPatients: z.boolean().default(false),
}

/** Lists of demands: all that are open; the own ones; those with an own offer; those that the reader works on. */
export const demandLists = ['open', 'own', 'offered', 'work'] as const
export type DemandList = (typeof demandLists)[number]

export const demandCalls = {
  'demand/list': route({
    summary: 'One page of demands: open ones of everybody, or those that the reader has to do with',
    request: z.object({
      list: z.enum(demandLists).default('open'),
      search: z.string().trim().max(200).default(''),
      task: z.enum(workTasks).nullable().default(null),
      order: z.enum(['newest', 'deadline', 'budget']).default('newest'),
      page,
    }),
    response: z.object({ demands: z.array(demandCardSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'demand/detail': route({
    summary: 'One demand, with what the reader may see of it and do',
    request: one,
    response: demandSchema,
    errors: ['demand_missing', 'not_found'],
  }),
  'demand/post': route({
    summary: 'Post a demand: what is to be done, by when, and for about how much',
    request: z.object(demandShape),
    response: demandSchema,
    errors: [
      'level_too_low',
      'demand_limit',
      'deadline_past',
      'missing',
      'not_allowed',
      'patients_named',
      'not_found',
    ],
  }),
  'demand/edit': route({
    summary: 'Change an own demand as long as it is open',
    /** Of the attached files those in `keep` stay. */
    request: z.object({ id, ...demandShape, keep: fileIds }),
    response: demandSchema,
    errors: [
      'demand_missing',
      'demand_state',
      'deadline_past',
      'market_files_limit',
      'missing',
      'not_allowed',
      'patients_named',
      'not_found',
    ],
  }),
  'demand/withdraw': route({
    summary: 'Withdraw an own open demand',
    request: one,
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'demand/deliver': route({
    summary: 'Deliver the work, or its next milestone, to the customer',
    request: z.object({
      id,
      text: words,
      fileIds,
      /** The own word that files which name their patient are handed over. */
      withPatients: z.boolean().default(false),
    }),
    response: demandSchema,
    errors: [
      'demand_missing',
      'demand_state',
      'market_files_limit',
      'missing',
      'not_allowed',
      'patients_named',
      'not_found',
    ],
  }),
  'demand/sendBack': route({
    summary: 'Send a delivery back with what is missing',
    request: z.object({ id, text: words }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'demand/accept': route({
    summary: 'Accept a delivery: its part of the held money is paid to the provider',
    /** The delivery that was read: a later one is not accepted by it. */
    request: z.object({ id, deliveryId: id }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'demand/dispute': route({
    summary: 'Say that the work is not as agreed: an administrator decides on the held money',
    request: z.object({ id, reason: words }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'demand/giveUp': route({
    summary: 'Give up a job that one has taken on: the held money goes back to the customer',
    request: z.object({ id, reason: words }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'demand/rate': route({
    summary: 'Rate the provider of accepted work, once',
    request: z.object({
      id,
      stars: z.int().min(1).max(5),
      text: z.string().trim().max(limits.ratingLength).default(''),
    }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'not_found'],
  }),
  'offer/save': route({
    summary: 'Make an offer to an open demand, or change the own one; for service providers',
    request: z
      .object({
        demandId: id,
        priceFen: fenSchema,
        days: z.int().min(1).max(limits.mostDays),
        text: words,
        /** Parts of the price that are delivered and paid one after the other; none = all at once. */
        milestones: z.array(milestoneSchema).max(limits.milestones).default([]),
      })
      .refine(
        ({ priceFen, milestones }) =>
          milestones.length === 0 || milestones.reduce((sum, each) => sum + each.priceFen, 0) === priceFen,
        { path: ['milestones'], message: 'market.milestonesSum' },
      ),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'own_demand', 'offer_limit', 'not_allowed', 'not_found'],
  }),
  'offer/remove': route({
    summary: 'Take the own offer back',
    request: z.object({ demandId: id }),
    response: demandSchema,
    errors: ['demand_missing', 'demand_state', 'offer_missing', 'not_found'],
  }),
  'offer/select': route({
    summary: 'Order the work that is offered: its order number and the text of its QR code',
    request: z
      .object({
        offerId: id,
        /** As the page showed it. */
        revision: z.int(),
        payMethod: z.coerce
          .number()
          .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
          .default(payMethods.alipay),
        ...invoiceRequest,
      })
      .superRefine(checkInvoice),
    response: z.object({ orderNo: orderNoSchema, qrCodeUrl: z.string(), expiresAt: z.iso.datetime() }),
    errors: [
      'demand_missing',
      'demand_state',
      'offer_missing',
      'offer_changed',
      'provider_gone',
      'level_too_low',
      'upgrade_needed',
      'share_limit',
      'shared_datasets_limit',
      'shared_models_limit',
      'method_closed',
      'payment_unreachable',
      'clock_doubtful',
      'rate_limited',
      'not_found',
    ],
  }),
  'market/file': route({
    summary: 'A short-lived link to a file of a demand, of a delivery or of a case',
    request: one,
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['missing', 'not_found'],
  }),
}
