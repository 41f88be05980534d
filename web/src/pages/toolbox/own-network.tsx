import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { Button, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type PickedEntry, SourcePicker } from '../../features/files/source-picker.tsx'
import { ToolForm } from '../../features/toolbox/own/tool-form.tsx'
import { valuesOf } from '../../features/toolbox/own/values.ts'
import styles from '../../features/toolbox/toolbox.module.css'
import { useInputs } from '../../features/toolbox/use-inputs.ts'
import { useAction, useAllPages } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'

type Source = { folderId: string } | { fileIds: string[] }
type Chosen = { source: Source; name: string }
type Project = { id: string; name: string }

/** A tool made of a trained network: on which images, and which own project keeps the answers. */
export function NetworkTool({ tool }: { tool: OwnTool }) {
  const projects = useAllPages('projects/list', {})
  if (projects.isError) return <ErrorState error={projects.error} retry={() => void projects.refetch()} />
  if (projects.isPending || projects.hasNextPage) return <Loading shape="page" />
  const fitting = projects.data.pages
    .flatMap((page) => page.projects)
    .filter(({ access, task }) => access !== 'view' && task === tool.task)
  return <Form tool={tool} projects={fitting} />
}

function Form({ tool, projects }: { tool: OwnTool; projects: readonly Project[] }) {
  const { t } = useTranslation(['own-tools', 'toolbox', 'predict'])
  const inputs = useInputs()
  const navigate = useNavigate()
  const field = useId()
  const [values, setValues] = useState(() => valuesOf(tool.fields, inputs.settings))
  const [chosen, setChosen] = useState<Chosen | null>(() => chosenBefore(inputs))
  const [isChoosing, setChoosing] = useState(false)
  const before = projects.find(({ id }) => id === inputs.project) ?? projects.find(isOf(tool)) ?? projects[0]
  const [projectId, setProjectId] = useState(before?.id ?? NEW)
  const create = useAction('projects/create', { refresh: ['projects/list'] })
  const predict = useAction('toolbox/predictByTool', {
    refresh: ['toolbox/history', 'runs/list', 'projects/detail'],
    onDone: ({ id }) => void navigate(`/run?id=${id}`),
  })
  const run = async () => {
    if (!chosen || tool.task === null) return
    // A refusal is told by the call.
    const kept =
      projectId === NEW
        ? await create.mutateAsync({ name: freeName(tool.name, projects), task: tool.task }).catch(() => null)
        : { id: projectId }
    if (kept) predict.mutate({ id: tool.id, settings: values, projectId: kept.id, ...chosen.source })
  }
  return (
    <Panel>
      <div className={styles.steps}>
        <p>{chosen ? t('chosen', { name: chosen.name }) : t('network.lead')}</p>
        <Button
          size="large"
          {...(chosen ? {} : { type: 'primary' as const })}
          onClick={() => setChoosing(true)}
        >
          {t(chosen ? 'network.chooseOther' : 'network.choose')}
        </Button>
        <ToolForm fields={tool.fields} values={values} onChange={setValues} />
        <div className={styles.field}>
          <label htmlFor={field}>{t('network.project')}</label>
          <Select
            id={field}
            showSearch={{ optionFilterProp: 'label' }}
            value={projectId}
            options={[
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
              { value: NEW, label: t('network.newProject', { name: freeName(tool.name, projects) }) },
            ]}
            onChange={setProjectId}
          />
        </div>
        <Button
          size="large"
          {...(chosen ? { type: 'primary' as const } : {})}
          disabled={!chosen}
          loading={create.isPending || predict.isPending}
          onClick={() => void run()}
        >
          {t('run')}
        </Button>
        <p>{t('network.place')}</p>
      </div>
      <SourcePicker
        open={isChoosing}
        busy={false}
        title={t('network.what')}
        okText={t('toolbox:take')}
        onPick={(source: Source, entries: PickedEntry[]) => {
          setChoosing(false)
          setChosen({ source, name: entries.map(({ name }) => name).join(', ') })
        }}
        onClose={() => setChoosing(false)}
      />
    </Panel>
  )
}

/** In place of a project: one that is made first. */
const NEW = ''

const isOf =
  (tool: OwnTool) =>
  ({ name }: Project): boolean =>
    name === tool.name

function freeName(name: string, projects: readonly Project[]): string {
  const taken = new Set(projects.map((project) => project.name))
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} (${number})`
    if (!taken.has(candidate)) return candidate
  }
}

function chosenBefore({ folder, files, name = '' }: ReturnType<typeof useInputs>): Chosen | null {
  if (folder) return { source: { folderId: folder }, name }
  return files ? { source: { fileIds: files.split(',') }, name } : null
}
