/** What networks can be made for, as templates are sorted and heads are chosen. */

/** In the order shown. */
export const templateTasks = [
  'classification',
  'segmentation',
  'super-resolution',
  'denoising',
  'detection',
  'flow',
] as const
export type TemplateTask = (typeof templateTasks)[number]
