/** The tasks of the platform. Only those that work are offered. Without zod: public pages draw from it. */
export const tasks = [
  'classification',
  /** Any number of labels an image. */
  'multilabel',
  'segmentation',
  /** A class for each voxel of a volume. */
  'volume_segmentation',
  'detection',
  'super_resolution',
  'denoising',
] as const
export type Task = (typeof tasks)[number]

/** The task that a network's document names: one network may serve several tasks. */
export const networkTask = {
  classification: 'classification',
  multilabel: 'classification',
  segmentation: 'segmentation',
  volume_segmentation: 'segmentation',
  detection: 'detection',
  super_resolution: 'super-resolution',
  denoising: 'denoising',
} as const satisfies Record<Task, string>

/** Spatial axes of what a network of this task reads. */
export const axesOf = (task: Task): 2 | 3 => (task === 'volume_segmentation' ? 3 : 2)

/** An image comes out, not a class: such data name no classes. */
export const isRestoration = (task: Task): boolean => task === 'super_resolution' || task === 'denoising'
