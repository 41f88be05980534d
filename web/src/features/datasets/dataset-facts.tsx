import type { DataFacts, Dataset } from '@neuroloom/contract/datasets'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import styles from './dataset-card.module.css'

/** What the data are like, in sentences; each only where there is something to tell. */
export function DatasetFacts({ dataset: { layout, facts } }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  if (!facts) return null
  const told = [
    volumeOf(facts, t),
    unspacedOf(facts, t),
    boxesOf(facts, t),
    turnedOf(facts, t),
    factorOf(facts, t),
    givenOf(facts, t),
    patientsOf(facts, t),
    unusedOf(facts, t),
  ]
  return (
    <ul className={styles.told}>
      {layout && (
        <li>
          {t('layoutName.title')}: {t(`layoutName.${layout}`)}
        </li>
      )}
      {told.map((sentence) => sentence && <li key={sentence}>{sentence}</li>)}
    </ul>
  )
}

type Say = TFunction<'datasets'>

function volumeOf({ depth, spacing }: DataFacts, t: Say): string | null {
  if (depth === null) return null
  const slices = t('fact.depth', {
    depth: depth.min === depth.max ? depth.max : `${depth.min} – ${depth.max}`,
  })
  if (spacing === null) return slices
  const voxel = spacing.map((side) => formatNumber(side, 2)).join(' × ')
  return `${slices}, ${t('fact.spacing', { spacing: voxel })}`
}

/** Distances and volumes that are measured on them mean nothing in the body. */
const unspacedOf = ({ unspaced }: DataFacts, t: Say): string | null =>
  unspaced === undefined ? null : t('fact.unspaced', { count: unspaced })

function boxesOf({ boxSide, classCounts }: DataFacts, t: Say): string | null {
  if (boxSide === null) return null
  const count = classCounts.reduce((sum, one) => sum + one, 0)
  const side = t('fact.boxSide', { least: boxSide.min, most: boxSide.max, usual: boxSide.median })
  return `${t('fact.boxes', { count })}, ${side}`
}

const turnedOf = ({ turnedBoxes }: DataFacts, t: Say): string | null =>
  turnedBoxes === undefined ? null : t('fact.turnedBoxes', { count: turnedBoxes })

const factorOf = ({ factor }: DataFacts, t: Say): string | null =>
  factor === null ? null : t('fact.factor', { factor })

const givenOf = ({ given }: DataFacts, t: Say): string | null =>
  given === null
    ? null
    : t('fact.given', {
        train: formatNumber(given.train),
        validation: formatNumber(given.validation),
        test: formatNumber(given.test),
      })

/**
 * A split of one's own parts whole patients; one that the data set brings along is kept as it is. Newer data sets say
 * more of them in a place of their own.
 */
function patientsOf({ patients, given, origin }: DataFacts, t: Say): string | null {
  if (patients === null || origin) return null
  return t(given === null ? 'fact.patients' : 'fact.patientsGiven', { count: patients })
}

/** Files that are neither used nor named by themselves. */
function unusedOf({ unused }: DataFacts, t: Say): string | null {
  if (!unused || unused.length === 0) return null
  const kinds = unused.map(({ kind, files }) => {
    if (kind === 'system') return t('fact.unusedSystem', { shown: formatNumber(files) })
    const name = kind === '?' ? t('fact.unusedNoEnding') : `.${kind}`
    return `${formatNumber(files)} × ${name}`
  })
  return t('fact.unused', { kinds: kinds.join(', ') })
}
