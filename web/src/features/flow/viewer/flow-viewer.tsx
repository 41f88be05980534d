import { Progress } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { type Bench, bytesOf, type Source } from './source.ts'
import { type Opening, useStudy } from './use-study.ts'
import styles from './viewer.module.css'
import { Workbench } from './workbench.tsx'

/** `onAgain` fetches fresh addresses before another try. */
export type FlowViewerProps = Bench & { onAgain?: () => Promise<unknown> }

/** A study, or what a run made of one: its flow in planes and in time. Loads the files itself. */
export function FlowViewer({ onAgain, ...bench }: FlowViewerProps) {
  const { source } = bench
  return (
    <WithStudy source={source} onAgain={onAgain}>
      {(open) => <Workbench key={source.key} {...bench} {...open} />}
    </WithStudy>
  )
}

type Open = Pick<Extract<Opening, { state: 'open' }>, 'facts' | 'worker'>
type WithStudyProps = {
  source: Source
  onAgain: (() => Promise<unknown>) | undefined
  children: (open: Open) => ReactNode
}

/** What is shown once the files of a study are read; until then how far they are. */
export function WithStudy({ source, onAgain, children }: WithStudyProps) {
  const { opening, stop, again } = useStudy(source, onAgain)
  switch (opening.state) {
    case 'loading':
      return <Coming {...opening} most={source.head && bytesOf(source.head)} onStop={stop} />
    case 'failed':
      return <Failed fault={opening.fault} onAgain={() => void again()} />
    case 'open':
      return children({ facts: opening.facts, worker: opening.worker })
    default:
      return opening satisfies never
  }
}

type Coming = Extract<Opening, { state: 'loading' }>
/** `most`: what the study is told to hold, where its file comes packed and without a length. */
type ComingProps = Coming & { most: number | null; onStop: () => void }

function Coming({ loaded, whole: told, most, onStop }: ComingProps) {
  const { t } = useTranslation('flow-view')
  const whole = told ?? most
  const isThere = whole !== null && loaded >= whole
  return (
    <div className={styles.coming} role="status">
      <p>{isThere ? t('loading.reading') : t('loading.file')}</p>
      {whole !== null && (
        <Progress percent={Math.min(100, Math.floor((100 * loaded) / whole))} showInfo={false} />
      )}
      <p className={styles.soft}>
        {whole === null
          ? formatBytes(loaded)
          : t('loading.of', { loaded: formatBytes(loaded), whole: formatBytes(whole) })}
      </p>
      <Button look="quiet" onClick={onStop}>
        {t('loading.stop')}
      </Button>
    </div>
  )
}

type FailedProps = { fault: Extract<Opening, { state: 'failed' }>['fault']; onAgain: () => void }

function Failed({ fault, onAgain }: FailedProps) {
  const { t } = useTranslation('flow-view')
  return (
    <div className={styles.coming} role={fault === 'stopped' ? 'status' : 'alert'}>
      <p>{t(`failed.${fault}`)}</p>
      <Button look="quiet" onClick={onAgain}>
        {t('failed.again')}
      </Button>
    </div>
  )
}
