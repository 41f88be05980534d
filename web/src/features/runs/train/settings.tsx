import { LockOutlined } from '@ant-design/icons'
import type { Suggestion } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { UpgradeLink } from '../../../ui/limits/upgrade-link.tsx'
import { LearningRateCurve } from './learning-rate-curve.tsx'
import styles from './settings.module.css'
import { type Draft, type DraftField, draftOf, errorsOf, isChanged, isUsed } from './settings-draft.ts'
import { SettingsGroups } from './settings-groups.tsx'

type Props = {
  task: Task
  suggestion: Suggestion
  classes: readonly string[]
  draft: Draft
  onChange: (draft: Draft) => void
}

const methods = ['holdout', 'kfold'] as const

/** Every hyperparameter: for members who may tune as a form, for all others to read. */
export function Settings({ task, suggestion, classes, draft, onChange }: Props) {
  const { t } = useTranslation('runs')
  const suggested = draftOf(suggestion)
  const classNameOf = useClassName(task)
  const errors = errorsOf(draft)
  const changedAny = Object.keys(draft).some((field) => isChanged(field as DraftField, draft, suggested))
  return (
    <div className={styles.settings}>
      {suggestion.mayTune ? null : (
        <Alert
          type="info"
          showIcon
          icon={<LockOutlined />}
          title={t('settings.lockedTitle')}
          description={
            <>
              {t('settings.lockedText')} <UpgradeLink />
            </>
          }
        />
      )}
      <SettingsGroups
        task={task}
        classes={classes.map(classNameOf)}
        draft={draft}
        locked={!suggestion.mayTune}
        errors={errors}
        methods={suggestion.validation.method === 'given' ? ['given', ...methods] : methods}
        largestBatch={suggestion.largestBatch}
        isChanged={(field) => isChanged(field, draft, suggested)}
        isUsed={(field) => isUsed(field, draft)}
        onChange={(change) => onChange({ ...draft, ...change })}
        curve={<LearningRateCurve draft={draft} hasErrors={hasScheduleErrors(errors)} />}
      />
      {changedAny ? (
        <Button type="link" onClick={() => onChange(suggested)} className={styles.reset ?? ''}>
          {t('settings.reset')}
        </Button>
      ) : null}
    </div>
  )
}

const hasScheduleErrors = (errors: Partial<Record<DraftField, unknown>>): boolean =>
  Boolean(errors.learningRate || errors.epochs || errors.decayInterval || errors.decayRatio)
