import { CaretRightOutlined, CloseOutlined, DownOutlined, PauseOutlined, UpOutlined } from '@ant-design/icons'
import { uploadPanel as limits } from '@neuroloom/contract/limits'
import { Button, Popconfirm, Progress } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDuration, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useIsPhone } from '../../../ui/hooks/use-media.ts'
import { DeidentifyQuestion, DeidentifySummary } from '../deidentify/deidentify-notices.tsx'
import { useDeidentification } from '../deidentify/state.ts'
import { IconButton } from '../icon-button.tsx'
import { UnpackCard } from '../unpack/unpack-card.tsx'
import { type Unpacks, useUnpacks } from '../unpack/use-unpacks.ts'
import { SameNameDialog } from './same-name-dialog.tsx'
import { isGettingReady, type JobView } from './upload-job.ts'
import { UploadJob } from './upload-job-card.tsx'
import { UploadLookDialog } from './upload-look-dialog.tsx'
import styles from './upload-panel.module.css'
import { answerTabs } from './upload-tabs.ts'
import { openCount, useWaiting, type Waiting } from './upload-waiting.ts'
import { UploadWaitingCard } from './upload-waiting-card.tsx'
import { uploads, useUploadHousekeeping, useUploads } from './uploads.ts'

/** What is being uploaded, docked over every workspace page; nothing to see while nothing is uploaded. */
export function UploadPanel() {
  const { jobs } = useUploads()
  const waiting = useWaiting()
  const unpacks = useUnpacks()
  useUploadHousekeeping()
  useEffect(answerTabs, [])
  const isEmpty = jobs.length === 0 && waiting.batches.length === 0 && unpacks.list.length === 0
  return (
    <>
      {!isEmpty && <Panel jobs={jobs} waiting={waiting} unpacks={unpacks} />}
      <DeidentifyQuestion />
    </>
  )
}

type PanelProps = { jobs: readonly JobView[]; waiting: Waiting; unpacks: Unpacks }

function Panel({ jobs, waiting, unpacks }: PanelProps) {
  const { t } = useTranslation('files')
  // A phone has no room beside the page: there it is one line until somebody opens it.
  const isPhone = useIsPhone()
  const asking = jobs.find((job) => job.state === 'asking')
  const choosing = jobs.find((job) => job.state === 'choosing')
  const isSettled = jobs.every(isEnded) && waiting.batches.length === 0 && unpacks.list.every(isUnpackEnded)
  const close = () => {
    for (const job of jobs) uploads.dismiss(job.key)
    if (unpacks.list.length > 0) unpacks.dismiss(unpacks.list.map(({ id }) => id))
  }
  const { summary } = useDeidentification()
  const isQuiet = isSettled && summary === null && jobs.every(isWhole)
  const isReport = isQuiet && unpacks.list.length > 0
  const { isHeld, hold } = useHold()
  useLeaving(isQuiet && unpacks.list.every(isUnpacked) && !isHeld, close)
  const { isOpen, toggle } = useFolding({ isPhone, isReport, isHeld, newest: jobs.at(-1)?.key ?? 0 })
  return (
    <>
      <section
        className={styles.panel}
        aria-label={t('upload.panel')}
        data-open={isOpen}
        data-report={isReport}
        {...hold}
      >
        <header className={styles.head}>
          <button type="button" className={styles.title} aria-expanded={isOpen} onClick={toggle}>
            <Summary jobs={jobs} waiting={waiting} unpacks={unpacks} isOpen={isOpen} isReport={isReport} />
            {isOpen ? <DownOutlined aria-hidden /> : <UpOutlined aria-hidden />}
          </button>
          <AllButtons jobs={jobs} />
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
            <DeidentifySummary />
            {waiting.batches.map((one) => (
              <UploadWaitingCard key={one.batch.batch} waiting={one} all={waiting} />
            ))}
            {jobs.map((job) => (
              <UploadJob key={job.key} job={job} />
            ))}
            {unpacks.list.map((unpack) => (
              <UnpackCard key={unpack.id} unpack={unpack} all={unpacks} />
            ))}
          </div>
        )}
        <Announcer jobs={jobs} />
      </section>
      {choosing && <UploadLookDialog key={choosing.key} job={choosing} />}
      {asking && !choosing && <SameNameDialog key={asking.key} job={asking} />}
    </>
  )
}

/** What can be done with all uploads at once; of one, its own buttons do the same. */
function AllButtons({ jobs }: { jobs: readonly JobView[] }) {
  const { t } = useTranslation('uploads')
  const open = jobs.filter((job) => !isEnded(job))
  if (open.length < 2) return null
  const isSending = open.some(({ state }) => state === 'sending')
  const isPaused = open.some(({ state }) => state === 'paused')
  return (
    <div className={styles.allButtons}>
      {isSending && (
        <IconButton
          label={t('all.pause')}
          hint={t('all.pause')}
          icon={<PauseOutlined aria-hidden />}
          onClick={() => uploads.pauseAll()}
        />
      )}
      {isPaused && !isSending && (
        <IconButton
          label={t('all.resume')}
          hint={t('all.resume')}
          icon={<CaretRightOutlined aria-hidden />}
          onClick={() => uploads.resumeAll()}
        />
      )}
      <Popconfirm
        title={t('all.terminateAsk')}
        description={t('all.terminateText')}
        okText={t('all.terminate')}
        okButtonProps={{ danger: true }}
        cancelText={t('all.goOn')}
        placement="topRight"
        onConfirm={() => uploads.terminateAll()}
      >
        <Button
          type="text"
          size="small"
          icon={<CloseOutlined aria-hidden />}
          aria-label={t('all.terminate')}
        />
      </Popconfirm>
    </div>
  )
}

type SummaryProps = PanelProps & { isOpen: boolean; isReport: boolean }

function Summary({ jobs, waiting, unpacks, isOpen, isReport }: SummaryProps) {
  const { t } = useTranslation(['files', 'uploads'])
  if (isReport) {
    const isTrouble = !unpacks.list.every(isUnpacked)
    return <span>{t(isTrouble ? 'uploads:unpack.endedWithTrouble' : 'uploads:unpack.ended')}</span>
  }
  const open = jobs.filter((job) => !isEnded(job))
  if (open.length === 0 && waiting.batches.length > 0) {
    const count = waiting.batches.reduce((sum, batch) => sum + openCount(batch), 0)
    return <span>{t('uploads:waiting.title', { count, shown: formatNumber(count) })}</span>
  }
  if (open.length === 0 && unpacks.list.some((one) => !isUnpackEnded(one)))
    return <span>{t('uploads:unpack.running')}</span>
  if (open.length === 0) {
    const failed = jobs.reduce((sum, job) => sum + job.failureCount, 0)
    const isTrouble = failed > 0 || jobs.some((job) => job.state === 'refused')
    return <span>{t(isTrouble ? 'files:upload.endedWithTrouble' : 'files:upload.ended')}</span>
  }
  const total = open.reduce((sum, job) => sum + job.totalBytes, 0)
  const sent = open.reduce((sum, job) => sum + job.sentBytes, 0)
  const share = total > 0 ? sent / total : 0
  const seconds = open.reduce((most, job) => Math.max(most, job.secondsLeft ?? 0), 0)
  const isPaused = open.every((job) => job.state === 'paused')
  const label = t('files:upload.total')
  return (
    <>
      {!isOpen && (
        <Progress type="circle" size={26} percent={share * 100} showInfo={false} aria-label={label} />
      )}
      <span>{isPaused ? t('files:upload.paused') : t('files:upload.running', { count: open.length })}</span>
      <span className={styles.figures}>
        {formatPercent(share, 0)}
        {seconds > 0 && ` · ${t('files:upload.left', { time: formatDuration(seconds) })}`}
      </span>
    </>
  )
}

/** Says beginnings and ends to those who do not see the panel, never every per cent. */
function Announcer({ jobs }: { jobs: readonly JobView[] }) {
  const { t } = useTranslation('files')
  const texts = jobs.map((job) =>
    t(`upload.said.${saidState(job)}`, {
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

/** Nothing about it is left to be read. */
const isWhole = ({ state, failureCount, skippedFiles }: JobView) =>
  state === 'cancelled' || (state === 'done' && failureCount === 0 && skippedFiles === 0)

/** Whether somebody is just looking at it or works in it. */
function useHold() {
  const [isHeld, setIsHeld] = useState(false)
  const hold = {
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
    onFocus: () => setIsHeld(true),
    onBlur: () => setIsHeld(false),
  }
  return { isHeld, hold }
}

/** Goes by itself a while after all is well. */
function useLeaving(mayLeave: boolean, leave: () => void) {
  const going = useRef(leave)
  going.current = leave
  useEffect(() => {
    if (!mayLeave) return
    const timer = setTimeout(() => going.current(), limits.panelStaysMs)
    return () => clearTimeout(timer)
  }, [mayLeave])
}

type Folding = { isPhone: boolean; isReport: boolean; isHeld: boolean; newest: number }

/** Open or one line: what somebody chose stays until something else happens. */
function useFolding({ isPhone, isReport, isHeld, newest }: Folding) {
  const [isOpen, setIsOpen] = useState(!isPhone && !isReport)
  const isChosen = useRef(false)
  // A new upload shows itself, also where the panel had been folded away.
  useEffect(() => {
    isChosen.current = false
    if (newest > 0 && !isPhone) setIsOpen(true)
  }, [newest, isPhone])
  // A report stays until it is put away: open, it would cover the buttons of every page meanwhile.
  useEffect(() => {
    if (!isReport) isChosen.current = false
    else if (!isHeld && !isChosen.current) setIsOpen(false)
  }, [isReport, isHeld])
  const toggle = () => {
    isChosen.current = true
    setIsOpen(!isOpen)
  }
  return { isOpen, toggle }
}

/** Came out whole, with nothing to be read about it. */
const isUnpacked = ({ state, leftOutCount, renamed }: Unpacks['list'][number]) =>
  state === 'done' && leftOutCount === 0 && renamed.length === 0

const isUnpackEnded = ({ state }: Unpacks['list'][number]) => state === 'done' || state === 'failed'

function saidState(job: JobView) {
  if (job.isCut) return 'cut'
  return isGettingReady(job) && job.state !== 'choosing' ? 'preparing' : job.state
}
