import { CopyOutlined, DownloadOutlined, LogoutOutlined, MoreOutlined } from '@ant-design/icons'
import type { SharedEntry } from '@neuroloom/contract/sharing'
import { Button, Dropdown } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatBytes, formatDate } from '../../../lib/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import styles from '../../../ui/list.module.css'
import { FilePicture } from '../file-picture.tsx'
import { FileWindow } from '../file-window.tsx'
import { useFileActions } from '../use-file-actions.ts'
import { useFileAddress } from '../use-file-address.ts'
import { folderAddress } from '../use-open-entry.ts'
import { useTransfer } from '../use-transfer.ts'

const TransferDialog = lazyPart(async () => (await import('../transfer-dialog.tsx')).TransferDialog, {
  over: true,
})

type SharedTableProps<T extends SharedEntry> = {
  shared: readonly T[]
  /** What ends the access, said and done; null where one may not. */
  ending: (shared: T) => { label: string; end: () => void } | null
}

/** What others gave: open, copy, download, give up. */
export function SharedTable<T extends SharedEntry>({ shared, ending }: SharedTableProps<T>) {
  const { t } = useTranslation(['sharing', 'files'])
  const transfer = useTransfer({ onDone: () => undefined })
  const actions = useFileActions()
  const address = useFileAddress()
  // Refusals are told by the call.
  const save = (entries: SharedEntry['entry'][]) => actions.download(entries).catch(() => {})
  const entries = shared.map(({ entry }) => entry)
  return (
    <>
      <table className={styles.list}>
        <thead>
          <tr>
            <th>{t('files:name')}</th>
            <th className={styles.wide}>{t('owner')}</th>
            <th className={styles.wide}>{t('permission')}</th>
            <th className={styles.wide}>{t('since')}</th>
            <th>
              <span className="nl-hidden">{t('files:actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shared.map((one) => (
            <Row
              key={one.shareId}
              shared={one}
              ending={ending(one)}
              onLook={() => address.open(one.entry.id)}
              onSave={() => void save([one.entry])}
              onCopy={() => transfer.choose({ kind: 'copy', entries: [one.entry] })}
            />
          ))}
        </tbody>
      </table>
      <Suspense>
        {transfer.chosen && <TransferDialog transfer={transfer} from={null} />}
        <FileWindow entries={entries} address={address} />
      </Suspense>
    </>
  )
}

type RowProps = {
  shared: SharedEntry
  ending: { label: string; end: () => void } | null
  onLook: () => void
  onSave: () => void
  onCopy: () => void
}

function Row({ shared, ending, onLook, onSave, onCopy }: RowProps) {
  const { t } = useTranslation(['sharing', 'files'])
  const { entry, owner, access, sharedAt } = shared
  const items = [
    { key: 'download', icon: <DownloadOutlined aria-hidden />, label: t('files:download') },
    { key: 'copy', icon: <CopyOutlined aria-hidden />, label: t('copyToOwn') },
    ...(ending
      ? [{ key: 'end', icon: <LogoutOutlined aria-hidden />, label: ending.label, danger: true }]
      : []),
  ]
  const handleClick = ({ key }: { key: string }) => {
    if (key === 'download') onSave()
    if (key === 'copy') onCopy()
    if (key === 'end') ending?.end()
  }
  return (
    <tr>
      <td>
        <span className={styles.entry}>
          <FilePicture entry={entry} size="small" />
          <span>
            {entry.kind === 'folder' ? (
              <Link to={folderAddress(entry.id)}>{entry.name}</Link>
            ) : (
              <button type="button" className={styles.open} onClick={onLook}>
                {entry.name}
              </button>
            )}
            <small>{formatBytes(entry.sizeBytes)}</small>
            <small className={styles.narrow}>{t('files:ofOwner', { name: owner })}</small>
          </span>
        </span>
      </td>
      <td className={styles.wide}>{owner}</td>
      <td className={styles.wide}>{t(access)}</td>
      <td className={styles.wide}>{formatDate(sharedAt, 'day')}</td>
      <td className={styles.actions}>
        <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']} placement="bottomRight">
          <Button
            type="text"
            icon={<MoreOutlined aria-hidden />}
            aria-label={t('files:actionsOf', { name: entry.name })}
          />
        </Dropdown>
      </td>
    </tr>
  )
}
