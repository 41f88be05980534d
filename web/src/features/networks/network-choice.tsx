import { StarFilled } from '@ant-design/icons'
import type { Task } from '@neuroloom/contract/task'
import { Tag } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'

import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './network-choice.module.css'

type Props = {
  task: Task
  chosen: string
  /** The network that the data speak for. */
  suggested: string | null
  onChoose: (network: string) => void
}

/** The networks of a task as cards, exactly one chosen. */
export function NetworkChoice({ task, chosen, suggested, onChoose }: Props) {
  const { t } = useTranslation(['runs', 'networks'])
  const name = useId()
  const query = useCall('networks/list', { task })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading />
  return (
    <fieldset className={styles.networks}>
      <legend className={styles.legend}>{t('train.network')}</legend>
      <div className={styles.cards}>
        {query.data.networks.map((network) => (
          <label key={network.id} className={styles.card} data-chosen={network.id === chosen}>
            <span className={styles.head}>
              <input
                type="radio"
                name={name}
                className={styles.radio}
                checked={network.id === chosen}
                onChange={() => onChoose(network.id)}
                aria-labelledby={`${name}-${network.id}`}
                aria-describedby={`${name}-${network.id}-about`}
              />
              <span id={`${name}-${network.id}`} className={styles.name}>
                {t(`networks:${network.id}.title`)}
              </span>
              {network.id === suggested ? (
                <Tag color="cyan" icon={<StarFilled />} className={styles.tag ?? ''}>
                  {t('train.suggested')}
                </Tag>
              ) : null}
            </span>
            <span id={`${name}-${network.id}-about`} className={styles.about}>
              {t(`networks:${network.id}.about`)}
            </span>
            <span className={styles.size}>
              {t('train.parameters', {
                count: network.parameters,
                value: formatNumber(network.parameters, 0),
              })}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
