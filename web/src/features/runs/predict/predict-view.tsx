import { boxesCount } from '@neuroloom/contract/decision'
import { isOpen } from '@neuroloom/contract/run-states'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useCall } from '../../../lib/query.ts'
import { Panel } from '../../../ui/page.tsx'
import { Downloads } from '../downloads.tsx'
import { itemKind } from '../results/item-kind.ts'
import styles from '../run.module.css'
import { SetAside } from '../set-aside.tsx'
import { PredictGallery } from './predict-gallery.tsx'
import { perClass } from './predict-words.tsx'
import { preparedBy } from './prepared-by.ts'

/** What a network says of new pictures: nothing is judged, so there are no figures but how many. */
export function PredictView({ run }: { run: LearnedRun }) {
  const { t } = useTranslation(['predict', 'runs', 'results'])
  if (isOpen(run)) return null
  const count = run.counts?.predicted ?? 0
  return (
    <>
      {run.artifacts.length > 0 ? (
        <Panel
          title={t('result.title')}
          extra={run.parentId ? <Link to={`/run?id=${run.parentId}`}>{t('result.toTraining')}</Link> : null}
        >
          <div className={styles.progress}>
            <Alert type="info" showIcon title={t('result.caution')} />
            <p className={styles.lead}>
              {t('result.done', { count, context: run.task })} <Empty run={run} />
            </p>
            <Totals run={run} />
            <Learned run={run} />
            <Replayed run={run} />
            <PredictGallery run={run} />
          </div>
        </Panel>
      ) : null}
      <SetAside run={run} />
      {run.artifacts.length > 0 ? (
        <Panel title={t('results:artifact.title')}>
          <Downloads run={run} />
        </Panel>
      ) : null}
    </>
  )
}

/** How many boxes of each class there are in all pictures; predictions from before that was counted say nothing. */
function Totals({ run: { task, classes, counts } }: { run: LearnedRun }) {
  const { t } = useTranslation('predict')
  if (task !== 'detection') return null
  const list = perClass(
    classes,
    classes.map((_, index) => counts?.[boxesCount(index)] ?? 0),
  )
  return list === '' ? null : <p className={styles.lead}>{t('result.boxTotals', { list })}</p>
}

/** What a network says of pictures that it learned from tells nothing of how it does on others. */
function Learned({ run: { counts } }: { run: LearnedRun }) {
  const { t } = useTranslation('predict')
  const count = counts?.learned ?? 0
  return count === 0 ? null : <Alert type="warning" showIcon title={t('result.learned', { count })} />
}

/** What was done with the images first; results lie on what came of that. */
function Replayed({ run: { id } }: { run: LearnedRun }) {
  const { t } = useTranslation(['predict', 'recipes'])
  const { data } = useCall('runs/recipe', { id }, { quiet: true })
  const steps = preparedBy(data?.recipe ?? null, (step) => t(`recipes:step.${step.do}.name`))
  return steps === '' ? null : <p className={styles.lead}>{t('replay.done', { steps })}</p>
}

/** In how many the network found nothing at all; in predictions from before that was counted, nothing is said of it. */
function Empty({ run: { task, counts } }: { run: LearnedRun }) {
  const { t } = useTranslation('predict')
  const count = counts?.empty ?? 0
  if (count === 0) return null
  const context = itemKind[task]
  return <>{t(count === counts?.predicted ? 'result.emptyAll' : 'result.empty', { count, context })}</>
}
