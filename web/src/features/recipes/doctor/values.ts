import type { MaskLook, Repair } from '@neuroloom/contract/recipes/repair'
import { type Finding, type Folder, isBackground, keep, leave, type Option } from './finding.ts'

/** Where a mask was written by JPEG, its edge runs through all values between background and white. */
const MIDDLE = 128
const WHITE = '255'

/** What does not fit about the values of a mask: at most one thing. */
export function valuesFindings(mask: MaskLook, { numbers, colours, classes }: Folder): Finding[] {
  const { values, kind, isLossy } = mask
  const threshold: Option = { name: 'threshold', repairs: [{ do: 'threshold', least: MIDDLE }] }
  if (isLossy && (values === null || values.length > 2))
    return [{ kind: 'lossy', options: [threshold, leave], isSure: false }]
  if (values === null) return [{ kind: 'many', options: [keep, leave], isSure: false }]
  const others = values.map(({ value }) => value).filter((value) => !isBackground(value))
  if (others.length === 0) return [{ kind: 'empty', options: [keep, leave], isSure: false }]
  if (kind === 'colours') {
    const map = colours.map((from, index) => ({ from, to: index + 1 }))
    return [{ kind: 'colours', options: [mapped('numbers', map), leave], isSure: false }]
  }
  const isWhite = numbers.length === 1 && numbers[0] === WHITE && !classes?.includes(WHITE)
  if (isWhite)
    return [{ kind: 'bright', options: [mapped('one', [{ from: WHITE, to: 1 }]), keep], isSure: true }]
  const isKnown = (value: string): boolean => classes === null || classes.includes(value)
  if (!others.every(isKnown)) {
    const background = mapped('background', others.filter(isKnown).map(same))
    return [{ kind: 'unknown', options: [background, keep, leave], isSure: false }]
  }
  if (kind === 'palette')
    return [{ kind: 'palette', options: [mapped('numbers', others.map(same)), keep], isSure: true }]
  return []
}

const same = (value: string) => ({ from: value, to: Number(value) })

const mapped = (name: Option['name'], map: Extract<Repair, { do: 'values' }>['map']): Option => ({
  name,
  repairs: [{ do: 'values', map }],
})
