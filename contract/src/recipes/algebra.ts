/** One folder of masks made of several, or of one: how they are joined, a look before it begins, and what masks measure. */
import * as z from 'zod'
import { files, masks as limits, recipes } from '../limits.ts'
import { route } from '../route.ts'
import { maskNumberSchema, maskStepSchema } from './mask-steps.ts'
import { pairings } from './pairings.ts'
import { prepareReasonSchema } from './recipe.ts'

const id = z.string().min(1).max(40)

export const joins = ['union', 'intersection', 'difference', 'one', 'majority', 'staple'] as const
export type Join = (typeof joins)[number]

/** What the engine is told. */
export const joinSchema = z.object({
  join: z.enum(joins),
  /** Each class by itself; whatever is marked as one class, 1; or the class of this number alone. */
  classes: z.union([z.enum(['each', 'any']), maskNumberSchema.min(1)]),
  /** Done with what came of it. */
  steps: z.array(maskStepSchema).max(recipes.steps),
})

export const algebraSchema = joinSchema.extend({
  /** By the first the result is named and placed; `difference` takes all others away from it. */
  folderIds: z
    .array(id)
    .min(1)
    .max(limits.folders)
    .refine((ids) => new Set(ids).size === ids.length, 'form.invalid'),
  /** How these were called when it began; the server says it. */
  names: z.array(z.string().max(files.nameLength)).max(limits.folders).optional(),
})
export type Algebra = z.infer<typeof algebraSchema>

/** How a reader did by STAPLE's estimate of the truth, over all masks together; null where there was nothing to be right in. */
export const readerScoreSchema = z.object({
  /** Place in `folderIds`. */
  number: z.int(),
  value: z.int(),
  sensitivity: z.number().nullable(),
  specificity: z.number().nullable(),
  masks: z.int(),
  /** Pixels or voxels that these shares are of. */
  positive: z.number(),
  negative: z.number(),
})
export type ReaderScore = z.infer<typeof readerScoreSchema>

/** How a picture is shown when something is tried. */
export const shownSchema = z.object({
  /** A small picture as data address; of a mask each class in a colour of its own. */
  image: z.string(),
  width: z.int(),
  height: z.int(),
  depth: z.int().nullable(),
  bits: z.int(),
})

/** What the engine tells of some. */
export const maskSampleSchema = z.object({
  /** One of each folder; null of what cannot be read. */
  before: z.array(shownSchema.nullable()),
  after: shownSchema.nullable(),
  reason: prepareReasonSchema.nullable(),
  values: z.array(z.int()),
  hasSpacing: z.boolean(),
})

export const measuredSchema = z.object({
  reason: prepareReasonSchema.nullable(),
  isVolume: z.boolean(),
  rows: z.array(
    z.object({
      value: z.int(),
      /** Pixels or voxels. */
      count: z.int(),
      /** In mm³; null where no spacing is known. */
      size: z.number().nullable(),
      /** By edges and corners. */
      pieces: z.int(),
      /** Of x, y and in volumes z: the first and the last that hold some of it, counted from 0. */
      box: z.array(z.tuple([z.int(), z.int()])),
    }),
  ),
})

const matchedSchema = z.object({ paths: z.array(z.string()), by: z.enum(pairings) })

const previewSchema = z.object({
  folders: z.array(z.object({ id: z.string(), name: z.string(), masks: z.int() })),
  /** Masks that would come of it. */
  total: z.int(),
  /** Those that were not matched by the same name: the first of them. */
  loose: z.object({ count: z.int(), some: z.array(matchedSchema) }),
  /** Masks without one of their name in some folder: they are left out. */
  alone: z.object({
    count: z.int(),
    /** Numbers are places in `folders`. */
    some: z.array(z.object({ path: z.string(), folder: z.int(), missing: z.array(z.int()) })),
  }),
  /** Of which not all files were looked at yet. */
  unknown: z.int(),
  failing: z.array(z.object({ reason: prepareReasonSchema, count: z.int(), names: z.array(z.string()) })),
  samples: z.array(maskSampleSchema.extend({ paths: z.array(z.string()) })),
  /** Of the samples together. */
  readers: z.array(readerScoreSchema),
})
export type AlgebraPreview = z.infer<typeof previewSchema>

const measurement = z.object({
  /** Masks in all, and the first that was not measured yet; null = this was the end. */
  total: z.int(),
  next: z.int().nullable(),
  masks: z.array(measuredSchema.extend({ path: z.string() })),
})
export type Measured = z.infer<typeof measurement>['masks'][number]

export const algebraCalls = {
  'recipes/tryAlgebra': route({
    summary:
      'What joining folders of masks would do: what does not match, what would fail, and nine before and after',
    request: algebraSchema.omit({ names: true }).extend({
      /** Another nine with each number. */
      turn: z.int().min(0).max(10_000).default(0),
    }),
    response: previewSchema,
    errors: ['missing', 'too_many_files', 'mask_nothing', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
  'recipes/measure': route({
    summary: 'Sizes, pieces and boxes of the classes of some masks of a folder; the next ones by `from`',
    request: z.object({ folderId: id, from: z.int().min(0).max(recipes.files).default(0) }),
    response: measurement,
    errors: ['missing', 'too_many_files', 'mask_nothing', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
}
