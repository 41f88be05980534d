import { CheckCircleFilled, PlayCircleOutlined } from '@ant-design/icons'
import type { Body } from '@neuroloom/contract/calls'
import type { Suggestion } from '@neuroloom/contract/runs'
import { askedFor } from '@neuroloom/contract/suggest/asking'
import { hyperRanges } from '@neuroloom/contract/suggest/hyper-ranges'
import type { Task } from '@neuroloom/contract/task'
import { Alert, Button, Checkbox } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foreseenSeconds } from '../../../../lib/foreseen.ts'
import { formatBytes } from '../../../../lib/format.ts'
import { useAction, useCall } from '../../../../lib/query.ts'
import { RefusalText } from '../../../../ui/limits/refusal-text.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { NumberField } from '../../../../ui/number-field.tsx'
import { ReadinessAlerts } from '../../../../ui/readiness-alerts.tsx'
import { SplitChoice } from '../../../../ui/split-choice.tsx'
import type { BoundData } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { BrokenNote } from '../broken-note.tsx'
import panel from '../panel.module.css'
import { Field } from '../settings/field.tsx'
import styles from './train.module.css'

type Props = { data: BoundData; task: Task }

/** Whether everything is ready, and the start. The server looks at what it has saved. */
export function TrainReady({ data, task }: Props) {
  const { t } = useTranslation('dripe-panels')
  const isBroken = useEditor(({ resolved }) => resolved.errors.length > 0)
  const isSaved = useEditor(({ saveState }) => saveState === 'saved')
  const suggestion = useSuggestion(data, isSaved)
  useBoundSize(data, suggestion.data)
  if (suggestion.error) {
    return (
      <Alert
        type="error"
        showIcon
        title={<RefusalText error={suggestion.error} />}
        action={
          <Button size="small" onClick={() => void suggestion.refetch()}>
            {t('train.retry')}
          </Button>
        }
      />
    )
  }
  if (isBroken) return <BrokenNote />
  if (!isSaved) return <p className={panel.note}>{t('train.saving')}</p>
  if (suggestion.data === undefined) return <Loading count={2} />
  return <Ready suggestion={suggestion.data} data={data} task={task} />
}

/** Asked anew whenever another state has been saved. */
function useSuggestion({ projectId, datasetId }: BoundData, isSaved: boolean) {
  const network = useEditor(({ file }) => file.id)
  const revision = useEditor(({ saved }) => saved.revision)
  const query = useCall(
    'runs/suggest',
    { projectId, datasetId, network },
    { enabled: isSaved, quiet: true, keepPrevious: true },
  )
  const { refetch } = query
  const [asked, setAsked] = useState(revision)
  useEffect(() => {
    if (!isSaved || asked === revision) return
    setAsked(revision)
    void refetch()
  }, [isSaved, asked, revision, refetch])
  return query
}

/** The drawing takes the size that the pictures will have. */
function useBoundSize(data: BoundData, suggestion: Suggestion | undefined): void {
  const store = useEditorStore()
  const size = suggestion && sizeOf(suggestion.hyper)
  useEffect(() => {
    if (size === undefined || data.facts.size?.join() === size.join()) return
    store.getState().bind({ ...data, facts: { ...data.facts, size } })
  }, [store, data, size])
}

function Ready({ suggestion, data, task }: Props & { suggestion: Suggestion }) {
  const { t } = useTranslation('dripe-panels')
  const [isForced, setIsForced] = useState(false)
  const start = useStart(data)
  const { blockers, cautions, hyper, mayTune } = suggestion
  const [wished, setWished] = useState<number | null>(null)
  const epochs = wished ?? hyper.epochs
  const asked = askedFor(cautions)
  const [isCross, setIsCross] = useState(false)
  const cross = suggestion.crossValidation
  const validation = cross !== null && isCross ? ({ method: 'kfold', ...cross } as const) : undefined
  return (
    <section className={panel.section} aria-label={t('train.ready')}>
      <ReadinessAlerts suggestion={suggestion} task={task} />
      {blockers.length > 0 ? null : (
        <>
          {cross === null ? null : (
            <CrossChoice {...{ suggestion, data, task, cross, isCross }} onChoose={setIsCross} />
          )}
          <p className={styles.ready}>
            <CheckCircleFilled aria-hidden /> {t('train.settings', settingsOf(suggestion))}
          </p>
          {asked ? (
            <Checkbox checked={isForced} onChange={({ target }) => setIsForced(target.checked)}>
              {t('train.force', { context: asked.name })}
            </Checkbox>
          ) : null}
          {mayTune ? (
            <Field label={t('train.epochs')}>
              {(ids) => (
                <NumberField
                  {...ids}
                  size="small"
                  {...hyperRanges.epochs}
                  precision={0}
                  value={epochs}
                  onChange={(next) => setWished(next)}
                />
              )}
            </Field>
          ) : null}
          <Button
            type="primary"
            block
            icon={<PlayCircleOutlined aria-hidden />}
            disabled={asked !== null && !isForced}
            loading={start.isPending}
            onClick={() =>
              start.begin({
                force: isForced,
                hyper: epochs === hyper.epochs ? {} : { epochs },
                ...(validation ? { validation } : {}),
              })
            }
          >
            {t('train.start', { count: epochs })}
          </Button>
        </>
      )}
    </section>
  )
}

type CrossProps = Props & {
  suggestion: Suggestion
  cross: NonNullable<Suggestion['crossValidation']>
  isCross: boolean
  onChoose: (isCross: boolean) => void
}

/** Where a single split would keep little aside. */
function CrossChoice({ suggestion, data, task, cross, isCross, onChoose }: CrossProps) {
  const list = useCall('datasets/list', { projectId: data.projectId }, { quiet: true })
  const facts = list.data?.datasets.find(({ id }) => id === data.datasetId)?.facts
  const { hyper, validation } = suggestion
  if (!facts || validation.method !== 'holdout') return null
  const inTurn = { hyper, validation: { method: 'kfold', ...cross } as const }
  return (
    <SplitChoice
      {...{ facts, cross, isCross, onChoose }}
      ratio={validation}
      seconds={{ cross: foreseenSeconds(suggestion, task, inTurn), single: suggestion.forecastSeconds }}
    />
  )
}

/** Depth only of volumes. */
const sizeOf = ({ depth, imageSize }: Suggestion['hyper']): readonly number[] =>
  depth > 1 ? [depth, ...imageSize] : imageSize

const settingsOf = ({ hyper, memoryBytes }: Suggestion) => ({
  batch: hyper.batchSize,
  size: sizeOf(hyper).join(' × '),
  memory: formatBytes(memoryBytes),
})

function useStart({ projectId, datasetId }: BoundData) {
  const network = useEditor(({ file }) => file.id)
  const { data } = useCall('datasets/list', { projectId }, { quiet: true })
  const parts = data?.datasets.find(({ id }) => id === datasetId)?.parts.map(({ id }) => id) ?? []
  const start = useAction('runs/start', {
    refresh: ['runs/list', 'projects/detail', 'projects/list', 'networks/versions'],
  })
  return {
    isPending: start.isPending,
    begin: (wish: Pick<Body<'runs/start'>, 'force' | 'hyper' | 'validation'>) =>
      start.mutate({ projectId, parts, network, ...wish }),
  }
}
