/** Where a single split keeps little aside: cross-validation first, with its reason and cost, and the single split. */
import type { Suggestion } from '@neuroloom/contract/runs'
import { keptBy } from '@neuroloom/contract/suggest/parts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useCountText } from '../lib/count-text.ts'
import { formatAbout } from '../lib/format-about.ts'
import styles from './choice.module.css'
import { AdviceChip, ChoiceOption } from './choice-option.tsx'

type Props = {
  facts: Parameters<typeof keptBy>[0]
  cross: NonNullable<Suggestion['crossValidation']>
  /** Of a single split, in shares. */
  ratio: { train: number; test: number }
  /** What each takes; null where nobody knows. */
  seconds: { cross: number | null; single: number | null }
  isCross: boolean
  onChoose: (isCross: boolean) => void
}

export function SplitChoice({ facts, cross, ratio, seconds, isCross, onChoose }: Props) {
  const { t } = useTranslation('runs')
  const group = useId()
  const countText = useCountText()
  const { aside, asideCases } = keptBy(facts, ratio)
  const kept = countText({ items: aside, cases: asideCases })
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{t('cross.legend')}</legend>
      <div className={styles.list}>
        <ChoiceOption
          group={group}
          id="kfold"
          title={
            <>
              {t('cross.name')} <AdviceChip text={t('cross.recommended')} />
            </>
          }
          about={
            <>
              <span className={styles.note}>{t('cross.about', { kept })}</span>
              <strong>
                {seconds.cross === null
                  ? t('cross.costNoTime', { count: cross.splits })
                  : t('cross.cost', { count: cross.splits, time: formatAbout(seconds.cross) })}
              </strong>
            </>
          }
          isChosen={isCross}
          onChoose={() => onChoose(true)}
        />
        <ChoiceOption
          group={group}
          id="holdout"
          title={t('cross.single')}
          about={
            <>
              <span className={styles.note}>{t('cross.singleAbout', { kept })}</span>
              <strong>
                {seconds.single === null
                  ? t('cross.singleCostNoTime')
                  : t('cross.singleCost', { time: formatAbout(seconds.single) })}
              </strong>
            </>
          }
          isChosen={!isCross}
          onChoose={() => onChoose(false)}
        />
      </div>
    </fieldset>
  )
}
