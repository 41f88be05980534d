/** Labels out of a set and into it: formats, what each of them cannot say, and what is wrong in files. Data only. */
import * as z from 'zod'
import { labelExchange as limits } from '../limits.ts'
import { route } from '../route.ts'
import { classUses, labelClassSchema } from './classes.ts'
import { labelFormats } from './label-formats.ts'

export const labelFormatSchema = z.enum(labelFormats)
export type LabelFormat = z.infer<typeof labelFormatSchema>

/** What marks may have that a format has no place for. Texts: `label-exchange:feature.<name>`, with `count`. */
export const features = [
  'tags',
  'boxes',
  'turned',
  'outlines',
  'parts',
  'lines',
  'points',
  'pixels',
  'instances',
  'overlaps',
  'outside',
  'slices',
  'planes',
  'tracks',
  'attributes',
  'ignored',
  'unplaced',
] as const
export type Feature = (typeof features)[number]

/** What it becomes then. Texts: `label-exchange:becomes.<name>`. */
export const substitutes = [
  'nothing',
  'box',
  'outline',
  'pixels',
  'class',
  'joined',
  'cut',
  'own',
  'undermost',
] as const
export type Substitute = (typeof substitutes)[number]

export const lossSchema = z.object({
  feature: z.enum(features),
  becomes: z.enum(substitutes),
  /** Marks, or images of `slices` and `unplaced`. */
  count: z.int(),
})
export type Loss = z.infer<typeof lossSchema>

type Losses = Partial<Record<Feature, Substitute>>

const onlyBoxes = {
  ...{ tags: 'nothing', outlines: 'box', parts: 'box', lines: 'nothing', points: 'nothing' },
  ...{ pixels: 'box', slices: 'nothing', planes: 'nothing', tracks: 'nothing', attributes: 'nothing' },
} as const satisfies Losses

const onlyPixels = {
  ...{ tags: 'nothing', boxes: 'nothing', turned: 'nothing', outlines: 'pixels', parts: 'pixels' },
  ...{ lines: 'nothing', points: 'nothing', overlaps: 'undermost', tracks: 'nothing', attributes: 'nothing' },
} as const satisfies Losses

/** What each format cannot say, and what becomes of it: told before anything is written. */
export const lossesOf: Record<LabelFormat, Losses> = {
  coco: {
    ...{ tags: 'nothing', turned: 'own', parts: 'pixels', lines: 'nothing' },
    ...{ slices: 'nothing', planes: 'nothing', tracks: 'nothing' },
  },
  yolo_boxes: { ...onlyBoxes, turned: 'box', ignored: 'nothing', outside: 'cut' },
  yolo_turned: { ...onlyBoxes, ignored: 'nothing', outside: 'cut' },
  yolo_outlines: {
    ...{ tags: 'nothing', boxes: 'outline', turned: 'outline', parts: 'joined', lines: 'nothing' },
    ...{ points: 'nothing', pixels: 'outline', slices: 'nothing', planes: 'nothing', tracks: 'nothing' },
    ...{ attributes: 'nothing', ignored: 'nothing', outside: 'cut' },
  },
  yolo_points: {
    ...{ tags: 'nothing', boxes: 'nothing', turned: 'nothing', outlines: 'nothing', parts: 'nothing' },
    ...{ lines: 'nothing', pixels: 'nothing', slices: 'nothing', planes: 'nothing', tracks: 'nothing' },
    ...{ attributes: 'nothing', ignored: 'nothing' },
  },
  voc: {
    ...{ tags: 'nothing', turned: 'box', outlines: 'box', parts: 'box', lines: 'nothing', points: 'nothing' },
    ...{ slices: 'nothing', planes: 'nothing', tracks: 'nothing', attributes: 'nothing', outside: 'cut' },
    ignored: 'nothing',
  },
  labelme: {
    ...{ turned: 'outline', parts: 'pixels', slices: 'nothing', planes: 'nothing', tracks: 'nothing' },
    ...{ attributes: 'own', points: 'own', ignored: 'class' },
  },
  cvat: { parts: 'pixels', slices: 'nothing', planes: 'nothing', tracks: 'nothing', ignored: 'class' },
  cvat_video: { tags: 'nothing', parts: 'pixels', planes: 'nothing', ignored: 'class' },
  csv: {
    ...{ outlines: 'box', parts: 'box', lines: 'nothing', points: 'nothing', pixels: 'box' },
    ...{ planes: 'nothing', tracks: 'nothing', attributes: 'nothing', ignored: 'class' },
  },
  png_index: { ...onlyPixels, instances: 'class' },
  png_palette: { ...onlyPixels, instances: 'class' },
  png_colour: { ...onlyPixels, instances: 'class', ignored: 'class' },
  png_binary: { ...onlyPixels, instances: 'class', ignored: 'class' },
  nifti: { ...onlyPixels, instances: 'class', ignored: 'class' },
  nrrd: { ...onlyPixels, instances: 'class', ignored: 'class' },
  seg_nrrd: { ...onlyPixels, ignored: 'class' },
  dicom_seg: { ...onlyPixels, ignored: 'class', unplaced: 'nothing' },
}

/** What is wrong in a file that labels are taken from. Texts: `label-exchange:problem.<name>`. */
export const exchangeReasons = [
  'image_missing',
  'duplicate_entry',
  'unreadable',
  'file_unreadable',
  'too_large',
  'too_many',
  'size_differs',
  'class_unknown',
  'shape_empty',
  'shape_outside',
  'shape_unknown',
  'crosses_itself',
  'overlap',
  'no_whole_numbers',
  'slices_differ',
  'place_differs',
  'mask_cut',
  'picture_refused',
  'already_accepted',
  'image_full',
  'one_label',
] as const
export const exchangeProblemSchema = z.object({
  /** Of the file. */
  path: z.string(),
  reason: z.enum(exchangeReasons),
  /** `line`, `number` of an entry, `name`, `class` and the like. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type ExchangeProblem = z.infer<typeof exchangeProblemSchema>
export type ExchangeReason = ExchangeProblem['reason']

/** What files were found to be. Texts: `label-exchange:found.<name>`. */
export const foundFormats = ['voc', 'coco', 'labelme', 'cvat', 'yolo', 'csv', 'masks'] as const
export type FoundFormat = (typeof foundFormats)[number]

/** A class that files name, and what is proposed for it; a name that differs in case alone is asked about. */
export const foundClassSchema = z.object({
  name: z.string(),
  use: z.enum(classUses),
  colour: z.string().nullable(),
  skeleton: labelClassSchema.shape.skeleton,
  /** Number of a class of the set; null = none is called so. */
  proposed: z.string().nullable(),
  isAlike: z.boolean(),
  /** Marks of this class. */
  count: z.int(),
})

/** Whose marks go out: the caller's own, those that were accepted, or of each image the newest finished ones. */
export const whose = ['mine', 'accepted', 'newest'] as const
/** Into images that have marks: beside them, in their place, or not at all. */
export const mergeWays = ['add', 'replace', 'empty'] as const

/** `planned`: looked at, and waits for a word. */
export const exchangeStates = ['looking', 'planned', 'working', 'done', 'failed', 'cancelled'] as const
export const exchangeFailures = [
  ...[
    'nothing_found',
    'list_too_large',
    'nothing_marked',
    'missing',
    'not_allowed',
    'storage_full',
    'disk_full',
  ],
  ...['plan_limit', 'classes_refused', 'internal'],
] as const

const count = z.int()
const exportPlanSchema = z.object({
  images: count,
  /** Images of the set without such marks. */
  unmarked: count,
  /** Of each format, so that another one can be chosen. */
  losses: z.record(labelFormatSchema, z.array(lossSchema)),
  /** Marks of all images together. */
  marks: count,
})
const importPlanSchema = z.object({
  found: z.enum(foundFormats),
  /** Images of the set that the files tell of, and those among them that have marks of the caller. */
  images: count,
  marked: count,
  classes: z.array(foundClassSchema),
  problems: z.array(exchangeProblemSchema),
  problemCount: count,
})

export const exchangeSchema = z.object({
  id: z.string(),
  setId: z.string(),
  kind: z.enum(['export', 'import']),
  state: z.enum(exchangeStates),
  /** Of labels that go out. */
  format: labelFormatSchema.nullable(),
  whose: z.enum(whose).nullable(),
  /** Made, or read from; null = not yet made, or gone. */
  folderId: z.string().nullable(),
  folderName: z.string(),
  exportPlan: exportPlanSchema.nullable(),
  importPlan: importPlanSchema.nullable(),
  done: count,
  total: count,
  failure: z.enum(exchangeFailures).nullable(),
  createdAt: z.iso.datetime(),
})
export type Exchange = z.infer<typeof exchangeSchema>

const id = z.string().min(1).max(40)
const begun = ['label_set_missing', 'not_allowed', 'exchange_waiting'] as const
const went = ['exchange_missing', 'exchange_state', 'not_allowed'] as const

export const exchangeCalls = {
  'labelling/exportPlan': route({
    summary: 'Look at the marks that would go out: how many there are, and what each format cannot say',
    request: z.object({ id, whose: z.enum(whose) }),
    response: exchangeSchema,
    errors: [...begun],
  }),
  'labelling/export': route({
    summary: 'Write the marks that were looked at into a new folder beside the images',
    request: z.object({ exchangeId: id, format: labelFormatSchema }),
    response: exchangeSchema,
    errors: [...went],
  }),
  'labelling/importPlan': route({
    summary: 'Look at the files of a folder: which format, which images, which classes, what is wrong',
    request: z.object({ id, folderId: id }),
    response: exchangeSchema,
    errors: [...begun, 'missing'],
  }),
  'labelling/import': route({
    summary: 'Take the marks into the own readings; new classes join the set where its owner asks',
    request: z.object({
      exchangeId: id,
      merge: z.enum(mergeWays),
      /** For each class that was found: a class of the set, `new`, or null for nothing. */
      classes: z
        .array(z.object({ name: z.string().max(4000), to: z.string().max(24).nullable() }))
        .max(limits.classes),
    }),
    response: exchangeSchema,
    errors: [...went, 'classes_refused', 'tag_duplicate', 'labels_too_few'],
  }),
  'labelling/exchanges': route({
    summary: 'The latest ones of the caller for a set',
    request: z.object({ id }),
    response: z.object({ exchanges: z.array(exchangeSchema) }),
    errors: ['label_set_missing'],
  }),
  'labelling/cancelExchange': route({
    summary: 'Give one up; images that are through keep what came in',
    request: z.object({ exchangeId: id }),
    response: exchangeSchema,
    errors: ['exchange_missing', 'exchange_state'],
  }),
}
