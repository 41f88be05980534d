import { StarFilled } from '@ant-design/icons'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import type { Task } from '@neuroloom/contract/task'
import { Button, Tag } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import choice from '../../ui/choice.module.css'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './network-choice.module.css'

type Props = {
  task: Task
  chosen: string
  /** The network that the data speak for. */
  suggested: string | null
  /** `name`: of a network of the member's own. */
  onChoose: (network: string, name?: string) => void
}

/** The networks of a task as cards, exactly one chosen: those that come with the product, then the member's own. */
export function NetworkChoice({ task, chosen, suggested, onChoose }: Props) {
  const { t } = useTranslation(['runs', 'networks'])
  const group = useId()
  const query = useCall('networks/list', { task })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const { networks, own } = query.data
  return (
    <fieldset className={choice.choices}>
      <legend className={choice.legend}>{t('train.network')}</legend>
      <div className={choice.list}>
        {networks.map(({ id, parameters }) => (
          <Card
            key={id}
            {...{ group, id, parameters }}
            title={t(`networks:${id}.title`)}
            about={t(`networks:${id}.about`)}
            tag={id === suggested ? <Suggested /> : null}
            isChosen={id === chosen}
            onChoose={() => onChoose(id)}
          />
        ))}
      </div>
      {own.length > 0 ? <Own {...{ group, own, chosen, onChoose }} /> : null}
    </fieldset>
  )
}

/** As many as are looked through at a glance; the others after a click. */
const SHOWN = 6

type OwnProps = Pick<Props, 'chosen' | 'onChoose'> & { group: string; own: readonly OwnNetwork[] }

function Own({ group, own, chosen, onChoose }: OwnProps) {
  const { t } = useTranslation('runs')
  const [isWhole, setWhole] = useState(false)
  const shown = own.filter(({ id }, index) => isWhole || index < SHOWN || id === chosen)
  return (
    <>
      <h4 className={styles.own} id={`${group}-own`}>
        {t('train.ownNetworks')}
      </h4>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset inside the fieldset would part the radio buttons */}
      <div className={choice.list} role="group" aria-labelledby={`${group}-own`}>
        {shown.map(({ id, name, parameters, updatedAt }) => (
          <Card
            key={id}
            {...{ group, id, parameters }}
            title={name}
            about={t('train.ownChanged', { when: formatDate(updatedAt, 'relative') })}
            tag={null}
            isChosen={id === chosen}
            onChoose={() => onChoose(id, name)}
          />
        ))}
      </div>
      {shown.length < own.length ? (
        <Button type="link" onClick={() => setWhole(true)}>
          {t('train.allOwn', { number: own.length })}
        </Button>
      ) : null}
    </>
  )
}

type CardProps = {
  group: string
  id: string
  title: string
  about: string
  parameters: number | null
  tag: ReactNode
  isChosen: boolean
  onChoose: () => void
}

function Card({ group, id, title, about, parameters, tag, isChosen, onChoose }: CardProps) {
  const { t } = useTranslation('runs')
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
        <span className={styles.head}>
          <span id={`${group}-${id}`} className={choice.name}>
            {title}
          </span>
          {tag}
        </span>
        <span id={`${group}-${id}-about`} className={`${choice.note} ${styles.about}`}>
          {about}
        </span>
        {parameters === null ? null : (
          <span className={styles.size}>
            {t('train.parameters', { count: parameters, value: formatNumber(parameters, 0) })}
          </span>
        )}
      </span>
    </label>
  )
}

function Suggested() {
  const { t } = useTranslation('runs')
  return (
    <Tag color="cyan" icon={<StarFilled />} className={styles.tag ?? ''}>
      {t('train.suggested')}
    </Tag>
  )
}
