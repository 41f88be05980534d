import {
  whose as allWhose,
  type Exchange,
  type LabelFormat,
  type Loss,
} from '@neuroloom/contract/labelling/exchange'
import { labelFormats } from '@neuroloom/contract/labelling/label-formats'
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { Alert, Button, Modal, Radio, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import styles from './exchange.module.css'
import { ProgressPart } from './progress-part.tsx'
import { useExchange } from './use-exchange.ts'

type Props = { set: LabelSet; onClose: () => void; onOpenFolder: (folderId: string) => void }
type Whose = (typeof allWhose)[number]

/** Writes the marks of a set into files: whose, in which format, and what that loses, before anything is written. */
export function ExportDialog({ set, onClose, onOpenFolder }: Props) {
  const { t } = useTranslation('label-exchange')
  const [whose, setWhose] = useState<Whose>('mine')
  const [format, setFormat] = useState<LabelFormat>('coco')
  const [id, setId] = useState<string | null>(null)
  const exchange = useExchange(set.id, id)
  const look = useAction('labelling/exportPlan', {
    quiet: true,
    refresh: ['labelling/exchanges'],
    onDone: (begun) => setId(begun.id),
  })
  const write = useAction('labelling/export', { quiet: true, refresh: ['labelling/exchanges'] })
  const isPlanned = exchange?.state === 'planned'
  const isBegun = id !== null && exchange?.state !== 'failed' && exchange?.state !== 'cancelled'
  const error = look.error ?? write.error
  const { folderId } = exchange?.state === 'done' ? exchange : { folderId: null }
  const go = {
    text: isPlanned ? t('write') : t('look'),
    run: () =>
      isPlanned ? write.mutate({ exchangeId: exchange.id, format }) : look.mutate({ id: set.id, whose }),
  }
  return (
    <Modal
      open
      centered
      title={t('exportTitle', { name: set.name })}
      okText={go.text}
      onOk={go.run}
      confirmLoading={look.isPending || write.isPending}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          <CancelBtn />
          {(!isBegun || isPlanned) && <OkBtn />}
        </>
      )}
      cancelText={t('close')}
      onCancel={onClose}
    >
      <div className={styles.form}>
        {!isBegun && <WhoseChoice {...{ set, whose }} onChange={setWhose} />}
        {exchange && <ProgressPart exchange={exchange} />}
        {isPlanned && <FormatPart {...{ exchange, format }} onChange={setFormat} />}
        {folderId !== null && exchange && (
          <Alert
            type="success"
            showIcon
            title={t('exported', { name: exchange.folderName })}
            action={
              <span className={styles.ways}>
                <Button onClick={() => onOpenFolder(folderId)}>{t('openFolder')}</Button>
                <Button onClick={() => void save(folderId)}>{t('download')}</Button>
              </span>
            }
          />
        )}
        {error && <Alert type="error" showIcon title={<RefusalText error={error} />} />}
      </div>
    </Modal>
  )
}

async function save(folderId: string): Promise<void> {
  try {
    await download(await call('files/download', { ids: [folderId] }))
  } catch {
    // The call has told why.
  }
}

type WhoseProps = { set: LabelSet; whose: Whose; onChange: (whose: Whose) => void }

/** Readers who read blind see their own alone. */
function WhoseChoice({ set, whose, onChange }: WhoseProps) {
  const { t } = useTranslation('label-exchange')
  const offered = allWhose.filter((one) => one === 'mine' || set.right !== 'read' || !set.blind)
  return (
    <fieldset className={styles.field}>
      <legend>{t('whose')}</legend>
      <Radio.Group
        value={whose}
        onChange={({ target }) => onChange(target.value)}
        className={styles.radios ?? ''}
      >
        {offered.map((one) => (
          <Radio key={one} value={one}>
            {t(one)}
          </Radio>
        ))}
      </Radio.Group>
    </fieldset>
  )
}

type FormatProps = { exchange: Exchange; format: LabelFormat; onChange: (format: LabelFormat) => void }

function FormatPart({ exchange: { exportPlan: plan }, format, onChange }: FormatProps) {
  const { t } = useTranslation('label-exchange')
  if (!plan) return null
  const { images, marks, unmarked, losses } = plan
  const sums = { images: formatNumber(images), marks: formatNumber(marks), unmarked: formatNumber(unmarked) }
  return (
    <>
      <p>{t('exportSum', sums)}</p>
      <div className={styles.field}>
        <span>{t('chooseFormat')}</span>
        <Select<LabelFormat>
          aria-label={t('chooseFormat')}
          value={format}
          onChange={onChange}
          options={labelFormats.map((value) => ({ value, label: t(`format.${value}`) }))}
        />
      </div>
      <Losses losses={losses[format]} />
      <p className={styles.soft}>{t('place')}</p>
    </>
  )
}

function Losses({ losses }: { losses: readonly Loss[] }) {
  const { t } = useTranslation('label-exchange')
  if (losses.length === 0) return <Alert type="success" showIcon title={t('keepsAll')} />
  const lines = losses.map(({ feature, becomes, count }) => (
    <li key={feature}>
      {t('loss', {
        feature: t(`feature.${feature}`),
        becomes: t(`becomes.${becomes}`),
        count: formatNumber(count),
      })}
    </li>
  ))
  return (
    <Alert
      type="warning"
      showIcon
      title={t('loses')}
      description={<ul className={styles.list}>{lines}</ul>}
    />
  )
}
