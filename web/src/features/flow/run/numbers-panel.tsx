import type { FlowResults } from '@neuroloom/contract/flow/run'
import type { FlowStudy } from '@neuroloom/contract/flow/study'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page.tsx'
import { LearnedMark } from '../learned/learned.tsx'
import { Curves } from './curves.tsx'
import { keyNumbers } from './numbers.ts'
import styles from './run.module.css'
import { numberText } from './words.ts'

/** The numbers of the whole mask, where and after what they were measured, and how they go over the beat. */
export function NumbersPanel({ results, head }: { results: FlowResults; head: FlowStudy }) {
  const { t } = useTranslation('flow-run')
  return (
    <Panel
      title={t('numbers.title')}
      extra={head.sharpened && <LearnedMark factor={head.sharpened.factor} />}
    >
      <Region results={results} />
      <dl className={styles.numbers}>
        {useFigures(results, head.frames === 1).map(({ name, value, about }) => (
          <div key={name}>
            <dt>{t(`numbers.${name}`)}</dt>
            <dd>{value}</dd>
            <dd className={styles.about}>{about}</dd>
          </div>
        ))}
      </dl>
      {head.frames > 1 && <Curves results={results} head={head} />}
    </Panel>
  )
}

/** Which region, and which corrections came before. */
function Region({ results: { mask, steps, asked } }: { results: FlowResults }) {
  const { t } = useTranslation('flow-run')
  const done = steps.flatMap(({ name, isDone }) => (isDone ? [t(`step.${name}`)] : []))
  if (asked.corrections.turn !== null) done.push(t('numbers.turned'))
  return (
    <p className={styles.soft}>
      {t('numbers.region', {
        mask:
          mask.level === null
            ? t('numbers.maskFile')
            : t('numbers.maskLevel', { level: formatPercent(mask.level, 1) }),
        volume: numberText(1e6 * mask.volume),
        pieces: t('numbers.pieces', { count: mask.pieces }),
      })}{' '}
      {done.length > 0 ? t('numbers.after', { steps: done.join(', ') }) : t('numbers.afterNone')}
    </p>
  )
}

type Figure = { name: string; value: string; about: string }

/** Of one moment nothing is the largest of a beat. */
function useFigures(results: FlowResults, isMoment: boolean): Figure[] {
  const { t } = useTranslation('flow-run')
  const numbers = keyNumbers(results)
  const text = (value: number | null) => numberText(value)
  const about = (name: 'energy' | 'loss' | 'vortices' | 'lines', params: Record<string, string | number>) =>
    t(isMoment ? `numbers.moment.${name}` : `numbers.${name}About`, params)
  const figures: Figure[] = [
    {
      name: 'peak',
      value: t('numbers.cms', { value: text(numbers.peak) }),
      about: t('numbers.peakAbout', { max: text(numbers.fastest) }),
    },
    {
      name: 'energy',
      value: t('numbers.energyValue', { value: text(numbers.energy) }),
      about: about('energy', { mean: text(numbers.meanEnergy) }),
    },
    {
      name: 'loss',
      value: t('numbers.lossValue', { value: text(numbers.loss) }),
      about: about('loss', {}),
    },
  ]
  if (results.vorticity)
    figures.push({
      name: 'vorticity',
      value: t('numbers.perSecond', { value: text(numbers.vorticity) }),
      about:
        numbers.sigma === null
          ? t('numbers.vorticityPlain')
          : t('numbers.vorticityAbout', { sigma: text(numbers.sigma) }),
    })
  figures.push({
    name: 'vortices',
    value: shareText(numbers.vortices),
    about: about('vortices', { lambda2: shareText(numbers.lambda2), mind: t('numbers.vorticesMind') }),
  })
  if (results.lines)
    figures.push({
      name: 'lines',
      value: formatNumber(results.lines.count),
      about: about('lines', {
        frame: results.lines.frame + 1,
        mean: text(numbers.meanLength),
        longest: text(numbers.longest),
      }),
    })
  return figures
}

const shareText = (share: number | null): string => (share === null ? '–' : formatPercent(share, 1))
