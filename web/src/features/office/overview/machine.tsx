import type { Answer } from '@neuroloom/contract/calls'
import { isNearlyFull } from '@neuroloom/contract/membership/counted'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes, formatNumber, formatPercent } from '../../../lib/format.ts'
import bar from '../../../ui/limits/meter-bar.module.css'
import styles from './overview.module.css'

type Figures = Pick<Answer<'office/overview'>, 'disk' | 'machine' | 'databaseBytes'>

/** Bars of what a machine runs out of. */
export function Machine({ figures: { disk, machine, databaseBytes } }: { figures: Figures }) {
  const { t } = useTranslation('operations')
  const title = useId()
  const usedDisk = disk.totalBytes - disk.freeBytes
  const usedMemory = machine.memoryBytes - machine.freeMemoryBytes
  return (
    <section className={styles.section} aria-labelledby={title}>
      <h2 id={title}>{t('machine.title')}</h2>
      <div className={styles.bars}>
        <Use
          name={t('machine.disk')}
          share={usedDisk / Math.max(1, disk.totalBytes)}
          isShort={disk.freeBytes < disk.reserveBytes}
          text={t('machine.usedOf', { used: formatBytes(usedDisk), total: formatBytes(disk.totalBytes) })}
        />
        <Use
          name={t('machine.memory')}
          share={usedMemory / Math.max(1, machine.memoryBytes)}
          isShort={false}
          text={t('machine.usedOf', {
            used: formatBytes(usedMemory),
            total: formatBytes(machine.memoryBytes),
          })}
        />
        <Use
          name={t('machine.processor')}
          share={machine.load / Math.max(1, machine.cores)}
          isShort={false}
          text={t('machine.load', {
            load: formatNumber(machine.load, 1),
            cores: formatNumber(machine.cores),
            count: machine.cores,
          })}
        />
      </div>
      <p className={styles.soft}>{t('machine.database', { size: formatBytes(databaseBytes) })}</p>
    </section>
  )
}

/** From this share on what is used is in danger of being used up. */
const FULL = 0.95

type UseProps = { name: string; share: number; isShort: boolean; text: string }

function Use({ name, share, isShort, text }: UseProps) {
  const id = useId()
  const state = isShort || share >= FULL ? 'full' : isNearlyFull(share, 1) ? 'nearlyFull' : 'free'
  return (
    <div>
      <span id={id} className={styles.line}>
        <span>{name}</span>
        <span className={styles.soft}>{text}</span>
      </span>
      <meter
        className={bar.bar}
        data-fill={state}
        aria-labelledby={id}
        max={1}
        value={Math.min(1, share)}
        aria-valuetext={formatPercent(share, 0)}
      />
    </div>
  )
}
