import type { Run } from '@neuroloom/contract/runs'
import { Alert } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { textParams } from '../../lib/text-params.ts'
import type { Warning } from './apply-event.ts'
import styles from './run.module.css'

/** What a reader must know about this run before its figures: failure, stop, interruption, warnings. */
export function RunNotices({ run, warnings }: { run: Run; warnings: readonly Warning[] }) {
  const { t } = useTranslation(['runs', 'results'])
  return (
    <div className={styles.notices}>
      {run.state === 'failed' ? <Failure run={run} /> : null}
      {run.state === 'stopped' ? (
        <Alert
          type="info"
          showIcon
          title={t(`run.stopped.${run.kind === 'flow_train' ? 'train' : run.kind}`)}
        />
      ) : null}
      {run.resumed > 0 ? (
        <Alert type="info" showIcon title={t('run.resumed', { count: run.resumed })} />
      ) : null}
      {run.startFrom ? <BegunWith from={run.startFrom} /> : null}
      {warnings.map(({ code, params }) => (
        <Alert
          key={code}
          type="warning"
          showIcon
          title={t(`results:runWarning.${code}`, textParams(params))}
        />
      ))}
    </div>
  )
}

/** One sentence on what happened and one on what to do. */
function Failure({ run }: { run: Run }) {
  const { t } = useTranslation(['runs', 'results'])
  const { code, params } = run.error ?? { code: 'internal' as const, params: {} }
  return (
    <Alert
      type="error"
      showIcon
      title={t(`results:runError.${code}.what`, textParams(params))}
      description={
        code === 'flow_not_computed' ? (
          <Suspense fallback={null}>
            <FlowRefusal params={params} />
          </Suspense>
        ) : (
          t(`results:runError.${code}.todo`, { ...textParams(params), context: run.kind })
        )
      }
    />
  )
}

/** Why nothing was computed, with what helps. */
function FlowRefusal({ params }: Pick<NonNullable<Run['error']>, 'params'>) {
  const { t } = useTranslation(['flow-run', 'results'])
  return t(`refusal.${params.refusal}`, {
    ...textParams(params),
    defaultValue: t('results:runError.flow_not_computed.todo'),
  })
}

type Begun = NonNullable<Run['startFrom']>

/** Which earlier training a run began with, how much of it, and what that means for its figures. */
function BegunWith({ from }: { from: Begun }) {
  const { t } = useTranslation('queue')
  const name =
    from.model === null
      ? t(from.isSameProject ? 'begun.own' : 'begun.other', { number: from.number })
      : t('begun.model', { model: from.model, version: from.number })
  return (
    <>
      <Alert
        type="info"
        showIcon
        title={from.taken ? <Taken taken={from.taken} name={name} /> : t('begun.will', { name })}
        action={<Opening from={from} />}
      />
      {from.hasSeenTest ? (
        <Alert type="warning" showIcon title={t('begun.seenTitle')} description={t('begun.seen')} />
      ) : null}
    </>
  )
}

function Opening({ from }: { from: Begun }) {
  const { t } = useTranslation('queue')
  if (from.model !== null) return <Link to={`/merchandiseDetail?id=${from.id}`}>{t('news.open')}</Link>
  return from.isSameProject ? <Link to={`/run?id=${from.id}`}>{t('news.open')}</Link> : null
}

function Taken({ taken, name }: { taken: NonNullable<Begun['taken']>; name: string }) {
  const { t } = useTranslation('queue')
  const { layers, ofLayers } = taken
  return (
    <>
      {t('begun.taken', { taken: layers, count: ofLayers, name })}{' '}
      {layers < ofLayers ? t('begun.rest') : null}
    </>
  )
}
