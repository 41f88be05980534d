import type { Evidence } from '@neuroloom/contract/evidence'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Panel } from '../../../ui/page.tsx'
import { ThresholdView } from '../evidence/threshold-view.tsx'
import { cellOf, filterOf } from './cell-filter.ts'
import { ConfusionMatrix } from './confusion-matrix.tsx'
import type { ItemFilter } from './result-items.tsx'
import { Score } from './score.tsx'
import { ScoreHistogram } from './score-histogram.tsx'
import styles from './test-hero.module.css'

type Props = {
  run: LearnedRun
  /** null while it is not known, and of tests from before it was gathered. */
  evidence: Evidence | null
  hasMatrix: boolean
  /** Whether the page shows the images, to which what is seen here leads. */
  hasPictures: boolean
  filter: ItemFilter | null
  onFilter: (filter: ItemFilter | null) => void
}

/** As many classes as a matrix beside the score shows whole. */
const BESIDE = 6

/** A test at a glance: the score on its scale, and beside it what one would look at next, each leading to its images. */
export function TestHero({ run, evidence, hasMatrix, hasPictures, filter, onFilter }: Props) {
  const { t } = useTranslation(['runs', 'results', 'evidence'])
  const curves = (evidence?.curves ?? []).filter(({ points }) => points.length > 0)
  const matrix = hasMatrix ? run.confusion : null
  return (
    <Panel
      title={t('result.test')}
      extra={run.parentId ? <Link to={`/run?id=${run.parentId}`}>{t('result.toTraining')}</Link> : null}
    >
      <div className={styles.room}>
        <div
          className={styles.hero}
          data-parts={1 + Number(matrix !== null) + Number(curves.length > 0)}
          data-many={run.classes.length > BESIDE}
        >
          <Score
            run={run}
            evidence={evidence}
            onShowBad={hasPictures ? () => onFilter({ bad: true }) : null}
          />
          {matrix ? (
            <div className={styles.part}>
              <h3>{t('results:confusion.title')}</h3>
              <ConfusionMatrix
                classes={run.classes}
                counts={matrix}
                chosen={cellOf(filter)}
                onChoose={(cell) => onFilter(filterOf(run, cell))}
              />
            </div>
          ) : null}
          {curves.length > 0 ? (
            <div className={styles.part}>
              <h3>{t('evidence:threshold.title')}</h3>
              <ThresholdView curves={curves} decisions={evidence?.decisions ?? []} task={run.task} isShort />
            </div>
          ) : null}
          {/* Of classes an image is right or wrong. */}
          {run.task === 'classification' ? null : (
            <ScoreHistogram
              run={run}
              chosen={filter && 'bin' in filter ? filter.bin : null}
              onChoose={onFilter}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}
