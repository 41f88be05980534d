import type { Dataset } from '@neuroloom/contract/datasets'
import type { Document } from '@neuroloom/contract/network/document/document'
import type { Library } from '@neuroloom/contract/network/library'
import { Alert } from 'antd'
import { useDeferredValue, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { shortNumber } from '../../gallery-number.ts'
import { MemoryMeter } from '../train/memory-meter.tsx'
import { firstSettings, memoryNeed } from '../train/memory-need.ts'
import { useDevice } from '../use-device.ts'
import styles from './guided.module.css'
import { type Sizing, sized, type Trial, tryOut } from './guided-size.ts'

type Props = { start: Document; sizing: Sizing; library: Library; dataset: Dataset }

/** What the network to be made costs, against what the device has; it follows the sliders. */
export function GuidedCost({ start, sizing, library, dataset }: Props) {
  const { t } = useTranslation('dripe-panels')
  // A slider goes on moving while a large network is worked out.
  const wanted = useDeferredValue(sizing)
  const trial = useMemo(
    () => tryOut(sized(start, wanted), library, dataset),
    [start, wanted, library, dataset],
  )
  return (
    <div role="status" className={styles.cost}>
      {trial === null ? <span>{t('guided.unknown')}</span> : <Figures {...trial} task={start.task} />}
    </div>
  )
}

function Figures({ plan, size, task }: Trial & { task: string }) {
  const { t } = useTranslation('dripe-panels')
  const device = useDevice()
  const settings = firstSettings(task)
  const need = memoryNeed(plan, settings, device?.memoryBytes ?? null)
  const { largestBatch, isTooMuch } = need
  return (
    <>
      <strong title={formatNumber(plan.learn, 0)}>
        {t('bar.parameters', { count: plan.learn, value: shortNumber(plan.learn) })}
      </strong>
      <span className={styles.memory}>
        <MemoryMeter need={need} />
      </span>
      <span className={styles.batch}>
        {t('guided.batch', { count: settings.batchSize, size: size.join(' × ') })}
      </span>
      {isTooMuch ? (
        <Alert
          type="warning"
          showIcon
          className={styles.tooMuch ?? ''}
          title={t('bar.tooMuch')}
          description={
            largestBatch === null || largestBatch === 0
              ? t('bar.nothingFits')
              : t('guided.fits', { count: largestBatch })
          }
        />
      ) : null}
    </>
  )
}
