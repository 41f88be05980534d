import { DownloadOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { files as limits } from '@neuroloom/contract/limits'
import { Button, Modal, Spin } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { isDrawable, isImage } from './file-kind.ts'
import styles from './preview-dialog.module.css'

type PreviewDialogProps = {
  entries: Entry[]
  id: string | null
  onMove: (id: string) => void
  onClose: () => void
  onDownload: (entry: Entry) => Promise<void>
}

/** One picture large; the arrow keys lead to its neighbours. */
export function PreviewDialog({ entries, id, onMove, onClose, onDownload }: PreviewDialogProps) {
  const { t } = useTranslation('files')
  const pictures = entries.filter(isImage)
  const index = pictures.findIndex((entry) => entry.id === id)
  const entry = pictures[index]
  const before = pictures[index - 1]
  const after = pictures[index + 1]
  useEffect(() => {
    if (!entry) return
    const handleKey = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft' && before) onMove(before.id)
      if (key === 'ArrowRight' && after) onMove(after.id)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [entry, before, after, onMove])

  return (
    <Modal
      open={entry !== undefined}
      width={960}
      centered
      destroyOnHidden
      title={<span className={styles.title}>{entry?.name}</span>}
      onCancel={onClose}
      footer={
        entry && (
          <div className={styles.foot}>
            <span>
              {t('position', { number: formatNumber(index + 1), total: formatNumber(pictures.length) })}
              {` · ${formatBytes(entry.sizeBytes)}`}
            </span>
            <Button icon={<DownloadOutlined aria-hidden />} onClick={() => onDownload(entry).catch(() => {})}>
              {t('download')}
            </Button>
          </div>
        )
      }
    >
      {entry && (
        <div className={styles.stage}>
          <Picture key={entry.id} entry={entry} />
          <div className={styles.before} hidden={!before}>
            <Button
              shape="circle"
              icon={<LeftOutlined aria-hidden />}
              aria-label={t('previous')}
              onClick={() => before && onMove(before.id)}
            />
          </div>
          <div className={styles.after} hidden={!after}>
            <Button
              shape="circle"
              icon={<RightOutlined aria-hidden />}
              aria-label={t('next')}
              onClick={() => after && onMove(after.id)}
            />
          </div>
        </div>
      )}
    </Modal>
  )
}

function Picture({ entry }: { entry: Entry }) {
  const { t } = useTranslation('files')
  const [isBroken, setIsBroken] = useState(!isDrawable(entry))
  // A link lives a minute; the picture is fetched at once and stays.
  const { data, isError } = useCall(
    'files/open',
    { id: entry.id },
    { quiet: true, staleTime: limits.linkMs / 2 },
  )
  if (isBroken || isError)
    return (
      <figure className={styles.broken}>
        {entry.thumbnail && <img src={entry.thumbnail} alt={entry.name} />}
        <figcaption>{t(isDrawable(entry) ? 'cannotShow' : 'cannotShowFormat')}</figcaption>
      </figure>
    )
  if (!data) return <Spin />
  return <img src={data.url} alt={entry.name} onError={() => setIsBroken(true)} />
}
