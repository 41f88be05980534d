import { StarFilled } from '@ant-design/icons'
import type { Task } from '@neuroloom/contract/task'
import { Tag } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
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
    <fieldset className={choice.choices}>
      <legend className={choice.legend}>{t('train.network')}</legend>
      <div className={choice.list}>
        {query.data.networks.map((network) => (
          <label key={network.id} className={choice.option} data-chosen={network.id === chosen}>
            <input
              type="radio"
              name={name}
              className={choice.radio}
              checked={network.id === chosen}
              onChange={() => onChoose(network.id)}
              aria-labelledby={`${name}-${network.id}`}
              aria-describedby={`${name}-${network.id}-about`}
            />
            <span className={choice.text}>
              <span className={styles.head}>
                <span id={`${name}-${network.id}`} className={choice.name}>
                  {t(`networks:${network.id}.title`)}
                </span>
                {network.id === suggested ? (
                  <Tag color="cyan" icon={<StarFilled />} className={styles.tag ?? ''}>
                    {t('train.suggested')}
                  </Tag>
                ) : null}
              </span>
              <span id={`${name}-${network.id}-about`} className={`${choice.note} ${styles.about}`}>
                {t(`networks:${network.id}.about`)}
              </span>
              <span className={styles.size}>
                {t('train.parameters', {
                  count: network.parameters,
                  value: formatNumber(network.parameters, 0),
                })}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
