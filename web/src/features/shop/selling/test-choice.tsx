import type { Candidate } from '@neuroloom/contract/shop/seller'
import type { Task } from '@neuroloom/contract/task'
import { Alert } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../../lib/format.ts'
import { formatScore } from '../../../lib/metric.ts'
import { useCall } from '../../../lib/query.ts'
import choice from '../../../ui/choice.module.css'
import { ChoiceOption } from '../../../ui/choice-option.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from '../shop.module.css'

type Props = { chosen: string | null; task: Task | null; onChoose: (testId: string) => void }

/** Tests of own trainings: the one that is chosen is run again by the platform. */
export function TestChoice({ chosen, task, onChoose }: Props) {
  const { t } = useTranslation(['shop', 'networks'])
  const group = useId()
  const { data, error, refetch } = useCall('shop/candidates', {}, { quiet: true })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <Loading />
  const fitting = data.candidates.filter((one) => task === null || one.task === task)
  if (fitting.length === 0)
    return (
      <Alert
        type="info"
        showIcon
        title={t('own.noTest')}
        description={t('own.noTestText')}
        action={<Link to="/projectHome">{t('drive.toProjects')}</Link>}
      />
    )
  return (
    <fieldset className={choice.choices}>
      <legend className={choice.legend}>{t('own.test')}</legend>
      <p className={styles.help}>{t('own.testText')}</p>
      <div className={choice.list}>
        {fitting.map((one) => (
          <ChoiceOption
            key={one.testId}
            group={group}
            id={one.testId}
            title={t('own.testName', { project: one.project, number: one.runNumber, test: one.testNumber })}
            about={
              <span className={choice.note}>
                {one.isBlocked ? t('own.blocked') : t('own.testOn', { ...factsOf(one) })}
              </span>
            }
            foot={<span>{formatScore(one.task, one.score)}</span>}
            isChosen={chosen === one.testId}
            onChoose={() => !one.isBlocked && onChoose(one.testId)}
          />
        ))}
      </div>
    </fieldset>
  )
}

const factsOf = ({ datasetName, items, endedAt }: Candidate) => ({
  ...{ name: datasetName, count: items },
  when: formatDate(endedAt, 'minute'),
})
