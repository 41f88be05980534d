/** Preparing whole folders of images: recipes that are kept and shared, a look before it begins, and the works themselves. */
import * as z from 'zod'
import { fileNameSchema } from '../files.ts'
import { recipes as limits, names } from '../limits.ts'
import { route } from '../route.ts'
import { algebraCalls, algebraSchema, readerScoreSchema, shownSchema } from './algebra.ts'
import { doctorCalls } from './doctor.ts'
import { prepareReasonSchema, recipeSchema } from './recipe.ts'
import { repairSchema } from './repair.ts'

const id = z.string().min(1).max(40)

export const keptRecipeSchema = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  recipe: recipeSchema,
  /** Null = an own one, else who gave it. */
  from: z.string().nullable(),
  /** Of an own one: whom it is shared with. */
  shares: z.array(z.object({ userId: z.string(), nickName: z.string() })),
  updatedAt: z.iso.datetime(),
})
export type KeptRecipe = z.infer<typeof keptRecipeSchema>

const about = {
  name: z.string().trim().min(1).max(names.length),
  description: z.string().trim().max(names.description).default(''),
}

/** Which images, and what goes along with them. */
const chosen = {
  folderId: id,
  /** With everything in its folders. */
  below: z.boolean().default(true),
  /** Folders at or below it whose images are masks. */
  maskIds: z.array(id).max(50).default([]),
  /** Of DICOM each picture by itself, or each series as a volume. */
  dicom: z.enum(['pictures', 'volumes']).default('pictures'),
}

const renameSchema = z.object({
  kind: z.literal('rename'),
  folderId: id,
  below: z.boolean().default(true),
  pattern: z.string().min(1).max(100),
  first: z.int().min(0).max(1_000_000).default(1),
  digits: z.int().min(1).max(9).default(4),
})

/** Originals stay: what is made lies in a new folder. */
export const workSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('recipe'), ...chosen, recipe: recipeSchema }),
  /** Two or more: images of one size to a stack, tables of the same columns to one, folders to one. */
  z.object({
    kind: z.literal('merge'),
    ids: z.array(id).min(1).max(limits.merged),
    as: z.enum(['stack_tiff', 'stack_nifti', 'table', 'folder']),
    /**
     * Of folders: files under the same path, in whichever case, are numbered together with their masks and boxes, or the
     * first stays, or the newest.
     */
    sameName: z.enum(['rename', 'skip', 'newest']).default('rename'),
  }),
  /** Files of several pictures, each picture to a file of its own. */
  z.object({ kind: z.literal('split'), folderId: id, below: z.boolean().default(true) }),
  /** Tiles to the images that they were cut from. */
  z.object({ kind: z.literal('stitch'), folderId: id, below: z.boolean().default(true) }),
  /** Copies under new names; `{name}`, `{number}`, `{folder}` stand for what they say. Files of one name keep one. */
  renameSchema,
  /** Pairs of one folder: images as they are, masks made to fit and called after them. */
  z.object({
    kind: z.literal('repair'),
    folderId: id,
    pairs: z
      .array(z.object({ imageId: id, maskId: id, repairs: z.array(repairSchema).max(limits.repairs) }))
      .min(1)
      .max(limits.pairs),
  }),
  /** Masks of one or several folders, matched by their names; what does not match fails by name. */
  algebraSchema.extend({ kind: z.literal('algebra') }),
])
export type Work = z.infer<typeof workSchema>
export type WorkKind = Work['kind']

export const workStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export const workStateSchema = z.enum(workStates)
export type WorkState = z.infer<typeof workStateSchema>

export const workFailures = ['storage_full', 'disk_full', 'plan_limit', 'missing', 'internal'] as const

export const preparationSchema = z.object({
  id: z.string(),
  work: workSchema,
  /** The folder or the first file, as it was called. */
  sourceName: z.string(),
  sourceId: z.string().nullable(),
  /** `failed` when at least one file failed; what was made of the others is there all the same. */
  state: workStateSchema,
  /** Files that are through, of all; 0 of 0 before they were counted. */
  through: z.int(),
  total: z.int(),
  failed: z.int(),
  made: z.int(),
  failure: z.enum(workFailures).nullable(),
  /** The first of what failed. */
  failures: z.array(z.object({ name: z.string(), reason: prepareReasonSchema.nullable() })),
  /** Of masks joined by STAPLE. */
  readers: z.array(readerScoreSchema).optional(),
  /** The new folder, or the one file; null before there is one and when it was deleted since. */
  resultId: z.string().nullable(),
  resultKind: z.enum(['file', 'folder']),
  resultName: z.string(),
  /** Where the result lies; null = the top. */
  resultFolderId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type Preparation = z.infer<typeof preparationSchema>

export const triedSchema = z.object({
  /** Of the folder: images, masks, files of boxes or points and tables, and all else, which is left out; of the images, those made of DICOM. */
  counts: z.object({ images: z.int(), masks: z.int(), labels: z.int(), others: z.int(), dicom: z.int() }),
  /** Images and masks that nobody has looked at yet: only the work will tell. */
  unknown: z.int(),
  /** Images in sight of masks of which none has the same name. */
  withoutMask: z.int(),
  /** By reason, the most frequent first; `names` are some of them. */
  failing: z.array(z.object({ reason: prepareReasonSchema, count: z.int(), names: z.array(z.string()) })),
  /** The usual size in the folder, for sensible beginnings; null where nobody knows one. */
  usual: z.object({ width: z.int(), height: z.int(), isVolume: z.boolean() }).nullable(),
  /** The largest width and height, perhaps of two images. */
  largest: z.object({ width: z.int(), height: z.int() }).nullable(),
  /** Colours of the masks that were looked at. */
  colours: z.array(z.string()),
  samples: z.array(
    z.object({
      name: z.string(),
      isMask: z.boolean(),
      before: shownSchema.nullable(),
      after: z.array(shownSchema),
      reason: prepareReasonSchema.nullable(),
    }),
  ),
  /** Folders at and below that hold images, for saying which are masks. */
  folders: z.array(z.object({ id: z.string(), path: z.string(), images: z.int() })),
})
export type Tried = z.infer<typeof triedSchema>

const recipeErrors = ['recipe_missing'] as const

export const recipeCalls = {
  ...doctorCalls,
  ...algebraCalls,
  'recipes/list': route({
    summary: 'Kept recipes, own ones and those that others share',
    request: z.object({}),
    response: z.object({ recipes: z.array(keptRecipeSchema) }),
    errors: [],
  }),
  'recipes/keep': route({
    summary: 'Keep a recipe, or change an own one',
    request: z.object({ id: id.nullable().default(null), ...about, recipe: recipeSchema }),
    response: keptRecipeSchema,
    errors: [...recipeErrors, 'recipe_limit', 'name_taken'],
  }),
  'recipes/remove': route({
    summary: 'Forget an own recipe, or one that was shared; what was made by it stays',
    request: z.object({ id }),
    response: z.object({}),
    errors: recipeErrors,
  }),
  'recipes/share': route({
    summary: 'Give an own recipe to another member, who may use it and keep it as an own one',
    request: z.object({ id, account: z.string().trim().min(1).max(254) }),
    response: keptRecipeSchema,
    errors: [...recipeErrors, 'account_missing', 'share_self', 'share_twice', 'share_limit', 'tries_wait'],
  }),
  'recipes/unshare': route({
    summary: 'Withdraw a recipe from a member',
    request: z.object({ id, memberId: id }),
    response: keptRecipeSchema,
    errors: recipeErrors,
  }),
  'recipes/try': route({
    summary: 'What a recipe would do: counts of what would fail, and nine images before and after',
    request: z.object({
      ...chosen,
      recipe: recipeSchema,
      /** Another nine with each number. */
      turn: z.int().min(0).max(10_000).default(0),
    }),
    response: triedSchema,
    errors: ['missing', 'too_many_files', 'recipe_nothing', 'too_much_at_once', 'busy', 'work_too_large'],
  }),
  'recipes/clashes': route({
    summary: 'Before folders are merged: how many files would get a name that another has, and some of them',
    request: z.object({ ids: z.array(id).min(1).max(limits.merged) }),
    response: z.object({ count: z.int(), names: z.array(z.string()), total: z.int() }),
    errors: ['missing', 'recipe_merge'],
  }),
  'recipes/renamed': route({
    summary: 'Before files get new names: some of these, and how many cannot be had',
    request: renameSchema.omit({ kind: true }),
    response: z.object({
      count: z.int(),
      failed: z.int(),
      names: z.array(
        z.object({ from: z.string(), to: z.string().nullable(), reason: prepareReasonSchema.nullable() }),
      ),
    }),
    errors: ['missing', 'too_many_files', 'recipe_nothing'],
  }),
  'recipes/start': route({
    summary: 'Prepare images as a work of its own; what is made lies in a new folder, originals stay',
    request: z.object({
      work: workSchema,
      /** What the result is to be called; one that is taken is numbered. */
      name: fileNameSchema,
    }),
    response: preparationSchema,
    errors: [
      'missing',
      'not_allowed',
      'too_many_files',
      'recipe_nothing',
      'recipe_waiting',
      'recipe_merge',
      'mask_nothing',
      'disk_full',
    ],
  }),
  'recipes/works': route({
    summary: 'Own works, newest first',
    request: z.object({
      after: id.nullable().default(null),
      /** Only these. */
      ids: z.array(id).max(limits.page).nullable().default(null),
    }),
    response: z.object({ works: z.array(preparationSchema), next: z.string().nullable() }),
    errors: [],
  }),
  'recipes/retry': route({
    summary: 'Try again what failed of a work',
    request: z.object({ id }),
    response: preparationSchema,
    errors: ['missing', 'recipe_state'],
  }),
  'recipes/cancel': route({
    summary: 'Give up a work that waits or is under way; what was made so far stays',
    request: z.object({ id }),
    response: preparationSchema,
    errors: ['missing', 'recipe_state'],
  }),
}
