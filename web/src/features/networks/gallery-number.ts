import { currentTag } from '../../lib/i18n.ts'

const steps = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** 11,689,512 → "11.7 M", in Russian "11,7 M": for places where the exact number has no room. */
export function shortNumber(value: number): string {
  const [size, sign] = steps.find(([least]) => value >= least) ?? [1, '']
  const number = new Intl.NumberFormat(currentTag(), { maximumSignificantDigits: 3 }).format(value / size)
  return sign === '' ? number : `${number}\u202f${sign}`
}
