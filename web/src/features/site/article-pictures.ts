/** Pictures of the running product, made in each language by `npm run pictures`. */
export const pictureNames = [
  'projects',
  'project',
  'train',
  'settings',
  'running',
  'result',
  'worst',
  'report',
  'cloud',
  'upload',
  'viewer',
  'login',
  'register',
  'user-center',
  'dripe',
  'dripe-problems',
  'dripe-look',
  'dripe-gallery',
] as const
export type PictureName = (typeof pictureNames)[number]
