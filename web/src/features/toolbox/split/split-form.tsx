import type { Dataset } from '@neuroloom/contract/datasets'
import { toolbox as limits } from '@neuroloom/contract/limits'
import type { SplitPart } from '@neuroloom/contract/toolbox/calls'
import { Alert, Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from '../toolbox.module.css'
import { folderName } from './lists.ts'
import { SplitResult } from './split-result.tsx'

const parts = ['train', 'validation', 'test'] as const

type SplitFormProps = {
  datasets: readonly Dataset[]
  inputs: Readonly<Record<string, string>>
  /** Puts the lists into the folder. */
  onSave: (folderId: string, parts: readonly SplitPart[]) => void
}

/** Which data set, how large the parts are, and by which draw. */
export function SplitForm({ datasets, inputs, onSave }: SplitFormProps) {
  const { t } = useTranslation('toolbox')
  const id = useId()
  const [datasetId, setDatasetId] = useState(
    () => datasets.find((one) => one.id === inputs.dataset)?.id ?? datasets[0]?.id ?? '',
  )
  const [shares, setShares] = useState(() => sharesOf(inputs))
  const split = useAction('toolbox/split', { quiet: true, refresh: [] })
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  const sum = parts.reduce((total, part) => total + shares[part], 0)
  const isWhole = sum === 100 && shares.train > 0 && shares.train < 100
  const dataset = datasets.find((one) => one.id === datasetId)
  const change = (changes: Partial<typeof shares>) => {
    split.reset()
    setShares({ ...shares, ...changes })
  }
  const draw = () => {
    split.mutate({ datasetId, ...shares })
    const { train, validation, test, seed } = shares
    const kept = {
      train: String(train),
      validation: String(validation),
      test: String(test),
      seed: String(seed),
    }
    record.mutate({ tool: 'split', title: dataset?.name ?? '', inputs: { dataset: datasetId, ...kept } })
  }
  return (
    <div className={styles.stack}>
      <Panel>
        <div className={styles.steps}>
          <p>
            {t('split.lead')} <code>{folderName}/train.txt</code>
          </p>
          <div className={styles.field}>
            <label htmlFor={`${id}-set`}>{t('dataset.which')}</label>
            <Select
              id={`${id}-set`}
              value={datasetId}
              options={datasets.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={(value) => {
                split.reset()
                setDatasetId(value)
              }}
            />
          </div>
          <div className={styles.shares}>
            {parts.map((part) => (
              <div key={part} className={styles.field}>
                <label htmlFor={`${id}-${part}`}>{t(`split.${part}`)}</label>
                <NumberField
                  id={`${id}-${part}`}
                  min={0}
                  max={100}
                  precision={0}
                  suffix="%"
                  value={shares[part]}
                  onChange={(value) => change({ [part]: value ?? 0 })}
                />
              </div>
            ))}
            <div className={styles.field}>
              <label htmlFor={`${id}-seed`}>{t('split.seed')}</label>
              <NumberField
                id={`${id}-seed`}
                min={0}
                max={limits.seed}
                precision={0}
                value={shares.seed}
                onChange={(value) => change({ seed: value ?? 0 })}
              />
            </div>
          </div>
          {!isWhole && <Alert type="warning" showIcon title={t('split.sum', { sum })} />}
          {dataset?.facts?.given && <Alert type="info" showIcon title={t('split.given')} />}
          <Button type="primary" size="large" disabled={!isWhole} loading={split.isPending} onClick={draw}>
            {t('split.draw')}
          </Button>
          {split.isError && <Alert type="error" showIcon title={<RefusalText error={split.error} />} />}
        </div>
      </Panel>
      {split.data && <SplitResult found={split.data} datasetId={datasetId} onSave={onSave} />}
    </div>
  )
}

function sharesOf({ train, validation, test, seed }: Readonly<Record<string, string>>) {
  const [learned, checked, tested] = [Number(train), Number(validation), Number(test)]
  if (learned + checked + tested !== 100) return { train: 70, validation: 10, test: 20, seed: 1 }
  return { train: learned, validation: checked, test: tested, seed: Number(seed) || 0 }
}
