/** Data sets: an image part and a label part that belong together, recognised in a cloud folder. */
import * as z from 'zod'
import { dicomFactsSchema, dicomMaskReasons, dicomReasons, windowSchema } from './dicom-data.ts'
import { boxSchema, givenParts } from './engine.ts'
import { fileReasons } from './file-reasons.ts'
import { labelSourceSchema } from './reading/label-source.ts'
import { patientOriginSchema, patientRuleSchema, shownPatientsSchema } from './reading/patient-rule.ts'
import { readingSchema } from './reading/reading.ts'
import { route } from './route.ts'
import { taskSchema } from './task-schema.ts'

const id = z.string().min(1).max(40)

/**
 * Why something in the folder is not part of the data set; locale keys `datasets.problem.<name>`. Behind each name, the
 * parameters of its text. A box is counted from 1 in its file. A box without an area is set aside by itself, its image
 * stays; an image that lost any other of its boxes is set aside too.
 */
export const problemReasons = [
  ...fileReasons,
  /** A mask beside a picture whose class is learned: the picture is taken alone. */
  'mask_not_used',
  'image_without_mask',
  'mask_without_image',
  /** width, height, maskWidth, maskHeight; of volumes also depth, maskDepth. The second ones are the label's. */
  'size_differs',
  'not_in_class_folder',
  'class_empty',
  /** other: the copy's path, or the other class of a table. */
  'duplicate_other_class',
  /** An image that no table, list of boxes or pair names a label for. */
  'label_missing',
  /** name: what a table or a file of boxes calls an image that is not there; line: 0 = none. */
  'image_missing',
  /** name, line: as above, but several images could be meant. */
  'image_ambiguous',
  /** line: where a table or text cannot be read; 0 = as a whole. */
  'annotation_unreadable',
  /** line: outlines in place of boxes (YOLO). */
  'segments_not_boxes',
  /** class: its number or name; line or number of the box. */
  'class_unknown',
  /** name, line: an image that is named twice; the first time counts. */
  'duplicate_entry',
  /** label, table, otherLabel, otherTable: two tables say different things of one image. */
  'tables_disagree',
  /** rows: so many lines of a table, none of which names an image that is there. */
  'table_unmatched',
  /** rows: so many are read of a table, and it has more. */
  'table_too_long',
  /** A workbook (.xlsx) that needs too much time or memory, that is locked, old, or none at all. */
  'workbook_too_large',
  'workbook_unreadable',
  /** class, number */
  'box_empty',
  /** class, number: the same class and place as another box of the image; both count once. */
  'box_twice',
  /** class, number: it lies wholly outside. */
  'box_outside',
  /** class, number: a crowd in one box (COCO). */
  'box_crowd',
  /** class, number: a box, where outlines are wanted. count: boxes of a folder that holds no outline. */
  'box_not_outline',
  'boxes_not_outlines',
  'volumes_not_pictures',
  /** An outline marks no pixel of its image, or is wholly hidden by later ones of other classes. */
  'outline_outside',
  'outline_covered',
  /** shape, number or line: a point or a line, which marks no area. */
  'shape_without_area',
  /** line: numbers beyond 1 where shares of width and height are expected (YOLO): the file is written in pixels. */
  'box_not_in_shares',
  /** The boxes of a whole set fit into their images only with their first two numbers taken for a corner, not for the middle (YOLO). */
  'box_corner_first',
  /** name, count: labels of images that their list does not have (COCO); name: what the first of them calls it. */
  'image_unlisted',
  /** An image of which a label was read and not used: without it the image would teach that there is nothing. */
  'labels_not_used',
  /** spacing, maskSpacing: `1 × 1 × 2.5`, in mm */
  'spacing_differs',
  /** A volume that does not say how large its voxels are, among others that do. */
  'spacing_unknown',
  /** voxels, mm: how far the corners of a mask lie from those of its image at most */
  'place_differs',
  /** orientation, maskOrientation */
  'orientation_differs',
  /** width, height, maskWidth, maskHeight, factor: that of the other pairs, 0 = they have none. */
  'factor_differs',
  /** slices: a DICOM file of masks or doses that lie over pictures. */
  'dicom_overlay',
  /** kind: a picture, volume or packed file of a kind that is not read. */
  'kind_not_read',
  /** pages: so many further pages of the file; the first one is used. */
  'pages_not_used',
  /** pages, maskPages: an image and its mask have different numbers of pages. */
  'pages_differ',
  /** kinds: what a folder holds of which nothing could be made, by kind and number. */
  'folder_holds',
  /** values: some of the values of a mask that are no whole numbers. */
  'mask_not_whole',
  /** values: so many greys, spread over 0–255 in each mask by itself. */
  'mask_stretched',
  /** one, other: what tables call the patient of one image. All of both counts as of one patient. */
  'patient_clash',
  ...dicomReasons,
  ...dicomMaskReasons,
] as const

/** How a folder can be laid out. Texts: `datasets.layout.<name>`. */
export const layouts = [
  'class_folders',
  'images_masks',
  'csv_labels',
  'name_classes',
  'csv_boxes',
  'labelme',
  'cvat',
  'voc',
  'coco',
  'yolo',
  'volume_pairs',
  'resolution_pairs',
  'noise_pairs',
] as const
export type DatasetLayout = (typeof layouts)[number]

export const problemSchema = z.object({
  /** Path below the folder. */
  path: z.string(),
  reason: z.enum(problemReasons),
  /** Numbers and names for the text, e.g. both sizes. */
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type Problem = z.infer<typeof problemSchema>

/** Side facts of files. Texts: `reading:giveaway.<name>`. */
export const giveaways = ['size', 'brightness', 'format'] as const

const span = z.object({ min: z.int(), median: z.int(), max: z.int() })

/** Labels that were drawn here: of which set, and whose readings count. `newest`: the last finished one of each image. */
export const labelledSchema = z.object({
  setId: z.string(),
  from: z.enum(['mine', 'accepted', 'newest']),
  /** Made for a round of training: images that rounds are tested on are given for the test. */
  round: z.string().optional(),
})
export type Labelled = z.infer<typeof labelledSchema>

const readerSchema = z.object({ key: z.string(), name: z.string(), items: z.int() })

/** How masks were read, where there is more to say than that each image has one. */
const maskFactsSchema = z.object({
  /** Key of the labels that count, `majority` or `all`, and whether these two are possible. */
  counts: z.string().nullable(),
  mayVote: z.boolean(),
  /** Mean Dice of the readers, where the images were marked by several. */
  agreement: z.number().nullable(),
  /** Several pictures of each case, and which are learned from. */
  channels: z.array(readerSchema),
  channel: z.string().nullable(),
  /** Values or colours that were found, the most frequent first. */
  values: z.array(z.object({ value: z.string(), class: z.int(), pixels: z.number() })),
  /** Masks that JPEG or scaling smeared: the nearest value counts. */
  smeared: z.int(),
  /** Images in whose masks each thing has a value or a file of its own; they count as one class. */
  things: z.int(),
  /** Images of which several mask files were put together. */
  joined: z.int(),
  /** Images of which only a part counts, and the folder that says which. */
  regions: z.int(),
  regionFrom: z.string().nullable(),
  /** Images that were turned as their camera noted; their masks that were turned along; those where nothing tells it. */
  turned: z.int(),
  masksTurned: z.int(),
  unsure: z.int(),
  /** A value beside class numbers that counts nowhere: of outlines and of what nobody decided on. Its share of all pixels. */
  open: z.object({ value: z.string(), images: z.int(), share: z.number() }).optional(),
  /** Masks of two values that mark the ground in place of the thing, as they look beside the others. */
  inverted: z.int().optional(),
  /** Masks of palettes that number one colour in different ways: their colours count. */
  renumbered: z.int().optional(),
})
export type MaskFacts = z.infer<typeof maskFactsSchema>

/** What tables say of the persons; told by reports in sums alone. */
const peopleFactsSchema = z.object({
  columns: z.array(z.object({ name: z.string(), kind: z.enum(['age', 'sex', 'other']), items: z.int() })),
  /** Further columns that its owner may have told. */
  options: z.array(z.string()),
  /** Tables that tell age or sex, but no line of which belongs to an image here. Missing = none. */
  unmatched: z.array(z.string()).optional(),
})
export type PeopleFacts = z.infer<typeof peopleFactsSchema>

/** What the defaults of a training run are chosen from. */
export const dataFactsSchema = z.object({
  items: z.int(),
  width: span,
  height: span,
  channels: z.union([z.literal(1), z.literal(3)]),
  /** In the order of `classes`. Classification and multi-label: items; segmentation: pixels, voxels; detection: boxes. */
  classCounts: z.array(z.number()),
  /** Slices of volumes, else null. */
  depth: span.nullable(),
  /** Median distances of voxels in mm along depth, height and width, else null. */
  spacing: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  /** How many times larger labels are than images (super-resolution), else null. */
  factor: z.int().nullable(),
  /** The longer side of boxes in pixels (detection), else null. */
  boxSide: span.nullable(),
  /** Items that the data set itself gives to each part; null where it says nothing. */
  given: z.object({ train: z.int(), validation: z.int(), test: z.int() }).nullable(),
  /** Patients or series, where names or tables tell them; null where each item stands alone. */
  patients: z.int().nullable(),
  /** Indices of classes of which nothing is given for learning, or for the test; missing in older data sets. */
  absent: z.object({ train: z.array(z.int()), test: z.array(z.int()) }).optional(),
  /** Patients, and pictures of nobody known, among those given for learning; missing where no parts are given, and in older data sets. */
  learners: z.int().optional(),
  /** How patients were told apart; missing in data sets that were looked at before that was kept. */
  origin: patientOriginSchema.optional(),
  /**
   * What alone tells the class of images that were not learned from clearly more often than naming the largest class
   * would: a sign that a network may learn that and not the disease. Missing = nothing, or no classes of whole images.
   */
  giveaway: z.array(z.object({ by: z.enum(giveaways), accuracy: z.number(), chance: z.number() })).optional(),
  /** Missing = no table says anything of persons, and in older data sets. */
  people: peopleFactsSchema.optional(),
  /** Where labels were read; missing where folders or files of boxes say them, and in older data sets. */
  labelSource: labelSourceSchema.optional(),
  /**
   * Files that nothing was made of, by their kind: the ending in small letters, `system` for what systems leave, `?`
   * without an ending. Pictures among them are named by themselves. Missing = none, and in older data sets.
   */
  unused: z.array(z.object({ kind: z.string(), files: z.int() })).optional(),
  /** Groups of classes whose names differ in case and blanks alone; missing = none, and in older data sets. */
  spellings: z.array(z.array(z.string())).optional(),
  /** Pictures of decimal numbers, each brought from its darkest and brightest value to the whole range; missing = none. */
  stretched: z.int().optional(),
  /** Volumes that do not say how large their voxels are, such as arrays of NumPy; missing = none. */
  unspaced: z.int().optional(),
  /**
   * Images with boxes that are turned as their camera noted, where nothing tells whether the boxes were drawn before; missing =
   * none, and in older data sets.
   */
  turnedBoxes: z.int().optional(),
  /** Missing = none of the files is DICOM. */
  dicom: dicomFactsSchema.optional(),
  /** Several sets of labels of the same images; `masks.counts` says which counts. Missing = one. */
  readers: z.array(readerSchema).optional(),
  masks: maskFactsSchema.optional(),
  /** Near-duplicates; missing in data sets that were looked at before they were searched for. */
  doubles: z
    .object({
      /** Items that look almost the same as another one, the groups that they make, and the pairs that are shown. */
      items: z.int(),
      groups: z.int(),
      pairs: z.int(),
      /** Pairs that a split may separate, because their groups would have taken in a large part of the data. */
      loose: z.int(),
      /** Items for the test of which almost the same is given for learning or checking. */
      crossing: z.int(),
      /** Those of them that are left aside. */
      aside: z.int(),
    })
    .nullable()
    .optional(),
})
export type DataFacts = z.infer<typeof dataFactsSchema>

/** What a project uses a data set for. */
export const datasetUseSchema = z.enum(['train', 'test'])
export type DatasetUse = z.infer<typeof datasetUseSchema>

export const datasetSchema = z.object({
  id: z.string(),
  /** In the project that was asked about; `train` where none was. */
  use: datasetUseSchema,
  /** Nickname of the member whose data these are; '' for own ones. Only their owner may rename or forget them. */
  owner: z.string(),
  name: z.string(),
  folderId: z.string(),
  task: taskSchema.nullable(),
  layout: z.enum(layouts).nullable(),
  state: z.enum(['checking', 'ready', 'failed']),
  /** Files looked at so far. */
  progress: z.object({ done: z.int(), total: z.int() }),
  /** Why nothing could be made of the folder (`failed`); locale keys `datasets.failure.<name>`. */
  failure: z
    .enum([
      'empty_folder',
      'no_images',
      'single_class',
      'nothing_matches',
      'layout_unknown',
      'task_differs',
      'internal',
    ])
    .nullable(),
  /** Image part and label part; a supervised run takes one of each. */
  parts: z.array(z.object({ id: z.string(), part: z.enum(['image', 'label']), items: z.int() })),
  classes: z.array(z.string()),
  facts: dataFactsSchema.nullable(),
  problemCount: z.int(),
  /** Null = its labels lie in its folder. */
  labelled: labelledSchema.nullable().optional(),
  /** What its owner decided where the folder can be read in several ways. */
  reading: readingSchema,
  createdAt: z.iso.datetime(),
})
export type Dataset = z.infer<typeof datasetSchema>

export const datasetItemSchema = z.object({
  id: z.string(),
  name: z.string(),
  class: z.int().nullable(),
  labels: z.array(z.int()).nullable(),
  boxes: z.array(boxSchema).nullable(),
  part: z.enum(givenParts).nullable(),
  width: z.int(),
  height: z.int(),
  depth: z.int().nullable(),
  image: z.string().nullable(),
  mask: z.string().nullable(),
  /**
   * The class (-1 = does not count) of each colour in the mask's picture (`#55ff00`); of masks with several classes, where
   * the picture tells them apart. Missing where it was not asked for.
   */
  shades: z
    .array(z.object({ shade: z.string(), class: z.int().min(-1) }))
    .nullable()
    .optional(),
})
export type DatasetItem = z.infer<typeof datasetItemSchema>

/** Two items that look almost the same; of one data set, or the second one of another. */
export const doubleSchema = z.object({
  first: datasetItemSchema,
  second: datasetItemSchema,
  /** Bits of 256 in which they differ; 0 also for the same bytes. */
  distance: z.int(),
  /** `crossing`: the first is given for the test, the second for learning or checking. `loose`: a split may separate them. */
  kind: z.enum(['together', 'crossing', 'loose', 'other']),
})
export type Double = z.infer<typeof doubleSchema>

/** A data set of the member's with the projects that use it, and where its files lie in the cloud. */
export const projectDataSchema = z.object({
  id: z.string(),
  name: z.string(),
  task: taskSchema.nullable(),
  state: datasetSchema.shape.state,
  items: z.int(),
  /** The cloud folder that it was made of, while that is there. */
  folder: z.object({ id: z.string(), name: z.string(), sizeBytes: z.int(), fileCount: z.int() }).nullable(),
  projects: z.array(z.object({ id: z.string(), name: z.string() })),
  createdAt: z.iso.datetime(),
})
export type ProjectData = z.infer<typeof projectDataSchema>

export const datasetCalls = {
  'datasets/recognise': route({
    summary: 'Look at a cloud folder and make its image part and label part for a project',
    request: z.object({ projectId: id, folderId: id, use: datasetUseSchema.default('train') }),
    response: datasetSchema,
    errors: ['missing', 'project_missing', 'not_allowed', 'dataset_duplicate', 'shared_datasets_limit'],
  }),
  'datasets/recheck': route({
    summary:
      'Look at the folder of a data set again, after files in it were renamed, replaced, added or removed',
    request: z.object({ id }),
    response: datasetSchema,
    errors: [
      'dataset_missing',
      'not_allowed',
      'missing',
      'dataset_not_ready',
      'dataset_trained',
      'shared_datasets_limit',
    ],
  }),
  'datasets/readAs': route({
    summary:
      'Decide how the folder of a data set is read where several ways are possible, and look at it again',
    request: z.object({ id, reading: readingSchema }),
    response: datasetSchema,
    errors: [
      'dataset_missing',
      'not_allowed',
      'missing',
      'dataset_not_ready',
      'dataset_trained',
      'shared_datasets_limit',
    ],
  }),
  'datasets/patients': route({
    summary: 'What a rule would tell of the patients of a data set, before it is decided',
    request: z.object({ id, rule: patientRuleSchema }),
    response: shownPatientsSchema,
    errors: ['dataset_missing', 'dataset_not_ready'],
  }),
  'datasets/list': route({
    summary: 'Data sets of a project, or all own ones',
    request: z.object({ projectId: id.nullable() }),
    response: z.object({ datasets: z.array(datasetSchema) }),
    errors: ['project_missing'],
  }),
  'datasets/inProjects': route({
    summary: 'One page of the own data that projects use, latest first',
    request: z.object({
      after: z.string().max(100).nullable().default(null),
      search: z.string().max(200).default(''),
    }),
    response: z.object({ data: z.array(projectDataSchema), next: z.string().nullable(), total: z.int() }),
    errors: [],
  }),
  'datasets/detail': route({
    summary: 'One data set',
    request: z.object({ id }),
    response: datasetSchema,
    errors: ['dataset_missing'],
  }),
  'datasets/items': route({
    summary: 'A page of items with thumbnails, all or of one class',
    request: z.object({
      id,
      class: z.int().min(0).nullable().default(null),
      after: z.string().max(100).nullable().default(null),
    }),
    response: z.object({ items: z.array(datasetItemSchema), next: z.string().nullable() }),
    errors: ['dataset_missing'],
  }),
  'datasets/problems': route({
    summary: 'A page of what was set aside, each with its reason',
    request: z.object({ id, after: z.int().min(0).default(0) }),
    response: z.object({ problems: z.array(problemSchema), next: z.int().nullable() }),
    errors: ['dataset_missing'],
  }),
  'datasets/doubles': route({
    summary: 'A page of items that look almost the same, in one data set or, for each, in another one',
    request: z.object({
      id,
      /** The other data set: of its items the nearest to each is told. */
      other: id.nullable().default(null),
      after: z.int().min(0).default(0),
    }),
    response: z.object({ doubles: z.array(doubleSchema), next: z.int().nullable(), total: z.int() }),
    errors: ['dataset_missing', 'dataset_not_ready'],
  }),
  'datasets/shared': route({
    summary:
      'How many items of a test set are also in the training sets of its project, or the other way round',
    request: z.object({ id, projectId: id }),
    response: z.object({
      sets: z.array(z.object({ id: z.string(), name: z.string(), use: datasetUseSchema, items: z.int() })),
    }),
    errors: ['dataset_missing', 'project_missing', 'dataset_not_ready'],
  }),
  'datasets/leaveAside': route({
    summary:
      'Leave those given test items aside that look almost the same as items to learn from, or take them back',
    request: z.object({ id, aside: z.boolean() }),
    response: datasetSchema,
    errors: ['dataset_missing', 'not_allowed', 'dataset_not_ready'],
  }),
  'datasets/windowPreview': route({
    summary: 'One picture of the DICOM files of a data set, as it is read now and by another window',
    request: z.object({ id, window: windowSchema.nullable() }),
    response: z.object({
      /** Path of the file, below the folder. */
      name: z.string(),
      /** PNG as `data:` addresses. */
      before: z.string(),
      after: z.string(),
    }),
    errors: ['dataset_missing', 'not_allowed', 'missing', 'dataset_not_ready', 'busy'],
  }),
  'datasets/add': route({
    summary: 'Use an own data set in a further project',
    request: z.object({ id, projectId: id, use: datasetUseSchema.default('train') }),
    response: datasetSchema,
    errors: [
      'dataset_missing',
      'project_missing',
      'not_allowed',
      'dataset_duplicate',
      'task_differs',
      'shared_datasets_limit',
    ],
  }),
  'datasets/setUse': route({
    summary: 'Say what a project uses a data set for: to learn from, or to be tested on',
    request: z.object({ id, projectId: id, use: datasetUseSchema }),
    response: datasetSchema,
    errors: ['dataset_missing', 'project_missing', 'not_allowed'],
  }),
  'datasets/rename': route({
    summary: 'Rename a data set',
    request: z.object({ id, name: z.string().trim().min(1).max(100) }),
    response: datasetSchema,
    errors: ['dataset_missing', 'not_allowed'],
  }),
  'datasets/remove': route({
    summary: 'Take a data set out of a project; without project: forget it. Files stay in the cloud',
    request: z.object({ id, projectId: id.nullable() }),
    response: z.object({}),
    errors: ['dataset_missing', 'project_missing', 'not_allowed', 'dataset_in_use'],
  }),
}
