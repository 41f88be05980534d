import { Alert, Button, Modal, Progress, Spin } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber } from '../../../lib/format.ts'
import styles from './convert.module.css'
import { FramesForm } from './frames-form.tsx'
import { type FramesChoice, firstChoice, problemOf, type VideoFacts } from './frames-plan.ts'
import type { VideoEntry } from './open-video.ts'
import { failureText, useFrames } from './use-frames.ts'

type FramesDialogProps = { entry: VideoEntry; parentId: string | null; onClose: () => void }

/** Frames of a video as pictures: which ones, taken out in this browser, uploaded into a folder beside it. */
export function FramesDialog({ entry, parentId, onClose }: FramesDialogProps) {
  const { t } = useTranslation('conversions')
  const frames = useFrames({ entry, parentId, onDone: onClose })
  const [changed, setChanged] = useState<FramesChoice | null>(null)
  const { video, way, failure } = frames
  const choice = changed ?? (video ? firstChoice(video.facts) : null)
  const problem = video && choice ? problemOf(choice, video.facts) : null
  return (
    <Modal
      open
      centered
      width={560}
      mask={{ closable: way === null }}
      keyboard={way === null}
      title={<span className={styles.title}>{t('frames.title', { name: entry.name })}</span>}
      onCancel={onClose}
      footer={
        way ? (
          <Button onClick={frames.stop}>{t('frames.stop')}</Button>
        ) : (
          <Button
            type="primary"
            disabled={!choice || problem !== null}
            onClick={() => choice && void frames.take(choice)}
          >
            {t('frames.go')}
          </Button>
        )
      }
    >
      <div className={styles.form}>
        <p className={styles.soft}>{t('frames.text')}</p>
        {!video && failure === null && (
          <div role="status">
            <Spin size="small" /> {t('frames.opening')}
          </div>
        )}
        {failure !== null && (
          <Alert type="error" showIcon title={t('frames.failed')} description={failureText(failure, t)} />
        )}
        {video && <Facts facts={video.facts} />}
        {video && choice && !way && <FramesForm facts={video.facts} choice={choice} onChange={setChanged} />}
        {way && (
          <div className={styles.way}>
            <Progress
              percent={Math.floor((way.done / Math.max(1, way.total)) * 100)}
              showInfo={false}
              status="active"
              aria-label={t('frames.progress')}
            />
            <span>
              {t('frames.working', { done: formatNumber(way.done), total: formatNumber(way.total) })}
            </span>
            <span>{t('frames.keepOpen')}</span>
          </div>
        )}
      </div>
    </Modal>
  )
}

function Facts({ facts: { seconds, width, height, rate } }: { facts: VideoFacts }) {
  const { t } = useTranslation('conversions')
  const known = t('frames.facts', { time: formatDuration(seconds), width, height })
  return <p>{rate === null ? known : `${known} · ${t('frames.rate', { rate: formatNumber(rate, 1) })}`}</p>
}
