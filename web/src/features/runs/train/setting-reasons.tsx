import { BulbOutlined, EditOutlined } from '@ant-design/icons'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatRate } from '../../../lib/format.ts'
import styles from './settings.module.css'
import { type Draft, draftOf, isOfTask } from './settings-draft.ts'

type Props = { task: Task; suggestion: Suggestion; networkName: string; draft: Draft }

/** The suggestion as sentences: what is set, and why. A setting that the member changed says so instead. */
export function SettingReasons({ task, suggestion, networkName, draft }: Props) {
  const { t } = useTranslation('runs')
  const say = useSaying(networkName, task)
  const suggested = draftOf(suggestion)
  return (
    <ul className={styles.reasons}>
      {suggestion.reasons
        .filter(({ field }) => isOfTask(field, task))
        .map(({ field, reason, params }) => {
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
function useSaying(networkName: string, task: Task): (field: string, draft: Draft) => string {
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
        return t(`said.${field}`, { count: draft[field] ?? 0, context: task })
      case 'decayInterval':
        return t('said.decayInterval', { count: draft.decayInterval ?? 0 })
      case 'learningRate':
      case 'weightDecay':
      case 'labelSmoothing':
      case 'decayRatio':
        return t(`said.${field}`, { value: formatRate(draft[field] ?? 0) })
      case 'scheduler':
      case 'optimizer':
      case 'criterion':
        return t(`said.${field}`, { name: t(`choice.${field}.${draft[field]}`) })
      case 'imageSize':
        return sizeOf(draft, task, t)
      case 'augment':
      case 'classWeights':
      case 'mixedPrecision':
        return t(`said.${field}.${draft[field] ? 'on' : 'off'}`)
      case 'validation':
        return splitOf(draft, t)
      case 'seed':
        return t('said.seed', { value: draft.seed ?? 0 })
      default:
        return ''
    }
  }
}

function sizeOf({ imageWidth, imageHeight, depth }: Draft, task: Task, t: TFunction<'runs'>): string {
  const size = { width: imageWidth ?? 0, height: imageHeight ?? 0 }
  return task === 'volume_segmentation'
    ? t('said.cubeSize', { ...size, depth: depth ?? 0 })
    : t('said.imageSize', size)
}

function splitOf({ method, splits, trainShare, testShare }: Draft, t: TFunction<'runs'>): string {
  switch (method) {
    case 'given':
      return t('said.given')
    case 'kfold':
      return t('said.kfold', { count: splits ?? 0 })
    case 'holdout':
      return t('said.holdout', { train: trainShare ?? 0, test: testShare ?? 0 })
  }
}
