/** Tests of the same images beside each other, and what one test gave patient by patient. */
import * as z from 'zod'
import { route } from './route.ts'
import { shownItemSchema } from './runs.ts'
import { taskSchema } from './task-schema.ts'

const id = z.string().min(1).max(40)
const numbers = z.record(z.string(), z.number().nullable())
/** 95 %; null = too few independent cases, or undefined too often. */
const interval = z.tuple([z.number(), z.number()]).nullable()

/** What may be said of a difference: nothing, unless its interval leaves out 0. */
export const verdicts = ['better', 'worse', 'unshown'] as const
export type Verdict = (typeof verdicts)[number]

/** A setting as pages write it; a list of numbers is a size or a ratio. */
const settingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.number())]).nullable()
export type SettingValue = z.infer<typeof settingValue>

export const comparedTestSchema = z.object({
  id: z.string(),
  number: z.int(),
  /** The training that it tests; null when that was removed. */
  trainingNumber: z.int().nullable(),
  network: z.string(),
  ownNetwork: z.object({ name: z.string(), version: z.int() }).nullable(),
  parameters: z.int().nullable(),
  endedAt: z.iso.datetime().nullable(),
  metrics: numbers,
  perClass: z.array(z.object({ class: z.string(), values: numbers })),
  intervals: z.record(z.string(), interval),
  /** Values of `settings`, in its order. */
  settings: z.array(settingValue),
})
export type ComparedTest = z.infer<typeof comparedTestSchema>

/** A figure over all images, or of one class: of the first test, of the other, and the other less the first. */
export const differenceSchema = z.object({
  metric: z.string(),
  class: z.string().nullable(),
  first: z.number().nullable(),
  other: z.number().nullable(),
  value: z.number().nullable(),
  /** Independent cases that it stands on; of a mean over classes those of the rarest class. */
  cases: z.int(),
  interval,
  verdict: z.enum(verdicts),
})
export type Difference = z.infer<typeof differenceSchema>

export const pairSchema = z.object({
  id: z.string(),
  /** The main figure first. */
  differences: z.array(differenceSchema),
  /** Exact test of McNemar (1947): images that only one of both names rightly. Null where images are not independent. */
  mcnemar: z.object({ onlyFirst: z.int(), onlyOther: z.int(), p: z.number() }).nullable(),
})
export type Pair = z.infer<typeof pairSchema>

export const comparisonSchema = z.object({
  projectId: z.string(),
  task: taskSchema,
  classes: z.array(z.string()),
  datasetName: z.string(),
  items: z.int(),
  /** Independent cases: patients, series, or single images. */
  groups: z.int(),
  /** 0 = too few groups for intervals. */
  resamples: z.int(),
  /** Settings that are not the same in all: a field of the hyperparameters, or `validation`. */
  settings: z.array(z.string()),
  tests: z.array(comparedTestSchema),
  /** The first test against each of the others. */
  pairs: z.array(pairSchema),
  /** Where the tests disagree most; `results` in the order of the tests. */
  disagreements: z.array(z.object({ name: z.string(), results: z.array(shownItemSchema) })),
})
export type Comparison = z.infer<typeof comparisonSchema>

export const groupOrders = ['worst', 'best', 'name', 'items'] as const

export const testGroupSchema = z.object({
  /** As the data set gives it. */
  name: z.string(),
  items: z.int(),
  /** Of the items' figure; null where no item has one. */
  mean: z.number().nullable(),
  worst: z.object({ name: z.string(), score: z.number().nullable() }),
})
export type TestGroup = z.infer<typeof testGroupSchema>

export const compareCalls = {
  'runs/compare': route({
    summary: 'Tests of the same images beside each other, with intervals of their differences',
    request: z.object({ ids: z.array(id).max(10) }),
    response: comparisonSchema,
    errors: [
      'run_missing',
      'compare_count',
      'compare_not_done',
      'compare_other_project',
      'compare_other_task',
      'compare_other_data',
    ],
  }),
  'runs/groups': route({
    summary: 'What a test gave by patient or series, where the data set names them',
    request: z.object({ id, order: z.enum(groupOrders).default('worst'), after: z.int().min(0).default(0) }),
    response: z.object({
      /** What the mean is of: a figure of single images. */
      metric: z.string(),
      groups: z.array(testGroupSchema),
      next: z.int().nullable(),
      /** 0 where the data set names neither patients nor series. */
      total: z.int(),
    }),
    errors: ['run_missing'],
  }),
  'runs/groupTable': route({
    summary: 'The table of `runs/groups` as a text of comma-separated values',
    request: z.object({ id }),
    response: z.object({ name: z.string(), text: z.string() }),
    errors: ['run_missing', 'missing'],
  }),
}
