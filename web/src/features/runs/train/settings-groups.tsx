import { criteria, optimizers, schedulers } from '@neuroloom/contract/suggest/hyper-ranges'
import type { Task } from '@neuroloom/contract/task'
import { Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '../../../ui/number-field.tsx'
import { SettingField } from './setting-field.tsx'
import styles from './settings.module.css'
import { type Draft, type DraftField, type FieldError, isOfTask, rangeOf } from './settings-draft.ts'

type Props = {
  task: Task
  classes: readonly string[]
  draft: Draft
  locked: boolean
  errors: Partial<Record<DraftField, FieldError>>
  isChanged: (field: DraftField) => boolean
  isUsed: (field: DraftField) => boolean
  onChange: (change: Partial<Draft>) => void
  curve: ReactNode
  /** Ways of splitting the data. */
  methods: readonly Draft['method'][]
  /** Pictures a step that the device's memory holds, as estimated for the suggestion; null = unknown. */
  largestBatch: number | null
}

type NumberName = {
  [K in DraftField]: Draft[K] extends number | null | undefined ? K : never
}[DraftField]
type SwitchName = 'augment' | 'classWeights' | 'mixedPrecision'
type ChoiceName = 'scheduler' | 'optimizer' | 'criterion' | 'method'

/** The settings by subject. Knows no server: values in, changes out. */
export function SettingsGroups(props: Props) {
  const { t } = useTranslation('runs')
  const { task, classes, draft, curve, methods } = props
  const number = (name: NumberName) => <NumberSetting {...props} name={name} />
  const choice = (name: ChoiceName, options: readonly string[]) => (
    <ChoiceSetting {...props} name={name} options={options} />
  )
  return (
    <>
      <Group title={t('settings.groupLearning')}>
        {number('epochs')}
        {number('learningRate')}
        {choice('scheduler', schedulers)}
        {number('decayInterval')}
        {number('decayRatio')}
        <div className={styles.wide}>{curve}</div>
      </Group>
      <Group title={t('settings.groupSteps')}>
        {number('batchSize')}
        {choice('optimizer', optimizers)}
        {number('weightDecay')}
        {choice('criterion', criteria[task])}
        {draft.labelSmoothing === undefined ? null : number('labelSmoothing')}
        {draft.mixedPrecision === undefined ? null : <SwitchSetting {...props} name="mixedPrecision" />}
      </Group>
      <Group title={t('settings.groupData')}>
        {isOfTask('numClass', task) ? (
          <SettingField field="numClass">
            {(ids) => (
              <Input {...ids} readOnly variant="filled" value={classSummary(draft.numClass, classes)} />
            )}
          </SettingField>
        ) : null}
        {number('imageHeight')}
        {number('imageWidth')}
        {isOfTask('depth', task) ? number('depth') : null}
        <SwitchSetting {...props} name="augment" />
        {isOfTask('classWeights', task) ? <SwitchSetting {...props} name="classWeights" /> : null}
      </Group>
      <Group title={t('settings.groupChecks')}>
        {choice('method', methods)}
        {draft.method === 'holdout' ? number('trainShare') : null}
        {draft.method === 'holdout' ? number('testShare') : null}
        {draft.method === 'kfold' ? number('splits') : null}
        {number('validationInterval')}
        {number('patience')}
        {number('seed')}
      </Group>
    </>
  )
}

const classSummary = (count: number | null, classes: readonly string[]): string =>
  classes.length > 0 ? `${count ?? classes.length} · ${classes.join(', ')}` : String(count ?? '')

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{title}</legend>
      <div className={styles.grid}>{children}</div>
    </fieldset>
  )
}

function NumberSetting(props: Props & { name: NumberName }) {
  const { name, draft, locked, errors, isChanged, isUsed, onChange, largestBatch } = props
  const { t } = useTranslation('runs')
  const range = rangeOf(name)
  const isTooMany = name === 'batchSize' && largestBatch !== null && (draft.batchSize ?? 0) > largestBatch
  const note = isTooMany ? t('settings.largestBatch', { count: largestBatch }) : undefined
  return (
    <SettingField field={name} error={errors[name]} changed={isChanged(name)} note={note}>
      {(ids) => (
        <NumberField
          {...ids}
          className={styles.control ?? ''}
          value={draft[name] ?? null}
          disabled={locked || !isUsed(name)}
          {...(errors[name] ? { status: 'error' as const } : {})}
          // Empty and out-of-range values stay as typed: the message at the field says what is allowed.
          onChange={(value: number | null) => onChange({ [name]: value })}
          step={range && range.max <= 1 ? 'any' : 1}
        />
      )}
    </SettingField>
  )
}

function ChoiceSetting(props: Props & { name: ChoiceName; options: readonly string[] }) {
  const { name, options, draft, locked, isChanged, onChange } = props
  const { t } = useTranslation('runs')
  return (
    <SettingField
      field={name}
      changed={isChanged(name)}
      {...(name === 'criterion' ? { help: t(`choice.criterionAbout.${draft.criterion}`) } : {})}
    >
      {(ids) => (
        <Select
          {...ids}
          className={styles.control ?? ''}
          value={draft[name]}
          disabled={locked}
          onChange={(value: string) => onChange({ [name]: value })}
          options={options.map((value) => ({ value, label: t(`choice.${name}.${value}`) }))}
        />
      )}
    </SettingField>
  )
}

function SwitchSetting({ name, draft, locked, isChanged, onChange }: Props & { name: SwitchName }) {
  return (
    <SettingField field={name} changed={isChanged(name)}>
      {(ids) => (
        <span>
          <Switch
            {...ids}
            checked={draft[name] === true}
            disabled={locked}
            onChange={(value) => onChange({ [name]: value })}
          />
        </span>
      )}
    </SettingField>
  )
}
