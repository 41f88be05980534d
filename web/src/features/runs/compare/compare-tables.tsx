import type { Comparison, Difference, Pair, SettingValue } from '@neuroloom/contract/compare'
import { figureMean } from '@neuroloom/contract/evidence/figure-means'
import { comparison as limits } from '@neuroloom/contract/limits'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useClassName } from '../../../lib/class-name.ts'
import { formatNumber, formatRate } from '../../../lib/format.ts'
import { formatMetric, formatRange } from '../../../lib/metric.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { useNetworkOf } from '../network-of.ts'
import { useDifference } from '../results/difference.ts'
import { MetricName } from '../results/metric-name.tsx'
import { orderedMetrics } from '../results/metrics.ts'
import tables from '../results/tables.module.css'
import styles from './compare.module.css'

type Props = { comparison: Comparison; networkName: (network: string) => string }

/** Every figure of every test with its own range; and above them what was tested. */
export function FigureTable({ comparison: { task, tests }, networkName }: Props) {
  const { t } = useTranslation('compare')
  const networkOf = useNetworkOf(networkName)
  const names = orderedMetrics(Object.assign({}, ...tests.map(({ metrics }) => metrics)))
  return (
    <ScrollRegion name={t('beside')} className={tables.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('figure')}</th>
            {tests.map(({ id, number, trainingNumber }, place) => (
              <th key={id} scope="col" className={tables.number}>
                <Link to={`/run?id=${id}`}>{t('test', { number })}</Link>
                <span className={styles.under}>
                  {trainingNumber === null ? t('trainingGone') : t('training', { number: trainingNumber })}
                  {place === 0 ? ` · ${t('first')}` : ''}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t('network')}</th>
            {tests.map((test) => (
              <td key={test.id} className={tables.number}>
                {networkOf(test)}
              </td>
            ))}
          </tr>
          <tr>
            <th scope="row">{t('parameters')}</th>
            {tests.map(({ id, parameters }) => (
              <td key={id} className={tables.number}>
                {parameters === null ? '–' : formatNumber(parameters)}
              </td>
            ))}
          </tr>
          {names.map((name) => (
            <FigureRow key={name} name={name} task={task} tests={tests} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** One figure of every test, by the name that the tests' own pages give it; where that differs, under each figure. */
function FigureRow({ name, task, tests }: Pick<Comparison, 'task' | 'tests'> & { name: string }) {
  const { t } = useTranslation('figures')
  const { t: runText } = useTranslation('runs')
  const means = tests.map((test) => figureMean(name, { ...test, task }))
  const [first] = tests
  const isOneMean = new Set(means.map((mean) => JSON.stringify(mean))).size === 1
  return (
    <tr>
      <th scope="row">
        <MetricName name={name} {...(isOneMean && first ? { of: { ...first, task } } : {})} />
      </th>
      {tests.map(({ id, metrics, intervals }, place) => {
        const mean = isOneMean ? null : (means[place] ?? null)
        return (
          <td key={id} className={tables.number}>
            {formatMetric(name, metrics[name])}
            {intervals[name] ? (
              <span className={styles.under}>{formatRange(name, intervals[name])}</span>
            ) : null}
            {mean ? (
              <span className={styles.under}>
                {t(`mean.${mean.kind}`, { ...mean, name: runText(`metric.${name}.name`) })}
              </span>
            ) : null}
          </td>
        )
      })}
    </tr>
  )
}

/** What differs between the trainings. */
export function SettingTable({ comparison: { settings, tests } }: Pick<Props, 'comparison'>) {
  const { t } = useTranslation('compare')
  const nameOf = useSettingName()
  const written = useSettingText()
  if (settings.length === 0) return <p className={styles.lead}>{t('settingsSame')}</p>
  return (
    <ScrollRegion name={t('settings')} className={tables.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('setting')}</th>
            {tests.map(({ id, number }) => (
              <th key={id} scope="col" className={tables.number}>
                {t('test', { number })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {settings.map((name, row) => (
            <tr key={name}>
              <th scope="row">{nameOf(name)}</th>
              {tests.map((test) => (
                <td key={test.id} className={tables.number}>
                  {written(name, test.settings[row] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function useSettingName(): (name: string) => string {
  const { t } = useTranslation('compare')
  const { t: settingText } = useTranslation('runs')
  return (name) => {
    if (name === 'imageSize') return t('sizeOfPictures')
    return settingText(`setting.${name === 'validation' ? 'method' : name}.label`, { defaultValue: name })
  }
}

function useSettingText(): (name: string, value: SettingValue) => string {
  const { t } = useTranslation('compare')
  const { t: settingText } = useTranslation('runs')
  return (name, value) => {
    if (value === null) return '–'
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.join(name === 'validation' ? ' : ' : ' × ')
    if (name === 'validation') {
      const method = settingText(`choice.method.${value === 'given' ? 'given' : 'kfold'}`)
      return typeof value === 'number' ? `${method}, ${value}` : method
    }
    if (typeof value === 'number') return name === 'learningRate' ? formatRate(value) : String(value)
    return settingText(`choice.${name}.${value}`, { defaultValue: value })
  }
}

/** Every difference with its range and what may be said of it: over all, then class by class. */
export function DifferenceTable({ comparison, pair }: Pick<Props, 'comparison'> & { pair: Pair }) {
  const { t } = useTranslation('compare')
  const { difference } = useDifference()
  const { task, tests } = comparison
  const [first] = tests
  const classNameOf = useClassName(task)
  return (
    <ScrollRegion name={t('change')} className={tables.scroll}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('figure')}</th>
            <th scope="col" className={tables.number}>
              {t('change')}
            </th>
            <th scope="col" className={tables.number}>
              {t('range')}
            </th>
            <th scope="col">{t('verdict')}</th>
          </tr>
        </thead>
        <tbody>
          {pair.differences.map((one) => (
            <tr key={`${one.metric} ${one.class ?? ''}`}>
              <th scope="row">
                <MetricName
                  name={one.metric}
                  {...(one.class === null && first ? { of: { ...first, task } } : {})}
                />{' '}
                · {one.class === null ? t('all', { context: task }) : classNameOf(one.class)}
              </th>
              <td className={tables.number}>{difference(one.metric, one.value, { isSigned: true })}</td>
              <td className={tables.number}>
                <DifferenceRange of={one} />
              </td>
              <td data-verdict={one.verdict} className={styles.verdict}>
                {t(`verdicts.${one.verdict}`)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Why there is none, where there is none. */
function DifferenceRange({ of: { metric, value, interval, cases } }: { of: Difference }) {
  const { t } = useTranslation('figures')
  const { range } = useDifference()
  if (interval) return range(metric, interval)
  if (value === null) return '–'
  return cases < limits.fewestGroups
    ? t('difference.tooFew', { cases: formatNumber(cases) })
    : t('difference.alike')
}
