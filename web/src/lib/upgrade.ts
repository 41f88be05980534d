/** From a refusal for the level of the membership to where a higher one is had. Where that is, the workspace says, as long as it would help whoever is signed in. */
import type { ErrorName } from '@neuroloom/contract/errors'
import i18next from 'i18next'
import type { ToastAction } from './toast.ts'

/** Refusals that a higher level would lift. */
const ofLevel: ReadonlySet<string> = new Set<ErrorName>([
  'plan_limit',
  'storage_full',
  'upgrade_needed',
  'level_too_low',
  'place_none',
  'application_unavailable',
  'shared_datasets_limit',
  'shared_models_limit',
  'share_limit',
  'tuning_gold_only',
  'picture_level',
  'report_level',
])

export const isOfLevel = (error: unknown): boolean => error instanceof Error && ofLevel.has(error.name)

/** From now on; answers with the end of it. */
export function offerUpgrade(go: () => void): () => void {
  way = go
  return () => {
    if (way === go) way = null
  }
}

/** For a message over the page, which lies outside of all links. */
export function upgradeAction(error: unknown): { action?: ToastAction } {
  if (way === null || !isOfLevel(error)) return {}
  return { action: { label: i18next.t('common:upgrade'), onClick: way } }
}

let way: (() => void) | null = null
