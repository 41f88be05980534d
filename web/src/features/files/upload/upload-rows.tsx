import { CaretRightOutlined, CloseOutlined, PauseOutlined } from '@ant-design/icons'
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'
import { IconButton } from '../icon-button.tsx'
import type { JobView, RowView } from './upload-job.ts'
import styles from './upload-panel.module.css'
import { uploads } from './uploads.ts'

/** The files in work and the next ones, each with its own progress and buttons. */
export function UploadRows({ job }: { job: JobView }) {
  const { t } = useTranslation('files')
  const hidden = job.totalFiles - job.doneFiles - job.skippedFiles - job.failureCount - job.rows.length
  return (
    <>
      <ul className={styles.rows}>
        {job.rows.map((row) => (
          <Row key={row.key} jobKey={job.key} row={row} />
        ))}
      </ul>
      {hidden > 0 && <p className={styles.more}>{t('upload.moreWaiting', { count: hidden })}</p>}
    </>
  )
}

function Row({ jobKey, row }: { jobKey: number; row: RowView }) {
  const { t } = useTranslation('files')
  const name = row.path.slice(row.path.lastIndexOf('/') + 1)
  const percent = row.sizeBytes > 0 ? Math.floor((row.sentBytes / row.sizeBytes) * 100) : 0
  return (
    <li className={styles.row}>
      <div className={styles.rowNames}>
        <span title={row.path}>{name}</span>
        <small>{row.state === 'sending' ? formatBytes(row.sizeBytes) : t(`upload.row.${row.state}`)}</small>
      </div>
      <Progress
        percent={percent}
        status="normal"
        size={['100%', 3]}
        showInfo={false}
        aria-label={t('upload.progressOf', { name })}
      />
      <div className={styles.buttons}>
        {row.state === 'paused' ? (
          <IconButton
            label={t('upload.resumeOf', { name })}
            hint={t('upload.resume')}
            icon={<CaretRightOutlined aria-hidden />}
            onClick={() => uploads.resumeFile(jobKey, row.key)}
          />
        ) : (
          <IconButton
            label={t('upload.pauseOf', { name })}
            hint={t('upload.pause')}
            icon={<PauseOutlined aria-hidden />}
            onClick={() => uploads.pauseFile(jobKey, row.key)}
          />
        )}
        <IconButton
          label={t('upload.leaveOutOf', { name })}
          hint={t('upload.leaveOut')}
          icon={<CloseOutlined aria-hidden />}
          onClick={() => uploads.terminateFile(jobKey, row.key)}
        />
      </div>
    </li>
  )
}
