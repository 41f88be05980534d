/** Result-display models: the ways in which a result is shown, by task. Only those that work are offered. Pure data: pages read it. */
import type { ProjectTask } from './task.ts'

export const displays = [
  'per_class_table',
  'confusion_matrix',
  'labelled_pictures',
  'outlines',
  'boxes',
  'comparison',
  /** Of 4D flow: vorticity with its contours; streamlines. */
  'vortex',
  'fluid_line',
] as const
export type Display = (typeof displays)[number]

/** Those that a task has, in the order in which a page shows them. A new project begins with all. */
export const displaysOf = {
  classification: ['per_class_table', 'confusion_matrix', 'labelled_pictures'],
  multilabel: ['per_class_table', 'labelled_pictures'],
  segmentation: ['per_class_table', 'outlines'],
  volume_segmentation: ['per_class_table', 'outlines'],
  detection: ['per_class_table', 'boxes'],
  super_resolution: ['comparison'],
  denoising: ['comparison'],
  flow: ['vortex', 'fluid_line'],
} as const satisfies Record<ProjectTask, readonly Display[]>
