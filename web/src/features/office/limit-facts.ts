import type { Answer } from '@neuroloom/contract/calls'
import type { PlanLimits } from '@neuroloom/contract/limits'
import { formatBytes, formatNumber } from '../../lib/format.ts'

export type OfficeLimits = Answer<'plans/office'>
export type LimitLevel = keyof OfficeLimits['levels']
export type LimitName = keyof PlanLimits

/** In the order of the page. */
export const limitNames: readonly LimitName[] = [
  'projects',
  'storageBytes',
  'topFolders',
  'trainedModels',
  'sharedDatasets',
  'sharedModels',
  'shareAccounts',
  'dataGroups',
  'chatGroups',
  'recycleDays',
]

/** `none`: what no limit is called. */
export function shownLimit(name: LimitName, limit: number | null, none: string): string {
  if (limit === null) return none
  return name === 'storageBytes' ? formatBytes(limit) : formatNumber(limit)
}
