/** The random changes that trainings make of images, by task; the engine draws them (`data/changes.py`). Without zod: pages name them. */
import type { Task } from '../task.ts'

const ofImages = ['mirror', 'turn', 'zoom', 'shift', 'contrast', 'brightness'] as const

export const changesOf = {
  classification: ofImages,
  multilabel: ofImages,
  segmentation: ['pose', 'contrast', 'brightness', 'slope'],
  volume_segmentation: ['mirror', 'turn', 'zoom', 'contrast', 'brightness', 'noise'],
  detection: ['mirror', 'zoom', 'stretch', 'shift', 'contrast', 'brightness'],
  super_resolution: ['pose'],
  denoising: ['pose'],
} as const satisfies Record<Task, readonly string[]>

export const changeNames = [...ofImages, ...(['pose', 'stretch', 'slope', 'noise'] as const)] as const
export type Change = (typeof changeNames)[number]

/** In which what is marked is drawn, one class after the other; the engine has the same (`recipe/examine.py`). */
export const markColours = ['#ff00c8', '#00c8ff', '#ffbe00', '#00e65a', '#aa6eff', '#ff5a3c'] as const
