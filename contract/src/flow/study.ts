/** A 4D flow study: what is told of its files before it is made, what a person settles, and the one form that all of them take. */
import * as z from 'zod'
import { flowSources, flowVendors } from './named.ts'
import { flowSharpenedSchema } from './sharpen.ts'

/** From where to where a positive value goes, in the patient; or along an axis of the grid, where nothing tells of the patient. */
export const flowDirections = [
  'RL',
  'LR',
  'AP',
  'PA',
  'FH',
  'HF',
  '+x',
  '-x',
  '+y',
  '-y',
  '+z',
  '-z',
] as const
export type FlowDirection = (typeof flowDirections)[number]

export const flowRoles = ['magnitude', 'velocity', 'unused'] as const
/** What the numbers of a series are: `phase` goes from −π to π for −VENC to VENC. */
export const flowUnits = ['m/s', 'cm/s', 'mm/s', 'phase'] as const

/** Why files are no study, or not yet. Locale keys `flow:problem.<name>`, with the parameters told behind each. */
export const flowProblems = [
  /** Nothing in the files is a velocity. */
  'no_velocity',
  /** found: how many of the three directions. */
  'direction_missing',
  /** direction: two series claim it. */
  'direction_twice',
  /** series, slices (numbers from 1, as text): of all times, or of the times told. */
  'slice_missing',
  /** series, slice, times: frames that this slice lacks. */
  'time_missing',
  /** series, slice, time: two images of one place and time. */
  'image_twice',
  /** No series is a magnitude: it is 0 everywhere in the study. A note. */
  'magnitude_missing',
  /** Nothing tells when frames were taken, nor how long a beat is. Frames share the period evenly where it is told: then a note. */
  'times_unknown',
  /** period, span from the first frame to the last, in seconds: told by the files it is a note, and no period. */
  'period_too_short',
  /** Nothing tells how large voxels are: a person may. */
  'spacing_unknown',
  /** x: the first side of a voxel as it was taken, in mm; the file gives lengths without a unit. A note. */
  'spacing_unit_unknown',
  /** series, count: numbers that are none. No value there; where there are no others it blocks. */
  'not_finite',
  /** series, other: sizes, or numbers of slices or times, that differ. */
  'unequal_grids',
  /** series. */
  'venc_unknown',
  /** series: nothing tells what its numbers are. */
  'unit_unknown',
  /** one frame in time: what flows in a beat cannot be told. A note, not a refusal. */
  'one_time',
  /** The beat's length is not told: volumes a beat stay unknown. A note. */
  'period_unknown',
  /** Of no file can be told where it lies in the patient. A note. */
  'unplaced',
  /** largest, venc in cm/s: far above or below what the VENC allows. A note; beyond four times the VENC it blocks. */
  'scale_doubtful',
  /** count, most: of files. */
  'too_many_files',
  /** bytes, most: the study would not fit. */
  'too_large',
  /** A MAT file with objects; a link that leads out of an HDF5 file. name: of the entry. */
  'mat_object',
  'outside_link',
  /** name: a file that cannot be read; why: a sentence of the format, of the engine's readers one of `flowFileFaults`. */
  'unreadable',
  /** Two patients, or two examinations: count. */
  'two_studies',
  /** name (of the first), count: archives among the files; they are unpacked in the cloud first. A note. */
  'archive',
  /** The files became others after they were looked at: what is settled now is said of the new ones. A note. */
  'files_changed',
] as const
export type FlowProblemName = (typeof flowProblems)[number]

/** Why the engine cannot read a file. Locale keys `flow:fault.<name>`. */
export const flowFileFaults = [
  'unknown_format',
  'truncated',
  'damaged',
  'too_large',
  'too_many_items',
  'too_many_dimensions',
  /** Numbers of a kind, or a kind of grid, that is not read. */
  'unsupported_type',
  /** By which the file is packed; only deflate and what HDF5 has itself are unpacked. */
  'compression',
  /** Steps of one series differ in size. */
  'other_size',
  /** Axes of the grid do not stand upright on each other. */
  'sheared',
  'uneven_spacing',
  'several_pieces',
  /** Values of cells, where those of points are asked for. */
  'cell_data',
  /** XML with a document type or entities. */
  'entities',
  /** A list of times names a file that was not given. */
  'file_missing',
] as const

export const flowProblemSchema = z.object({
  reason: z.enum(flowProblems),
  params: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** Nothing is made while it stands. */
  isBlocking: z.boolean(),
})
export type FlowProblem = z.infer<typeof flowProblemSchema>

const positive = z.number().positive()

/** One row of the table of recognition. */
export const flowSeriesSchema = z.object({
  /** Stays the same for the same files. */
  id: z.string().max(200),
  /** As the files call it. */
  name: z.string().max(400),
  role: z.enum(flowRoles),
  direction: z.enum(flowDirections).nullable(),
  unit: z.enum(flowUnits).nullable(),
  /** Velocity that the largest phase stands for, in m/s. */
  venc: positive.nullable(),
  size: z.tuple([z.int(), z.int(), z.int()]),
  frames: z.int().min(1),
  files: z.int().min(1),
  /** What was guessed, for a person to settle; nothing is guessed in silence. */
  unsure: z.array(z.enum(['role', 'direction', 'unit', 'venc'])),
})
export type FlowSeries = z.infer<typeof flowSeriesSchema>

export const flowGatings = ['retrospective', 'prospective', 'unknown'] as const

export const flowLookSchema = z.object({
  source: z.enum(flowSources),
  vendor: z.enum(flowVendors).nullable(),
  series: z.array(flowSeriesSchema),
  /** In mm, along columns, rows and slices. */
  spacing: z.tuple([positive, positive, positive]).nullable(),
  /** Seconds after the R wave, one a frame; null where the files do not say. */
  times: z.array(z.number()).nullable(),
  /** From one R wave to the next, in seconds. */
  period: positive.nullable(),
  gating: z.enum(flowGatings),
  /** Files that are no images. */
  leftOut: z.int().min(0).default(0),
  problems: z.array(flowProblemSchema),
})
export type FlowLook = z.infer<typeof flowLookSchema>

/** What a person settled; what is left out stays as it was told. */
export const flowAnswerSchema = z.object({
  series: z
    .array(
      flowSeriesSchema.pick({ id: true }).extend({
        role: z.enum(flowRoles).optional(),
        direction: z.enum(flowDirections).optional(),
        unit: z.enum(flowUnits).optional(),
        venc: positive.max(20).optional(),
      }),
    )
    .max(200),
  period: positive.max(10).optional(),
  gating: z.enum(flowGatings).optional(),
  /** mm; of files that lie nowhere in a patient. */
  spacing: z.tuple([positive.max(100), positive.max(100), positive.max(100)]).optional(),
})
export type FlowAnswer = z.infer<typeof flowAnswerSchema>

const vector = z.tuple([z.number(), z.number(), z.number()])
const row = z.tuple([z.number(), z.number(), z.number(), z.number()])

/**
 * What stands in the head (`__metadata__.flow`, as JSON) of a study's file. The file is a safetensors container with
 * `velocity` (I16, [3, frames, z, y, x], times `velocityScale` m/s) and `magnitude` (I16, [frames, z, y, x], without a unit).
 * Component c goes along `directions[c]`, as it was measured: only so can what is wrapped be unwrapped, and vectors are turned
 * into the axes of the grid afterwards. The grid is right-handed. Numbers of a velocity reach four times the largest VENC, so that what is unwrapped has
 * room; −32768 is no value.
 */
export const flowStudySchema = z.object({
  v: z.literal(1),
  source: z.enum(flowSources),
  vendor: z.enum(flowVendors).nullable(),
  size: z.tuple([z.int().min(1), z.int().min(1), z.int().min(1)]),
  frames: z.int().min(1),
  /** mm. */
  spacing: z.tuple([positive, positive, positive]),
  /** From places in the grid (0 = the middle of the first voxel) to the patient: mm to the right, the front and the head grow (RAS). */
  affine: z.tuple([row, row, row]),
  /** False where the files told nothing of the patient: the affine is the spacing alone. */
  isPlaced: z.boolean(),
  /** Unit vectors in the axes of the grid (x, y, z); the identity once turned. */
  directions: z.tuple([vector, vector, vector]),
  /** Of each component, m/s. */
  venc: z.tuple([positive, positive, positive]),
  /** m/s of one unit of `velocity`. */
  velocityScale: positive,
  /** Seconds. */
  times: z.array(z.number()).min(1),
  period: positive.nullable(),
  gating: z.enum(flowGatings),
  /** SHA-256 over those of the files, in their order. */
  sources: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where a network made it finer: not measured, and to be told wherever its numbers are. */
  sharpened: flowSharpenedSchema.optional(),
})
export type FlowStudy = z.infer<typeof flowStudySchema>

/** Into so many units the largest VENC is parted. */
export const VENC_UNITS = 8191
export const NO_VALUE = -32_768
