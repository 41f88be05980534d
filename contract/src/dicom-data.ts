/** DICOM as data to learn from: why a file or a series is set aside, by which window it is read, how that looks. Data only. */
import * as z from 'zod'
import { viewNoteSchema } from './viewing.ts'

/** Locale keys `datasets:problem.<name>`. Behind each name, the parameters of its text. */
export const dicomReasons = [
  /** A report, a plan, outlines, a table of contents: no picture. */
  'dicom_no_picture',
  /** Damaged, or packed in a way that is not read. */
  'dicom_unreadable',
  /** count: several pictures in one file, where one is needed. */
  'dicom_frames',
  /** count: slices that are missing inside a series. */
  'dicom_slice_missing',
  /** spacing, otherSpacing: distances in mm, or of slices the least and the greatest. */
  'dicom_two_spacings',
  /** count: patients in one series. */
  'dicom_two_patients',
  /** count: files of another size or direction than most of the series. */
  'dicom_sizes',
  'dicom_colour',
  /** The files do not say where their slices lie. */
  'dicom_unplaced',
  /** count: volumes one after the other in time. */
  'dicom_times',
  /** count: acquisitions or directions side by side in one series or file. */
  'dicom_parts',
  /** Slope or intercept are there and cannot be read. */
  'dicom_scale',
] as const
/** Of masks alone, which only data sets have. value: a number that stands for no class. */
export const dicomMaskReasons = [
  'dicom_mask_values',
  /** count, frames: so many of the marked slices of a segmentation lie on no slice of its series. */
  'dicom_segments_elsewhere',
  /** class: what several segmentations of one series mark, as several readers do. */
  'dicom_segments_twice',
] as const
export type DicomReason = (typeof dicomReasons)[number] | (typeof dicomMaskReasons)[number]

/** The values that become black and white lie half a width around the centre. */
export const windowSchema = z.object({
  center: z.number().min(-1e9).max(1e9),
  width: z.number().positive().max(1e9),
})
export type DicomWindow = z.infer<typeof windowSchema>

/** What is told of the DICOM files in a data set. */
export const dicomFactsSchema = z.object({
  files: z.number().int(),
  /** Files that became pictures of grey or colours, or volumes with all their values. */
  made: z.enum(['pictures', 'volumes']),
  /** Grey pictures, on which a window has an effect. */
  grey: z.boolean(),
  /** What the reader found to be said of images that were taken, and of how many of them. */
  notes: z.array(z.object({ note: viewNoteSchema, count: z.number().int() })).optional(),
})
export type DicomFacts = z.infer<typeof dicomFactsSchema>
