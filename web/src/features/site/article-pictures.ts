/** Pictures of the running product, made in each language by `npm run pictures`. */
export const pictureNames = [
  'projects',
  'project',
  'train',
  'running',
  'result',
  'worst',
  'cloud',
  'upload',
  'login',
  'register',
  'user-center',
  'dripe',
  'dripe-problems',
  'dripe-look',
  'dripe-gallery',
] as const
export type PictureName = (typeof pictureNames)[number]
