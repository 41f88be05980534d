import { FolderFilled, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { Breadcrumb, Button, Modal } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading } from '../../../ui/loading.tsx'
import styles from './folder-picker.module.css'
import { useFolder } from './use-folder.ts'

type FolderPickerProps = (
  | { allowTop?: false; onPick: (folderId: string) => void }
  | { /** The top itself may be chosen. */ allowTop: true; onPick: (folderId: string | null) => void }
) & {
  open: boolean
  /** What the folder is chosen for, as a title. */
  title?: string
  okText?: string
  busy?: boolean
  /** The folder that is shown first; null = the top. */
  start?: string | null
  /** Stands below the folders. */
  foot?: ReactNode
  onClose: () => void
}

/** Chooses a folder of the own cloud storage. */
export function FolderPicker(props: FolderPickerProps) {
  const { open, title, okText, busy = false, start = null, onClose } = props
  const { t } = useTranslation(['files', 'common'])
  const [folderId, setFolderId] = useState(start)
  const query = useFolder(folderId, { filter: 'folder' }, { enabled: open })
  // What is not shown yet is not to be chosen: until then the list is that of the folder before.
  const isShown = query.isSuccess && !query.isPlaceholderData
  const mayPick = isShown && (folderId !== null || props.allowTop)
  const pick = () => {
    if (props.allowTop) props.onPick(folderId)
    else if (folderId !== null) props.onPick(folderId)
  }
  return (
    <Modal
      open={open}
      centered
      width={560}
      destroyOnHidden
      title={title ?? t('picker.title')}
      okText={okText ?? t('picker.use')}
      okButtonProps={{ disabled: !mayPick, loading: busy || !(isShown || query.isError) }}
      cancelText={t('common:cancel')}
      onOk={pick}
      onCancel={onClose}
      afterClose={() => setFolderId(start)}
    >
      <Folders query={query} folderId={folderId} onOpen={setFolderId} />
      {props.foot}
    </Modal>
  )
}

type FoldersProps = {
  query: ReturnType<typeof useFolder>
  folderId: string | null
  onOpen: (id: string | null) => void
}

function Folders({ query, folderId, onOpen }: FoldersProps) {
  const { t } = useTranslation('files')
  const pages = query.data?.pages ?? []
  const path = pages[0]?.path ?? []
  const folders = pages.flatMap((page) => page.entries)
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const crumbs = [{ id: null, name: t('title') }, ...path].map(({ id, name }) => ({
    key: id ?? 'top',
    title: id === folderId ? name : <Crumb name={name} onClick={() => onOpen(id)} />,
  }))
  return (
    <div className={styles.picker} aria-busy={query.isPlaceholderData}>
      <Breadcrumb items={crumbs} />
      {folders.length === 0 && !query.isPlaceholderData && (
        <p className={styles.none}>{t(folderId === null ? 'picker.noFolders' : 'picker.noFurther')}</p>
      )}
      <ul className={styles.folders}>
        {folders.map((folder) => (
          <Folder key={folder.id} folder={folder} onOpen={() => onOpen(folder.id)} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button type="link" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}

function Folder({ folder, onOpen }: { folder: Entry; onOpen: () => void }) {
  const { t } = useTranslation('files')
  return (
    <li>
      <button type="button" onClick={onOpen}>
        <FolderFilled aria-hidden />
        <span>{folder.name}</span>
        <small>{t('fileCount', { count: folder.fileCount, shown: formatNumber(folder.fileCount) })}</small>
        <RightOutlined aria-hidden />
      </button>
    </li>
  )
}

function Crumb({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.crumb} onClick={onClick}>
      {name}
    </button>
  )
}
