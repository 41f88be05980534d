import type { OfficeRun } from '@neuroloom/contract/office/operations'
import { Button, Select } from 'antd'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { formatDate, formatDuration, formatPercent } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { textParams } from '../../lib/text-params.ts'
import { toast } from '../../lib/toast.ts'
import { ConfirmRemove } from '../../ui/confirm-remove.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import list from '../../ui/list.module.css'
import { ListPages } from '../../ui/list-pages.tsx'
import { Loading } from '../../ui/loading.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './jobs.module.css'

const wishes = ['open', 'ended', 'failed'] as const
type Wish = (typeof wishes)[number]

const marks = {
  queued: 'waiting',
  running: 'running',
  paused: 'asked',
  done: 'done',
  stopped: 'cancelled',
  failed: 'failed',
} as const satisfies Record<OfficeRun['state'], string>

const REFRESH_MS = 5000

/** The runs of everybody: what computes and waits, and what has ended. */
export function Jobs() {
  const { t } = useTranslation('operations')
  const [search, setSearch] = useSearchParams()
  const state = wishes.find((one) => one === search.get('state')) ?? 'open'
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useCall(
    'office/runs',
    { state, page },
    { quiet: true, keepPrevious: true, refetchInterval: REFRESH_MS },
  )
  // The last one of a page may have ended meanwhile.
  if (data?.runs.length === 0 && page > 1 && !isPlaceholderData) setPage(page - 1)
  const choose = (chosen: Wish) => {
    setPage(1)
    setSearch({ part: 'jobs', ...(chosen !== 'open' && { state: chosen }) })
  }
  return (
    <>
      <div className={list.tools}>
        <Select<Wish>
          aria-label={t('jobs.which')}
          value={state}
          onChange={choose}
          options={wishes.map((value) => ({ value, label: t(`jobs.states.${value}`) }))}
        />
      </div>
      {!data && error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="rows" />}
      {data?.runs.length === 0 && <EmptyState title={t(`jobs.none.${state}`)} text={t('jobs.emptyText')} />}
      {data && data.runs.length > 0 && <JobTable runs={data.runs} />}
      {data && <ListPages {...data} page={page} onPage={setPage} />}
    </>
  )
}

function JobTable({ runs }: { runs: readonly OfficeRun[] }) {
  const { t } = useTranslation('operations')
  return (
    <table className={list.list} aria-label={t('jobs.title')}>
      <thead>
        <tr>
          <th>{t('jobs.run')}</th>
          <th className={list.wide}>{t('jobs.member')}</th>
          <th>{t('jobs.state')}</th>
          <th className={list.wide}>{t('jobs.since')}</th>
          <th>
            <span className="nl-hidden">{t('jobs.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <JobRow key={run.id} run={run} />
        ))}
      </tbody>
    </table>
  )
}

function JobRow({ run }: { run: OfficeRun }) {
  const { t } = useTranslation(['operations', 'runs', 'networks', 'results'])
  const name = t(`runs:list.${run.kind}`, { number: run.number })
  const network = run.ownNetworkName ?? t(`networks:${run.network}.title`, { defaultValue: run.network })
  const since = formatDate(run.endedAt ?? run.startedAt ?? run.queuedAt, 'minute')
  const member = `${run.member.nickName} (${run.member.account})`
  return (
    <tr>
      <td>
        <strong>{name}</strong>
        <small>{network}</small>
        <small className={list.narrow}>{member}</small>
        <small className={list.narrow}>{since}</small>
      </td>
      <td className={list.wide}>
        {run.member.nickName}
        <small>{run.member.account}</small>
      </td>
      <td>
        <StateMark state={marks[run.state]} text={t(`state.${run.state}`)} />
        <small>{detailOf(run, t)}</small>
      </td>
      <td className={list.wide}>{since}</td>
      <td className={styles.actions}>{run.endedAt === null && <Deeds run={run} name={name} />}</td>
    </tr>
  )
}

/** What is known of a run beyond its state. */
function detailOf(run: OfficeRun, t: TFunction<['operations', 'results']>): string {
  const { state, isStopping, share, position, isPreferred, foreseenSeconds, error } = run
  const takes = foreseenSeconds === null ? '' : t('detail.takes', { time: formatDuration(foreseenSeconds) })
  const parts: string[] = []
  if (isStopping && state === 'running') parts.push(t('detail.stopping'))
  if (state === 'running' && share !== null) parts.push(formatPercent(share, 0))
  if (state === 'queued' && position !== null) parts.push(t('detail.position', { position }))
  if (state === 'queued' && isPreferred) parts.push(t('detail.preferred'))
  if (state === 'queued' || state === 'running') parts.push(takes)
  if (error !== null) parts.push(t(`results:runError.${error.code}.what`, textParams(error.params)))
  return parts.filter((part) => part !== '').join(' · ')
}

function Deeds({ run, name }: { run: OfficeRun; name: string }) {
  const { t } = useTranslation('operations')
  const [isAsking, setIsAsking] = useState(false)
  const prefer = useAction('office/preferRun', {
    refresh: ['office/runs'],
    onDone: () => toast.success(t(run.isPreferred ? 'jobs.putBack' : 'jobs.putFirst')),
  })
  const stop = useAction('office/stopRun', {
    refresh: ['office/runs', 'office/overview'],
    onDone: () => toast.success(t('jobs.stopped')),
  })
  return (
    <>
      {run.state === 'queued' && (
        <Button
          size="small"
          loading={prefer.isPending}
          onClick={() => prefer.mutate({ id: run.id, isPreferred: !run.isPreferred })}
        >
          {t(run.isPreferred ? 'jobs.unprefer' : 'jobs.prefer')}
        </Button>
      )}
      <Button size="small" danger disabled={run.isStopping} onClick={() => setIsAsking(true)}>
        {t('jobs.stop')}
      </Button>
      <ConfirmRemove
        open={isAsking}
        title={t('jobs.stopTitle', { name, member: run.member.nickName })}
        text={t('jobs.stopText')}
        confirmLabel={t('jobs.stopNow')}
        onConfirm={() => stop.mutateAsync({ id: run.id })}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
