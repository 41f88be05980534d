import type { Run } from '@neuroloom/contract/runs'
import { Alert, Button } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { NetworkPart } from './network-part.tsx'
import styles from './sharpen.module.css'
import { TimeNote } from './time-note.tsx'
import { askedOf, isWrong, type NumberField as Name, ranges, startDraft } from './train-draft.ts'
import { useRefusal } from './use-refusal.ts'

type Props = { projectId: string; onStarted: (run: Run) => void; onClose: () => void }

/** From a network to a queued training; each field with a safe start value. */
export function TrainForm({ projectId, onStarted, onClose }: Props) {
  const { t } = useTranslation(['flow-sharpen', 'common'])
  const [draft, setDraft] = useState(startDraft)
  const refusalOf = useRefusal()
  const [refused, setRefused] = useState<string | null>(null)
  const train = useAction('flow/train', {
    quiet: true,
    refresh: ['runs/list', 'projects/detail', 'projects/list', 'plans/shared'],
    onDone: onStarted,
    onFailed: (error) => setRefused(refusalOf(error)),
  })
  const change = (patch: Partial<typeof draft>) => {
    setRefused(null)
    setDraft((before) => ({ ...before, ...patch }))
  }
  const field = (name: Name) => (
    <Field
      name={name}
      value={draft[name]}
      isWrong={isWrong(draft, name)}
      onChange={(value) => change({ [name]: value })}
    />
  )
  const asked = askedOf(draft)
  return (
    <div className={styles.form}>
      <NetworkPart chosen={draft.network} onChoose={(network) => change({ network })} />
      {draft.network === 'flow4d' && <SlowNote />}
      <div className={styles.fields}>
        {field('flows')}
        {field('epochs')}
      </div>
      <details>
        <summary>{t('form.more')}</summary>
        {field('seed')}
      </details>
      {asked && <TimeNote projectId={projectId} asked={asked} />}
      <div className={styles.actions}>
        <Button
          type="primary"
          size="large"
          disabled={asked === null}
          loading={train.isPending}
          onClick={() => asked && train.mutate({ projectId, asked })}
        >
          {t('form.start')}
        </Button>
        <Button size="large" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        {refused === null ? (
          <p className={styles.soft}>{t('form.startText')}</p>
        ) : (
          <p className={styles.refused} role="alert">
            {refused}
          </p>
        )}
      </div>
    </div>
  )
}

type FieldProps = {
  name: Name
  value: number | null
  isWrong: boolean
  onChange: (value: number | null) => void
}

function Field({ name, value, isWrong: isOff, onChange }: FieldProps) {
  const { t } = useTranslation('flow-sharpen')
  const id = useId()
  const { min, max } = ranges[name]
  const range = { min: formatNumber(min), max: formatNumber(max) }
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{t(`form.${name}`)}</label>
      <NumberField
        id={id}
        aria-describedby={`${id}-about`}
        status={isOff ? 'error' : ''}
        value={value}
        changeOnWheel={false}
        onChange={onChange}
      />
      <small id={`${id}-about`}>{t(`form.${name}About`, range)}</small>
      {isOff && (
        <small className={styles.refused} role="alert">
          {t('form.wrong', range)}
        </small>
      )}
    </div>
  )
}

/** The full network without a graphics card. */
function SlowNote() {
  const { t } = useTranslation('flow-sharpen')
  const { data } = useCall('runs/device', {}, { quiet: true })
  return data?.kind === 'cpu' ? <Alert type="warning" showIcon title={t('form.slow')} /> : null
}
