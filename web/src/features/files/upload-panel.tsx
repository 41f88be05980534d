import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatPercent } from '../../lib/format.ts'
import { SameNameDialog } from './same-name-dialog.tsx'
import type { JobView } from './upload-job.ts'
import { UploadJob } from './upload-job-card.tsx'
import styles from './upload-panel.module.css'
import { uploads, useUploadHousekeeping, useUploads } from './uploads.ts'

/** What is being uploaded, docked over every workspace page; nothing to see while nothing is uploaded. */
export function UploadPanel() {
  const { t } = useTranslation('files')
  const { jobs } = useUploads()
  const [isOpen, setIsOpen] = useState(true)
  useUploadHousekeeping()
  const newest = jobs.at(-1)?.key ?? 0
  // A new upload shows itself, also where the panel had been folded away.
  useEffect(() => {
    if (newest > 0) setIsOpen(true)
  }, [newest])
  if (jobs.length === 0) return null

  const asking = jobs.find((job) => job.state === 'asking')
  const isSettled = jobs.every(isEnded)
  const close = () => {
    for (const job of jobs) uploads.dismiss(job.key)
  }
  return (
    <>
      <section className={styles.panel} aria-label={t('upload.panel')} data-open={isOpen}>
        <header className={styles.head}>
          <button
            type="button"
            className={styles.title}
            aria-expanded={isOpen}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Summary jobs={jobs} isOpen={isOpen} />
            {isOpen ? <DownOutlined aria-hidden /> : <UpOutlined aria-hidden />}
          </button>
          {isSettled && (
            <Button
              type="text"
              icon={<CloseOutlined aria-hidden />}
              aria-label={t('upload.close')}
              onClick={close}
            />
          )}
        </header>
        {isOpen && (
          <div className={styles.jobs}>
            {jobs.map((job) => (
              <UploadJob key={job.key} job={job} />
            ))}
          </div>
        )}
        <Announcer jobs={jobs} />
      </section>
      {asking && <SameNameDialog job={asking} />}
    </>
  )
}

function Summary({ jobs, isOpen }: { jobs: readonly JobView[]; isOpen: boolean }) {
  const { t } = useTranslation('files')
  const open = jobs.filter((job) => !isEnded(job))
  if (open.length === 0) {
    const failed = jobs.reduce((sum, job) => sum + job.failureCount, 0)
    const isTrouble = failed > 0 || jobs.some((job) => job.state === 'refused')
    return <span>{t(isTrouble ? 'upload.endedWithTrouble' : 'upload.ended')}</span>
  }
  const total = open.reduce((sum, job) => sum + job.totalBytes, 0)
  const sent = open.reduce((sum, job) => sum + job.sentBytes, 0)
  const share = total > 0 ? sent / total : 0
  const seconds = open.reduce((most, job) => Math.max(most, job.secondsLeft ?? 0), 0)
  const isPaused = open.every((job) => job.state === 'paused')
  const label = t('upload.total')
  return (
    <>
      {!isOpen && (
        <Progress type="circle" size={26} percent={share * 100} showInfo={false} aria-label={label} />
      )}
      <span>{isPaused ? t('upload.paused') : t('upload.running', { count: open.length })}</span>
      <span className={styles.figures}>
        {formatPercent(share, 0)}
        {seconds > 0 && ` · ${t('upload.left', { time: formatDuration(seconds) })}`}
      </span>
    </>
  )
}

/** Says beginnings and ends to those who do not see the panel, never every per cent. */
function Announcer({ jobs }: { jobs: readonly JobView[] }) {
  const { t } = useTranslation('files')
  const texts = jobs.map((job) =>
    t(`upload.said.${job.isCut ? 'cut' : job.state}`, {
      name: job.name,
      count: job.state === 'done' ? job.doneFiles : job.totalFiles,
      failed: job.failureCount,
    }),
  )
  return (
    <div className="nl-hidden" role="status">
      {texts.join(' ')}
    </div>
  )
}

const isEnded = ({ state }: JobView) => state === 'done' || state === 'cancelled' || state === 'refused'
