import type { Dataset } from '@neuroloom/contract/datasets'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import styles from './class-bars.module.css'
import { className } from './class-name.ts'

const shownClasses = 6

/** How much there is of each class: images for classification, area for segmentation. */
export function ClassBars({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const [showsAll, setShowsAll] = useState(false)
  const { classes, facts, layout, task } = dataset
  if (!facts) return null
  const counts = facts.classCounts
  const most = Math.max(1, ...counts)
  const sum = Math.max(
    1,
    counts.reduce((total, count) => total + count, 0),
  )
  const isArea = task === 'segmentation'
  const shown = showsAll ? classes : classes.slice(0, shownClasses)
  const hidden = classes.length - shown.length
  return (
    <section className={styles.bars} aria-label={t('classes', { count: classes.length })}>
      <h4>{t('classes', { count: classes.length })}</h4>
      <dl>
        {shown.map((name, index) => {
          const count = counts[index] ?? 0
          return (
            <div key={name}>
              <dt title={className(name, layout, t)}>{className(name, layout, t)}</dt>
              <dd>
                <span className={styles.track} aria-hidden>
                  <span style={{ width: `${(count / most) * 100}%` }} />
                </span>
                <span>{isArea ? formatPercent(count / sum) : formatNumber(count)}</span>
              </dd>
            </div>
          )
        })}
      </dl>
      {hidden > 0 && (
        <Button type="link" size="small" onClick={() => setShowsAll(true)}>
          {t('moreClasses', { count: hidden })}
        </Button>
      )}
      {isArea && <small>{t('areaText')}</small>}
    </section>
  )
}
