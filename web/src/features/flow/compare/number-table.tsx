import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../../lib/format.ts'
import { ScrollRegion } from '../../../ui/scroll-region.tsx'
import { LearnedMark } from '../learned/learned.tsx'
import { keyNumbers } from '../run/numbers.ts'
import run from '../run/run.module.css'
import { numberText } from '../run/words.ts'
import type { Compared } from './compared.ts'

type Row = { name: string; text: (value: number | null) => string; one: number | null; other: number | null }

/** Key numbers and net volumes of planes that are called alike, with their differences. */
export function NumberTable({ one, other }: { one: Compared; other: Compared }) {
  const { t } = useTranslation(['flow-project', 'flow-run', 'runs'])
  const rows = [...useKeyRows(one, other), ...planeRows(one, other)]
  return (
    <ScrollRegion name={t('compare.numbers')} className={run.scroll}>
      <table className={run.table}>
        <thead>
          <tr>
            <th scope="col">{t('compare.number')}</th>
            {[one, other].map((side) => (
              <th key={side.run.id} scope="col" className={run.number}>
                {t('runs:list.flow', { number: side.run.number })}
                {side.study.head.sharpened && (
                  <>
                    {' '}
                    <LearnedMark factor={side.study.head.sharpened.factor} />
                  </>
                )}
              </th>
            ))}
            <th scope="col" className={run.number}>
              {t('compare.difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, text, one: before, other: after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className={run.number}>{text(before)}</td>
              <td className={run.number}>{text(after)}</td>
              <td className={run.number}>{differenceText(before, after, text)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function useKeyRows(one: Compared, other: Compared): Row[] {
  const { t } = useTranslation('flow-run')
  const [before, after] = [keyNumbers(one.results), keyNumbers(other.results)]
  const row = (key: keyof typeof before, name: string, text: Row['text']): Row => ({
    ...{ name, text },
    one: before[key],
    other: after[key],
  })
  const share = (value: number | null) => (value === null ? '–' : formatPercent(value, 1))
  const inUnit = (unit: string) => (value: number | null) =>
    value === null ? '–' : t(`numbers.${unit}`, { value: numberText(value) })
  return [
    row('volume', t('numbers.maskVolume'), inUnit('volumeValue')),
    row('peak', t('numbers.peak'), inUnit('cms')),
    row('energy', t('numbers.energy'), inUnit('energyValue')),
    row('loss', t('numbers.loss'), inUnit('lossValue')),
    row('vorticity', t('numbers.vorticity'), inUnit('perSecond')),
    row('vortices', t('numbers.vortices'), share),
    row('lines', t('numbers.lines'), numberText),
  ]
}

/** mL; of planes of both runs that have one name. */
function planeRows(one: Compared, other: Compared): Row[] {
  return one.sections.flatMap(({ name, numbers }): Row[] => {
    const same = other.sections.find((section) => section.name === name)
    if (!same) return []
    const net = (value: number | null | undefined) =>
      value === null || value === undefined ? null : 1e6 * value
    return [
      {
        name: `${name}, mL`,
        text: numberText,
        one: net(numbers?.net),
        other: net(same.numbers?.net),
      },
    ]
  })
}

/** With its sign, and relative to the first. */
function differenceText(one: number | null, other: number | null, text: Row['text']): string {
  if (one === null || other === null) return '–'
  const difference = other - one
  if (difference === 0) return text(0)
  const sign = difference > 0 ? '+' : '−'
  const relative = one === 0 ? '' : ` (${sign}${formatPercent(Math.abs(difference / one), 1)})`
  return `${sign}${text(Math.abs(difference))}${relative}`
}
