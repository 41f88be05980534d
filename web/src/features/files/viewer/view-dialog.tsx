import { DownloadOutlined, LeftOutlined, LinkOutlined, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { imageViews } from '@neuroloom/contract/image-view'
import { Button, Modal } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { copyText } from '../../../lib/copy-text.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { fileAddress } from '../use-file-address.ts'
import { Beside } from './beside/beside.tsx'
import { BesideChoice } from './beside/beside-choice.tsx'
import { type FileLink, FileView, LinkedFileView } from './file-view.tsx'
import styles from './viewer.module.css'

type ViewDialogProps = {
  entries: readonly Pick<Entry, 'id' | 'kind' | 'name' | 'sizeBytes'>[]
  id: string
  /** Of a share link's visitor. */
  link?: FileLink
  onMove: (id: string) => void
  onClose: () => void
  onDownload: (id: string) => void
}

/** One file large; the buttons, and Page up and down, lead to its neighbours. */
export function ViewDialog({ entries, id, link, onMove, onClose, onDownload }: ViewDialogProps) {
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
  const { beside, setBeside } = useBeside(id)
  if (!entry) return null
  const imageOf = (one: string) =>
    link === undefined ? (
      <FileView key={one} entry={{ id: one }} />
    ) : (
      <LinkedFileView key={one} entry={{ id: one }} link={link} />
    )
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
          <BesideChoice files={files} own={entry.id} chosen={beside} onChange={setBeside} />
          {link === undefined && <CopyAddress id={entry.id} beside={beside} />}
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => onDownload(entry.id)}>
            {t('download')}
          </Button>
        </div>
      }
    >
      {beside.length === 0 ? (
        imageOf(entry.id)
      ) : (
        <Beside panes={[entry.id, ...beside].map((one) => ({ key: one, image: imageOf(one) }))} />
      )}
    </Modal>
  )
}

/** Which images stand beside the file is part of the address, so that it can be passed on. */
function useBeside(fileId: string) {
  const [params, setParams] = useSearchParams()
  const ids = (params.get('beside') ?? '').split(',').filter((id) => id !== '' && id !== fileId)
  return {
    beside: [...new Set(ids)].slice(0, imageViews.beside - 1),
    setBeside: (next: readonly string[]) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (next.length === 0) after.delete('beside')
          else after.set('beside', next.join(','))
          return after
        },
        { replace: true },
      ),
  }
}

/** The file's own address, good for whoever may see the file. */
function CopyAddress({ id, beside }: { id: string; beside: readonly string[] }) {
  const { t } = useTranslation('files')
  const copy = async () => {
    const isCopied = await copyText(window.location.origin + fileAddress(id, beside))
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
