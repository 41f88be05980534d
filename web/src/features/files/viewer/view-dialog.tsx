import {
  DoubleLeftOutlined,
  DoubleRightOutlined,
  DownloadOutlined,
  LeftOutlined,
  LinkOutlined,
  RightOutlined,
} from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { imageViews } from '@neuroloom/contract/image-view'
import { Button, Modal } from 'antd'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { copyText } from '../../../lib/copy-text.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { nameOf } from '../series-files.ts'
import { fileAddress } from '../use-file-address.ts'
import { Beside } from './beside/beside.tsx'
import { BesideChoice } from './beside/beside-choice.tsx'
import { type FileLink, FileView, LinkedFileView } from './file-view.tsx'
import { type SeriesRun, SeriesRunContext } from './series-run.ts'
import styles from './viewer.module.css'

type ViewDialogProps = {
  entries: readonly Pick<Entry, 'id' | 'kind' | 'name' | 'sizeBytes' | 'series'>[]
  id: string
  /** In which they lie: the name of a series that has none of its own. */
  folder?: string | undefined
  /** Of a share link's visitor. */
  link?: FileLink
  onMove: (id: string) => void
  onClose: () => void
  onDownload: (id: string) => void
}

/** One file large, or the series of a slice; the buttons lead to the neighbours, Page up and down to those among the files. */
export function ViewDialog({ entries, id, folder, link, onMove, onClose, onDownload }: ViewDialogProps) {
  const { t } = useTranslation('files')
  const files = entries.filter(({ kind }) => kind === 'file')
  const index = files.findIndex((entry) => entry.id === id)
  const entry = files[index]
  const before = files[index - 1]
  const after = files[index + 1]
  const [run, setRun] = useState<SeriesRun | null>(null)
  useEffect(() => {
    // The arrow keys belong to what is shown: slices, text.
    const handleKey = (event: KeyboardEvent) => {
      const { key } = event
      if (key === 'PageUp' && before) onMove(before.id)
      if (key === 'PageDown' && after) onMove(after.id)
      const way = ways[key]
      if (run && way && !isTaken(event)) run.turn(way)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [before, after, onMove, run])
  const { beside, setBeside } = useBeside(id)
  // The same element while slices change: what is told of them is drawn here alone.
  const image = useMemo(
    () => (
      <SeriesRunContext value={setRun}>
        <OneImage id={id} link={link} />
      </SeriesRunContext>
    ),
    [id, link],
  )
  const position = run && {
    number: formatNumber(run.slice + 1),
    total: formatNumber(run.count),
  }
  const own = entry && nameOf(entry)
  const name = run ? run.description || folder || own : own
  const title = position ? `${name} · ${t('view.sliceNumber', position)}` : name
  useWindowTitle(title)
  if (!entry) return null
  return (
    <Modal
      open
      centered
      width={1200}
      className={styles.dialog ?? ''}
      title={<span className={styles.title}>{title}</span>}
      onCancel={onClose}
      footer={
        <div className={styles.foot}>
          {run && position && (
            <>
              <Step
                icon={<LeftOutlined aria-hidden />}
                label={t('view.previousSlice')}
                onStep={run.slice > 0 ? () => run.go(-1) : undefined}
              />
              <span>{t('view.sliceNumber', position)}</span>
              <Step
                icon={<RightOutlined aria-hidden />}
                label={t('view.nextSlice')}
                onStep={run.slice < run.count - 1 ? () => run.go(1) : undefined}
              />
            </>
          )}
          {(!run || files.length > 1) && (
            <>
              <Step
                icon={run ? <DoubleLeftOutlined aria-hidden /> : <LeftOutlined aria-hidden />}
                label={t('view.previous')}
                onStep={before && (() => onMove(before.id))}
              />
              <span>
                {t('position', { number: formatNumber(index + 1), total: formatNumber(files.length) })}
                {` · ${formatBytes(entry.sizeBytes)}`}
              </span>
              <Step
                icon={run ? <DoubleRightOutlined aria-hidden /> : <RightOutlined aria-hidden />}
                label={t('view.next')}
                onStep={after && (() => onMove(after.id))}
              />
            </>
          )}
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
        image
      ) : (
        <Beside
          panes={[
            { key: entry.id, image },
            ...beside.map((one) => ({ key: one, image: <OneImage id={one} link={link} /> })),
          ]}
        />
      )}
    </Modal>
  )
}

const OneImage = ({ id, link }: { id: string; link: FileLink | undefined }) =>
  link === undefined ? (
    <FileView key={id} entry={{ id }} />
  ) : (
    <LinkedFileView key={id} entry={{ id }} link={link} />
  )

type StepProps = { icon: ReactNode; label: string; onStep: (() => void) | undefined }

const Step = ({ icon, label, onStep }: StepProps) => (
  <Button icon={icon} disabled={!onStep} aria-label={label} title={label} onClick={() => onStep?.()} />
)

const ways: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }

/** Sliders, fields and menus have uses of their own for arrow keys; the image has answered its own by now. */
function isTaken({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return true
  return target instanceof Element && target.closest(ownArrows) !== null
}

const ownArrows =
  'input, textarea, [contenteditable], [role="slider"], [role="menu"], [role="combobox"], svg, video'

/** In the browser's tabs, as long as the window is open. */
function useWindowTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return
    const before = document.title
    document.title = `${title} · Neuroloom`
    return () => {
      document.title = before
    }
  }, [title])
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
