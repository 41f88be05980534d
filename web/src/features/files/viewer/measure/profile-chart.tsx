/** Values along a line as a small chart, with the numbers to be copied. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../../lib/copy-text.ts'
import { formatNumber } from '../../../../lib/format.ts'
import { toast } from '../../../../lib/toast.ts'
import { formatValue } from '../format-value.ts'
import type { Profile } from './geometry.ts'
import styles from './measure.module.css'

type ProfileChartProps = { profile: Profile; isMillimetres: boolean; unit: string; name: string }

const WIDTH = 240
const HEIGHT = 80

export function ProfileChart({ profile: { at, values }, isMillimetres, unit, name }: ProfileChartProps) {
  const { t } = useTranslation('viewer')
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return <p>{t('said.noValue')}</p>
  const [min, max] = [Math.min(...known), Math.max(...known)]
  const whole = at.at(-1) ?? 0
  const end = t(isMillimetres ? 'said.mm' : 'said.pixels', { value: formatNumber(whole, 1) })
  const copy = async () => {
    const head = `${isMillimetres ? 'mm' : 'px'},value${unit === '' ? '' : `_${unit}`}`
    const lines = at.map((along, index) => `${Number(along.toPrecision(7))},${rounded(values[index])}`)
    if (await copyText([head, ...lines].join('\r\n'))) toast.success(t('copied'))
    else toast.warning(t('notCopied'))
  }
  return (
    <figure className={styles.profile}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('profileOf', { name })}>
        <path d={pathOf(at, values, { min, max, whole })} />
      </svg>
      <figcaption>
        <span>0</span>
        <span>{`${formatValue(min, digits(min))} … ${formatValue(max, digits(max))} ${unit}`.trim()}</span>
        <span>{end}</span>
      </figcaption>
      <Button type="link" size="small" onClick={() => void copy()}>
        {t('copyValues')}
      </Button>
    </figure>
  )
}

const digits = (value: number): number => (Number.isInteger(value) ? 0 : 1)
const rounded = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(Number(value.toPrecision(7)))

/** Broken where there is no value. */
function pathOf(
  at: readonly number[],
  values: Profile['values'],
  { min, max, whole }: { min: number; max: number; whole: number },
): string {
  let isGap = true
  return at
    .map((along, index) => {
      const value = values[index] ?? null
      if (value === null) {
        isGap = true
        return ''
      }
      const x = whole === 0 ? 0 : (along / whole) * WIDTH
      const y = max === min ? HEIGHT / 2 : HEIGHT - 3 - ((value - min) / (max - min)) * (HEIGHT - 6)
      const step = `${isGap ? 'M' : 'L'}${x.toFixed(2)} ${y.toFixed(2)}`
      isGap = false
      return step
    })
    .join('')
}
