import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../../lib/format.ts'
import { formatValue } from '../format-value.ts'
import type { Measured } from './measured.ts'

/** What a mark says, in words: short beside it, whole in the list. */
export function useMeasuredText(unit: string) {
  const { t } = useTranslation('viewer')
  return useMemo(() => {
    const value = (number: number): string => formatValue(number, Number.isInteger(number) ? 0 : 1)
    const withUnit = (text: string): string => (unit === '' ? text : `${text} ${unit}`)
    const length = ({ length: long, isMillimetres }: Measured): string =>
      long === null ? '' : t(isMillimetres ? 'said.mm' : 'said.pixels', { value: formatNumber(long, 1) })
    const area = ({ area: wide, isMillimetres }: Measured): string =>
      wide === null ? '' : t(isMillimetres ? 'said.mm2' : 'said.pixels2', { value: formatNumber(wide, 1) })
    const angle = ({ degrees }: Measured): string =>
      degrees === null ? '' : t('said.degrees', { value: formatNumber(degrees, 1) })
    const point = ({ value: one }: Measured): string => (one === null ? '' : withUnit(value(one)))
    return {
      short: (measured: Measured): string =>
        [length(measured), angle(measured), area(measured), point(measured)].find((text) => text !== '') ??
        '',
      lines: (measured: Measured): string[] => {
        const { resolution, isMillimetres, values, value: own, length: long, degrees, area: wide } = measured
        const none = t('said.noValue')
        if (measured.isPointer) return [t('said.pointer')]
        const isValue = long === null && degrees === null && wide === null
        return [
          resolution === null
            ? ''
            : `${length(measured)} ± ${t(isMillimetres ? 'said.mm' : 'said.pixels', { value: formatNumber(resolution, 2) })}`,
          angle(measured),
          area(measured),
          measured.isCrossed ? t('said.crossed') : '',
          values === null
            ? ''
            : t('said.mean', { mean: withUnit(value(values.mean)), deviation: value(values.deviation) }),
          values === null
            ? ''
            : t('said.range', {
                min: value(values.min),
                max: value(values.max),
                count: values.count,
                shown: formatNumber(values.count),
              }),
          isValue ? (own === null ? none : point(measured)) : '',
        ].filter((text) => text !== '')
      },
    }
  }, [t, unit])
}
