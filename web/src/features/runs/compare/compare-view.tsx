import type { Comparison, Difference, Pair, Verdict } from '@neuroloom/contract/compare'
import { comparison as limits } from '@neuroloom/contract/limits'
import type { LearnedRun } from '@neuroloom/contract/runs'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { useDifference } from '../results/difference.ts'
import { ItemCard } from '../results/item-card.tsx'
import { ItemDialog } from '../results/item-dialog.tsx'
import type { Item } from '../results/item-kind.ts'
import { viewerOf } from '../results/picture-dialog.tsx'
import styles from './compare.module.css'
import { DifferenceTable, FigureTable, SettingTable } from './compare-tables.tsx'
import { PairedPlot } from './paired-plot.tsx'

type Props = { comparison: Comparison; networkName: (network: string) => string }

/** What may be said of each test against the first, the images on which they disagree, then the tables. */
export function CompareView({ comparison, networkName }: Props) {
  const { t } = useTranslation('compare')
  const [first] = comparison.tests
  if (!first) return null
  return (
    <>
      {comparison.pairs.map((pair) => (
        <PairPanel key={pair.id} comparison={comparison} pair={pair} />
      ))}
      <Panel title={t('apart')}>
        <Disputed comparison={comparison} />
      </Panel>
      {comparison.pairs.map((pair) => (
        <Panel key={pair.id} title={t('differences', numbersOf(comparison, pair))}>
          <DifferenceTable comparison={comparison} pair={pair} />
          <p className={styles.note}>{t('many')}</p>
        </Panel>
      ))}
      <Panel title={t('beside')}>
        <FigureTable comparison={comparison} networkName={networkName} />
      </Panel>
      <Panel title={t('settings')}>
        <SettingTable comparison={comparison} />
      </Panel>
    </>
  )
}

function PairPanel({ comparison, pair }: { comparison: Comparison; pair: Pair }) {
  const { t } = useTranslation('compare')
  const { task, items, groups, resamples } = comparison
  const names = numbersOf(comparison, pair)
  return (
    <Panel title={t('difference', names)}>
      <Said pair={pair} names={names} />
      {resamples > 0 ? (
        <p className={styles.lead}>
          {t('how', { count: items, groups, resamples, seed: limits.seed, context: task })}
          {task === 'detection' ? ` ${t('howBoxes', { boxes: limits.boxes })}` : ''}
          {task === 'classification' || task === 'multilabel' ? ` ${t('howShares')}` : ''}
        </p>
      ) : null}
      {pair.mcnemar ? (
        <p className={styles.lead}>
          {t('mcnemar', { ...names, ...pair.mcnemar, p: chance(pair.mcnemar.p) })}
        </p>
      ) : null}
      <PairedPlot comparison={comparison} pair={pair} names={names} />
    </Panel>
  )
}

const numbersOf = ({ tests }: Comparison, pair: Pair): { first: number; other: number } => ({
  first: tests[0]?.number ?? 0,
  other: tests.find(({ id }) => id === pair.id)?.number ?? 0,
})

/** The one sentence to take along. "Better" is said only where the range leaves out 0. */
function Said({ pair, names }: { pair: Pair; names: { first: number; other: number } }) {
  const { t } = useTranslation('compare')
  const { t: runText } = useTranslation('runs')
  const { difference, range } = useDifference()
  const [main] = pair.differences
  if (!main) return null
  const { metric, interval, verdict, cases } = main
  const value = main.value ?? 0
  // "Lower" says the sign already.
  const ends = interval && verdict === 'worse' ? ([-interval[1], -interval[0]] as const) : interval
  return (
    <p className={styles.said} data-verdict={verdict}>
      {t(`said.${wordOf(main)}`, {
        ...names,
        count: cases,
        metric: runText(`metric.${metric}.name`),
        value: difference(metric, verdict === 'unshown' ? value : Math.abs(value)),
        range: ends ? range(metric, ends) : '',
      })}
    </p>
  )
}

function wordOf({ interval, verdict, value, cases }: Difference): 'tooFew' | 'same' | 'alike' | Verdict {
  if (interval) return verdict
  if (cases < limits.fewestGroups || value === null) return 'tooFew'
  return value === 0 ? 'same' : 'alike'
}

const LEAST_CHANCE = 0.001
const chance = (p: number): string =>
  p < LEAST_CHANCE ? `< ${formatNumber(LEAST_CHANCE, 3)}` : formatNumber(p, 3)

/** The same image in each test; from an opened one, arrows step through the other disagreements as that test saw them. */
function Disputed({ comparison }: { comparison: Comparison }) {
  const { t } = useTranslation('compare')
  const [opened, setOpened] = useState<{ item: Item; place: number } | null>(null)
  const { disagreements, tests, classes, task } = comparison
  if (disagreements.length === 0) return <p className={styles.lead}>{t('agree')}</p>
  // Four parts in a row.
  const isWide = task === 'super_resolution' || task === 'denoising'
  // Cards show what a result says; they need of the run only how to read it.
  const run: Pick<LearnedRun, 'task' | 'classes'> = { task, classes }
  return (
    <>
      <p className={styles.lead}>{t('apartLead', { context: task })}</p>
      <ul className={styles.disputed} data-tests={isWide ? undefined : tests.length}>
        {disagreements.map(({ name, results }) => (
          <li key={results[0]?.id ?? name}>
            <h3>{name}</h3>
            <div className={styles.sides} data-wide={isWide}>
              {results.map((item, place) => (
                <figure key={tests[place]?.id}>
                  <figcaption>{t('test', { number: tests[place]?.number ?? 0 })}</figcaption>
                  <ItemCard item={item} run={run} onOpen={() => setOpened({ item, place })} />
                </figure>
              ))}
            </div>
          </li>
        ))}
      </ul>
      <ItemDialog
        item={opened?.item ?? null}
        items={opened ? disagreements.flatMap(({ results }) => results[opened.place] ?? []) : []}
        run={run}
        viewer={opened && viewerOf({ id: tests[opened.place]?.id ?? '' })}
        onOpen={(item) => setOpened(item && opened && { item, place: opened.place })}
      />
    </>
  )
}
