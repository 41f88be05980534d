import { isLearnedRun } from '@neuroloom/contract/flow/learned-run'
import { client } from '@neuroloom/contract/limits'
import type { LiveEvent } from '@neuroloom/contract/live'
import { mainMetric } from '@neuroloom/contract/metric'
import { shareOf } from '@neuroloom/contract/run-progress'
import { isOpen } from '@neuroloom/contract/run-states'
import type { CurvePoint, LearnedRun, Progress as ProgressRecord } from '@neuroloom/contract/runs'
import { Button, Popconfirm, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatDuration, formatNumber } from '../../../../lib/format.ts'
import { useLive } from '../../../../lib/live.ts'
import { formatMetric } from '../../../../lib/metric.ts'
import { useAction, useCall } from '../../../../lib/query.ts'
import panel from '../panel.module.css'
import { Sparkline } from './sparkline.tsx'
import styles from './train.module.css'

/** The newest training of this network: how far, how good, stop. */
export function TrainRun({ id }: { id: string }) {
  const { t } = useTranslation(['dripe-panels', 'runs'])
  const { detail, progress } = useFollowed(id)
  if (detail === undefined) return null
  const { run } = detail
  if (!isLearnedRun(run)) return null
  const isGoing = isOpen(run)
  return (
    <section className={panel.section} aria-label={t('train.run', { number: run.number })}>
      <div className={styles.head}>
        <strong>{t('train.run', { number: run.number })}</strong>
        <span data-state={run.state} className={styles.state}>
          {run.stopping ? t('runs:state.stopping') : t(`runs:state.${run.state}`)}
        </span>
      </div>
      {isGoing ? <Going run={run} progress={progress ?? run.progress} /> : null}
      <Curves run={run} curves={detail.curves} />
      <div className={panel.row}>
        <Link to={`/run?id=${encodeURIComponent(id)}`}>{t('train.open')}</Link>
        {isGoing ? <Stop run={run} /> : null}
      </div>
    </section>
  )
}

/** Progress passes by; everything else makes the record old. */
function useFollowed(id: string) {
  const [progress, setProgress] = useState<ProgressRecord | null>(null)
  const { data: detail } = useCall(
    'runs/detail',
    { id },
    {
      quiet: true,
      // The place in the queue changes by what others do.
      refetchInterval: ({ state }) => (state.data?.run.state === 'queued' ? client.pollMs : false),
    },
  )
  const isGoing = detail !== undefined && isOpen(detail.run)
  const handleEvent = (event: LiveEvent) => {
    // Checked by the server against the contract's engine events.
    if (event.type === 'progress') setProgress(event.data as ProgressRecord)
  }
  useLive(isGoing ? { kind: 'run', id } : null, {
    after: detail?.run.lastEventId ?? 0,
    onEvent: handleEvent,
    refresh: ['runs/detail', 'runs/list'],
  })
  return { detail, progress }
}

function Going({ run, progress }: { run: LearnedRun; progress: ProgressRecord | null }) {
  const { t } = useTranslation(['dripe-panels', 'runs'])
  if (run.state === 'queued') {
    return (
      <p className={panel.note} role="status">
        {t('runs:run.queued', { position: run.position ?? 1 })}
      </p>
    )
  }
  // The word beside its name says all.
  if (run.state === 'paused') return null
  return (
    <>
      <Progress
        percent={Math.floor(100 * shareOf(progress))}
        status="active"
        aria-label={t('runs:run.progressLabel')}
      />
      <p className={panel.note} role="status">
        {run.phase === null ? t('runs:phase.preparing') : t(`runs:phase.${run.phase}`)}
        {progress === null ? null : (
          <>
            {' '}
            · {t('train.epoch', { epoch: progress.epoch, epochs: progress.epochs })} ·{' '}
            {t('train.left', { time: formatDuration(progress.etaSeconds) })}
          </>
        )}
      </p>
    </>
  )
}

function Curves({ run, curves }: { run: LearnedRun; curves: readonly CurvePoint[] }) {
  const { t } = useTranslation(['dripe-panels', 'runs'])
  const name = mainMetric[run.task]
  const values = (split: 'train' | 'validation', key: string) =>
    curves.filter((point) => point.split === split).flatMap(({ values: all }) => all[key] ?? [])
  const loss = values('train', 'loss')
  const score = values('validation', name)
  if (loss.length === 0 && score.length === 0) return null
  return (
    <div className={styles.curves}>
      <Sparkline label={t('runs:metric.loss.name')} values={loss} last={formatNumber(loss.at(-1) ?? 0)} />
      <Sparkline
        label={t(`runs:metric.${name}.name`)}
        values={score}
        last={formatMetric(name, score.at(-1))}
      />
    </div>
  )
}

function Stop({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['dripe-panels', 'runs'])
  const stop = useAction('runs/stop', { refresh: ['runs/detail', 'runs/list', 'projects/detail'] })
  return (
    <Popconfirm
      title={t('runs:stop.trainTitle')}
      description={t(run.startedAt === null ? 'runs:stop.queuedText' : 'runs:stop.trainText')}
      okText={t('runs:stop.confirm')}
      onConfirm={() => stop.mutate({ id: run.id })}
    >
      <Button size="small" danger disabled={run.stopping} loading={stop.isPending}>
        {t('runs:stop.button')}
      </Button>
    </Popconfirm>
  )
}
