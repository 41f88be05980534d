import { Checkbox, Form, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { NumberField } from '../../ui/number-field.tsx'
import { type LimitLevel, type LimitName, limitNames, type OfficeLimits, shownLimit } from './limit-facts.ts'
import styles from './office.module.css'

type Draft = OfficeLimits['overrides'][LimitLevel]
type LimitsDialogProps = { limits: OfficeLimits; level: LimitLevel; onClose: () => void }

const GIGABYTE = 1024 ** 3
const MOST = 1_000_000_000

/** The limits of one level. An empty field is what holds without it. */
export function LimitsDialog({ limits, level, onClose }: LimitsDialogProps) {
  const { t } = useTranslation(['limits', 'levels', 'common'])
  const [draft, setDraft] = useState<Draft>(limits.overrides[level])
  const change = useAction('plans/change', {
    refresh: ['plans/office', 'plans/limits', 'plans/used'],
    quiet: true,
    onDone: () => {
      toast.success(t('done'))
      onClose()
    },
  })
  const submit = () => {
    if (change.isPending) return
    change.mutate({ overrides: { ...limits.overrides, [level]: draft }, version: limits.version })
  }
  const set = (name: LimitName, limit: number | null | undefined) => {
    const { [name]: _, ...rest } = draft
    setDraft(limit === undefined ? rest : { ...rest, [name]: limit })
  }
  return (
    <Modal
      open
      centered
      width={560}
      title={t('changeOf', { level: t(`levels:${level}`) })}
      okText={t('save')}
      okButtonProps={{ loading: change.isPending }}
      cancelText={t('common:cancel')}
      onOk={submit}
      onCancel={onClose}
    >
      <Form layout="vertical" requiredMark={false} onFinish={submit}>
        <p className={styles.lead}>{t('help')}</p>
        {limitNames.map((name) => (
          <LimitField
            key={name}
            name={name}
            limit={draft[name]}
            base={limits.levels[level][name]}
            onChange={(limit) => set(name, limit)}
          />
        ))}
        {change.isError && <p role="alert">{messageOf(change.error)}</p>}
      </Form>
    </Modal>
  )
}

type LimitFieldProps = {
  name: LimitName
  limit: number | null | undefined
  base: number | null
  onChange: (limit: number | null | undefined) => void
}

function LimitField({ name, limit, base, onChange }: LimitFieldProps) {
  const { t } = useTranslation('limits')
  const unit = name === 'storageBytes' ? GIGABYTE : 1
  const id = `limit-${name}`
  return (
    <Form.Item
      label={name === 'storageBytes' ? t('storageGb') : t(`name.${name}`)}
      htmlFor={id}
      className={styles.limit ?? ''}
    >
      <NumberField
        id={id}
        min={name === 'recycleDays' ? 1 : 0}
        max={name === 'recycleDays' ? 36_500 : MOST}
        precision={0}
        disabled={limit === null}
        placeholder={t('usual', { limit: shownLimit(name, base, t('none')) })}
        value={limit === undefined || limit === null ? null : limit / unit}
        onChange={(value) => onChange(value === null ? undefined : Math.round(value * unit))}
      />
      {name !== 'recycleDays' && (
        <Checkbox
          checked={limit === null}
          onChange={({ target }) => onChange(target.checked ? null : undefined)}
        >
          {t('none')}
        </Checkbox>
      )}
    </Form.Item>
  )
}
