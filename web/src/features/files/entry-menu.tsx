import { DeleteOutlined, DownloadOutlined, EditOutlined, MoreOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import type { FileActions } from './use-file-actions.ts'

type EntryMenuProps = { entry: Entry; actions: FileActions; onRename: () => void }

/** What can be done with one file or folder. */
export function EntryMenu({ entry, actions, onRename }: EntryMenuProps) {
  const { t } = useTranslation('files')
  const isFile = entry.kind === 'file'
  const items = [
    ...(isFile ? [{ key: 'download', icon: <DownloadOutlined aria-hidden />, label: t('download') }] : []),
    { key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') },
    { key: 'remove', icon: <DeleteOutlined aria-hidden />, label: t('remove'), danger: true },
  ]
  const handleClick = ({ key }: { key: string }) => {
    if (key === 'rename') onRename()
    // Refusals are told by the call.
    if (key === 'download') actions.download(entry).catch(() => {})
    if (key === 'remove') actions.remove([entry.id]).catch(() => {})
  }
  return (
    <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']} placement="bottomRight">
      <Button
        type="text"
        icon={<MoreOutlined aria-hidden />}
        aria-label={t('actionsOf', { name: entry.name })}
      />
    </Dropdown>
  )
}
