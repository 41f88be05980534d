import type { Dataset, Labelled } from '@neuroloom/contract/datasets'
import { Progress, Tag } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../lib/format.ts'
import { useLive } from '../../lib/live.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { LineButton } from '../../ui/line-button.tsx'
import { ClassBars } from './class-bars.tsx'
import styles from './dataset-card.module.css'
import { ItemsDrawer, ProblemsDrawer } from './dataset-drawers.tsx'
import { DatasetFacts } from './dataset-facts.tsx'
import { DatasetFailure } from './dataset-failure.tsx'
import { DatasetMenu } from './dataset-menu.tsx'
import { DatasetParts } from './dataset-parts.tsx'
import { DatasetUse, type ProjectOfSet } from './dataset-use.tsx'
import { joinedGroups } from './reading/joined-names.ts'
import { SampleStrip } from './sample-strip.tsx'

/** Of a project, what its data sets need to know. */
type DatasetCardProps = {
  dataset: Dataset
  /** The project that it is shown in; its task says what a right folder looks like where the data set has none. */
  project?: ProjectOfSet
}

/** Everything worth knowing about one data set: being looked at, ready to learn from, or why not. */
export function DatasetCard({ dataset, project }: DatasetCardProps) {
  const { t } = useTranslation(['datasets', 'tasks'])
  const isChecking = dataset.state === 'checking'
  useLive(isChecking ? { kind: 'dataset', id: dataset.id } : null, {
    // The project counts their pictures.
    refresh: ['datasets/list', 'datasets/detail', 'projects/detail', 'projects/list'],
  })
  return (
    <article className={styles.card} aria-label={dataset.name}>
      <header className={styles.head}>
        <div>
          <h3>{dataset.name}</h3>
          <span className={styles.tags}>
            {dataset.task && <Tag>{t(`tasks:name.${dataset.task}`)}</Tag>}
            <StateTag dataset={dataset} />
            {dataset.labelled && <Tag color="purple">{t('labelled.here')}</Tag>}
            {dataset.owner !== '' && <Tag>{t('broughtBy', { name: dataset.owner })}</Tag>}
          </span>
          {dataset.labelled && dataset.owner === '' && <LabelledLinks labelled={dataset.labelled} />}
          {project && <DatasetUse dataset={dataset} project={project} />}
        </div>
        <DatasetMenu dataset={dataset} {...(project ? { project } : {})} />
      </header>
      {isChecking && <Checking dataset={dataset} />}
      {dataset.state === 'failed' && (
        <>
          <DatasetFailure dataset={dataset} task={dataset.task ?? project?.task ?? null} />
          <Spellings dataset={dataset} />
        </>
      )}
      {dataset.state === 'ready' && <Ready dataset={dataset} projectId={project?.id ?? null} />}
    </article>
  )
}

function StateTag({ dataset: { state } }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const colours = { checking: 'processing', ready: 'success', failed: 'error' } as const
  return <Tag color={colours[state]}>{t(`state.${state}`)}</Tag>
}

/** To the set that the labels come from, which their owner may see. */
function LabelledLinks({ labelled: { setId, from } }: { labelled: Labelled }) {
  const { t } = useTranslation('datasets')
  const set = `/labelling?set=${encodeURIComponent(setId)}`
  return (
    <span className={styles.links}>
      <Link to={set}>{t('labelled.set')}</Link>
      <Link to={`${set}&show=unfinished&of=${from === 'mine' ? 'mine' : 'all'}`}>{t('labelled.left')}</Link>
    </span>
  )
}

function Checking({ dataset: { progress } }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const { done, total } = progress
  const text =
    total > 0
      ? t('checking', { count: total, done: formatNumber(done), total: formatNumber(total) })
      : t('checkingStart')
  return (
    <div className={styles.checking}>
      <p role="status">{text}</p>
      <Progress
        percent={total > 0 ? Math.floor((done / total) * 100) : 0}
        status="active"
        aria-label={t('checkingProgress')}
      />
      <small>{t('checkingText')}</small>
    </div>
  )
}

/** Loaded by itself: most cards have nothing to say of it. */
const DatasetLabels = lazyPart(async () => (await import('./reading/label-source.tsx')).DatasetLabels)

/** The same. */
const ClassSpellings = lazyPart(async () => (await import('./reading/class-spellings.tsx')).ClassSpellings)
const DatasetMasks = lazyPart(async () => (await import('./reading/dataset-masks.tsx')).DatasetMasks)
const DatasetPatients = lazyPart(async () => (await import('./reading/dataset-patients.tsx')).DatasetPatients)
const DatasetPeople = lazyPart(async () => (await import('./reading/dataset-people.tsx')).DatasetPeople)
const DatasetDoubles = lazyPart(async () => (await import('./doubles/dataset-doubles.tsx')).DatasetDoubles)

/** Only where the pictures were made of DICOM. */
const WindowChoice = lazyPart(async () => (await import('./reading/window-choice.tsx')).WindowChoice)

/** Also where joining left a single class. */
function Spellings({ dataset }: { dataset: Dataset }) {
  if (!dataset.facts?.spellings && joinedGroups(dataset.reading.classNames).length === 0) return null
  return (
    <Suspense fallback={null}>
      <ClassSpellings dataset={dataset} />
    </Suspense>
  )
}

function Ready({ dataset, projectId }: { dataset: Dataset; projectId: string | null }) {
  const { t } = useTranslation('datasets')
  const [shown, setShown] = useState<'items' | 'problems' | null>(null)
  const close = () => setShown(null)
  return (
    <>
      <DatasetParts dataset={dataset} />
      <DatasetFacts dataset={dataset} />
      <Suspense fallback={null}>
        <DatasetMasks dataset={dataset} />
      </Suspense>
      {dataset.facts?.labelSource && (
        <Suspense fallback={null}>
          <DatasetLabels dataset={dataset} />
        </Suspense>
      )}
      <Spellings dataset={dataset} />
      <Suspense fallback={null}>
        <DatasetPatients dataset={dataset} />
      </Suspense>
      {dataset.facts?.people && (
        <Suspense fallback={null}>
          <DatasetPeople dataset={dataset} />
        </Suspense>
      )}
      {dataset.facts?.dicom && (
        <Suspense fallback={null}>
          <WindowChoice dataset={dataset} />
        </Suspense>
      )}
      <div className={styles.body}>
        <ClassBars dataset={dataset} />
        <SampleStrip dataset={dataset} onOpen={() => setShown('items')} />
      </div>
      {dataset.problemCount > 0 && (
        <LineButton
          tone="warning"
          title={t('setAside', { count: dataset.problemCount, shown: formatNumber(dataset.problemCount) })}
          action={t('setAsideLink')}
          onClick={() => setShown('problems')}
        />
      )}
      {dataset.facts?.doubles && (
        <Suspense fallback={null}>
          <DatasetDoubles dataset={dataset} projectId={projectId} />
        </Suspense>
      )}
      <ItemsDrawer dataset={dataset} open={shown === 'items'} onClose={close} />
      <ProblemsDrawer dataset={dataset} open={shown === 'problems'} onClose={close} />
    </>
  )
}
