import { DownOutlined, PieChartOutlined } from '@ant-design/icons'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { Button, Popover } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { Loading } from '../../../../ui/loading.tsx'
import { useScreenStore } from '../../editor/screen.ts'
import { useEditor } from '../../editor/use-editor.ts'
import { shortNumber } from '../../gallery-number.ts'
import { DownloadMenu } from '../download-menu.tsx'
import { MemoryMeter } from '../train/memory-meter.tsx'
import { type BatchSettings, firstSettings, type MemoryNeed, memoryNeed } from '../train/memory-need.ts'
import { useDevice } from '../use-device.ts'
import styles from './cost-bar.module.css'

const MemorySettings = lazyPart(async () => (await import('../train/memory-settings.tsx')).MemorySettings)

/** What the network costs and whether the device can train it, at a glance and before any run. */
export function CostBar() {
  const { t } = useTranslation('dripe-panels')
  const plan = useEditor(({ resolved }) => resolved.plan)
  return (
    <section className={styles.bar} aria-label={t('bar.title')}>
      {plan === null ? <Broken /> : <Figures plan={plan} />}
      <span className={styles.download}>
        <DownloadMenu />
      </span>
    </section>
  )
}

function Broken() {
  const { t } = useTranslation('dripe-panels')
  const screen = useScreenStore()
  return (
    <>
      <span>{t('bar.broken')}</span>
      <Button size="small" type="link" onClick={() => screen.getState().openTab('problems')}>
        {t('bar.showProblems')}
      </Button>
    </>
  )
}

function Figures({ plan }: { plan: Plan }) {
  const { t } = useTranslation('dripe-panels')
  const device = useDevice()
  const task = useEditor(({ document }) => document.task)
  const [chosen, setChosen] = useState<BatchSettings | null>(null)
  const settings = chosen ?? firstSettings(task)
  const need = memoryNeed(plan, settings, device?.memoryBytes ?? null)
  return (
    <>
      <span className={styles.figure} title={formatNumber(plan.learn, 0)}>
        {t('bar.parameters', { count: plan.learn, value: shortNumber(plan.learn) })}
      </span>
      <span
        className={`${styles.figure} ${styles.work}`}
        title={t('bar.gmac', { value: formatNumber(plan.macs / 1e9, 3) })}
      >
        {t('bar.macs', { count: plan.macs, value: shortNumber(plan.macs) })}
      </span>
      <Popover
        trigger="click"
        placement="topRight"
        title={t('bar.settings')}
        content={
          <Suspense fallback={<Loading count={3} />}>
            <MemorySettings settings={settings} need={need} onChange={setChosen} />
          </Suspense>
        }
      >
        <button type="button" className={styles.memory}>
          <PieChartOutlined aria-hidden />
          <MemoryMeter need={need} />
          <span className={styles.batch}>
            {t('bar.batch', { count: settings.batchSize })} <DownOutlined aria-hidden />
          </span>
        </button>
      </Popover>
      {need.isTooMuch ? (
        <TooMuch need={need} onTake={(batchSize) => setChosen({ ...settings, batchSize })} />
      ) : null}
    </>
  )
}

function TooMuch({ need, onTake }: { need: MemoryNeed; onTake: (batchSize: number) => void }) {
  const { t } = useTranslation('dripe-panels')
  const { largestBatch } = need
  return (
    <div className={styles.tooMuch} role="alert">
      <strong>{t('bar.tooMuch')}</strong>{' '}
      {largestBatch === null || largestBatch === 0 ? (
        t('bar.nothingFits')
      ) : (
        <Button size="small" onClick={() => onTake(largestBatch)}>
          {t('bar.takeBatch', { count: largestBatch })}
        </Button>
      )}
    </div>
  )
}
