import type { Answer } from '@neuroloom/contract/calls'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { Project } from '@neuroloom/contract/projects'
import { askedFor } from '@neuroloom/contract/suggest/asking'
import type { Task } from '@neuroloom/contract/task'
import { Alert, Button } from 'antd'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CallError, tellFailure } from '../../../lib/api.ts'
import { useClassName, withClass } from '../../../lib/class-name.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { useIsPhone } from '../../../ui/hooks/use-media.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { StepCount } from '../../../ui/step-count.tsx'
import { isTrainSet } from '../journey.ts'
import { ReplaceDialog } from '../replace-dialog.tsx'
import { DatasetChoice } from './dataset-choice.tsx'
import { FewDataDialog } from './few-data-dialog.tsx'
import { changesOf, type Draft, draftOf, errorsOf } from './settings-draft.ts'
import styles from './train-panel.module.css'
import { TrainSettings } from './train-settings.tsx'

/** Not there when the project is first shown. */
const BeginWith = lazyPart(async () => (await import('./begin-with.tsx')).BeginWith)

const Forecast = lazyPart(async () => (await import('../forecast.tsx')).Forecast)

type Suggestion = Answer<'runs/suggest'>

/** Pages hand in the cards of the networks, because features do not know each other. */
export type NetworkPicker = (props: {
  chosen: string
  suggested: string | null
  /** Of the chosen network with the classes of the data; null while it is not known. */
  chosenParameters: number | null
  onChoose: (network: string, name?: string) => void
}) => ReactNode

type Props = {
  project: Project & { task: Task }
  datasets: readonly Dataset[]
  networks: NetworkPicker
  networkName: (network: string) => string
  /** Leads back to the data of the project. */
  onSupplement: () => void
  onClose: () => void
}

/** From the data to a queued training: what will be trained on what, with which settings and why. */
export function TrainPanel(props: Props) {
  const { t } = useTranslation(['runs', 'common'])
  const { project, datasets } = props
  const usable = datasets.filter(isTrainSet)
  const [datasetId, setDatasetId] = useState<string | null>(null)
  const [picked, setPicked] = useState<{ id: string; name?: string } | null>(null)
  const dataset = usable.find(({ id }) => id === datasetId) ?? usable[0]
  const own = useSuggestion(project.id, dataset, null)
  const chosen = useSuggestion(project.id, dataset, picked?.id ?? null)
  const isPhone = useIsPhone()
  const [isChosen, setIsChosen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  // Its decision and its button are seen at once: when it opens, when what it suggests has come, and with each step.
  const stage = stageOf(isChosen, own.data !== undefined)
  useEffect(() => {
    if (stage) panel.current?.scrollIntoView?.({ block: 'start' })
  }, [stage])
  if (!dataset) return <Alert type="info" showIcon title={t('train.noData')} />
  return (
    <div className={styles.panel} ref={panel}>
      {isPhone && (
        <StepCount
          step={isChosen ? 2 : 1}
          of={2}
          title={t(isChosen ? 'train.step.start' : 'train.step.choose')}
        />
      )}
      <div className={styles.step} hidden={isPhone && isChosen}>
        <DatasetChoice
          label={t('train.dataset')}
          datasets={usable}
          chosen={dataset.id}
          onChoose={(id) => {
            setDatasetId(id)
            setPicked(null)
          }}
        />
        {props.networks({
          chosen: picked?.id ?? own.data?.network ?? '',
          suggested: own.data?.network ?? null,
          chosenParameters: parametersOf(chosen.isPlaceholderData ? undefined : chosen.data),
          onChoose: (id, name) => setPicked(name === undefined ? { id } : { id, name }),
        })}
        {isPhone && (
          <div className={styles.actions}>
            <Button type="primary" size="large" onClick={() => setIsChosen(true)}>
              {t('common:step.next')}
            </Button>
            <Button size="large" onClick={props.onClose}>
              {t('train.close')}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.step} hidden={isPhone && !isChosen && !chosen.isError}>
        {chosen.isError ? (
          <ErrorState error={chosen.error} retry={() => void chosen.refetch()} />
        ) : (
          <Chosen
            {...props}
            key={dataset.id}
            dataset={dataset}
            suggestion={chosen.data}
            ownName={picked?.name}
            isOld={chosen.isPlaceholderData}
            onBack={isPhone ? () => setIsChosen(false) : null}
          />
        )}
      </div>
    </div>
  )
}

function stageOf(isChosen: boolean, isKnown: boolean): 'open' | 'choose' | 'check' {
  if (isChosen) return 'check'
  return isKnown ? 'choose' : 'open'
}

/** Nothing can be counted of a network that does not fit. */
const parametersOf = (suggestion: Suggestion | undefined): number | null => suggestion?.parameters || null

const useSuggestion = (projectId: string, dataset: Dataset | undefined, network: string | null) =>
  useCall(
    'runs/suggest',
    { projectId, datasetId: dataset?.id ?? '', network },
    { enabled: dataset !== undefined, keepPrevious: true, quiet: true },
  )

type ChosenProps = Props & {
  dataset: Dataset
  suggestion: Suggestion | undefined
  /** Of a network of the member's own. */
  ownName: string | undefined
  isOld: boolean
  /** To the step before, where there is one. */
  onBack: (() => void) | null
}

/** One suggestion with the member's changes to it. Changes stay while another network is tried. */
function Chosen(props: ChosenProps) {
  const { project, dataset, suggestion, ownName, isOld, networkName, onSupplement, onClose, onBack } = props
  const { t } = useTranslation(['runs', 'common'])
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const [startFrom, setStartFrom] = useState<string | null>(null)
  const [asking, setAsking] = useState(false)
  const [isFull, setFull] = useState(false)
  const classNameOf = useClassName(project.task)
  const start = useStart({
    onFewData: () => setAsking(true),
    // What the owner's membership keeps is the owner's to clear.
    onFull: () => (project.access === 'own' ? setFull(true) : toast.error(t('replace.owner'))),
  })
  if (!suggestion) return <Loading />

  const draft: Draft = { ...draftOf(suggestion), ...changes }
  const handleStart = (force: boolean) => {
    const { hyper, validation } = changesOf(draft, suggestion)
    start.mutate({
      projectId: project.id,
      parts: dataset.parts.map(({ id }) => id),
      network: suggestion.network,
      hyper,
      ...(validation ? { validation } : {}),
      ...(startFrom ? { startFrom } : {}),
      force,
    })
  }
  const few = askedFor(suggestion.cautions)
  const isFew = few === null || few.name === 'few_per_class'
  const isBlocked = suggestion.blockers.length > 0 || Object.keys(errorsOf(draft)).length > 0
  return (
    <>
      <Suspense fallback={null}>
        <BeginWith projectId={project.id} task={project.task} chosen={startFrom} onChoose={setStartFrom} />
      </Suspense>
      <TrainSettings
        task={project.task}
        classes={dataset.classes}
        facts={dataset.facts}
        suggestion={suggestion}
        networkName={ownName ?? networkName(suggestion.network)}
        draft={draft}
        onChange={(next) => setChanges(differences(next, draftOf(suggestion)))}
      />
      <div className={styles.actions}>
        <Button
          type="primary"
          size="large"
          disabled={isBlocked || isOld}
          loading={start.isPending}
          onClick={() => (few ? setAsking(true) : handleStart(false))}
        >
          {t('train.start')}
        </Button>
        <Button size="large" onClick={onBack ?? onClose}>
          {t(onBack ? 'common:back' : 'train.close')}
        </Button>
        <Suspense fallback={null}>
          <Forecast suggestion={suggestion} task={project.task} draft={draft} />
        </Suspense>
      </div>
      <ReplaceDialog
        open={isFull}
        networkName={networkName}
        onRemoved={() => {
          setFull(false)
          // Whoever got as far as this has given the word for few data, if it was asked for.
          handleStart(few !== null)
        }}
        onClose={() => setFull(false)}
      />
      <FewDataDialog
        open={asking}
        title={few && !isFew ? t(`caution.${few.name}.title`, { context: project.task }) : t('fewData.title')}
        text={
          few
            ? t(`caution.${few.name}.text`, {
                ...withClass(few.params, classNameOf),
                context: project.task,
              })
            : t('fewData.text')
        }
        meaning={isFew ? t('fewData.meaning') : null}
        isStarting={start.isPending}
        onForce={() => handleStart(true)}
        onSupplement={() => {
          setAsking(false)
          onSupplement()
        }}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

/** The server may find few data that the suggestion had not seen yet: then it asks as well. */
function useStart({ onFewData, onFull }: { onFewData: () => void; onFull: () => void }) {
  const navigate = useNavigate()
  const { t } = useTranslation('runs')
  return useAction('runs/start', {
    quiet: true,
    refresh: ['runs/list', 'projects/detail', 'projects/list', 'plans/shared'],
    onDone: (run) => void navigate(`/run?id=${run.id}`),
    onFailed: (error, { force }) => {
      const name = error instanceof CallError ? error.name : null
      // What no split can be made of, no word makes good.
      const splitNeeds = error instanceof CallError && error.params.need !== undefined
      if (name === 'data_too_few' && splitNeeds) toast.error(t('fewData.split', { ...error.params }))
      else if (name === 'data_too_few' && !force) onFewData()
      else if (name === 'plan_limit') onFull()
      else tellFailure(error)
    },
  })
}

function differences(draft: Draft, suggested: Draft): Partial<Draft> {
  const changed = Object.entries(draft).filter(([field, value]) => value !== suggested[field as keyof Draft])
  // Keys and values come from a draft.
  return Object.fromEntries(changed) as Partial<Draft>
}
