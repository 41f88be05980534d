import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled, SyncOutlined } from '@ant-design/icons'
import type { Job } from '@neuroloom/contract/toolbox/calls'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatPercent } from '../../lib/format.ts'
import { textParams } from '../../lib/text-params.ts'
import styles from './toolbox.module.css'

const looks = {
  waiting: { color: 'default', icon: <ClockCircleOutlined /> },
  running: { color: 'processing', icon: <SyncOutlined spin /> },
  done: { color: 'success', icon: <CheckCircleFilled /> },
  failed: { color: 'error', icon: <CloseCircleFilled /> },
} as const satisfies Record<Job['state'], unknown>

/** How a job stands, why it failed, and the way to what came of it. */
export function JobState({ job }: { job: Job }) {
  const { t } = useTranslation(['toolbox', 'results', 'errors', 'recipes', 'texts'])
  const { color, icon } = looks[job.state]
  const { reason, result } = job
  return (
    <div className={styles.job}>
      <Tag color={color} icon={icon}>
        {t(`job.${job.state}`)}
        {job.state === 'running' && job.progress !== null && ` · ${formatPercent(job.progress / 100, 0)}`}
      </Tag>
      {reason && (
        <small>
          {t(
            [
              `toolbox:job.reason.${reason.name}`,
              ...own(job.kind, reason.name),
              `results:runError.${reason.name}.what`,
              `errors:${reason.name}`,
            ],
            textParams(reason.params),
          )}
        </small>
      )}
      {result && <Link to={addressOf(result)}>{t(`job.to.${result.kind}`)}</Link>}
    </div>
  )
}

/** Where these kinds of work say why they failed. */
const own = (kind: Job['kind'], name: string): string[] => {
  if (kind === 'preparation') return [`recipes:failure.${name}`]
  return kind === 'texts' ? [`texts:failure.${name}`] : []
}

const addresses = {
  run: '/run?id=',
  folder: '/cloudFile?id=',
  file: '/cloudFile?file=',
  texts: '/cloudTexts?id=',
} as const

const addressOf = ({ kind, id }: NonNullable<Job['result']>): string =>
  addresses[kind] + encodeURIComponent(id)
