import { DownloadOutlined, LeftOutlined, LinkOutlined, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { Button, Modal } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/copy-text.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { fileAddress } from '../use-file-address.ts'
import { FileView, LinkedFileView } from './file-view.tsx'
import styles from './viewer.module.css'

type ViewDialogProps = {
  entries: readonly Pick<Entry, 'id' | 'kind' | 'name' | 'sizeBytes'>[]
  id: string
  /** Of a share link's visitor. */
  pass?: string
  onMove: (id: string) => void
  onClose: () => void
  onDownload: (id: string) => void
}

/** One file large; the buttons, and Page up and down, lead to its neighbours. */
export function ViewDialog({ entries, id, pass, onMove, onClose, onDownload }: ViewDialogProps) {
  const { t } = useTranslation('files')
  const files = entries.filter(({ kind }) => kind === 'file')
  const index = files.findIndex((entry) => entry.id === id)
  const entry = files[index]
  const before = files[index - 1]
  const after = files[index + 1]
  useEffect(() => {
    // The arrow keys belong to what is shown: slices, text.
    const handleKey = ({ key }: KeyboardEvent) => {
      if (key === 'PageUp' && before) onMove(before.id)
      if (key === 'PageDown' && after) onMove(after.id)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [before, after, onMove])
  if (!entry) return null
  return (
    <Modal
      open
      centered
      width={1200}
      className={styles.dialog ?? ''}
      title={<span className={styles.title}>{entry.name}</span>}
      onCancel={onClose}
      footer={
        <div className={styles.foot}>
          <Button
            icon={<LeftOutlined aria-hidden />}
            disabled={!before}
            aria-label={t('view.previous')}
            onClick={() => before && onMove(before.id)}
          />
          <span>
            {t('position', { number: formatNumber(index + 1), total: formatNumber(files.length) })}
            {` · ${formatBytes(entry.sizeBytes)}`}
          </span>
          <Button
            icon={<RightOutlined aria-hidden />}
            disabled={!after}
            aria-label={t('view.next')}
            onClick={() => after && onMove(after.id)}
          />
          <span className={styles.spring} />
          {pass === undefined && <CopyAddress id={entry.id} />}
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => onDownload(entry.id)}>
            {t('download')}
          </Button>
        </div>
      }
    >
      {pass === undefined ? (
        <FileView key={entry.id} entry={entry} />
      ) : (
        <LinkedFileView key={entry.id} entry={entry} pass={pass} />
      )}
    </Modal>
  )
}

/** The file's own address, good for whoever may see the file. */
function CopyAddress({ id }: { id: string }) {
  const { t } = useTranslation('files')
  const copy = async () => {
    const isCopied = await copyText(window.location.origin + fileAddress(id))
    if (isCopied) toast.success(t('view.addressCopied'))
    else toast.warning(t('view.addressNotCopied'))
  }
  return (
    <Button
      icon={<LinkOutlined aria-hidden />}
      aria-label={t('view.copyAddress')}
      title={t('view.copyAddress')}
      onClick={() => void copy()}
    />
  )
}
