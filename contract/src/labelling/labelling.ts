/** Labelling: sets of images that people mark, who reads which, and the journal of each reading. Data only. */
import * as z from 'zod'
import { datasetSchema, datasetUseSchema, labelledSchema } from '../datasets.ts'
import { labelling as limits, names } from '../limits.ts'
import { route } from '../route.ts'
import { imageFactsSchema, viewReasonSchema } from '../viewing.ts'
import { labelClassSchema, markSchema } from './classes.ts'
import { stepSchema, wholeSchema } from './steps.ts'

const id = z.string().min(1).max(40)
const name = z.string().trim().min(1).max(names.length)
const description = z.string().trim().min(1).max(names.description)

/** What a member may do with a set: `own` all, `review` also judge others' readings, `read` mark images for oneself. */
export const labelRights = ['read', 'review', 'own'] as const
export const labelRightSchema = z.enum(labelRights)
export type LabelRight = z.infer<typeof labelRightSchema>

/** Where a reading stands. `done`: its reader has finished; `accepted` and `returned`: a reviewer looked at it. */
export const readingStates = ['open', 'done', 'accepted', 'returned'] as const
export const readingStateSchema = z.enum(readingStates)
export type ReadingState = z.infer<typeof readingStateSchema>

/** How many readings stand where. */
export const readingCountsSchema = z.object({
  open: z.int(),
  done: z.int(),
  accepted: z.int(),
  returned: z.int(),
})
export type ReadingCounts = z.infer<typeof readingCountsSchema>

/** Images by where their readings stand; `unfinished`: none is done or accepted. Texts: `labelling:items.<name>`. */
export const itemShows = ['all', 'unfinished', 'new', ...readingStates] as const

const settings = {
  name,
  description,
  classes: z.array(labelClassSchema).min(1).max(limits.classes),
  marks: z.array(markSchema).min(1).max(markSchema.options.length),
  /** One label of the image as a whole, or any number. */
  oneTag: z.boolean().default(true),
  /** Readers do not see each other's marks before a reviewer or the owner has looked at both. */
  blind: z.boolean().default(true),
}

export const labelSetSchema = z.object({
  id: z.string(),
  ...settings,
  right: labelRightSchema,
  /** Nickname; '' for own ones. */
  owner: z.string(),
  folderId: z.string(),
  projectId: z.string().nullable(),
  /** `gathering`: images of the folder are looked for. */
  state: z.enum(['gathering', 'ready', 'failed']),
  failure: z.enum(['no_images', 'too_many', 'missing', 'internal']).nullable(),
  items: z.int(),
  /** Images of which the caller has finished a reading; of which anybody has whose readings the caller may see; of which one was accepted. */
  finished: z.object({ mine: z.int(), any: z.int(), accepted: z.int() }),
  createdAt: z.iso.datetime(),
})
export type LabelSet = z.infer<typeof labelSetSchema>

export const labelItemSchema = z.object({
  id: z.string(),
  /** Path below the folder; of a series its description. */
  name: z.string(),
  kind: z.enum(['picture', 'volume', 'video']),
  /** Columns, rows, slices or frames; null until somebody has opened it. */
  size: z.tuple([z.int(), z.int(), z.int()]).nullable(),
  /** The caller's own reading; null = not begun. */
  mine: readingStateSchema.nullable(),
  /** Of all readers that the caller may see. */
  readings: readingCountsSchema,
  /** Short-lived address of a small picture; null where there is none. */
  thumbnail: z.string().nullable(),
})
export type LabelItem = z.infer<typeof labelItemSchema>

export const readingSchema = z.object({
  id: z.string(),
  itemId: z.string(),
  /** Nickname of the reader; '' for one's own. */
  reader: z.string(),
  /** Belongs to the set, and whoever judges goes on with it. */
  isAgreed: z.boolean(),
  state: readingStateSchema,
  /** Number of its last step. */
  seq: z.int(),
  /** False for others' readings, and for those that are accepted. */
  isWritable: z.boolean(),
  changedAt: z.iso.datetime(),
})
export type LabelReading = z.infer<typeof readingSchema>

/** A step as it was kept: its number in the reading's journal and the server's time. */
export const keptStepSchema = stepSchema.extend({ seq: z.int(), keptAt: z.iso.datetime() })
export type KeptStep = z.infer<typeof keptStepSchema>

/** What the editor draws: one picture, tiles of a large one, a volume, or a video. */
export const labelImageSchema = z.object({
  state: z.enum(['ready', 'preparing', 'refused']),
  reason: viewReasonSchema.nullable(),
  /** Of a picture, a volume as NIfTI (`.nii.gz`) or a video; null while preparing, refused, or where there are tiles. */
  url: z.string().nullable(),
  /**
   * Of a picture too large for one: level 0 is its own size, each further one half of it, up to one tile. A tile lies at
   * `url` with `{level}`, `{x}`, `{y}` filled in.
   */
  tiles: z.object({ url: z.string(), side: z.int(), levels: z.int() }).nullable(),
  facts: imageFactsSchema.nullable(),
})
export type LabelImage = z.infer<typeof labelImageSchema>

export const labellingCalls = {
  'labelling/create': route({
    summary: 'A set of the images of a cloud folder, to be labelled with classes',
    request: z.object({ ...settings, folderId: id, projectId: id.nullable().default(null) }),
    response: labelSetSchema,
    errors: [
      'missing',
      'not_allowed',
      'project_missing',
      'tag_duplicate',
      'classes_refused',
      'labels_too_few',
      'too_many_sets',
    ],
  }),
  'labelling/change': route({
    summary: 'Name, description, classes and settings; a class that labels use can be renamed, not removed',
    request: z.object({ ...settings, id }),
    response: labelSetSchema,
    errors: [
      'label_set_missing',
      'not_allowed',
      'tag_duplicate',
      'classes_refused',
      'labels_too_few',
      'class_used',
    ],
  }),
  'labelling/remove': route({
    summary: 'Forget a set with all its labels; the images stay',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['label_set_missing', 'not_allowed'],
  }),
  'labelling/list': route({
    summary: 'Sets that the member owns or reads; of one project, of one folder, or all',
    request: z.object({ projectId: id.nullable().default(null), folderId: id.nullable().default(null) }),
    response: z.object({ sets: z.array(labelSetSchema) }),
    errors: ['project_missing'],
  }),
  'labelling/detail': route({
    summary: 'One set',
    request: z.object({ id }),
    response: labelSetSchema,
    errors: ['label_set_missing'],
  }),
  'labelling/gather': route({
    summary: 'Look at the folder again: new images join, labels of those that are gone stay',
    request: z.object({ id }),
    response: labelSetSchema,
    errors: ['label_set_missing', 'not_allowed', 'missing'],
  }),
  'labelling/items': route({
    summary: 'One page of the images in order',
    request: z.object({
      id,
      after: z.int().min(0).default(0),
      show: z.enum(itemShows).default('all'),
      /** Whose readings that is about: the caller's own, or those of all. */
      of: z.enum(['mine', 'all']).default('mine'),
      search: z.string().max(200).default(''),
    }),
    response: z.object({ items: z.array(labelItemSchema), next: z.int().nullable(), total: z.int() }),
    errors: ['label_set_missing', 'not_allowed'],
  }),
  'labelling/open': route({
    summary:
      'An image to draw and a reading of it: the last whole and all steps since; begins the own reading',
    request: z.object({
      itemId: id,
      readingId: id.nullable().default(null),
      /** Of a video, which only the page opens: columns, rows, frames. The first word counts. */
      measured: z
        .tuple([
          z.int().min(1).max(limits.side),
          z.int().min(1).max(limits.side),
          z.int().min(1).max(limits.slices),
        ])
        .nullable()
        .default(null),
    }),
    response: z.object({
      set: labelSetSchema,
      item: labelItemSchema,
      image: labelImageSchema,
      /** Null while the size of the image is not known. */
      reading: readingSchema.nullable(),
      whole: wholeSchema,
      wholeSeq: z.int(),
      steps: z.array(keptStepSchema),
      /** Images before and after this one. */
      before: z.string().nullable(),
      next: z.string().nullable(),
      /** From 1 on. */
      position: z.int(),
    }),
    errors: ['label_item_missing', 'not_allowed'],
  }),
  'labelling/save': route({
    summary: 'Add steps to the journal of a reading, once each; tells those of other pages since `after`',
    request: z.object({
      readingId: id,
      after: z.int().min(0),
      steps: z.array(stepSchema).max(limits.steps),
    }),
    response: z.object({ seq: z.int(), missed: z.array(keptStepSchema) }),
    errors: ['reading_missing', 'not_allowed', 'reading_closed', 'step_refused', 'disk_full'],
  }),
  'labelling/steps': route({
    summary:
      'A page of the journal of a reading, for its history and for undoing what was done before this visit',
    request: z.object({ readingId: id, before: z.int().min(1).nullable().default(null) }),
    response: z.object({ steps: z.array(keptStepSchema), next: z.int().nullable() }),
    errors: ['reading_missing'],
  }),
  'labelling/minutes': route({
    summary: 'When a reading was worked on: one line a minute, the latest first',
    request: z.object({ readingId: id }),
    response: z.object({
      minutes: z.array(z.object({ at: z.iso.datetime(), steps: z.int(), seq: z.int() })),
    }),
    errors: ['reading_missing'],
  }),
  'labelling/asOf': route({
    summary:
      'What a reading was after one of its steps is replayed from: the last whole before it, and the steps from there',
    request: z.object({ readingId: id, seq: z.int().min(0) }),
    response: z.object({ whole: wholeSchema, wholeSeq: z.int(), steps: z.array(keptStepSchema) }),
    errors: ['reading_missing'],
  }),
  'labelling/setState': route({
    summary: 'Finish the own reading or open it again; accept or return a reading as a reviewer',
    request: z.object({
      readingId: id,
      state: readingStateSchema,
      /** Why it is returned: kept as a comment on these marks, which their reader sees. */
      reason: z.string().trim().min(1).max(limits.commentLength).nullable().default(null),
    }),
    response: readingSchema,
    errors: ['reading_missing', 'not_allowed', 'reading_closed', 'too_many_comments'],
  }),
  'labelling/adjudicate': route({
    summary:
      'Begin the agreed reading of an image with a copy of one reading, or with what most of several have; there is one',
    request: z.object({ itemId: id, readingIds: z.array(id).min(1).max(limits.adjudicated) }),
    response: readingSchema,
    errors: [
      'label_item_missing',
      'not_allowed',
      'reading_missing',
      'work_too_large',
      'too_much_at_once',
      'busy',
    ],
  }),
  'labelling/useAsData': route({
    summary: 'Make a data set of a project of the labels of a set; recheck takes the newest ones later',
    request: z.object({
      id,
      projectId: id,
      use: datasetUseSchema.default('train'),
      from: labelledSchema.shape.from,
    }),
    response: datasetSchema,
    errors: [
      'label_set_missing',
      'not_allowed',
      'project_missing',
      'nothing_labelled',
      'dataset_duplicate',
      'shared_datasets_limit',
    ],
  }),
  'labelling/readings': route({
    summary: 'Readings of an image that the caller may see',
    request: z.object({ itemId: id }),
    response: z.object({ readings: z.array(readingSchema) }),
    errors: ['label_item_missing'],
  }),
}

/** Live event `steps` on the topic `reading`: more were kept; ask with `labelling/save` and no steps. */
export const stepsEventSchema = z.object({ seq: z.int() })

/** Live event `labelImage` on the topic `user`: an image that was being prepared is ready, or will not be. */
export const labelImageEventSchema = z.object({ itemId: z.string() })
