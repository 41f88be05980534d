/** Looking at a file: what a page shows, what is known of the image, and why something cannot be shown. Data only. */
import * as z from 'zod'
import { route } from './route.ts'

/** What the page shows it with. */
export const viewKindSchema = z.enum([
  'picture',
  'volume',
  'video',
  'pdf',
  'table',
  'workbook',
  'json',
  'yaml',
  'text',
  'unsupported',
  'broken',
])
export type ViewKind = z.infer<typeof viewKindSchema>

/** Why a file is not shown, or not converted: locale keys `viewing:reasons.<name>`, with params. */
export const viewReasonNames = [
  // Kinds that are not read.
  'kind_unknown',
  'kind_not_yet',
  'video_unknown',
  'archive',
  'vector_drawing',
  'workbook_old',
  'workbook_locked',
  // DICOM that holds no image.
  'dicom_report',
  'dicom_plan',
  'dicom_structures',
  'dicom_directory',
  'dicom_document',
  'dicom_no_image',
  // Broken files.
  'empty',
  'named_otherwise',
  'not_this_kind',
  'header_damaged',
  'header_contradicts',
  'data_short',
  'data_damaged',
  'data_file_missing',
  'data_file_outside',
  'compression_unknown',
  'complex_values',
  'number_type_unknown',
  'frames_missing',
  'size_impossible',
  'scale_unreadable',
  'pages_in_circle',
  'workbook_damaged',
  // Limits.
  'too_large',
  'workbook_too_large',
  'too_slow',
  'too_much_memory',
  // Masks over images.
  'overlay_values',
  'overlay_size',
  'overlay_elsewhere',
  'overlay_no_labels',
  'overlay_other_image',
  // Conversions.
  'source_gone',
  // The program itself.
  'reader_failed',
] as const
export const viewReasonNameSchema = z.enum(viewReasonNames)
export type ViewReasonName = z.infer<typeof viewReasonNameSchema>

const textParams = z.record(z.string(), z.union([z.string(), z.number()]))
export const viewReasonSchema = z.object({ name: viewReasonNameSchema, params: textParams })
export type ViewReason = z.infer<typeof viewReasonSchema>

/** What a reader should know beside the image: locale keys `viewing:notes.<name>`, with params. */
export const viewNoteNames = [
  'spacing_unknown',
  'spacing_detector',
  'spacing_calibrated',
  'spacing_regions',
  'spacing_unit_assumed',
  'slice_gaps',
  'slice_spacing_uneven',
  'slices_twice',
  'slices_left_out',
  'frames_are_time',
  'orientation_unknown',
  'places_disagree',
  'values_scaled',
  'colours_converted',
  'lossy',
  'one_bit',
  'transparency_dropped',
  'shown_in_eight_bits',
  'pages_left_out',
  'channels_in_row',
  'axes_contradict',
  'positions_missing',
  'slices_sheared',
  'parts_separate',
  'parts_in_row',
  'parts_converted',
  'decimal_comma',
  'numbers_unreadable',
  'scale_unreadable',
  'pixel_aspect',
  'overlay_moved',
  'overlay_elsewhere',
  'overlay_left_out',
  'overlay_cut',
  'segments_overlap',
  'segments_shares',
] as const
export const viewNoteNameSchema = z.enum(viewNoteNames)
export const viewNoteSchema = z.object({ name: viewNoteNameSchema, params: textParams })
export type ViewNote = z.infer<typeof viewNoteSchema>

export const dataTypeSchema = z.enum([
  'bit',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
])
export type DataType = z.infer<typeof dataTypeSchema>

export const imageFactsSchema = z.object({
  /** `dicom`, `nifti`, `nrrd`, `metaimage`, `tiff`, `png`, `jpeg` … as found in the bytes, not in the name. */
  format: z.string(),
  /** Columns, rows, slices or pages, points in time. */
  size: z.tuple([z.int(), z.int(), z.int(), z.int()]),
  /** `slice`: one plane; `stack`: planes that do not make up a body (pages, film); `volume`: three planes make sense. */
  layout: z.enum(['slice', 'stack', 'volume']),
  /** 3 = red, green, blue; else one value a place. */
  channels: z.union([z.literal(1), z.literal(3)]),
  /** As stored in the file. */
  dataType: dataTypeSchema,
  /** Bits that carry values. */
  bits: z.int(),
  /** Millimetres between columns, rows and slices; null = the file does not say. */
  spacing: z.tuple([z.number(), z.number(), z.number()]).nullable(),
  /** Ultrasound: parts of the picture, each with a scale of its own; nothing is known outside of them. */
  regions: z.array(
    z.object({
      /** First and last column and row, both inside: left, top, right, bottom. */
      box: z.tuple([z.int(), z.int(), z.int(), z.int()]),
      /** Millimetres between columns and rows; null where an axis counts something else, such as time. */
      spacing: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
  /** Between points in time or frames of a film. */
  frameSeconds: z.number().nullable(),
  /** Where columns, rows and slices lead in the patient, such as `LPS`: left, posterior, superior. */
  orientation: z.string().nullable(),
  /** Of the values as shown (with slope and intercept); of colours, over all channels. */
  range: z.object({ min: z.number(), max: z.number(), mean: z.number() }).nullable(),
  /** Of the values, without single outliers: how they are first shown where the file does not say. */
  usual: z.object({ min: z.number(), max: z.number() }).nullable(),
  /** How the values are meant to be shown; the first one first. */
  windows: z.array(z.object({ center: z.number(), width: z.number(), name: z.string() })),
  /** What the values count, such as `HU`; '' = unknown. */
  unit: z.string(),
  /** DICOM only, else ''. */
  photometric: z.string(),
  modality: z.string(),
  /** How the pixels are packed, in words of the format. */
  compression: z.string(),
})
export type ImageFacts = z.infer<typeof imageFactsSchema>

/** One line of a DICOM header. */
export const dicomTagSchema = z.object({
  /** `(0010,0010)` */
  tag: z.string(),
  /** DICOM's own keyword, such as `PatientName`; '' for private and unknown ones. */
  keyword: z.string(),
  vr: z.string(),
  /** As text, in the file's own character set; long ones are cut. */
  value: z.string(),
  /** Tells who the patient is; only whoever may edit the file is shown these. */
  isPatient: z.boolean(),
})
export type DicomTag = z.infer<typeof dicomTagSchema>

/** What the page gets of a workbook (`.xlsx`): cells as text, the beginning of each sheet. */
export const workbookSchema = z.object({
  sheets: z.array(
    z.object({
      name: z.string(),
      /** Its author does not show it; it is in the file all the same. */
      isHidden: z.boolean(),
      /** From the first row and column on; what is empty at the end of a row is left out. */
      rows: z.array(z.array(z.string())),
      /** Cells that are one: first row and column from 0 on, then how many of each. */
      merged: z.array(z.tuple([z.int(), z.int(), z.int(), z.int()])),
      /** More rows, or more columns, are in the file. */
      isCut: z.boolean(),
    }),
  ),
})
export type Workbook = z.infer<typeof workbookSchema>

const id = z.string().min(1).max(40)

export const viewSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Lower-case extension without dot. */
  type: z.string(),
  sizeBytes: z.int(),
  kind: viewKindSchema,
  /** `preparing`: a live event `view` on the topic `user` follows; then ask again. `kind` is what it will probably be. */
  state: z.enum(['ready', 'preparing']),
  /** Of `unsupported` and `broken`. */
  reason: viewReasonSchema.nullable(),
  /**
   * Short-lived address of what is shown: a picture for browsers, a volume as NIfTI (`.nii.gz`; give a reader that
   * goes by names the name `volume.nii.gz`), a workbook as JSON (`workbookSchema`), else the file itself. Null while preparing and when there is nothing.
   */
  url: z.string().nullable(),
  facts: imageFactsSchema.nullable(),
  notes: z.array(viewNoteSchema),
  /** A DICOM slice of a series of which more lie in its folder: ask again with `series`. */
  series: z
    .object({
      files: z.int(),
      description: z.string(),
      isShown: z.boolean(),
      /** Where the opened file lies in what is shown: slice and point in time as stored, from 0; null = in no one place. */
      opened: z.object({ slice: z.int(), frame: z.int() }).nullable(),
    })
    .nullable(),
  /** DICOM only; those of the opened file. */
  tags: z.array(dicomTagSchema),
  /** Whether the header still tells who the patient is; null of files that have no place for that, or are not looked at yet. */
  patient: z.enum(['named', 'free', 'unknown']).nullable(),
  /** True when lines about the patient were left out of `tags`. */
  tagsHidden: z.boolean(),
})
export type View = z.infer<typeof viewSchema>

/**
 * What of a DICOM slice is wanted: the slice alone; the whole series of its folder; `fits` = the series where it can be
 * drawn at once and the slice is in it, else the slice.
 */
export const seriesWishSchema = z.union([z.boolean(), z.literal('fits')])
export type SeriesWish = z.infer<typeof seriesWishSchema>

export const viewCalls = {
  'files/view': route({
    summary: 'What a page needs to show a file; images are read and, where browsers cannot, made ready',
    request: z.object({ id, series: seriesWishSchema.default(false) }),
    response: viewSchema,
    errors: ['missing', 'busy'],
  }),
  'files/viewLinked': route({
    summary: 'The same for a file behind a share link, without signing in',
    request: z.object({ pass: z.string().max(800), id, series: seriesWishSchema.default(false) }),
    /** No live event follows while it is prepared: ask again after a while. */
    response: viewSchema,
    errors: ['missing', 'link_gone', 'busy'],
  }),
}

/** Live event `view` on the topic `user`: a file asked for is ready, or will not be. */
export const viewEventSchema = z.object({ id: z.string(), series: z.boolean() })
