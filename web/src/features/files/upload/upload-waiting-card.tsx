import { ClockCircleOutlined, CloseOutlined } from '@ant-design/icons'
import { Button, Popconfirm, Progress } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { pickedFromInput } from './picked-files.ts'
import { dismissed, filesOf, pickHandles } from './picked-handles.ts'
import styles from './upload-panel.module.css'
import { openCount, type Waiting, type WaitingBatch } from './upload-waiting.ts'

/** An upload that stopped with a reload or in another browser, and how it goes on. */
export function UploadWaitingCard({ waiting, all }: { waiting: WaitingBatch; all: Waiting }) {
  const { t } = useTranslation('uploads')
  const { batch, name, handles, missing, isBusy, packed } = waiting
  const input = useRef<HTMLInputElement>(null)
  const picksFolder = waiting.isFolder
  const count = openCount(waiting)
  const title = picksFolder || count === 1 ? name : t('waiting.loose', { count, shown: formatNumber(count) })
  const arrived = batch.doneBytes + batch.openBytes
  const choose = async () => {
    const picked = await pickHandles(picksFolder ? 'folder' : 'files')
    if (picked === dismissed) return
    if (picked) await all.goOnWith(batch.batch, await filesOf(picked))
    else input.current?.click()
  }
  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const picked = pickedFromInput(event.target.files ?? [])
    event.target.value = ''
    if (picked.length > 0) void all.goOnWith(batch.batch, picked)
  }
  const chooseLabel = t(picksFolder ? 'waiting.chooseFolder' : 'waiting.chooseFiles')
  return (
    <article className={styles.job} aria-label={title}>
      <div className={styles.jobHead}>
        <span className={styles.jobIcon} aria-hidden>
          <ClockCircleOutlined aria-hidden />
        </span>
        <div className={styles.jobNames}>
          <strong title={title}>{title}</strong>
          <span>
            {t('waiting.arrived', { sent: formatBytes(arrived), total: formatBytes(batch.totalBytes) })}
          </span>
        </div>
        <Popconfirm
          title={t('waiting.giveUpAsk')}
          description={t('waiting.giveUpText')}
          okText={t('waiting.giveUp')}
          okButtonProps={{ danger: true }}
          cancelText={t('waiting.keep')}
          placement="topRight"
          onConfirm={() => all.giveUp(batch.batch).catch(() => undefined)}
        >
          <Button
            type="text"
            size="small"
            icon={<CloseOutlined aria-hidden />}
            aria-label={t('waiting.giveUpOf', { name: title })}
          />
        </Popconfirm>
      </div>
      <Progress
        percent={batch.totalBytes > 0 ? (arrived / batch.totalBytes) * 100 : 0}
        showInfo={false}
        size="small"
        status="normal"
        aria-label={t('waiting.progressOf', { name: title })}
      />
      <p className={styles.waitingText}>
        {missing > 0
          ? t('waiting.missing', { count: missing, shown: formatNumber(missing) })
          : t(handles ? 'waiting.textKnown' : textKey(packed, picksFolder), {
              count,
              shown: formatNumber(count),
              name,
            })}
      </p>
      <div className={styles.waitingButtons}>
        {handles && (
          <Button type="primary" size="small" loading={isBusy} onClick={() => void all.goOn(batch.batch)}>
            {t('waiting.goOn')}
          </Button>
        )}
        <Button
          size="small"
          {...(handles ? {} : { type: 'primary', loading: isBusy })}
          onClick={() => void choose()}
        >
          {chooseLabel}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={chooseLabel}
        {...(picksFolder ? { webkitdirectory: '' } : {})}
        onChange={handleChange}
      />
    </article>
  )
}

function textKey(packed: string | null, picksFolder: boolean) {
  if (packed !== null) return 'waiting.textPacked'
  return picksFolder ? 'waiting.textFolder' : 'waiting.textFiles'
}
