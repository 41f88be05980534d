import type { CustomTask } from '@neuroloom/contract/custom/task-calls'
import { Radio, Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAllPages } from '../../lib/query.ts'
import styles from './custom.module.css'

/** `id` '' = the kind is chosen, the thing is not yet. */
export type Source = { kind: 'project' | 'folder'; id: string } | null

type Props = { source: Source | CustomTask['source']; onSource: (source: Source) => void }

/** Which of the own projects or folders it is about, or none. */
export function SourceField({ source, onSource }: Props) {
  const { t } = useTranslation('custom')
  const label = useId()
  return (
    <>
      <span id={label} className={styles.label}>
        {t('fact.source')}
      </span>
      <Radio.Group
        aria-labelledby={label}
        value={source?.kind ?? 'none'}
        onChange={({ target }) => onSource(target.value === 'none' ? null : { kind: target.value, id: '' })}
        options={(['none', 'project', 'folder'] as const).map((value) => ({
          value,
          label: t(`source.${value}`),
        }))}
      />
      {source?.kind === 'project' && (
        <ProjectSelect id={source.id} onId={(id) => onSource({ kind: 'project', id })} />
      )}
      {source?.kind === 'folder' && (
        <FolderSelect id={source.id} onId={(id) => onSource({ kind: 'folder', id })} />
      )}
      <p className={styles.help}>{t('source.help')}</p>
    </>
  )
}

type SelectProps = { id: string; onId: (id: string) => void }

function ProjectSelect({ id, onId }: SelectProps) {
  const { t } = useTranslation('custom')
  const { data, isPending } = useAllPages('projects/list', {})
  const own = (data?.pages ?? []).flatMap((page) => page.projects).filter(({ access }) => access === 'own')
  return <NamedSelect label={t('source.project')} things={own} isLoading={isPending} id={id} onId={onId} />
}

function FolderSelect({ id, onId }: SelectProps) {
  const { t } = useTranslation('custom')
  const { data, isPending } = useAllPages('files/list', { folderId: null })
  const folders = (data?.pages ?? []).flatMap((page) => page.entries).filter(({ kind }) => kind === 'folder')
  return <NamedSelect label={t('source.folder')} things={folders} isLoading={isPending} id={id} onId={onId} />
}

type NamedProps = SelectProps & {
  label: string
  things: readonly { id: string; name: string }[]
  isLoading: boolean
}

function NamedSelect({ label, things, isLoading, id, onId }: NamedProps) {
  const { t } = useTranslation('custom')
  return (
    <Select
      aria-label={label}
      showSearch={{ optionFilterProp: 'label' }}
      loading={isLoading}
      placeholder={t('source.choose')}
      notFoundContent={isLoading ? null : t('source.nothing')}
      value={id === '' ? null : id}
      options={things.map(({ id: value, name }) => ({ value, label: name }))}
      onChange={(chosen) => onId(chosen ?? '')}
    />
  )
}
