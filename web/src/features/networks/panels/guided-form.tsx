import { StarFilled } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { networkFileLimits } from '@neuroloom/contract/limits'
import { instantiate, type PresetSize, presetSizes } from '@neuroloom/contract/network/templates'
import { Button, Segmented, Select, Tag } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useCall } from '../../../lib/query.ts'
import choice from '../../../ui/choice.module.css'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './home.module.css'
import { fitted } from './new-network.ts'
import { type Recommendation, recommend } from './recommend.ts'
import { useCreate } from './use-create.ts'
import { useDevice } from './use-device.ts'

/** From the member's data to a network that fits them. `onOther`: all templates instead. */
export function GuidedForm({ onOther }: { onOther: () => void }) {
  const { t } = useTranslation('dripe-panels')
  const id = useId()
  const { data, error, refetch } = useCall('datasets/list', { projectId: null }, { quiet: true })
  const [chosen, setChosen] = useState<string | null>(null)
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={3} />
  const ready = data.datasets.filter(({ state, task }) => state === 'ready' && task !== null)
  if (ready.length === 0) {
    return (
      <EmptyState
        title={t('guided.none')}
        text={t('guided.noneText')}
        action={
          <>
            <Link to="/projectHome">{t('train.toProjects')}</Link>
            <Button onClick={onOther}>{t('guided.other')}</Button>
          </>
        }
      />
    )
  }
  const dataset = ready.find((one) => one.id === chosen) ?? ready[0]
  return (
    <div className={styles.guided}>
      <div className={styles.question}>
        <label htmlFor={id}>{t('guided.question')}</label>
        <Select
          id={id}
          value={dataset?.id ?? null}
          options={ready.map((one) => ({ value: one.id, label: one.name }))}
          onChange={setChosen}
        />
      </div>
      {dataset === undefined ? null : <Choices key={dataset.id} dataset={dataset} />}
    </div>
  )
}

function Choices({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation(['dripe-panels', 'templates'])
  const device = useDevice()
  const create = useCreate()
  const name = useId()
  const [picked, setPicked] = useState<string | null>(null)
  const [wanted, setWanted] = useState<PresetSize | null>(null)
  const all = recommend(dataset)
  const chosen = all.find(({ template }) => template.id === picked) ?? all[0]
  const size = wanted ?? (device?.kind === 'cuda' ? 'full' : 'small')
  if (chosen === undefined) return <p>{t('guided.nothing')}</p>
  const submit = () => {
    const { template } = chosen
    const title = `${t(`templates:template.${template.id}.title`)}, ${dataset.name}`
    const own = title.slice(0, networkFileLimits.nameLength)
    void create.fromDocument(own, ({ networks }) => {
      const document = networks.get(template.id)
      if (document === undefined) return undefined
      const channels = dataset.facts?.channels
      const blockTitle = (block: string) => t(`templates:block.${block}`, { defaultValue: '' })
      return fitted(instantiate(document, template[size], blockTitle), {
        name: own,
        classes: Math.max(2, dataset.classes.length),
        ...(channels === undefined ? {} : { channels }),
      })
    })
  }
  return (
    <>
      <DatasetFacts dataset={dataset} />
      <fieldset className={choice.choices}>
        <legend className={choice.legend}>{t('guided.network')}</legend>
        <div className={`${choice.list} ${styles.templates}`}>
          {all.map((one) => (
            <TemplateOption
              key={one.template.id}
              group={name}
              option={one}
              dataset={dataset}
              isChosen={one === chosen}
              isFirst={one === all[0]}
              onChoose={() => setPicked(one.template.id)}
            />
          ))}
        </div>
      </fieldset>
      <div className={styles.sizeRow}>
        <Segmented<PresetSize>
          aria-label={t('guided.size')}
          value={size}
          options={presetSizes.map((value) => ({ value, label: t(`guided.sizes.${value}`) }))}
          onChange={setWanted}
        />
        <span className={styles.sizeNote}>{t(`guided.sizeNote.${size}`)}</span>
      </div>
      <Button type="primary" block size="large" loading={create.isBusy} onClick={submit}>
        {t('guided.make')}
      </Button>
    </>
  )
}

function DatasetFacts({ dataset: { facts, classes, task } }: { dataset: Dataset }) {
  const { t } = useTranslation('dripe-panels')
  if (facts === null) return null
  const { items, channels, width, height } = facts
  return (
    <p className={styles.datasetFacts}>
      {t(`task.${task}`)} · {t('guided.items', { count: items, value: formatNumber(items) })} ·{' '}
      {t('train.classes', { count: classes.length, value: formatNumber(classes.length) })} ·{' '}
      {t(channels === 1 ? 'train.grey' : 'train.colour')} · {height.median} × {width.median}
    </p>
  )
}

type OptionProps = {
  group: string
  option: Recommendation
  dataset: Dataset
  isChosen: boolean
  isFirst: boolean
  onChoose: () => void
}

function TemplateOption({ group, option, dataset, isChosen, isFirst, onChoose }: OptionProps) {
  const { t } = useTranslation(['dripe-panels', 'templates'])
  const { template, reason } = option
  const { id } = template
  const side = Math.max(dataset.facts?.width.median ?? 0, dataset.facts?.height.median ?? 0)
  return (
    <label className={choice.option} data-chosen={isChosen}>
      <input
        type="radio"
        name={group}
        className={choice.radio}
        checked={isChosen}
        onChange={onChoose}
        aria-labelledby={`${group}-${id}`}
        aria-describedby={`${group}-${id}-about`}
      />
      <span className={choice.text}>
        <span className={styles.optionHead}>
          <span id={`${group}-${id}`} className={choice.name}>
            {t(`templates:template.${id}.title`)}
          </span>
          {isFirst ? (
            <Tag color="cyan" icon={<StarFilled />}>
              {t('guided.recommended')}
            </Tag>
          ) : null}
        </span>
        <span id={`${group}-${id}-about`} className={choice.note}>
          {reason === null
            ? t(`templates:template.${id}.about`)
            : t(`guided.reason.${reason}`, {
                side: formatNumber(side),
                count: dataset.facts?.items ?? 0,
              })}
        </span>
      </span>
    </label>
  )
}
