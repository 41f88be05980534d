import type { Document } from '@neuroloom/contract/network/document/document'
import { axesOf, networkTask, type Task, tasks } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../../lib/query.ts'
import { useEditor } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import { TrainData } from './train-data.tsx'
import { TrainReady } from './train-ready.tsx'
import { TrainRun } from './train-run.tsx'

/** From the drawing to a training without leaving it: data, what stands in the way, start, progress. */
export function TrainTab() {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const document = useEditor((state) => state.document)
  const { task } = document
  const data = useEditor((state) => state.data)
  const run = useNewestRun()
  const [trainable, ...others] = tasksOf(document)
  if (trainable === undefined) {
    return (
      <div className={panel.panel}>
        <p className={panel.note}>
          {task === 'flow' ? (
            <Elsewhere />
          ) : (
            t('train.notYet', { task: t(`tasks:name.${task}`, { defaultValue: task }) })
          )}
        </p>
      </div>
    )
  }
  return (
    <div className={panel.panel}>
      {run === undefined ? null : <TrainRun key={run.id} id={run.id} />}
      <TrainData tasks={[trainable, ...others]} documentTask={task} />
      {data === null ? null : <TrainReady key={data.datasetId} data={data} task={trainable} />}
    </div>
  )
}

/** Where networks of 4D flow learn. */
function Elsewhere() {
  const { t } = useTranslation('flow-sharpen')
  return t('drawn')
}

/** Tasks that a document serves: those of its kind, with pictures or volumes as it reads. */
function tasksOf({ task, inputs }: Document): Task[] {
  const axes = [...inputs.values()].some(({ kind }) => kind === 'volume') ? 3 : 2
  return tasks.filter((one) => networkTask[one] === task && axesOf(one) === axes)
}

/** The newest training of this network. */
function useNewestRun() {
  const network = useEditor(({ file }) => file.id)
  const { data } = useCall('runs/list', { projectId: null }, { quiet: true })
  return data?.runs.find((run) => run.network === network && run.kind === 'train')
}
