import {
  CaretRightOutlined,
  CheckCircleFilled,
  CloseOutlined,
  ExclamationCircleFilled,
  FileOutlined,
  FolderFilled,
  PauseOutlined,
} from '@ant-design/icons'
import { Button, Popconfirm, Progress } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatDuration, formatNumber } from '../../../lib/format.ts'
import { UpgradeLink } from '../../../ui/limits/upgrade-link.tsx'
import { IconButton } from '../icon-button.tsx'
import { isOfPlan, reasonNamespaces, reasonText } from '../reason-text.ts'
import { UploadFailures } from './upload-failures.tsx'
import { isGettingReady, type JobView } from './upload-job.ts'
import styles from './upload-panel.module.css'
import { UploadRows } from './upload-rows.tsx'
import { uploads } from './uploads.ts'

/** Few files are shown one by one from the start; of many, only on demand. */
const fewFiles = 4

/** One upload: how far it is, how long it takes, and what can be done about it. */
export function UploadJob({ job }: { job: JobView }) {
  const { t } = useTranslation(reasonNamespaces)
  const [showsFiles, setShowsFiles] = useState(job.totalFiles <= fewFiles && job.totalFiles > 1)
  const hasRows = job.rows.length > 0
  return (
    <article className={styles.job} aria-label={nameOf(job, t)}>
      <div className={styles.jobHead}>
        <span className={styles.jobIcon} data-state={job.state} aria-hidden>
          <JobIcon job={job} />
        </span>
        <div className={styles.jobNames}>
          <strong title={job.name}>{nameOf(job, t)}</strong>
          <span>{countsOf(job, t)}</span>
        </div>
        <JobButtons job={job} />
      </div>
      {job.state !== 'refused' && job.state !== 'cancelled' && (
        <Progress
          percent={Math.floor(job.share * 1000) / 10}
          showInfo={false}
          size="small"
          status={statusOf(job)}
          aria-label={t('upload.progressOf', { name: nameOf(job, t) })}
        />
      )}
      <div className={styles.pace}>
        <span>
          {paceOf(job, t)} {job.reason && isOfPlan(job.reason) && <UpgradeLink />}
        </span>
        {hasRows && job.totalFiles > 1 && (
          <Button
            type="link"
            size="small"
            aria-expanded={showsFiles}
            onClick={() => setShowsFiles(!showsFiles)}
          >
            {t(showsFiles ? 'upload.hideFiles' : 'upload.showFiles')}
          </Button>
        )}
      </div>
      {hasRows && showsFiles && <UploadRows job={job} />}
      {job.failureCount > 0 && <UploadFailures job={job} />}
      {job.state === 'refused' && (
        <Button size="small" onClick={() => uploads.retryFailed(job.key)}>
          {t('upload.again')}
        </Button>
      )}
    </article>
  )
}

function JobIcon({ job }: { job: JobView }) {
  if (job.state === 'refused' || job.failureCount > 0) return <ExclamationCircleFilled aria-hidden />
  if (job.state === 'done') return <CheckCircleFilled aria-hidden />
  return job.isFolder ? <FolderFilled aria-hidden /> : <FileOutlined aria-hidden />
}

function JobButtons({ job }: { job: JobView }) {
  const { t } = useTranslation(reasonNamespaces)
  const { key, state } = job
  const name = nameOf(job, t)
  const isEnded = state === 'done' || state === 'cancelled' || state === 'refused'
  return (
    <div className={styles.buttons}>
      {state === 'sending' && (
        <IconButton
          label={t('upload.pauseOf', { name })}
          hint={t('upload.pause')}
          icon={<PauseOutlined aria-hidden />}
          onClick={() => uploads.pause(key)}
        />
      )}
      {state === 'paused' && (
        <IconButton
          label={t('upload.resumeOf', { name })}
          hint={t('upload.resume')}
          icon={<CaretRightOutlined aria-hidden />}
          onClick={() => uploads.resume(key)}
        />
      )}
      {isEnded && (
        <IconButton
          label={t('upload.dismissOf', { name })}
          hint={t('upload.dismiss')}
          icon={<CloseOutlined aria-hidden />}
          onClick={() => uploads.dismiss(key)}
        />
      )}
      {!isEnded && (
        <Popconfirm
          title={t('upload.terminateAsk')}
          description={t('upload.terminateText')}
          okText={t('upload.terminate')}
          okButtonProps={{ danger: true }}
          cancelText={t('upload.goOn')}
          placement="topRight"
          onConfirm={() => uploads.terminate(key)}
        >
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t('upload.terminateOf', { name })}
          />
        </Popconfirm>
      )}
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<typeof reasonNamespaces>>['t']

const nameOf = (job: JobView, t: Translate) =>
  job.isFolder || job.totalFiles === 1 ? job.name : t('upload.looseFiles', { count: job.totalFiles })

function countsOf(job: JobView, t: Translate): string {
  const { state, doneFiles, totalFiles, totalBytes, sentBytes, skippedFiles } = job
  if (state === 'packing' || state === 'looking' || state === 'cleaning') return t(`uploads:step.${state}`)
  if (state === 'preparing') return t('upload.preparing')
  if (state === 'asking' || state === 'choosing') return t('upload.asking')
  if (state === 'refused') return t('upload.refused')
  const wanted = totalFiles - skippedFiles
  const counts = { count: wanted, done: formatNumber(doneFiles), total: formatNumber(wanted) }
  const parts = wanted > 0 ? [t('upload.counts', counts)] : []
  if (state === 'sending' || state === 'paused')
    parts.push(t('upload.bytes', { sent: formatBytes(sentBytes), total: formatBytes(totalBytes) }))
  if (job.leftOut > 0) parts.push(t('uploads:leftOut', { count: job.leftOut }))
  if (job.hidden > 0 && state === 'done') parts.push(t('uploads:hidden', { count: job.hidden }))
  if (skippedFiles > 0) parts.push(t('upload.skipped', { count: skippedFiles }))
  return parts.join(' · ')
}

function paceOf(job: JobView, t: Translate): string {
  if (job.reason) return reasonText(job.reason, t)
  if (job.state === 'paused') return t('upload.paused')
  if (job.state === 'cancelled') return t('upload.cancelled')
  if (job.state === 'done') return endOf(job, t)
  if (job.isCut) return t('upload.cut')
  if (!job.bytesPerSecond) return ''
  const speed = t('upload.speed', { speed: formatBytes(job.bytesPerSecond) })
  if (job.secondsLeft === null) return speed
  return `${speed} · ${t('upload.left', { time: formatDuration(job.secondsLeft) })}`
}

function endOf({ failureCount, doneFiles, skippedFiles }: JobView, t: Translate): string {
  if (failureCount > 0) return ''
  return t(doneFiles === 0 && skippedFiles > 0 ? 'upload.nothingNew' : 'upload.done')
}

function statusOf(job: JobView): 'active' | 'normal' | 'success' | 'exception' {
  if (isGettingReady(job)) return 'active'
  if (job.state === 'done') return job.failureCount > 0 ? 'exception' : 'success'
  return job.state === 'sending' && !job.isCut ? 'active' : 'normal'
}
