import { FolderFilled, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { Breadcrumb, Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './folder-picker.module.css'
import { useFolder } from './use-folder.ts'

type FolderPickerProps = {
  open: boolean
  /** What the folder is chosen for, as a title. */
  title?: string
  busy?: boolean
  onPick: (folderId: string) => void
  onClose: () => void
}

/** Chooses a folder of the own cloud storage. */
export function FolderPicker({ open, title, busy = false, onPick, onClose }: FolderPickerProps) {
  const { t } = useTranslation(['files', 'common'])
  const [folderId, setFolderId] = useState<string | null>(null)
  return (
    <Modal
      open={open}
      centered
      width={560}
      destroyOnHidden
      title={title ?? t('picker.title')}
      okText={t('picker.use')}
      okButtonProps={{ disabled: folderId === null, loading: busy }}
      cancelText={t('common:cancel')}
      onOk={() => folderId !== null && onPick(folderId)}
      onCancel={onClose}
      afterClose={() => setFolderId(null)}
    >
      {open && <Folders folderId={folderId} onOpen={setFolderId} />}
    </Modal>
  )
}

function Folders({ folderId, onOpen }: { folderId: string | null; onOpen: (id: string | null) => void }) {
  const { t } = useTranslation('files')
  const query = useFolder(folderId, '')
  const pages = query.data?.pages ?? []
  const path = pages[0]?.path ?? []
  const folders = pages.flatMap((page) => page.entries.filter((entry) => entry.kind === 'folder'))
  if (query.isPending) return <Loading shape="rows" count={3} />
  if (query.isError) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  const crumbs = [{ id: null, name: t('title') }, ...path].map(({ id, name }) => ({
    key: id ?? 'top',
    title: id === folderId ? name : <Crumb name={name} onClick={() => onOpen(id)} />,
  }))
  return (
    <div className={styles.picker}>
      <Breadcrumb items={crumbs} />
      {folders.length === 0 && (
        <p className={styles.none}>{t(folderId === null ? 'picker.noFolders' : 'picker.noFurther')}</p>
      )}
      <ul>
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
