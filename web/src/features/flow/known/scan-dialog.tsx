import type { PhantomName } from '@neuroloom/contract/flow/named'
import { phantomRanges, steadyPhantoms } from '@neuroloom/contract/flow/phantoms'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { SaveDialog } from '../../../ui/save-dialog.tsx'
import styles from './known.module.css'

const fields = ['side', 'spacing', 'frames', 'venc', 'snr'] as const
type Field = (typeof fields)[number]
type Scan = Record<Field, number>

/** Three velocities and a magnitude of two bytes each. */
const bytesOf = ({ side, frames }: Scan): number => 8 * side ** 3 * frames

type Props = {
  phantom: PhantomName
  title: string
  onStart: (scan: Scan) => Promise<unknown>
  onClose: () => void
}

/** How a known flow is to be measured, within what the product can do. */
export function ScanDialog({ phantom, title, onStart, onClose }: Props) {
  const { t } = useTranslation('flow')
  const id = useId()
  const [scan, setScan] = useState<Scan>(() => startsOf(phantom))
  // An emptied field is no number.
  const isWhole = fields.every((field) => Number.isFinite(scan[field]))
  return (
    <SaveDialog
      title={title}
      saveLabel={t('knownFlows.start')}
      isDisabled={!isWhole}
      width={520}
      onSave={() => onStart(scan)}
      onClose={onClose}
    >
      <div className={styles.fields}>
        {fields.map((field) => {
          const { min, max, step } = phantomRanges[field]
          const range = t('knownFlows.range', { min: formatNumber(min), max: formatNumber(max) })
          return (
            <div key={field} className={styles.field}>
              <label htmlFor={`${id}-${field}`}>{t(`scan.${field}`)}</label>
              <NumberField
                id={`${id}-${field}`}
                aria-describedby={`${id}-${field}-help`}
                min={min}
                max={max}
                step={step}
                {...(field === 'spacing' ? {} : { precision: 0 })}
                value={Number.isFinite(scan[field]) ? scan[field] : null}
                status={Number.isFinite(scan[field]) ? '' : 'error'}
                onChange={(value) => setScan({ ...scan, [field]: value ?? Number.NaN })}
              />
              <small id={`${id}-${field}-help`}>
                {range}. {t(`scan.${field}Help`)}
                {field === 'snr' && ` ${t('knownFlows.noNoise', { max: formatNumber(max) })}.`}
              </small>
            </div>
          )
        })}
        {isWhole && <p>{t('knownFlows.estimate', { size: formatBytes(bytesOf(scan)) })}</p>}
      </div>
    </SaveDialog>
  )
}

const startsOf = (phantom: PhantomName): Scan => ({
  side: phantomRanges.side.start,
  spacing: phantomRanges.spacing.start,
  frames: steadyPhantoms.includes(phantom) ? 1 : phantomRanges.frames.start,
  venc: phantomRanges.venc.start,
  snr: phantomRanges.snr.start,
})
