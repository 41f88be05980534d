import type { Dataset, MaskFacts } from '@neuroloom/contract/datasets'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { ClassNames } from './class-names.tsx'
import styles from './masks.module.css'
import { ReaderChoice } from './reader-choice.tsx'

/** How the masks of a data set were read: whose count, what was joined, where they count, which colours they have. */
export function DatasetMasks({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('masks')
  const [isNaming, setIsNaming] = useState(false)
  const { facts, task } = dataset
  if (!facts || (task !== 'segmentation' && task !== 'volume_segmentation')) return null
  const isOwn = dataset.owner === ''
  const told = facts.masks ? sentencesOf(facts.masks, t) : []
  if (!facts.masks && !isOwn) return null
  return (
    <section className={styles.masks} aria-label={t('title')}>
      {facts.readers && facts.masks && (
        <ReaderChoice dataset={dataset} readers={facts.readers} masks={facts.masks} part="labels" />
      )}
      {facts.masks && facts.masks.channels.length > 1 && (
        <ReaderChoice dataset={dataset} readers={facts.masks.channels} masks={facts.masks} part="images" />
      )}
      {told.length > 0 && (
        <ul className={styles.told}>
          {told.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      {facts.masks && <Colours masks={facts.masks} dataset={dataset} />}
      {isOwn && (
        <div>
          <Button onClick={() => setIsNaming(true)}>{t('rename')}</Button>
        </div>
      )}
      {isNaming && <ClassNames dataset={dataset} onClose={() => setIsNaming(false)} />}
    </section>
  )
}

type Say = ReturnType<typeof useTranslation<'masks'>>['t']

function sentencesOf(masks: MaskFacts, t: Say): string[] {
  const { regions, regionFrom, joined, things, smeared, inverted, renumbered, open } = masks
  const { turned, masksTurned, unsure } = masks
  return [
    ...(regions > 0 ? [t('regions', { count: regions, folder: regionFrom ?? '' })] : []),
    ...(joined > 0 ? [t('joined', { count: joined })] : []),
    ...(things > 0 ? [t('things', { count: things })] : []),
    ...(smeared > 0 ? [t('smeared', { count: smeared })] : []),
    ...(inverted ? [t('inverted', { count: inverted })] : []),
    ...(renumbered ? [t('renumbered', { count: renumbered })] : []),
    ...(open ? [t('open', { ...open, count: open.images, share: formatPercent(open.share, 2) })] : []),
    ...(turned > 0 ? [t('turned', { count: turned })] : []),
    ...(masksTurned > 0 ? [t('masksTurned', { count: masksTurned })] : []),
    ...(unsure > 0 ? [t('unsure', { count: unsure })] : []),
  ]
}

type ColoursProps = { masks: MaskFacts; dataset: Dataset }

/** Each colour that was found, what it is called and how much it covers. */
function Colours({ masks: { values }, dataset: { classes, task } }: ColoursProps) {
  const { t } = useTranslation('masks')
  const classNameOf = useClassName(task ?? 'segmentation')
  if (!values.some(({ value }) => value.startsWith('#'))) return null
  return (
    <details className={styles.colours}>
      <summary>{t('colours', { count: values.length })}</summary>
      <ul>
        {values.map(({ value, class: index, pixels }) => (
          <li key={value}>
            <span className={styles.swatch} style={{ background: value }} aria-hidden="true" />
            <code>{value}</code>
            <span>{classNameOf(classes[index] ?? '')}</span>
            <span>{t('pixels', { count: pixels, shown: formatNumber(pixels) })}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
