import { hyperRanges, optimizers } from '@neuroloom/contract/suggest/hyper-ranges'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../../lib/format.ts'
import { NumberField } from '../../../../ui/number-field.tsx'
import styles from '../cost/cost-bar.module.css'
import panel from '../panel.module.css'
import { Field } from '../settings/field.tsx'
import type { BatchSettings, MemoryNeed } from './memory-need.ts'

type Props = { settings: BatchSettings; need: MemoryNeed; onChange: (settings: BatchSettings) => void }

/** How many pictures at a time and which optimizer, and what each part takes. */
export function MemorySettings({ settings, need, onChange }: Props) {
  const { t } = useTranslation(['dripe-panels', 'runs'])
  const { min, max } = hyperRanges.batchSize
  return (
    <div className={styles.settings}>
      <Field label={t('runs:setting.batchSize.label')}>
        {(ids) => (
          <NumberField
            {...ids}
            size="small"
            min={min}
            max={max}
            precision={0}
            value={settings.batchSize}
            onChange={(batchSize) => batchSize !== null && onChange({ ...settings, batchSize })}
          />
        )}
      </Field>
      <Field label={t('runs:setting.optimizer.label')}>
        {(ids) => (
          <Select
            {...ids}
            size="small"
            value={settings.optimizer}
            options={optimizers.map((name) => ({ value: name, label: t(`runs:choice.optimizer.${name}`) }))}
            onChange={(optimizer) => onChange({ ...settings, optimizer })}
          />
        )}
      </Field>
      <dl className={panel.facts}>
        <dt>{t('memory.weights')}</dt>
        <dd>{formatBytes(need.fixedBytes)}</dd>
        <dt>{t('memory.sample', { count: settings.batchSize })}</dt>
        <dd>{formatBytes(need.sampleBytes * settings.batchSize)}</dd>
        <dt>{t('memory.program')}</dt>
        <dd>{formatBytes(need.baseBytes)}</dd>
        <dt>{t('memory.total')}</dt>
        <dd>{formatBytes(need.totalBytes)}</dd>
        <dt>{t('memory.device')}</dt>
        <dd>{need.deviceBytes === null ? t('memory.unknown') : formatBytes(need.deviceBytes)}</dd>
        {need.largestBatch === null ? null : (
          <>
            <dt>{t('memory.largest')}</dt>
            <dd>{need.largestBatch}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
