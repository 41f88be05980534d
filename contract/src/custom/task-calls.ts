/** Custom tasks: asking for one, paying it, its review, and how far the work is. */
import * as z from 'zod'
import { custom as limits, membership } from '../limits.ts'
import { checkInvoice, invoiceRequest } from '../membership/invoice-request.ts'
import { orderNoSchema, payMethodNames, payMethods } from '../membership/orders.ts'
import { route } from '../route.ts'
import { projectTaskSchema } from '../task-schema.ts'
import { customKinds, customStates } from './task-states.ts'

const id = z.string().min(1).max(40)
const page = z.int().min(1).max(100_000).default(1)
const price = z.int().min(0).max(membership.mostFen)

/** A project or a folder of the cloud that the request is about. Naming it gives nobody access to it. */
export const customSourceKinds = ['project', 'folder'] as const

const request = {
  title: z.string().trim().min(1).max(limits.titleLength),
  task: projectTaskSchema,
  description: z.string().trim().min(1).max(limits.descriptionLength),
  source: z
    .object({ kind: z.enum(customSourceKinds), id })
    .nullable()
    .default(null),
}

/** Where a task was from this time on. */
const stepSchema = z.object({
  state: z.enum(customStates),
  progress: z.int(),
  /** Of a rejection its reason, of progress what was done. */
  note: z.string(),
  at: z.iso.datetime(),
})

export const customTaskSchema = z.object({
  id: z.string(),
  kind: z.enum(customKinds),
  title: z.string(),
  task: projectTaskSchema,
  description: z.string(),
  /** The name is the one that it had when it was handed in. */
  source: z.object({ kind: z.enum(customSourceKinds), id: z.string(), name: z.string() }).nullable(),
  state: z.enum(customStates),
  /** In fen; null = set by the review. */
  priceFen: z.int().nullable(),
  isPaid: z.boolean(),
  /** The review has passed; where a price is still to be paid, the task waits for it. */
  isReviewed: z.boolean(),
  progress: z.int().min(0).max(100),
  /** Why it was rejected. */
  reason: z.string(),
  publishedAt: z.iso.datetime(),
  approvedAt: z.iso.datetime().nullable(),
  /** When the working hours from the approval have passed. */
  dueAt: z.iso.datetime().nullable(),
  completedAt: z.iso.datetime().nullable(),
  changedAt: z.iso.datetime(),
})
export type CustomTask = z.infer<typeof customTaskSchema>

const customDetailSchema = customTaskSchema.extend({ steps: z.array(stepSchema) })
export type CustomDetail = z.infer<typeof customDetailSchema>

/** As whoever works on it sees it. */
const assignedTaskSchema = customTaskSchema.extend({ member: z.object({ nickName: z.string() }) })
export type AssignedTask = z.infer<typeof assignedTaskSchema>

const priceSchema = z.object({ kind: z.enum(customKinds), priceFen: price.nullable() })
export type CustomPrice = z.infer<typeof priceSchema>

const report = z.object({
  id,
  progress: z.int().min(0).max(100),
  note: z.string().trim().max(limits.noteLength).default(''),
})
const completion = z.object({ id, note: z.string().trim().max(limits.noteLength).default('') })

export const customTaskCalls = {
  'customTask/prices': route({
    summary: 'What custom tasks cost, by kind (null = set by the review), and how they can be paid',
    request: z.object({}),
    response: z.object({
      prices: z.array(priceSchema),
      methods: z.array(z.enum(payMethodNames)),
      isTrial: z.boolean(),
      /** The membership level includes the page, and asking for a task. */
      mayUse: z.boolean(),
      mayOrder: z.boolean(),
    }),
    errors: ['not_found'],
  }),
  'customTask/list': route({
    summary: 'One page of the own custom tasks, the newest first',
    request: z.object({ page }),
    response: z.object({ tasks: z.array(customTaskSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'customTask/detail': route({
    summary: 'One own custom task with everything that became of it',
    request: z.object({ id }),
    response: customDetailSchema,
    errors: ['custom_missing', 'not_found'],
  }),
  'customTask/create': route({
    summary: 'Ask for a custom task; the same request id is the same task, however often it is sent',
    request: z.object({
      requestId: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/),
      kind: z.enum(customKinds),
      ...request,
    }),
    response: customTaskSchema,
    errors: [
      'application_unavailable',
      'custom_many',
      'project_missing',
      'missing',
      'not_allowed',
      'not_found',
    ],
  }),
  'customTask/resubmit': route({
    summary: 'Hand a rejected request in again, changed or as it was',
    request: z.object({ id, ...request }),
    response: customTaskSchema,
    errors: [
      'application_unavailable',
      'custom_missing',
      'custom_moved',
      'project_missing',
      'missing',
      'not_allowed',
      'not_found',
    ],
  }),
  'customTask/remove': route({
    summary: 'Give up an own request that is unpaid or rejected',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['custom_missing', 'custom_moved', 'not_found'],
  }),
  'customTask/pay': route({
    summary: 'Order a custom task whose price is known: its order number and the text of its QR code',
    request: z
      .object({
        id,
        payMethod: z.coerce
          .number()
          .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
          .default(payMethods.alipay),
        ...invoiceRequest,
        /** What the page showed: refused when it is another amount by now. */
        priceFen: price,
      })
      .superRefine(checkInvoice),
    response: z.object({ orderNo: orderNoSchema, qrCodeUrl: z.string(), expiresAt: z.iso.datetime() }),
    errors: [
      'application_unavailable',
      'custom_missing',
      'custom_moved',
      'price_changed',
      'method_closed',
      'payment_unreachable',
      'clock_doubtful',
      'rate_limited',
      'not_found',
    ],
  }),
  'customTask/assigned': route({
    summary: 'One page of the custom tasks that the caller was assigned to, those to be done first',
    request: z.object({ page }),
    response: z.object({ tasks: z.array(assignedTaskSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'customTask/progress': route({
    summary: 'How far the work is, by an administrator or the assigned provider; it never falls',
    request: report,
    response: customTaskSchema,
    errors: ['custom_missing', 'custom_moved', 'progress_falls', 'not_allowed', 'not_found'],
  }),
  'customTask/complete': route({
    summary: 'The work is done, by an administrator or the assigned provider',
    request: completion,
    response: customTaskSchema,
    errors: ['custom_missing', 'custom_moved', 'not_allowed', 'not_found'],
  }),
}

export const officeTaskSchema = customTaskSchema.extend({
  /** `account` '' where it is gone. */
  member: z.object({ account: z.string(), nickName: z.string() }),
  /** Nobody reviews an own request. */
  isOwn: z.boolean(),
  orderNo: z.string(),
  provider: z.object({ account: z.string(), nickName: z.string() }).nullable(),
})
export type OfficeTask = z.infer<typeof officeTaskSchema>

const reason = z.string().trim().min(1).max(membership.reasonLength)

export const customOfficeCalls = {
  'office/customTasks': route({
    summary:
      'One page of the custom tasks of members, those that wait first; for administrators, as all calls here',
    request: z.object({
      state: z.enum(customStates).nullable().default('pending_review'),
      kind: z.enum(customKinds).nullable().default(null),
      page,
    }),
    response: z.object({ tasks: z.array(officeTaskSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'office/customTask': route({
    summary:
      'Approve a request, with its price where none is fixed, or reject it for a reason: its money goes back in full',
    request: z.object({
      id,
      decision: z.discriminatedUnion('is', [
        z.object({ is: z.literal('approved'), priceFen: price.nullable().default(null) }),
        z.object({ is: z.literal('rejected'), reason }),
      ]),
    }),
    response: officeTaskSchema,
    errors: ['custom_missing', 'custom_moved', 'price_needed', 'price_changed', 'not_allowed', 'not_found'],
  }),
  'office/customProvider': route({
    summary: 'Assign a service provider to an approved task, by account; empty = nobody',
    request: z.object({ id, account: z.string().trim().max(200) }),
    response: officeTaskSchema,
    errors: ['custom_missing', 'custom_moved', 'custom_provider_missing', 'not_allowed', 'not_found'],
  }),
  'office/customPrice': route({
    summary:
      'Fix the price of a kind of custom task, or leave it to the review (null); asked tasks keep theirs',
    request: priceSchema,
    response: z.object({ prices: z.array(priceSchema) }),
    errors: ['not_found'],
  }),
}
