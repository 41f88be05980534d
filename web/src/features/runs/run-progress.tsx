import { shareOf } from '@neuroloom/contract/run-progress'
import type { Run } from '@neuroloom/contract/runs'
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDuration } from '../../lib/format.ts'
import { formatAbout } from '../../lib/format-about.ts'
import { correctedSeconds } from './corrected.ts'
import styles from './run.module.css'

/** What a run that has not ended does or waits for; announced politely to screen readers. */
export function RunLead({ run }: { run: Run }) {
  const { t } = useTranslation(['runs', 'queue'])
  const phase = usePhase(run)
  return (
    <p className={styles.stripLead} role="status">
      {run.state === 'queued' ? (
        <>
          {t(waiting(run), { position: run.position ?? 1 })} <ExpectedStart seconds={run.startsInSeconds} />{' '}
          <Takes forecast={run.takes} />
        </>
      ) : null}
      {run.state === 'paused'
        ? t(`queue:${run.startedAt === null ? 'pausedWaiting' : paused[run.kind]}`)
        : null}
      {run.state === 'running'
        ? leadOf(run, {
            stopping: t(stopping[run.kind]),
            pausing: t(`queue:${savingPause[run.kind]}`),
            phase,
          })
        : null}
    </p>
  )
}

/** Beside one that has not begun yet: one that was interrupted, and one that was paused or made way for a short run. */
const waiting = ({ resumed, startedAt }: Run) => {
  if (resumed > 0) return 'run.queuedAgain'
  return startedAt === null ? 'run.queued' : 'run.queuedOn'
}

/** Of a run that goes on. */
export function TimeLeft({ run: { state, stopping, pausing, progress } }: { run: Run }) {
  const { t } = useTranslation('runs')
  if (state !== 'running' || stopping || pausing || !progress) return null
  return (
    <strong className={styles.timeLeft}>
      {t('run.left', { time: formatDuration(progress.etaSeconds) })}
    </strong>
  )
}

/** How far a run is; of a pause, where it goes on: a test then looks at all images again. */
export function RunBar({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const { progress, state, kind } = run
  if (state === 'queued' || (state === 'paused' && (!progress || kind === 'test'))) return null
  return (
    <>
      <Progress
        percent={Math.floor(shareOf(progress) * 100)}
        status={state === 'paused' ? 'normal' : 'active'}
        aria-label={t('run.progressLabel')}
        size={{ height: 12 }}
      />
      <Corrected run={run} />
    </>
  )
}

/** What is done at the moment. */
function usePhase({ kind, phase }: Run): string {
  const { t } = useTranslation(['runs', 'queue'])
  const name = phase ?? 'preparing'
  const text = t(`phase.${name}`)
  return kind === 'flow_train' ? t(`queue:flowTrain.${name}`, { defaultValue: text }) : text
}

function ExpectedStart({ seconds }: { seconds: number | null }) {
  const { t } = useTranslation('queue')
  if (seconds === null) return null
  return <>{seconds < 5 ? t('startsSoon') : t('startsIn', { time: formatAbout(seconds) })}</>
}

/** A range where nothing like it ended here yet. */
function Takes({ forecast }: { forecast: Run['takes'] }) {
  const { t } = useTranslation('queue')
  if (forecast === null) return null
  const { seconds, isSure } = forecast
  const [from, to] = [formatAbout(seconds / 2), formatAbout(seconds * 2)]
  if (isSure || from === to) return <>{t('takes', { time: formatAbout(seconds) })}</>
  return <>{t('takesPerhaps', { from, to })}</>
}

/** Where the run goes another way than was foreseen. */
function Corrected({ run }: { run: Run }) {
  const { t } = useTranslation('queue')
  const seconds = correctedSeconds(run)
  if (run.state === 'paused' || seconds === null) return null
  const [time, before] = [formatAbout(seconds), formatAbout(run.foreseenSeconds ?? 0)]
  if (time === before) return null
  return <p className={styles.corrected}>{t('corrected', { time, before })}</p>
}

const leadOf = (
  { stopping, pausing }: Run,
  texts: { stopping: string; pausing: string; phase: string },
): string => {
  if (stopping) return texts.stopping
  return pausing ? texts.pausing : texts.phase
}

const stopping = {
  train: 'runs:run.stopping',
  test: 'runs:run.stopping',
  predict: 'queue:stoppingPredict',
  flow: 'runs:state.stopping',
  flow_train: 'runs:run.stopping',
} as const satisfies Record<Run['kind'], string>

const savingPause = {
  train: 'savingPauseTrain',
  test: 'savingPauseTest',
  predict: 'savingPausePredict',
  flow: 'savingPauseTest',
  flow_train: 'savingPauseTrain',
} as const satisfies Record<Run['kind'], string>

const paused = {
  train: 'pausedTrain',
  test: 'pausedTest',
  predict: 'pausedPredict',
  flow: 'pausedFlow',
  flow_train: 'pausedTrain',
} as const satisfies Record<Run['kind'], string>
