import type { ImageFacts } from '@neuroloom/contract/viewing'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { formatValue } from './format-value.ts'
import styles from './viewer.module.css'

/** What lies under the cross: the voxel, counted from 0; its place in the patient (to the right, front, top); its value. */
export type UnderCross = {
  voxel: readonly number[]
  millimetres: readonly number[]
  value: number | null
}

type Props = { under: UnderCross; facts: Pick<ImageFacts, 'size' | 'channels' | 'orientation' | 'unit'> }

/** In words, below the image: which voxel, where in the patient, and what stands there. */
export function Readout({ under, facts }: Props) {
  const { t } = useTranslation('viewer')
  const isFlat = facts.size[2] === 1
  const place = under.voxel
    .slice(0, isFlat ? 2 : 3)
    .map((index) => formatNumber(index + 1))
    .join(', ')
  const isValueKnown = facts.channels === 1 && under.value !== null && Number.isFinite(under.value)
  const said = [
    place === '' ? '' : t(isFlat ? 'under.pixel' : 'under.voxel', { place }),
    facts.orientation === null || under.millimetres.length < 3 ? '' : inPatient(under.millimetres),
    isValueKnown ? t('under.value', { value: `${formatValue(under.value ?? 0)} ${facts.unit}`.trim() }) : '',
  ]
  return <output className={styles.readout}>{said.filter((part) => part !== '').join(' · ')}</output>
}

/** The letters of the body's ends, as at the edges of the slices: beyond 0 and before it. */
const ends = ['RL', 'AP', 'SI'] as const

const inPatient = (millimetres: readonly number[]): string =>
  `${ends
    .map(([beyond, before], axis) => {
      const at = millimetres[axis] ?? 0
      return `${at < 0 ? before : beyond} ${formatNumber(Math.abs(at), 1)}`
    })
    .join(' ')} mm`
