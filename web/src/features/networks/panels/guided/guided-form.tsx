import { StarFilled } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { PresetSize } from '@neuroloom/contract/network/templates'
import { Button, Select, Tag } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../../lib/format.ts'
import { useCall } from '../../../../lib/query.ts'
import choice from '../../../../ui/choice.module.css'
import { ChoiceOption } from '../../../../ui/choice-option.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { useDevice } from '../use-device.ts'
import styles from './guided.module.css'
import { GuidedSize } from './guided-size-form.tsx'
import { type Recommendation, recommend } from './recommend.ts'

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
  const { t } = useTranslation('dripe-panels')
  const device = useDevice()
  const name = useId()
  const [picked, setPicked] = useState<string | null>(null)
  const [wanted, setWanted] = useState<PresetSize | null>(null)
  const all = recommend(dataset)
  const chosen = all.find(({ template }) => template.id === picked) ?? all[0]
  const size = wanted ?? (device?.kind === 'cuda' ? 'full' : 'small')
  if (chosen === undefined) return <p>{t('guided.nothing')}</p>
  const { template } = chosen
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
      <GuidedSize start={{ template, size, dataset }} onSize={setWanted} />
    </>
  )
}

function DatasetFacts({ dataset: { facts, classes, task } }: { dataset: Dataset }) {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  if (facts === null) return null
  const { items, channels, width, height, depth } = facts
  return (
    <p className={styles.datasetFacts}>
      {t(`tasks:name.${task}`)} · {t('guided.items', { count: items, value: formatNumber(items) })} ·{' '}
      {classes.length > 0
        ? `${t('train.classes', { count: classes.length, value: formatNumber(classes.length) })} · `
        : null}
      {t(channels === 1 ? 'train.grey' : 'train.colour')} ·{' '}
      {[...(depth ? [depth.median] : []), height.median, width.median].join(' × ')}
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
  const about =
    reason === null
      ? t(`templates:template.${id}.about`)
      : t(`guided.reason.${reason}`, { side: formatNumber(side), count: dataset.facts?.items ?? 0 })
  return (
    <ChoiceOption
      {...{ group, id, isChosen, onChoose }}
      title={t(`templates:template.${id}.title`)}
      tag={
        isFirst ? (
          <Tag color="cyan" icon={<StarFilled />}>
            {t('guided.recommended')}
          </Tag>
        ) : null
      }
      about={<span className={choice.note}>{about}</span>}
    />
  )
}
