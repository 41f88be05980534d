import { DeleteOutlined, HistoryOutlined, RedoOutlined } from '@ant-design/icons'
import type { Job, Use } from '@neuroloom/contract/toolbox/calls'
import { ownToolName, type ToolPicture as Picture, tools } from '@neuroloom/contract/toolbox/toolbox'
import { Button, Popconfirm } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDate } from '../../lib/format.ts'
import { useAction, useCall, usePages } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { JobState } from './job-state.tsx'
import { analyses } from './statistics/settings.ts'
import { toolAddress } from './tool-address.ts'
import { ToolPicture } from './tool-picture.tsx'
import styles from './toolbox.module.css'
import { useJobs } from './use-jobs.ts'

/** What was done when, on what, what came of it, and the way to do it again. */
export function ToolHistory() {
  const { t } = useTranslation(['toolbox', 'common'])
  const query = usePages('toolbox/history', {})
  const forget = useAction('toolbox/forget', { refresh: ['toolbox/history'] })
  const uses = query.data?.pages.flatMap((page) => page.uses) ?? []
  const hasOwn = uses.some(({ toolName }) => toolName !== undefined)
  const own = useCall('toolbox/ownTools', {}, { quiet: true, enabled: hasOwn })
  const jobs = useJobs(uses.flatMap(({ jobId }) => jobId ?? []))
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError && uses.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (uses.length === 0)
    return (
      <EmptyState
        icon={<HistoryOutlined aria-hidden />}
        title={t('history.none')}
        text={t('history.noneText')}
        action={<Link to="/toolboxHome">{t('history.toTools')}</Link>}
      />
    )
  return (
    <>
      <div className={styles.historyHead}>
        <p>{t('history.lead')}</p>
        <Popconfirm
          title={t('history.forgetAll')}
          okText={t('history.forget')}
          cancelText={t('common:cancel')}
          onConfirm={() => forget.mutate({ id: null })}
        >
          <Button icon={<DeleteOutlined aria-hidden />}>{t('history.clear')}</Button>
        </Popconfirm>
      </div>
      <ul className={styles.uses}>
        {uses.map((use) => (
          <UseLine
            key={use.id}
            use={use}
            job={use.jobId === null ? undefined : jobs.get(use.jobId)}
            picture={own.data?.tools.find(({ id }) => ownToolName(id) === use.tool)?.picture}
            onForget={() => forget.mutate({ id: use.id })}
          />
        ))}
      </ul>
      <MoreButton query={query} />
    </>
  )
}

type UseLineProps = {
  use: Use
  job: Job | undefined
  /** Of a tool that a member made. */
  picture: Picture | undefined
  onForget: () => void
}

function UseLine({ use, job, picture, onForget }: UseLineProps) {
  const { t } = useTranslation(['toolbox', 'statistics'])
  const tool = tools.find(({ name }) => name === use.tool)
  const title = tool ? t(`tool.${tool.name}.title`) : (use.toolName ?? '')
  const analysis = analyses.find((one) => one === use.inputs.analysis)
  return (
    <li className={styles.use}>
      <span className={styles.picture}>
        <ToolPicture name={tool?.picture ?? picture ?? 'sliders'} />
      </span>
      <div className={styles.useText}>
        <strong>{title}</strong>
        {analysis !== undefined && <span>{t(`statistics:question.${analysis}.name`)}</span>}
        {use.title !== '' && <span>{use.title}</span>}
        <time dateTime={use.usedAt}>{formatDate(use.usedAt, 'minute')}</time>
      </div>
      {job && <JobState job={job} />}
      <div className={styles.useActions}>
        <Link to={toolAddress(use.tool)} state={{ inputs: use.inputs }} className={styles.again}>
          <RedoOutlined aria-hidden /> {t('history.again')}
        </Link>
        <Button
          type="text"
          icon={<DeleteOutlined aria-hidden />}
          aria-label={t('history.forgetOne', { title })}
          onClick={onForget}
        />
      </div>
    </li>
  )
}
