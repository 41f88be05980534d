import type { Dataset } from '@neuroloom/contract/datasets'
import type { Task } from '@neuroloom/contract/task'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useClassName } from '../../lib/class-name.ts'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import styles from './class-bars.module.css'

const shownClasses = 6

/** What a class's number means, where it is not simply pictures. */
const meanings: Partial<Record<Task, 'labelsText' | 'areaText' | 'volumeText' | 'boxesText'>> = {
  multilabel: 'labelsText',
  segmentation: 'areaText',
  volume_segmentation: 'volumeText',
  detection: 'boxesText',
}

/** How much there is of each class: pictures, boxes, or the share of the area or space. */
export function ClassBars({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets')
  const [showsAll, setShowsAll] = useState(false)
  const { classes, facts, task } = dataset
  const classNameOf = useClassName(task ?? 'classification')
  if (!facts || classes.length === 0) return null
  const counts = facts.classCounts
  const most = Math.max(1, ...counts)
  const sum = Math.max(
    1,
    counts.reduce((total, count) => total + count, 0),
  )
  const meaning = task === null ? undefined : meanings[task]
  const isShare = meaning === 'areaText' || meaning === 'volumeText'
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
              <dt title={classNameOf(name)}>{classNameOf(name)}</dt>
              <dd>
                <span className={styles.track} aria-hidden>
                  <span style={{ width: `${(count / most) * 100}%` }} />
                </span>
                <span>{isShare ? formatPercent(count / sum) : formatNumber(count)}</span>
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
      {meaning && <small>{t(meaning)}</small>}
    </section>
  )
}
