import type { DataFacts } from '@neuroloom/contract/datasets'
import type { Suggestion } from '@neuroloom/contract/runs'
import { keptBy } from '@neuroloom/contract/suggest/parts'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { useCountText } from '../../../lib/count-text.ts'
import { SplitChoice } from '../../../ui/split-choice.tsx'
import { forecastOf } from '../forecast.tsx'
import type { Draft } from './settings-draft.ts'
import styles from './train-panel.module.css'

type Props = {
  facts: DataFacts | null
  task: Task
  suggestion: Suggestion
  draft: Draft
  onChange: (draft: Draft) => void
}

const usualRatio = { train: 4, test: 1 }

/** How the network will be tested, and how many pictures and patients that stands on. */
export function SplitOffer({ facts, task, suggestion, draft, onChange }: Props) {
  if (!facts) return null
  const cross = suggestion.crossValidation
  const secondsOf = (method: Draft['method']) =>
    forecastOf({ suggestion, task, draft: withMethod(draft, method, cross) })
  return (
    <>
      {cross === null ? null : (
        <SplitChoice
          facts={facts}
          cross={{ ...cross, splits: withMethod(draft, 'kfold', cross).splits ?? cross.splits }}
          ratio={ratioOf(draft) ?? usualRatio}
          seconds={{ cross: secondsOf('kfold'), single: secondsOf('holdout') }}
          isCross={draft.method === 'kfold'}
          onChoose={(isCross) => onChange(withMethod(draft, isCross ? 'kfold' : 'holdout', cross))}
        />
      )}
      <SplitText facts={facts} draft={draft} />
    </>
  )
}

/** Parts that the member chose already stay. */
function withMethod(draft: Draft, method: Draft['method'], cross: Suggestion['crossValidation']): Draft {
  if (method === draft.method) return draft
  return { ...draft, method, splits: method === 'kfold' && cross ? cross.splits : draft.splits }
}

/** Nothing while the ratio is no ratio, and where the data say the parts themselves. */
function SplitText({ facts, draft }: { facts: DataFacts; draft: Draft }) {
  const { t } = useTranslation('runs')
  const countText = useCountText()
  const ratio = draft.method === 'holdout' ? ratioOf(draft) : null
  if (draft.method !== 'kfold' && ratio === null) return null
  const kept = keptBy(facts, ratio ?? usualRatio)
  return (
    <p className={styles.lead} aria-live="polite">
      {ratio === null
        ? t('cross.splitCross', { all: countText({ items: facts.items, cases: facts.patients }) })
        : t('cross.split', {
            learn: countText({ items: kept.learn, cases: null }),
            kept: countText({ items: kept.aside, cases: kept.asideCases }),
          })}
    </p>
  )
}

const ratioOf = ({ trainShare, testShare }: Draft): { train: number; test: number } | null =>
  trainShare && testShare && trainShare > 0 && testShare > 0 ? { train: trainShare, test: testShare } : null
