/** The pages below /tutorial, in reading order. */
export const tutorialNames = [
  'download',
  'guide',
  'registration',
  'projects',
  'cloud',
  'ai',
  'dripe',
  'social',
] as const
export type TutorialName = (typeof tutorialNames)[number]

/** Every public address without its language. */
export const sitePaths = [
  '/',
  '/description',
  '/tool',
  '/scenes',
  '/step',
  '/tutorial',
  ...tutorialNames.map((name) => `/tutorial/${name}` as const),
  '/about',
  '/consult',
  '/concat',
] as const
