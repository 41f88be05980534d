import { FileOutlined, FolderFilled, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { Breadcrumb, Checkbox, Modal, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall, usePages } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import styles from './folder/folder-picker.module.css'
import { useFolder } from './folder/use-folder.ts'

type Chosen = { folderId: string } | { fileIds: string[] }

/** What was chosen, as it is called. */
export type PickedEntry = Pick<Entry, 'id' | 'kind' | 'name'>

type Props = {
  open: boolean
  busy: boolean
  /** In place of what is said before a prediction. */
  title?: string
  okText?: string
  /** No files are offered. */
  isOnlyFolder?: boolean
  /** Of the own cloud alone: files and no whole folder, or a folder. */
  only?: 'ownFiles' | 'ownFolder'
  onPick: (chosen: Chosen, entries: PickedEntry[]) => void
  onClose: () => void
}

const places = ['own', 'shared', 'groups'] as const
type Where = (typeof places)[number]
/** A folder on the way, or a group before the first of them. */
type Step = { kind: 'folder' | 'group'; id: string; name: string }

/** Chooses a folder, or files in one, of whatever the member may look at: own ones, shared ones, those of groups. */
export function SourcePicker(props: Props) {
  const { open, busy, title, okText, isOnlyFolder = false, only, onPick, onClose } = props
  const { t } = useTranslation(['predict', 'files', 'common'])
  const [where, setWhere] = useState<Where>('own')
  const [way, setWay] = useState<readonly Step[]>([])
  const [ticked, setTicked] = useState<ReadonlyMap<string, PickedEntry>>(new Map())
  const go = (steps: readonly Step[]) => {
    setWay(steps)
    setTicked(new Map())
  }
  const last = way.at(-1)
  const folderId = last?.kind === 'folder' ? last.id : null
  const pick = () => {
    if (ticked.size > 0) onPick({ fileIds: [...ticked.keys()] }, [...ticked.values()])
    else if (last?.kind === 'folder' && only === undefined)
      onPick({ folderId: last.id }, [{ ...last, kind: 'folder' }])
  }
  return (
    <Modal
      open={open}
      centered
      width={560}
      destroyOnHidden
      title={title ?? t('picker.title')}
      okText={okText ?? (ticked.size > 0 ? t('picker.files', { count: ticked.size }) : t('picker.folder'))}
      okButtonProps={{
        disabled: (folderId === null || only === 'ownFiles') && ticked.size === 0,
        loading: busy,
      }}
      cancelText={t('common:cancel')}
      onOk={pick}
      onCancel={onClose}
      afterClose={() => go([])}
    >
      <div className={styles.picker}>
        {only === undefined && (
          <Segmented<Where>
            aria-label={t('picker.place')}
            value={where}
            onChange={(next) => {
              setWhere(next)
              go([])
            }}
            options={places.map((value) => ({ value, label: t(`picker.${value}`) }))}
          />
        )}
        <p>{t(hintOf({ isOnlyFolder, only }))}</p>
        {way.length > 0 ? (
          <Crumbs
            steps={[{ name: t(`picker.${where}`) }, ...way]}
            onGo={(count) => go(way.slice(0, count))}
          />
        ) : null}
        {open ? (
          <Level
            where={where}
            last={last ?? null}
            isOnlyFolder={isOnlyFolder}
            ticked={ticked}
            onTick={setTicked}
            onOpen={(step) => go([...way, step])}
          />
        ) : null}
      </div>
    </Modal>
  )
}

function hintOf({ isOnlyFolder, only }: { isOnlyFolder: boolean; only: Props['only'] }) {
  if (only === 'ownFiles') return 'picker.hintFiles'
  return isOnlyFolder ? 'picker.hintFolder' : 'picker.hint'
}

function Crumbs({ steps, onGo }: { steps: readonly { name: string }[]; onGo: (count: number) => void }) {
  const items = steps.map(({ name }, index) => ({
    key: String(index),
    title:
      index === steps.length - 1 ? (
        name
      ) : (
        <button type="button" className={styles.crumb} onClick={() => onGo(index)}>
          {name}
        </button>
      ),
  }))
  return <Breadcrumb items={items} />
}

type LevelProps = Omit<ListProps, 'entries'> & { where: Where; last: Step | null }

function Level({ where, last, ...list }: LevelProps) {
  if (last?.kind === 'folder') return <Folder folderId={last.id} {...list} />
  if (last?.kind === 'group') return <GroupData groupId={last.id} {...list} />
  if (where === 'groups') return <Groups onOpen={list.onOpen} />
  if (where === 'shared') return <Shared {...list} />
  return <Folder folderId={null} {...list} />
}

function Folder({ folderId, ...list }: Omit<ListProps, 'entries'> & { folderId: string | null }) {
  const query = useFolder(folderId)
  if (query.isPending || query.isPlaceholderData) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return (
    <>
      <List entries={query.data.pages.flatMap((page) => page.entries)} {...list} />
      <MoreButton query={query} />
    </>
  )
}

function Shared(list: Omit<ListProps, 'entries'>) {
  const query = usePages('files/sharedWithMe', {})
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const entries = query.data.pages.flatMap((page) => page.shared.map(({ entry }) => entry))
  return (
    <>
      <List entries={entries} empty="emptyShared" {...list} />
      <MoreButton query={query} />
    </>
  )
}

function GroupData({ groupId, ...list }: Omit<ListProps, 'entries'> & { groupId: string }) {
  const query = usePages('files/groupData', { groupId })
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const entries = query.data.pages.flatMap((page) => page.shared.map(({ entry }) => entry))
  return (
    <>
      <List entries={entries} {...list} />
      <MoreButton query={query} />
    </>
  )
}

function Groups({ onOpen }: { onOpen: (step: Step) => void }) {
  const { t } = useTranslation('predict')
  const query = useCall('files/groups', {}, { quiet: true })
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading shape="rows" count={3} />
  if (query.data.groups.length === 0) return <p className={styles.none}>{t('picker.emptyGroups')}</p>
  return (
    <ul className={styles.folders}>
      {query.data.groups.map(({ id, name }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen({ kind: 'group', id, name })}>
            <FolderFilled aria-hidden />
            <span>{name}</span>
            <RightOutlined aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

type ListProps = {
  entries: readonly Entry[]
  empty?: 'empty' | 'emptyShared'
  isOnlyFolder: boolean
  ticked: ReadonlyMap<string, PickedEntry>
  onTick: (ticked: ReadonlyMap<string, PickedEntry>) => void
  onOpen: (step: Step) => void
}

function List({ entries, empty = 'empty', isOnlyFolder, ticked, onTick, onOpen }: ListProps) {
  const { t } = useTranslation(['predict', 'files'])
  const shown = isOnlyFolder ? entries.filter(({ kind }) => kind === 'folder') : entries
  if (shown.length === 0)
    return (
      <p className={styles.none}>{t(`picker.${isOnlyFolder && entries.length > 0 ? 'noFolders' : empty}`)}</p>
    )
  const tick = ({ id, kind, name }: PickedEntry) => {
    const next = new Map(ticked)
    if (!next.delete(id) && next.size < limits.idsPerCall) next.set(id, { id, kind, name })
    onTick(next)
  }
  return (
    <ul className={styles.folders}>
      {shown.map(({ id, kind, name, fileCount }) => (
        <li key={id}>
          {kind === 'folder' ? (
            <button type="button" onClick={() => onOpen({ kind: 'folder', id, name })}>
              <FolderFilled aria-hidden />
              <span>{name}</span>
              <small>{t('files:fileCount', { count: fileCount, shown: formatNumber(fileCount) })}</small>
              <RightOutlined aria-hidden />
            </button>
          ) : (
            <Checkbox
              className={styles.file ?? ''}
              checked={ticked.has(id)}
              onChange={() => tick({ id, kind, name })}
            >
              <FileOutlined aria-hidden /> {name}
            </Checkbox>
          )}
        </li>
      ))}
    </ul>
  )
}
