/** How the figures of results are meant and which one stands for a whole result. Free of schemas: pages load it. */
import type { Task } from './task.ts'

/** The metric that doctors ask for first. The engine reports it under this name. */
export const mainMetric = {
  classification: 'accuracy',
  multilabel: 'macroF1',
  segmentation: 'dice',
  volume_segmentation: 'dice',
  detection: 'map50',
  super_resolution: 'psnr',
  denoising: 'psnr',
} as const satisfies Record<Task, string>

export type MetricKind = 'percent' | 'decibels' | 'count' | 'number'

const kinds: Readonly<Record<string, MetricKind>> = {
  accuracy: 'percent',
  balancedAccuracy: 'percent',
  confidence: 'percent',
  exactMatch: 'percent',
  hamming: 'percent',
  threshold: 'percent',
  support: 'count',
  boxes: 'count',
  found: 'count',
  psnr: 'decibels',
  bicubicPsnr: 'decibels',
  inputPsnr: 'decibels',
}

/** As the field writes it: most are plain numbers between 0 and 1. */
export const metricKind = (name: string): MetricKind => kinds[name] ?? 'number'
