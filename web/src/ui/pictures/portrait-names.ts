/** The pictures that a member can be shown by: what is stored as `photo`. Draws nothing. */
export const portraitNames = [
  'doctor-female',
  'doctor-male',
  'nurse-female',
  'nurse-male',
  'scientist-female',
  'scientist-male',
  'engineer-female',
  'engineer-male',
  'student-female',
  'student-male',
  'other',
] as const
export type PortraitName = (typeof portraitNames)[number]

export const isPortrait = (name: string): name is PortraitName => portraitNames.some((one) => one === name)
