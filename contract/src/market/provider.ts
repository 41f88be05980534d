/** Pages of service providers and the cases that they show. */
import * as z from 'zod'
import { market as limits } from '../limits.ts'
import { route } from '../route.ts'
import { marketIdSchema as id, marketFileSchema, workTasks } from './demand.ts'

const page = z.int().min(1).max(100_000).default(1)
const line = z.string().trim().min(1).max(limits.lineLength)
const lines = z.array(line).max(limits.lines).default([])

export const ratingSumSchema = z.object({ stars: z.number(), count: z.int() })

export const providerCardSchema = z.object({
  id: z.string(),
  nickName: z.string(),
  introduction: z.string(),
  services: z.array(z.string()),
  regions: z.array(z.string()),
  languages: z.array(z.string()),
  /** Of accepted orders alone; null = none yet. */
  rating: ratingSumSchema.nullable(),
  /** Orders that were accepted in full. */
  sales: z.int(),
})
export type ProviderCard = z.infer<typeof providerCardSchema>

export const caseCardSchema = z.object({
  id: z.string(),
  title: z.string(),
  task: z.enum(workTasks),
  provider: z.object({ id: z.string(), nickName: z.string() }),
  isOwn: z.boolean(),
  isPublic: z.boolean(),
  /** The address of its first picture, short-lived; null = none. */
  cover: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type CaseCard = z.infer<typeof caseCardSchema>

export const casePictureSchema = marketFileSchema.extend({ url: z.string() })
export const figureSchema = z.object({ name: line, value: line })
export const caseSchema = caseCardSchema.extend({
  text: z.string(),
  figures: z.array(figureSchema),
  pictures: z.array(casePictureSchema),
})
export type Case = z.infer<typeof caseSchema>

export const providerSchema = providerCardSchema.extend({
  isOwn: z.boolean(),
  /** Public ones, for the provider all; the newest first. */
  cases: z.array(caseCardSchema),
})
export type Provider = z.infer<typeof providerSchema>

const fileIds = z.array(id).max(limits.pictures).default([])

export const providerCalls = {
  'provider/list': route({
    summary: 'One page of service providers who have a page',
    request: z.object({ search: z.string().trim().max(200).default(''), page }),
    response: z.object({ providers: z.array(providerCardSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'provider/detail': route({
    summary: 'The page of a service provider',
    request: z.object({ id }),
    response: providerSchema,
    errors: ['provider_missing', 'not_found'],
  }),
  'provider/ratings': route({
    summary: 'One page of the ratings that customers gave after accepted orders, the newest first',
    request: z.object({ id, page }),
    response: z.object({
      ratings: z.array(
        z.object({
          stars: z.int(),
          text: z.string(),
          by: z.string(),
          work: z.string(),
          at: z.iso.datetime(),
        }),
      ),
      total: z.int(),
      pageSize: z.int(),
    }),
    errors: ['provider_missing', 'not_found'],
  }),
  'provider/save': route({
    summary: 'Say what one offers, where and in which languages; for service providers',
    request: z.object({
      introduction: z.string().trim().max(limits.textLength).default(''),
      services: lines,
      regions: lines,
      languages: lines,
    }),
    response: providerSchema,
    errors: ['not_allowed', 'not_found'],
  }),
  'case/list': route({
    summary: 'One page of public cases, or of the own ones, the newest first',
    request: z.object({
      own: z.boolean().default(false),
      search: z.string().trim().max(200).default(''),
      task: z.enum(workTasks).nullable().default(null),
      page,
    }),
    response: z.object({ cases: z.array(caseCardSchema), total: z.int(), pageSize: z.int() }),
    errors: ['not_found'],
  }),
  'case/detail': route({
    summary: 'One case: public, or an own one',
    request: z.object({ id }),
    response: caseSchema,
    errors: ['case_missing', 'not_found'],
  }),
  'case/save': route({
    summary: 'Show finished work as a case, or change it; for service providers',
    request: z.object({
      id: id.nullable().default(null),
      title: z.string().trim().min(1).max(limits.titleLength),
      task: z.enum(workTasks),
      text: z.string().trim().min(1).max(limits.textLength),
      figures: z.array(figureSchema).max(limits.figures).default([]),
      isPublic: z.boolean(),
      /** Own pictures of the cloud, to be added; of those that it has the ones in `keep` stay. */
      fileIds,
      keep: fileIds,
    }),
    response: caseSchema,
    errors: [
      'case_missing',
      'case_limit',
      'case_pictures',
      'market_files_limit',
      'missing',
      'not_allowed',
      'patients_named',
      'not_found',
    ],
  }),
  'case/remove': route({
    summary: 'Remove an own case with its pictures',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['case_missing', 'not_found'],
  }),
}
