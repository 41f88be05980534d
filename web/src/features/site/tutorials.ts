/** The pages below /tutorial, in reading order: the first model first; few members install a server of their own. */
export const tutorialNames = [
  'guide',
  'registration',
  'projects',
  'cloud',
  'labelling',
  'toolbox',
  'ai',
  'flow',
  'dripe',
  'social',
  'download',
] as const
export type TutorialName = (typeof tutorialNames)[number]

/** The locale file that a tutorial's text stands in; its title stands in that of the list. */
export const tutorialTexts = (name: TutorialName) => `tutorial-${name}` as const
