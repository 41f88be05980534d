import { DisconnectOutlined } from '@ant-design/icons'
import type { Dataset } from '@neuroloom/contract/datasets'
import { isLearned, type Task } from '@neuroloom/contract/task'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../../lib/format.ts'
import { useAllPages, useCall } from '../../../../lib/query.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import type { BoundData } from '../../editor/store.ts'
import { useEditor, useEditorStore } from '../../editor/use-editor.ts'
import { dataNumbers } from '../guided/guided-size.ts'
import panel from '../panel.module.css'
import { Field, Tool } from '../settings/field.tsx'
import styles from './train.module.css'

/** Which data the network is looked at with: their classes, channels and size become its own. */
export function TrainData({ tasks, documentTask }: { tasks: readonly Task[]; documentTask: string }) {
  const { t } = useTranslation(['dripe-panels', 'tasks'])
  const bound = useEditor((state) => state.data)
  const [chosen, setChosen] = useState<string | null>(bound?.projectId ?? null)
  const { data, error, refetch } = useAllPages('projects/list', {})
  if (error && !data) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={2} />
  // Whoever may only look at a project cannot train in it.
  const projects = data.pages
    .flatMap((page) => page.projects)
    .filter(({ task, access }) => isLearned(task) && tasks.includes(task) && access !== 'view')
  const [only] = projects
  if (only === undefined) {
    return (
      <div className={panel.section}>
        <p className={panel.note}>{t('train.noProject', { task: t(`tasks:name.${documentTask}`) })}</p>
        <Link to="/projectHome">{t('train.toProjects')}</Link>
      </div>
    )
  }
  const projectId = chosen ?? (projects.length === 1 ? only.id : null)
  return (
    <section className={panel.section} aria-label={t('train.data')}>
      <h3 className={panel.heading}>{t('train.data')}</h3>
      {bound === null ? <p className={panel.note}>{t('train.help')}</p> : null}
      <Field label={t('train.project')}>
        {(ids) => (
          <Select
            {...ids}
            size="small"
            showSearch={{ optionFilterProp: 'label' }}
            value={projectId}
            placeholder={t('train.chooseProject')}
            options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setChosen}
          />
        )}
      </Field>
      {projectId === null ? null : <DatasetField projectId={projectId} />}
      {bound === null ? null : <Bound data={bound} />}
    </section>
  )
}

function DatasetField({ projectId }: { projectId: string }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const bound = useEditor((state) => state.data)
  const { data } = useCall('datasets/list', { projectId }, { quiet: true })
  const ready = (data?.datasets ?? []).filter(({ state }) => state === 'ready')
  if (data !== undefined && ready.length === 0) {
    return (
      <p className={panel.note}>
        {t('train.noDataset')}{' '}
        <Link to={`/projectDetail?id=${encodeURIComponent(projectId)}`}>{t('train.toProject')}</Link>
      </p>
    )
  }
  const choose = (id: string) => {
    const dataset = ready.find((one) => one.id === id)
    if (dataset !== undefined) store.getState().bind(boundTo(dataset, projectId))
  }
  return (
    <Field label={t('train.dataset')}>
      {(ids) => (
        <Select
          {...ids}
          size="small"
          value={bound?.projectId === projectId ? bound.datasetId : null}
          placeholder={t('train.chooseDataset')}
          loading={data === undefined}
          options={ready.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={choose}
        />
      )}
    </Field>
  )
}

/** The size follows when the settings have been chosen from the data. */
const boundTo = (dataset: Dataset, projectId: string): BoundData => ({
  datasetId: dataset.id,
  projectId,
  name: dataset.name,
  facts: dataNumbers(dataset),
})

function Bound({ data }: { data: BoundData }) {
  const { t } = useTranslation('dripe-panels')
  const store = useEditorStore()
  const { classes, channels, size } = data.facts
  return (
    <div className={styles.bound}>
      <span>
        {classes === undefined ? null : (
          <strong>{t('train.classes', { count: classes, value: formatNumber(classes) })}</strong>
        )}
        {channels === undefined ? null : <> · {t(channels === 1 ? 'train.grey' : 'train.colour')}</>}
        {size === undefined ? null : <> · {size.join(' × ')}</>}
      </span>
      <Tool
        label={t('train.unbind', { name: data.name })}
        icon={<DisconnectOutlined aria-hidden />}
        onClick={() => store.getState().bind(null)}
      />
    </div>
  )
}
