import {
  CopyOutlined,
  DeleteOutlined,
  DownloadOutlined,
  EditOutlined,
  ExperimentOutlined,
  EyeInvisibleOutlined,
  FileZipOutlined,
  FolderOutlined,
  GlobalOutlined,
  HighlightOutlined,
  InfoCircleOutlined,
  MoreOutlined,
  SwapOutlined,
  TeamOutlined,
  VideoCameraOutlined,
} from '@ant-design/icons'
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Entry } from '@neuroloom/contract/files'
import { archiveKind } from '@neuroloom/contract/names/archive-names'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useUser } from '../../../lib/session.ts'
import { isConvertible, isVideo, mayHoldTexts } from '../convert/formats.ts'
import { nameOf } from '../series-files.ts'
import type { ViewProps } from './view-props.ts'

/** What can be done with one file or folder. */
export function EntryMenu({ entry, view }: { entry: Entry; view: ViewProps }) {
  const { t } = useTranslation(['files', 'uploads'])
  const navigate = useNavigate()
  const changing = view.access !== 'view'
  const canPublish =
    useUser()?.role === roles.administrator && view.access === 'own' && entry.kind === 'folder'
  const canUnpack = changing && entry.kind === 'file' && archiveKind(entry.name) !== null
  const actions = [
    { key: 'download', icon: <DownloadOutlined aria-hidden />, label: t('download') },
    ...(changing ? [{ key: 'rename', icon: <EditOutlined aria-hidden />, label: t('rename') }] : []),
    ...(changing ? [{ key: 'move', icon: <FolderOutlined aria-hidden />, label: t('move') }] : []),
    { key: 'copy', icon: <CopyOutlined aria-hidden />, label: t('copy') },
    ...(isConvertible(entry)
      ? [{ key: 'convert', icon: <SwapOutlined aria-hidden />, label: t('convert') }]
      : []),
    ...(entry.kind === 'folder'
      ? [{ key: 'prepare', icon: <ExperimentOutlined aria-hidden />, label: t('prepare') }]
      : []),
    ...(entry.kind === 'folder' && view.access === 'own'
      ? [{ key: 'label', icon: <HighlightOutlined aria-hidden />, label: t('label') }]
      : []),
    ...(mayHoldTexts(entry)
      ? [{ key: 'texts', icon: <EyeInvisibleOutlined aria-hidden />, label: t('texts') }]
      : []),
    ...(isVideo(entry)
      ? [{ key: 'frames', icon: <VideoCameraOutlined aria-hidden />, label: t('frames') }]
      : []),
    ...(canUnpack
      ? [{ key: 'unpack', icon: <FileZipOutlined aria-hidden />, label: t('uploads:unpack.menu') }]
      : []),
    ...(view.access === 'own'
      ? [{ key: 'share', icon: <TeamOutlined aria-hidden />, label: t('share') }]
      : []),
    ...(canPublish ? [{ key: 'publish', icon: <GlobalOutlined aria-hidden />, label: t('publish') }] : []),
    { key: 'properties', icon: <InfoCircleOutlined aria-hidden />, label: t('properties.title') },
    ...(changing
      ? [{ key: 'remove', icon: <DeleteOutlined aria-hidden />, label: t('remove'), danger: true }]
      : []),
  ]
  const items = entry.series ? actions.filter(({ key }) => ofSeries.has(key)) : actions
  const handleClick = ({ key }: { key: string }) => {
    if (key === 'rename') view.onRename(entry.id)
    if (key === 'move' || key === 'copy') view.onTransfer({ kind: key, entries: [entry] })
    if (key === 'convert') view.onConvert([entry])
    if (key === 'prepare') void navigate(`/cloudPrepare?folder=${entry.id}`)
    if (key === 'label')
      void navigate(`/labelling?new&folder=${entry.id}&name=${encodeURIComponent(entry.name)}`)
    if (key === 'texts') view.onTexts([entry])
    if (key === 'frames') view.onFrames(entry)
    if (key === 'share') view.onShare(entry)
    if (key === 'publish') view.onPublish(entry)
    if (key === 'unpack') view.onUnpack(entry)
    if (key === 'properties') view.onProperties(entry.id)
    // Refusals are told by the call.
    if (key === 'download') view.actions.download([entry]).catch(() => {})
    if (key === 'remove') view.actions.remove([entry]).catch(() => {})
  }
  return (
    <Dropdown menu={{ items, onClick: handleClick }} trigger={['click']} placement="bottomRight">
      <Button
        type="text"
        icon={<MoreOutlined aria-hidden />}
        aria-label={t('actionsOf', { name: nameOf(entry) })}
      />
    </Dropdown>
  )
}

/** What is done with all files of a series together; the others are about one name, or one file. */
const ofSeries: ReadonlySet<string> = new Set(['download', 'move', 'copy', 'convert', 'texts', 'remove'])
