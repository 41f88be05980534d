import type { Run } from '@neuroloom/contract/runs'
import type { Task } from '@neuroloom/contract/task'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatMetric } from '../../../lib/metric.ts'
import { useCall } from '../../../lib/query.ts'
import { headlineOf } from '../results/metrics.ts'
import styles from './train-panel.module.css'

type Props = {
  projectId: string
  task: Task
  chosen: string | null
  onChoose: (id: string | null) => void
}

/** From scratch, or with what an earlier training of the project, or a model of the shop, learned. */
export function BeginWith({ projectId, task, chosen, onChoose }: Props) {
  const { t } = useTranslation('queue')
  const id = useId()
  const { data } = useCall('runs/list', { projectId }, { quiet: true })
  const trainings = (data?.runs ?? []).filter(isTrained)
  const setting = useCall('setting/public', {}, { quiet: true })
  const isSold = setting.data?.host === 0
  const held = useCall('shop/held', { task }, { quiet: true, enabled: isSold })
  const models = held.data?.models.filter(({ way }) => way !== 'own') ?? []
  if (trainings.length === 0 && models.length === 0) return null
  const nameOf = (run: Run) => {
    const headline = headlineOf(run)
    return headline
      ? t('begin.training', { number: run.number, score: formatMetric(headline.name, headline.value) })
      : t('begin.trainingPlain', { number: run.number })
  }
  return (
    <section className={styles.part}>
      <h3 className={styles.title} id={id}>
        {t('begin.title')}
      </h3>
      <Select
        id={`${id}-choice`}
        className={styles.begin ?? ''}
        aria-labelledby={id}
        aria-describedby={`${id}-help`}
        value={chosen ?? ''}
        onChange={(value) => onChoose(value === '' ? null : value)}
        options={[
          { value: '', label: t('begin.scratch') },
          ...trainings.map((run) => ({ value: run.id, label: nameOf(run) })),
          ...models.map(({ id: value, name, version }) => ({
            value,
            label: t('begin.model', { model: name, version }),
          })),
        ]}
      />
      <p className={styles.lead} id={`${id}-help`}>
        {t('begin.help')}{' '}
        {isSold && !setting.data?.off.includes('shop') && (
          <Link to={`/shopHome?task=${task}`}>{t('begin.shop')}</Link>
        )}
      </p>
    </section>
  )
}

const isTrained = ({ kind, artifacts }: Run): boolean =>
  kind === 'train' && artifacts.some((artifact) => artifact.kind === 'weights')
