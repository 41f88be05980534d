/** The model shop: looking, buying, trying and using. */
import * as z from 'zod'
import { shop as limits } from '../limits.ts'
import { checkInvoice, invoiceRequest } from '../membership/invoice-request.ts'
import { orderNoSchema, payMethodNames, payMethods } from '../membership/orders.ts'
import { predictionSourceShape } from '../predictions.ts'
import { route } from '../route.ts'
import { runSchema } from '../runs.ts'
import { taskSchema } from '../task-schema.ts'
import {
  claimSchema,
  heldModelSchema,
  listingIdSchema as id,
  listingCardSchema,
  listingSchema,
  reviewSchema,
} from './listing.ts'
import { claimGrounds, licences, modalities, organs, sizeNames } from './words.ts'

const page = z.int().min(1).max(100_000).default(1)
const one = z.object({ id })
const acceptRules = z.int()

export const shopCalls = {
  'shop/list': route({
    summary: 'One page of the models in the shop',
    request: z.object({
      search: z.string().trim().max(200).default(''),
      task: taskSchema.nullable().default(null),
      organ: z.enum(organs).nullable().default(null),
      modality: z.enum(modalities).nullable().default(null),
      licence: z.enum(licences).nullable().default(null),
      size: z.enum(sizeNames).nullable().default(null),
      /** Only those that the reader has. */
      held: z.boolean().default(false),
      order: z.enum(['newest', 'used', 'rating', 'price']).default('newest'),
      page,
    }),
    response: z.object({ listings: z.array(listingCardSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'shop/detail': route({
    summary: 'One model of the shop, with what the reader may do with it',
    request: one,
    response: listingSchema,
    errors: ['listing_missing', 'not_found'],
  }),
  'shop/reviews': route({
    summary: 'One page of its reviews, the newest first',
    request: z.object({ id, page }),
    response: z.object({ reviews: z.array(reviewSchema), total: z.int(), pageSize: z.int() }),
    errors: ['listing_missing', 'not_found'],
  }),
  'shop/statement': route({
    summary: 'What the platform measured, word for word as it is signed, the signature, and the public key',
    request: one,
    response: z.object({ statement: z.string(), signature: z.string(), publicKey: z.string() }),
    errors: ['listing_missing', 'not_found'],
  }),
  'shop/card': route({
    summary: 'The model card as an Applied Model Card of the Coalition for Health AI, XML of its schema v0.2',
    request: one,
    response: z.object({ name: z.string(), xml: z.string() }),
    errors: ['listing_missing', 'not_found'],
  }),
  'shop/buy': route({
    summary: 'Buy a model by points, or order it: its order number and the text of its QR code',
    request: z
      .object({
        id,
        by: z.enum(['points', 'money']),
        payMethod: z.coerce
          .number()
          .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
          .default(payMethods.alipay),
        /** Of what is paid by money. */
        ...invoiceRequest,
        /** What the page showed: refused when it is another by now. */
        priceYuan: z.int(),
        /** The edition of the shop's rules that was agreed to. */
        acceptRules,
      })
      .superRefine(checkInvoice),
    response: z.object({
      orderNo: orderNoSchema.optional(),
      qrCodeUrl: z.string().optional(),
      expiresAt: z.iso.datetime().optional(),
    }),
    errors: [
      'not_found',
      'listing_missing',
      'listing_closed',
      'own_listing',
      'model_held',
      'level_too_low',
      'price_changed',
      'rules_changed',
      'points_too_few',
      'method_closed',
      'payment_unreachable',
      'clock_doubtful',
      'rate_limited',
    ],
  }),
  'shop/methods': route({
    summary: 'How models can be paid for here',
    request: z.object({}),
    response: z.object({ methods: z.array(z.enum(payMethodNames)), isTrial: z.boolean() }),
    errors: ['not_found'],
  }),
  'shop/place': route({
    summary: 'Give a free place of the membership to a model, instead of another where all are taken',
    request: z.object({ id, instead: id.nullable().default(null) }),
    response: listingSchema,
    errors: [
      'not_found',
      'listing_missing',
      'listing_closed',
      'own_listing',
      'model_held',
      'place_none',
      'place_taken',
      'place_too_soon',
    ],
  }),
  'shop/held': route({
    summary: 'The models that the reader has, of one task or of all',
    request: z.object({ task: taskSchema.nullable().default(null) }),
    response: z.object({ models: z.array(heldModelSchema) }),
    errors: ['not_found'],
  }),
  'shop/open': route({
    summary: 'Copy the network of a model that one has into the own networks, for DRIPE',
    request: one,
    response: z.object({ networkId: z.string() }),
    errors: ['listing_missing', 'model_not_bought', 'network_limit', 'not_found'],
  }),
  'shop/predict': route({
    summary: 'Queue a prediction with a model that one has, in an own project of the same task',
    request: z.object({ id, projectId: id, ...predictionSourceShape }),
    response: runSchema,
    errors: [
      'listing_missing',
      'model_not_bought',
      'project_missing',
      'not_allowed',
      'own_tool_task',
      'prediction_source_needed',
      'prediction_too_many',
      'prediction_no_pictures',
      'prediction_no_volumes',
      'missing',
      'not_found',
    ],
  }),
  'shop/drive': route({
    summary: 'Queue a test of a model of the shop on an own data set; its weights never leave the platform',
    request: z.object({ id, projectId: id, datasetId: id }),
    response: runSchema,
    errors: [
      'listing_missing',
      'listing_closed',
      'project_missing',
      'not_allowed',
      'dataset_missing',
      'dataset_not_ready',
      'task_differs',
      'classes_differ',
      'factor_differs',
      'own_tool_task',
      'application_unavailable',
      'drives_limit',
      'not_found',
    ],
  }),
  'shop/weights': route({
    summary: 'A short-lived link to the weights of a model that one has bought, as safetensors',
    request: one,
    response: z.object({ url: z.string(), name: z.string(), sizeBytes: z.int() }),
    errors: ['listing_missing', 'model_not_bought', 'not_found'],
  }),
  'shop/review': route({
    summary: 'Say how a model that one has bought is; the own review before is replaced',
    request: z.object({
      id,
      stars: z.int().min(1).max(5),
      text: z.string().trim().max(limits.reviewLength).default(''),
    }),
    response: listingSchema,
    errors: ['listing_missing', 'review_not_bought', 'not_found'],
  }),
  'shop/claim': route({
    summary: 'Ask for the money or points of a purchase back, on one of the stated grounds',
    request: z.object({
      orderNo: orderNoSchema,
      ground: z.enum(claimGrounds),
      text: z.string().trim().max(limits.claimLength).default(''),
    }),
    response: claimSchema,
    errors: ['order_missing', 'claim_late', 'claim_twice', 'claim_used', 'not_found'],
  }),
}
