import type { Difference } from '@neuroloom/contract/network/document/diff'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { useEditorStore } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { useChangeText } from './change-text.ts'
import { usePlaceText } from './difference-place.ts'
import { type Comparison, useComparison } from './use-comparison.ts'
import styles from './versions.module.css'

/** What is different now from a kept version, in words; on the canvas in colours. */
export function Differences({ number }: { number: number }) {
  const { data, error } = useComparison(number)
  if (error) return <ErrorState error={error} />
  return data === null ? <Loading count={1} /> : <DifferenceList comparison={data} />
}

export function DifferenceList({ comparison: { differences, parameters } }: { comparison: Comparison }) {
  const { t } = useTranslation('dripe-panels')
  if (differences.length === 0) return <p className={panel.note}>{t('versions.same')}</p>
  return (
    <div className={styles.differences}>
      {parameters === null ? null : (
        <p className={panel.note}>{t('versions.difference', { value: signed(parameters) })}</p>
      )}
      <ul>
        {differences.map((difference) => (
          <DifferenceRow
            key={`${difference.scope} ${difference.kind} ${difference.id}`}
            difference={difference}
          />
        ))}
      </ul>
    </div>
  )
}

function DifferenceRow({ difference }: { difference: Difference }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const textOf = useChangeText()
  const placeText = usePlaceText()
  const { scope, id, kind, changes } = difference
  const name = placeText(difference)
  const canShow = scope === null && kind !== 'removed' && !id.startsWith('params.')
  return (
    <li data-kind={kind}>
      <span className={styles.kind}>{t(`difference.${kind}`)}</span>
      <span className={styles.what}>
        {canShow ? (
          <button type="button" className={styles.place} onClick={() => store.getState().reveal(id)}>
            {name}
          </button>
        ) : (
          <span>{name}</span>
        )}
        {changes.map((change) => (
          <span key={change} className={styles.change}>
            {textOf(difference, change)}
          </span>
        ))}
      </span>
    </li>
  )
}

function signed(value: number): string {
  if (value === 0) return '±0'
  return `${value > 0 ? '+' : '−'}${formatNumber(Math.abs(value), 0)}`
}
