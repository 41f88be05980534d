/** What is counted of a member against the limits of the level. Beside these, so that the first page need not bring it along. */
import type { PlanLimits } from '../limits.ts'

/** Each against the limit of the same name. */
export const countedLimits = [
  'projects',
  'topFolders',
  'storageBytes',
  'trainedModels',
  'sharedDatasets',
  'sharedModels',
  'dataGroups',
  'chatGroups',
] as const satisfies readonly (keyof PlanLimits)[]
export type CountedLimit = (typeof countedLimits)[number]

/** What is counted when others have it, by whichever way: things of the cloud and data sets; trained networks. */
export const sharedKinds = ['datasets', 'models'] as const
export type SharedKind = (typeof sharedKinds)[number]

/** Of a limit: from here on pages warn that little is left. */
const nearlyFullFrom = 0.8

export const isNearlyFull = (used: number, limit: number): boolean => used >= nearlyFullFrom * limit
