import type { PrepareReason } from '@neuroloom/contract/recipes/recipe'
import { useTranslation } from 'react-i18next'

/** Why a file is not prepared, as a sentence. */
export function ReasonText({ reason: { name, params } }: { reason: PrepareReason }) {
  const { t } = useTranslation('recipes')
  return <>{t(`reason.${name}`, params)}</>
}
