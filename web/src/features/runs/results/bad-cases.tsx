import { training } from '@neuroloom/contract/limits'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import styles from '../run.module.css'
import { itemKind } from './item-kind.ts'
import type { Cases } from './outline-verdict.ts'

/** Of a test, or of a cross-validation, which tested every image once; null of other runs and while it is not known. */
export function useCases({ id, kind, state, validation }: LearnedRun): Cases | null {
  const isTested = kind === 'test' || (kind === 'train' && validation.method === 'kfold')
  const { data } = useCall('runs/scores', { id }, { quiet: true, enabled: isTested && state === 'done' })
  return data && data.total > 0 ? { bad: data.bad, total: data.total } : null
}

type Props = {
  run: LearnedRun
  cases: Cases | null
  /** Leads to exactly these images; null where the page shows none. */
  onShow: (() => void) | null
}

/** How many images went badly, and the way to them. Of outlines the sentence before has said how many. */
export function BadCases({ run, cases, onShow }: Props) {
  const { t } = useTranslation('results')
  const kind = itemKind[run.task]
  if (cases === null || cases.bad === 0) return null
  if (kind === 'outlines' && onShow === null) return null
  return (
    <p className={styles.lead}>
      {kind === 'outlines' ? null : <>{t(`score.bad.${kind}`, caseTexts(cases))} </>}
      {onShow === null ? null : (
        <Button size="small" onClick={onShow}>
          {t('score.showBad', { count: cases.bad, context: run.task })}
        </Button>
      )}
    </p>
  )
}

export const caseTexts = ({ bad, total }: Cases): { bad: string; of: string; limit: string } => ({
  bad: formatNumber(bad),
  of: formatNumber(total),
  limit: poorBelow(),
})

/** The Dice below which an image counts as bad. */
export const poorBelow = (): string => formatNumber(training.poorScore, 1)
