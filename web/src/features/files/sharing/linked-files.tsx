import { DownloadOutlined } from '@ant-design/icons'
import type { Answer } from '@neuroloom/contract/calls'
import { Breadcrumb, Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { call } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { formatBytes, formatDate } from '../../../lib/format.ts'
import { usePages } from '../../../lib/query.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import list from '../../../ui/list.module.css'
import { Loading } from '../../../ui/loading.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { PageHeader } from '../../../ui/page.tsx'
import { FilePicture } from '../file-picture.tsx'
import type { FileLink } from '../viewer/file-view.tsx'
import { WithheldNote } from '../withheld-note.tsx'
import styles from './link-visit.module.css'

const ViewDialog = lazyPart(async () => (await import('../viewer/view-dialog.tsx')).ViewDialog, {
  over: true,
})

type Linked = NonNullable<Answer<'files/visitLink'>['entry']>
type LinkedFilesProps = { pass: string; entry: Linked; owner: string; expiresAt: string }

/** A shared file, or a shared folder to walk through; everything may be looked at and downloaded, nothing changed. */
export function LinkedFiles({ pass, entry, owner, expiresAt }: LinkedFilesProps) {
  const { t } = useTranslation(['sharing', 'files'])
  const save = async (id: string) => {
    try {
      await download(await call('files/openLinked', { pass, id, download: true }))
    } catch {
      // The call has said why.
    }
  }
  return (
    <>
      <PageHeader
        title={entry.name}
        subtitle={t('linkFrom', { name: owner, date: formatDate(expiresAt, 'day') })}
        actions={
          <Button type="primary" icon={<DownloadOutlined aria-hidden />} onClick={() => save(entry.id)}>
            {t(entry.kind === 'folder' ? 'downloadAll' : 'files:download')}
          </Button>
        }
      />
      {entry.kind === 'folder' ? (
        <Folder pass={pass} onSave={save} />
      ) : (
        <Rows link={{ pass, folderId: null }} entries={[entry]} onOpen={() => undefined} onSave={save} />
      )}
    </>
  )
}

function Folder({ pass, onSave }: { pass: string; onSave: (id: string) => void }) {
  const { t } = useTranslation(['sharing', 'files'])
  const [params] = useSearchParams()
  // Of an address that leads to a view of one of its files.
  const [folderId, setFolderId] = useState(params.get('in'))
  const query = usePages('files/listLinked', { pass, folderId })
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const path = query.data?.pages[0]?.path ?? []
  if (query.isPending) return <Loading shape="rows" count={4} />
  if (query.isError && entries.length === 0)
    return <ErrorState error={query.error} retry={() => void query.refetch()} />
  return (
    <>
      {path.length > 1 && (
        <Breadcrumb
          className={styles.crumbs ?? ''}
          items={path.map(({ id, name }, index) => ({
            key: id,
            title:
              index === path.length - 1 ? (
                name
              ) : (
                <button
                  type="button"
                  className={styles.crumb}
                  onClick={() => setFolderId(index === 0 ? null : id)}
                >
                  {name}
                </button>
              ),
          }))}
        />
      )}
      <WithheldNote count={query.data?.pages[0]?.withheld ?? 0} />
      {entries.length === 0 ? (
        <EmptyState title={t('files:emptyFolder.title')} text={t('linkFolderEmpty')} />
      ) : (
        <Rows
          link={{ pass, folderId }}
          folder={path.at(-1)?.name}
          entries={entries}
          onOpen={setFolderId}
          onSave={onSave}
        />
      )}
      <MoreButton query={query} />
    </>
  )
}

type RowsProps = {
  link: FileLink
  /** In which they lie. */
  folder?: string | undefined
  entries: readonly Linked[]
  onOpen: (id: string) => void
  onSave: (id: string) => void
}

function Rows({ link, folder, entries, onOpen, onSave }: RowsProps) {
  const { t } = useTranslation('files')
  const [params] = useSearchParams()
  const [looking, setLooking] = useState(params.get('file'))
  return (
    <>
      <table className={list.list}>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th className={list.wide}>{t('size')}</th>
            <th className={list.wide}>{t('modified')}</th>
            <th>
              <span className="nl-hidden">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <span className={list.entry}>
                  <FilePicture entry={entry} size="small" />
                  <button
                    type="button"
                    className={list.open}
                    onClick={() => (entry.kind === 'folder' ? onOpen(entry.id) : setLooking(entry.id))}
                  >
                    {entry.name}
                  </button>
                </span>
              </td>
              <td className={list.wide}>{formatBytes(entry.sizeBytes)}</td>
              <td className={list.wide}>{formatDate(entry.modifiedAt, 'day')}</td>
              <td className={list.actions}>
                <Button
                  type="text"
                  icon={<DownloadOutlined aria-hidden />}
                  aria-label={t('downloadOf', { name: entry.name })}
                  onClick={() => onSave(entry.id)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Suspense>
        {looking !== null && (
          <ViewDialog
            entries={entries}
            id={looking}
            folder={folder}
            link={link}
            onMove={setLooking}
            onClose={() => setLooking(null)}
            onDownload={onSave}
          />
        )}
      </Suspense>
    </>
  )
}
