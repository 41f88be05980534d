import { shareOf } from '@neuroloom/contract/run-progress'
import type { Progress as ProgressRecord, Run } from '@neuroloom/contract/runs'
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { formatAbout } from '../../lib/format-about.ts'
import { correctedSeconds } from './corrected.ts'
import styles from './run.module.css'

/** How far a queued or running run is, in numbers and as a bar; announced politely to screen readers. */
export function RunProgress({ run }: { run: Run }) {
  const { t } = useTranslation(['runs', 'queue'])
  const phase = usePhase(run)
  if (run.state === 'queued') {
    return (
      <p className={styles.lead} role="status">
        {run.resumed > 0 ? t('run.queuedAgain') : t('run.queued', { position: run.position ?? 1 })}{' '}
        <ExpectedStart seconds={run.startsInSeconds} /> <Takes forecast={run.takes} />
      </p>
    )
  }
  const { progress } = run
  if (run.state === 'paused') return <Paused run={run} />
  return (
    <div className={styles.progress}>
      <p className={styles.lead} role="status">
        {leadOf(run, {
          stopping: t(stopping[run.kind]),
          pausing: t(`queue:${savingPause[run.kind]}`),
          phase,
        })}
      </p>
      <Progress
        percent={Math.floor(shareOf(progress) * 100)}
        status="active"
        aria-label={t('run.progressLabel')}
        size={{ height: 12 }}
      />
      {progress ? <Figures progress={progress} kind={run.kind} /> : null}
      <Corrected run={run} />
    </div>
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
  if (seconds === null) return null
  const [time, before] = [formatAbout(seconds), formatAbout(run.foreseenSeconds ?? 0)]
  if (time === before) return null
  return <p>{t('corrected', { time, before })}</p>
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

/** What is kept, and where it will go on. */
function Paused({ run }: { run: Run }) {
  const { t } = useTranslation(['queue', 'runs'])
  return (
    <div className={styles.progress}>
      <p className={styles.lead} role="status">
        {t(run.startedAt === null ? 'pausedWaiting' : paused[run.kind])}
      </p>
      {run.progress && run.kind !== 'test' ? (
        <Progress
          percent={Math.floor(shareOf(run.progress) * 100)}
          status="normal"
          aria-label={t('runs:run.progressLabel')}
          size={{ height: 12 }}
        />
      ) : null}
    </div>
  )
}

function Figures({ progress, kind }: { progress: ProgressRecord; kind: Run['kind'] }) {
  const { t } = useTranslation('runs')
  const { fold, folds, epoch, epochs, step, steps, itemsPerSecond, etaSeconds } = progress
  const figures = [
    { name: 'timeLeft', value: formatDuration(etaSeconds), show: true },
    { name: 'fold', value: t('run.of', { value: fold + 1, total: folds }), show: folds > 1 },
    {
      name: 'epoch',
      value: t('run.of', { value: epoch, total: epochs }),
      show: kind === 'train' || kind === 'flow_train',
    },
    {
      name: 'step',
      value: t('run.of', { value: formatNumber(step), total: formatNumber(steps) }),
      show: kind !== 'flow',
    },
    {
      name: 'speed',
      value: t('run.perSecond', { value: formatNumber(itemsPerSecond, 0) }),
      // Of pictures.
      show: kind !== 'flow' && kind !== 'flow_train',
    },
  ]
  return (
    <dl className={styles.figures}>
      {figures
        .filter(({ show }) => show)
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`run.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
