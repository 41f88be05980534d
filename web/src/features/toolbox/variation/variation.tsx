import { PictureOutlined, ReloadOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import type { Dataset } from '@neuroloom/contract/datasets'
import { toolbox as limits } from '@neuroloom/contract/limits'
import { type Change, changesOf } from '@neuroloom/contract/toolbox/changes'
import { Alert, Button, Radio, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { RefusalText } from '../../../ui/limits/refusal-text.tsx'
import { NumberField } from '../../../ui/number-field.tsx'
import { Panel } from '../../../ui/page.tsx'
import styles from '../toolbox.module.css'
import { VariedSamples } from './varied-samples.tsx'

type VariationProps = { datasets: readonly Dataset[]; inputs: Readonly<Record<string, string>> }

/** Which data set, which change, how large, and by which draw. */
export function Variation({ datasets, inputs }: VariationProps) {
  const { t } = useTranslation('variation')
  const id = useId()
  const [datasetId, setDatasetId] = useState(
    () => datasets.find((one) => one.id === inputs.dataset)?.id ?? datasets[0]?.id ?? '',
  )
  const dataset = datasets.find((one) => one.id === datasetId)
  const changes: readonly Change[] = dataset?.task ? changesOf[dataset.task] : []
  const [only, setOnly] = useState(() => changes.find((change) => change === inputs.only) ?? null)
  const [sizes, setSizes] = useState(() => sizesOf(inputs))
  const [draw, setDraw] = useState(() => ({
    seed: wholeOf(inputs.seed) ?? 1,
    turn: wholeOf(inputs.turn) ?? 0,
  }))
  // Stays while the next is drawn.
  const [varied, setVaried] = useState<{ seed: number; data: Answer<'toolbox/vary'> } | null>(null)
  const vary = useAction('toolbox/vary', {
    quiet: true,
    refresh: [],
    onDone: (data, { seed }) => setVaried({ seed, data }),
  })
  const record = useAction('toolbox/record', { quiet: true, refresh: ['toolbox/history'] })
  const look = (next: Partial<{ only: Change | null; seed: number; turn: number }> = {}) => {
    const how = { only, ...draw, ...next }
    setOnly(how.only)
    setDraw({ seed: how.seed, turn: how.turn })
    const { height, width, depth } = sizes
    vary.mutate({ datasetId, ...how, imageSize: height && width ? [height, width] : null, depth })
    record.mutate({
      tool: 'augmentation',
      title: dataset?.name ?? '',
      inputs: asInputs({ dataset: datasetId, ...how, ...sizes }),
    })
  }
  return (
    <div className={styles.stack}>
      <Panel>
        <div className={styles.steps}>
          <p>{t('lead')}</p>
          <div className={styles.field}>
            <label htmlFor={`${id}-set`}>{t('which')}</label>
            <Select
              id={`${id}-set`}
              value={datasetId}
              options={datasets.map(({ id: value, name }) => ({ value, label: name }))}
              onChange={(value) => {
                vary.reset()
                setVaried(null)
                setOnly(null)
                setDatasetId(value)
              }}
            />
          </div>
          <div className={styles.shares}>
            {sidesOf(dataset).map((name) => (
              <div key={name} className={styles.field}>
                <label htmlFor={`${id}-${name}`}>{t(`size.${name}`)}</label>
                <NumberField
                  id={`${id}-${name}`}
                  min={name === 'depth' ? 1 : 8}
                  max={name === 'depth' ? limits.variedDepth : limits.variedSide}
                  precision={0}
                  placeholder={t('size.chosen')}
                  value={sizes[name]}
                  onChange={(value) => setSizes({ ...sizes, [name]: value })}
                />
              </div>
            ))}
            <div className={styles.field}>
              <label htmlFor={`${id}-seed`}>{t('seed')}</label>
              <NumberField
                id={`${id}-seed`}
                min={0}
                max={limits.seed}
                precision={0}
                value={draw.seed}
                onChange={(value) => setDraw({ ...draw, seed: value ?? 0 })}
              />
            </div>
          </div>
          <div className={styles.useActions}>
            <Button type="primary" size="large" loading={vary.isPending} onClick={() => look()}>
              {t('show')}
            </Button>
            {varied && (
              <>
                <Button
                  size="large"
                  icon={<ReloadOutlined aria-hidden />}
                  disabled={vary.isPending}
                  onClick={() => look({ seed: (draw.seed + 1) % limits.seed })}
                >
                  {t('drawAgain')}
                </Button>
                <Button
                  size="large"
                  icon={<PictureOutlined aria-hidden />}
                  disabled={vary.isPending}
                  onClick={() => look({ turn: draw.turn + 1 })}
                >
                  {t('others')}
                </Button>
              </>
            )}
          </div>
          {vary.isError && <Alert type="error" showIcon title={<RefusalText error={vary.error} />} />}
        </div>
      </Panel>
      {varied && (
        <Panel title={t('result', { seed: varied.seed })}>
          <div className={styles.steps}>
            <Radio.Group
              aria-label={t('changes')}
              value={only ?? 'all'}
              disabled={vary.isPending}
              optionType="button"
              options={[
                { value: 'all', label: t('change.all.name') },
                ...changes.map((value) => ({ value, label: t(`change.${value}.name`) })),
              ]}
              onChange={({ target: { value } }) =>
                look({ only: changes.find((one) => one === value) ?? null })
              }
            />
            <p>{t(`change.${only ?? 'all'}.text`)}</p>
            {(only === null || only === 'mirror' || only === 'pose') && (
              <Alert type="info" showIcon title={t('sides')} />
            )}
            <VariedSamples varied={varied.data} isOld={vary.isPending} />
            <p>{t('same', { height: varied.data.imageSize[0], width: varied.data.imageSize[1] })}</p>
          </div>
        </Panel>
      )}
    </div>
  )
}

type Sizes = { height: number | null; width: number | null; depth: number | null }

const sidesOf = (dataset: Dataset | undefined): (keyof Sizes)[] => [
  ...(['height', 'width'] as const),
  ...(dataset?.task === 'volume_segmentation' ? (['depth'] as const) : []),
]

const wholeOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : null

const sizesOf = ({ height, width, depth }: Readonly<Record<string, string>>): Sizes => ({
  height: wholeOf(height),
  width: wholeOf(width),
  depth: wholeOf(depth),
})

const asInputs = (choices: Record<string, string | number | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choices).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )
