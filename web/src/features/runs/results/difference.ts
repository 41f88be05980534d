/** How differences of figures are written: of percentages in percentage points, ranges with "to" in place of a dash. */
import { metricKind } from '@neuroloom/contract/metric'
import { useTranslation } from 'react-i18next'
import { formatDifference, inDecibels } from '../../../lib/metric.ts'

type Words = {
  /** With its unit; `isSigned` also has a plus. */
  difference: (name: string, value: number | null, options?: { isSigned?: boolean }) => string
  /** Without percentage points, which stand beside it. */
  range: (name: string, ends: readonly [number, number]) => string
}

export function useDifference(): Words {
  const { t } = useTranslation('figures')
  return {
    difference(name, value, options) {
      if (value === null) return '–'
      const text = formatDifference(name, value, options)
      const kind = metricKind(name)
      if (kind === 'percent') return t('difference.points', { value: text })
      return kind === 'decibels' ? inDecibels(text) : text
    },
    range(name, [low, high]) {
      const text = t('difference.range', {
        low: formatDifference(name, low),
        high: formatDifference(name, high),
      })
      return metricKind(name) === 'decibels' ? inDecibels(text) : text
    },
  }
}
