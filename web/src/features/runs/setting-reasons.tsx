import { BulbOutlined, EditOutlined } from '@ant-design/icons'
import type { Suggestion } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { formatRate } from '../../lib/format.ts'
import styles from './settings.module.css'
import { type Draft, draftOf } from './settings-draft.ts'

type Props = { suggestion: Suggestion; networkName: string; draft: Draft }

/** The suggestion as sentences: what is set, and why. A setting that the member changed says so instead. */
export function SettingReasons({ suggestion, networkName, draft }: Props) {
  const { t } = useTranslation('runs')
  const say = useSaying(networkName)
  const suggested = draftOf(suggestion)
  return (
    <ul className={styles.reasons}>
      {suggestion.reasons.map(({ field, reason, params }) => {
        const before = say(field, suggested)
        const now = say(field, draft)
        const isChanged = before !== now
        return (
          <li key={`${field}-${reason}`} className={styles.reason}>
            {isChanged ? <EditOutlined aria-hidden /> : <BulbOutlined aria-hidden />}
            <span>
              {now ? <strong>{now}</strong> : null}
              {now ? t('said.comma') : null}
              {isChanged ? t('settings.changedFrom', { value: before }) : t(`reason.${reason}`, params)}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** "12 epochs", "Learning rate 0.001": the present value of one setting in words, '' for a field without value. */
function useSaying(networkName: string): (field: string, draft: Draft) => string {
  const { t } = useTranslation('runs')
  return (field, draft) => {
    switch (field) {
      case 'network':
        return networkName
      case 'patience':
        return draft.patience === 0
          ? t('said.noPatience')
          : t('said.patience', { count: draft.patience ?? 0 })
      case 'epochs':
      case 'batchSize':
      case 'validationInterval':
      case 'numClass':
        return t(`said.${field}`, { count: draft[field] ?? 0 })
      case 'decayInterval':
        return t('said.decayInterval', { count: draft.decayInterval ?? 0 })
      case 'learningRate':
      case 'weightDecay':
      case 'decayRatio':
        return t(`said.${field}`, { value: formatRate(draft[field] ?? 0) })
      case 'scheduler':
      case 'optimizer':
      case 'criterion':
        return t(`said.${field}`, { name: t(`choice.${field}.${draft[field]}`) })
      case 'imageSize':
        return t('said.imageSize', { width: draft.imageWidth ?? 0, height: draft.imageHeight ?? 0 })
      case 'augment':
      case 'classWeights':
        return t(`said.${field}.${draft[field] ? 'on' : 'off'}`)
      case 'validation':
        return draft.method === 'kfold'
          ? t('said.kfold', { count: draft.splits ?? 0 })
          : t('said.holdout', { train: draft.trainShare ?? 0, test: draft.testShare ?? 0 })
      case 'seed':
        return t('said.seed', { value: draft.seed ?? 0 })
      default:
        return ''
    }
  }
}
