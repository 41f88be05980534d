/** What makes a test's figures defensible: intervals, curves, calibration, distances. Written by the engine. */
import * as z from 'zod'
import { decisionBases, decisionFigures } from './decision.ts'

/** 95 %, from what varies between whole groups (patients); null = a single one, or undefined too often. */
const interval = z.tuple([z.number(), z.number()]).nullable()
const intervals = z.record(z.string(), interval)

/** One class against the rest, named where its probability reaches the threshold; from the highest threshold down. */
export const classCurveSchema = z.object({
  class: z.string(),
  positives: z.int(),
  negatives: z.int(),
  /** Null and without points where one side is empty. */
  rocAuc: z.number().nullable(),
  averagePrecision: z.number().nullable(),
  points: z.array(
    z.object({
      threshold: z.number(),
      sensitivity: z.number(),
      specificity: z.number(),
      precision: z.number(),
    }),
  ),
})
export type ClassCurve = z.infer<typeof classCurveSchema>

/** Whether "90 % sure" is right in 9 of 10 cases. */
export const calibrationSchema = z.object({
  bins: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      count: z.int(),
      confidence: z.number().nullable(),
      accuracy: z.number().nullable(),
    }),
  ),
  /** Expected calibration error, 0 to 1. */
  error: z.number(),
  /** 0 best, 2 worst. */
  brier: z.number(),
})
export type Calibration = z.infer<typeof calibrationSchema>

/** Of a class's outlines over all images: the distance that 95 % of them keep, in pixels, of volumes in mm. */
const surfaceSchema = z.object({
  class: z.string(),
  /** Images in which both outlines exist. */
  measured: z.int(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
  interval,
})

/** Found boxes of a class against true ones, at an overlap (IoU) of one half; from the highest threshold down. */
export const detectionCurveSchema = z.object({
  class: z.string(),
  /** True boxes, and found ones at any threshold. */
  boxes: z.int(),
  found: z.int(),
  averagePrecision: z.number().nullable(),
  points: z.array(
    z.object({
      threshold: z.number(),
      recall: z.number(),
      precision: z.number(),
      /** Found boxes from the threshold on; null in tests of before. */
      shown: z.int().nullable().default(null),
    }),
  ),
})
export type DetectionCurve = z.infer<typeof detectionCurveSchema>

/** A restoration's metric against what needs no network: bicubic enlargement, or the noisy image itself. */
export const gainSchema = z.object({
  metric: z.enum(['psnr', 'ssim']),
  mean: z.number(),
  baseline: z.number(),
  /** Of the difference of the means. */
  interval,
  /** Items that the network makes worse. */
  worse: z.int(),
})
export type Gain = z.infer<typeof gainSchema>

/** What a class is named by, and what that is worth. Of boxes there is no number of those rightly not shown. */
export const decisionSchema = z.object({
  class: z.string(),
  threshold: z.number().nullable(),
  basis: z.enum(decisionBases),
  /** Of the class in validation. */
  cases: z.int().nullable(),
  figures: z.array(z.object({ name: z.enum(decisionFigures), value: z.number().nullable(), interval })),
})
export type Decision = z.infer<typeof decisionSchema>

/** Of a cross-validation: what each part gave when it was kept aside, and which part's network is handed out. */
const crossSchema = z.object({
  kept: z.int(),
  parts: z.array(
    z.object({
      items: z.int(),
      /** Whose weights were the best. */
      epoch: z.int(),
      values: z.record(z.string(), z.number().nullable()),
    }),
  ),
})

export const evidenceSchema = z.object({
  v: z.literal(1),
  items: z.int(),
  /** Independent cases: patients, series, or single images. */
  groups: z.int(),
  /** Earlier tests drew groups again and again; `resamples` times, 0 = there were too few of them. */
  method: z.enum(['bootstrap', 'score']).default('bootstrap'),
  resamples: z.int().default(0),
  /** By metric, as in the run's metrics. */
  intervals,
  perClass: z.array(z.object({ class: z.string(), intervals })),
  curves: z.array(classCurveSchema),
  calibration: calibrationSchema.nullable(),
  surfaces: z.array(surfaceSchema),
  decisions: z.array(decisionSchema).default([]),
  detections: z.array(detectionCurveSchema).default([]),
  gains: z.array(gainSchema).default([]),
  /** Heat maps: of how many items, and of how many fields high and wide. Null for networks and tasks without. */
  heat: z
    .object({ items: z.int(), grid: z.tuple([z.int(), z.int()]) })
    .nullable()
    .default(null),
  /** Null of a test, and of cross-validations of before. */
  cross: crossSchema.nullable().default(null),
})
export type Evidence = z.infer<typeof evidenceSchema>
