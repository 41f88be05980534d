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

/** What a project is made for: a task that a network learns, or 4D flow MRI, which is computed without training. */
export const projectTasks = [...tasks, 'flow'] as const
export type ProjectTask = (typeof projectTasks)[number]

export const isLearned = (task: ProjectTask): task is Task => task !== 'flow'

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

/** What it says is said of places in the image, not of the image as a whole. */
export const findsPlaces = (task: Task): boolean => networkTask[task] !== 'classification'

/** An image comes out, not a class: such data name no classes. */
export const isRestoration = (task: Task): boolean => task === 'super_resolution' || task === 'denoising'
