import type { CodeRun } from '@neuroloom/contract/custom/code-calls'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { formatBytes, formatDate } from '../../lib/format.ts'
import { useAction, useCall } from '../../lib/query.ts'
import { Facts } from '../../ui/facts.tsx'
import { StateMark } from '../../ui/state-mark.tsx'
import styles from './office.module.css'

const POLL_MS = 2000
const isOpen = ({ state }: CodeRun): boolean => state === 'queued' || state === 'running'

/** Runs of an approved upload in the sandbox, and starting one. */
export function CodeRuns({ id, canRun }: { id: string; canRun: boolean }) {
  const { t } = useTranslation('code-office')
  const [wanted, setWanted] = useState<string | null>(null)
  const { data: files } = useCall('office/codeEntries', { id }, { quiet: true })
  const { data } = useCall(
    'office/codeRuns',
    { id },
    { quiet: true, refetchInterval: ({ state }) => (state.data?.runs.some(isOpen) ? POLL_MS : false) },
  )
  const start = useAction('office/codeRun', { refresh: ['office/codeRuns'], quiet: true })
  const programs = (files?.entries ?? []).filter(({ path, isFolder }) => !isFolder && path.endsWith('.py'))
  const path = wanted ?? programs[0]?.path
  return (
    <section className={styles.form}>
      <h3>{t('run.title')}</h3>
      <p className={styles.help}>{t('run.text')}</p>
      <div className={styles.actions}>
        <Select
          aria-label={t('run.file')}
          className={styles.wide ?? ''}
          value={path ?? null}
          placeholder={t('run.noPython')}
          onChange={setWanted}
          options={programs.map((one) => ({ value: one.path, label: one.path }))}
        />
        <Button
          disabled={!canRun || !path || data?.runs.some(isOpen) === true}
          loading={start.isPending}
          onClick={() => path && start.mutate({ id, path })}
        >
          {t('run.start')}
        </Button>
      </div>
      {start.error && (
        <p role="alert" className={styles.problem}>
          {messageOf(start.error)}
        </p>
      )}
      {data?.runs.map((run) => (
        <RunShown key={run.id} run={run} />
      ))}
    </section>
  )
}

function RunShown({ run }: { run: CodeRun }) {
  const { t } = useTranslation('code-office')
  const { state, outcome, exitCode, printed, output, missing } = run
  const word = state === 'ended' && outcome !== null ? t(`run.outcome.${outcome}`) : t(`run.state.${state}`)
  return (
    <article className={styles.form} aria-label={t('run.of', { path: run.path })}>
      <div className={styles.head}>
        <StateMark state={markOf(run)} text={word} />
      </div>
      <Facts
        facts={[
          [t('run.file'), run.path],
          [t('run.started'), formatDate(run.startedAt, 'second')],
          [t('run.ended'), run.endedAt === null ? null : formatDate(run.endedAt, 'second')],
          [t('run.exitCode'), exitCode === null ? null : String(exitCode)],
          [t('run.missing'), missing.map((part) => t(`sandbox.part.${part}`)).join(', ')],
          [
            t('run.output'),
            output.map(({ path, sizeBytes }) => `${path} (${formatBytes(sizeBytes)})`).join(', '),
          ],
        ]}
      />
      {printed !== '' && <pre className={styles.quote}>{printed}</pre>}
    </article>
  )
}

function markOf({ state, outcome }: CodeRun): 'waiting' | 'running' | 'done' | 'failed' {
  if (state === 'queued') return 'waiting'
  if (state === 'running') return 'running'
  return outcome === 'done' ? 'done' : 'failed'
}
