/** A recipe: what is done with every image of a folder, step by step, and why an image cannot be. Data only. */
import * as z from 'zod'
import { dicomMaskReasons, dicomReasons } from '../dicom-data.ts'
import { fileReasons } from '../file-reasons.ts'
import { recipes as limits, names } from '../limits.ts'
import { maskStepSchema, maskSteps } from './mask-steps.ts'

const side = z.int().min(1).max(limits.side)
const sides = { width: side, height: side }
export const colourSchema = z.string().regex(/^#[0-9a-f]{6}$/)

/** Geometry moves masks, boxes and points along; steps on values leave masks alone; `index` and those of `mask-steps.ts` are of masks alone. */
export const stepSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('size'),
    ...sides,
    /** Exactly so; as large as fits in without changing the shape; the same, filled up with black to exactly so. */
    how: z.enum(['stretch', 'inside', 'filled']),
  }),
  z.discriminatedUnion('how', [
    z.object({ do: z.literal('crop'), ...sides, how: z.literal('centre') }),
    z.object({
      do: z.literal('crop'),
      ...sides,
      how: z.literal('box'),
      left: z.int().min(0).max(limits.side),
      top: z.int().min(0).max(limits.side),
    }),
    /** Edges of the ground go: what differs from the border by less than this share of the image's range; a margin stays. */
    z.object({
      do: z.literal('crop'),
      how: z.literal('content'),
      above: z.number().min(0).max(90),
      margin: z.int().min(0).max(limits.side),
    }),
  ]),
  /** To at least this size, the image in the middle. */
  z.object({ do: z.literal('pad'), ...sides, fill: z.enum(['black', 'edge', 'mirror']) }),
  /** Clockwise. Quarter turns are exact. */
  z.object({ do: z.literal('rotate'), degrees: z.number().min(-360).max(360) }),
  z.object({ do: z.literal('flip'), axis: z.enum(['horizontal', 'vertical']) }),
  z.object({ do: z.literal('grey') }),
  z.object({ do: z.literal('clahe'), tiles: z.int().min(1).max(32), clip: z.number().min(1).max(100) }),
  /** What lies in the window becomes 0–255. */
  z.object({
    do: z.literal('window'),
    centre: z.number().min(-1e6).max(1e6),
    width: z.number().positive().max(1e6),
  }),
  z.discriminatedUnion('how', [
    z.object({ do: z.literal('normalise'), how: z.literal('minmax') }),
    z.object({ do: z.literal('normalise'), how: z.literal('zscore') }),
    z.object({
      do: z.literal('normalise'),
      how: z.literal('percentile'),
      low: z.number().min(0).max(49),
      high: z.number().min(51).max(100),
    }),
  ]),
  z.discriminatedUnion('how', [
    z.object({ do: z.literal('denoise'), how: z.literal('median'), radius: z.int().min(1).max(5) }),
    z.object({ do: z.literal('denoise'), how: z.literal('gaussian'), sigma: z.number().min(0.1).max(10) }),
    /** Non-local means; strength in multiples of the noise that is found. */
    z.object({ do: z.literal('denoise'), how: z.literal('means'), strength: z.number().min(0.1).max(5) }),
  ]),
  /** A polynomial of this degree through the logarithms. */
  z.object({ do: z.literal('bias'), degree: z.int().min(1).max(4) }),
  z.object({
    do: z.literal('index'),
    colours: z
      .array(z.object({ colour: colourSchema, value: z.int().min(0).max(255) }))
      .min(1)
      .max(limits.colours),
    /** Colours that are not listed become 0, or stop the file. */
    others: z.enum(['background', 'refuse']),
  }),
  z.object({ do: z.literal('tiles'), ...sides, overlap: z.int().min(0).max(limits.side) }),
  ...maskSteps,
])
export type Step = z.infer<typeof stepSchema>
export type StepName = Step['do']

export const recipeSchema = z.object({
  v: z.literal(1),
  /** Of one that work was done by: what it was kept as, and a mark of its very steps, by which two are told apart. */
  name: z.string().max(names.length).optional(),
  version: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
  /** Of one that work was done by: its pictures were of DICOM, with values in Hounsfield units and the like. */
  isOfDicom: z.boolean().optional(),
  /** Of one that work was done by: it is inside a tool that somebody shares, whose steps are not told. */
  isClosed: z.boolean().optional(),
  /** Tiles make several images of one, so they come last. */
  steps: z
    .array(stepSchema)
    .max(limits.steps)
    .refine((steps) => steps.slice(0, -1).every((step) => step.do !== 'tiles'), 'recipes:rule.tilesLast')
    .refine(
      (steps) =>
        steps.every((step) => step.do !== 'tiles' || step.overlap < Math.min(step.width, step.height)),
      'recipes:rule.overlap',
    ),
})
export type Recipe = z.infer<typeof recipeSchema>

/** Why a file was not prepared; locale keys `recipes:reason.<name>`, with params. */
export const prepareReasons = [
  ...fileReasons,
  ...dicomReasons,
  ...dicomMaskReasons,
  'deep_colours',
  'several_pictures',
  'crop_outside',
  'crop_empty',
  'crop_alone',
  'too_many_tiles',
  'volume_turn',
  'volume_tiles',
  'volume_colours',
  'colour_floats',
  'colour_unknown',
  'not_colours',
  'mask_size',
  'labels_turned',
  'labels_unread',
  'labels_packed',
  'labels_circle',
  /** Of works on groups. */
  'part_unread',
  'part_volume',
  'sizes_differ',
  'kinds_differ',
  'colour_volume',
  'one_picture',
  'tile_outside',
  'tiles_missing',
  'grids_differ',
  'unmatched',
  /** Of steps on masks. */
  'mask_coloured',
  'mask_classes',
  'mask_range',
  'columns_differ',
  'table_letters',
  /** Deleted, or no longer shared. */
  'gone',
  /** Two files of one folder would get the same name. */
  'name_taken',
  'name_invalid',
  /** It ended the program that read it, or met what no step foresaw. */
  'not_prepared',
] as const
export type PrepareReasonName = (typeof prepareReasons)[number]
export const prepareReasonSchema = z.object({
  name: z.enum(prepareReasons),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
})
export type PrepareReason = z.infer<typeof prepareReasonSchema>

/** Works that take several files to make one, or make several of one. */
export const groupWorks = ['stack_tiff', 'stack_nifti', 'table', 'split', 'stitch'] as const
export type GroupWork = (typeof groupWorks)[number]

/** How places move: x' = m₀x + m₁y + m₂, y' = m₃x + m₄y + m₅. */
const matrix = z.array(z.number()).length(6)

/** How one reader of one mask did by STAPLE's estimate: pixels as it expects them, so that they add up. */
export const readerSchema = z.object({
  /** Which of the masks that were joined. */
  number: z.int(),
  value: z.int(),
  /** Of the truth, those that were marked, and all; of what is not the truth, those that were left alone, and all. */
  marked: z.number(),
  positive: z.number(),
  spared: z.number(),
  negative: z.number(),
})
export type Reader = z.infer<typeof readerSchema>

/** One file that was made. */
export const preparedFileSchema = z.object({
  /** Below the run folder. */
  path: z.string(),
  name: z.string(),
  /** Null of what is no picture. */
  matrix: matrix.nullable(),
  isExact: z.boolean(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** Of joined masks, where it is estimated. */
  readers: z.array(readerSchema).optional(),
})
export type PreparedFile = z.infer<typeof preparedFileSchema>

/** A picture before and after, for what tells of places in it. */
export const preparedPictureSchema = z.object({
  path: z.string(),
  name: z.string(),
  matrix,
  isExact: z.boolean(),
  beforeWidth: z.int(),
  beforeHeight: z.int(),
  width: z.int(),
  height: z.int(),
})
export type PreparedPicture = z.infer<typeof preparedPictureSchema>

/** Such a step looks at images, and cuts masks as these. */
export const isToContent = (step: Step): boolean => step.do === 'crop' && step.how === 'content'

/** What may be done to images that a network is applied to: tiles are of training alone, and some steps of masks. */
export const replayOf = (recipe: Recipe): Recipe => ({
  ...recipe,
  steps: recipe.steps.filter(
    (step) => step.do !== 'tiles' && step.do !== 'index' && !maskStepSchema.safeParse(step).success,
  ),
})

/** Of such steps a place in the image stays where it was. */
const onValues: readonly StepName[] = ['grey', 'clahe', 'window', 'normalise', 'denoise', 'bias']

/** As far as it can be replayed where what is found must lie on the image as it was. */
export const valuesOf = (recipe: Recipe): Recipe => ({
  ...recipe,
  steps: recipe.steps.filter((step) => onValues.includes(step.do)),
})

/** Whether it gives images another shape or size than they had. */
export const movesPlaces = (recipe: Recipe): boolean =>
  replayOf(recipe).steps.some((step) => !onValues.includes(step.do))

/** As members are told of it: of one inside a shared tool its name and mark alone. */
export const toldRecipe = (recipe: Recipe): Recipe => (recipe.isClosed ? { ...recipe, steps: [] } : recipe)
