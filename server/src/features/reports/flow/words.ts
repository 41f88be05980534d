/** Words and numbers of a report of blood flow in one language: SI comes in, the units of the clinic go out. */
import type { Language } from '@neuroloom/contract/language'
import { sayer } from '../../../infra/texts.ts'
import { wordsOf } from '../words.ts'

export type FlowWords = ReturnType<typeof flowWordsOf>

/** How many of the unit one of SI is, and digits behind the point; null: three digits that count. Units: `unit.<name>`. */
const quantities = {
  speed: [100, 1],
  volume: [1e6, 1],
  rate: [1e6, 1],
  area: [1e6, 0],
  energy: [1e3, null],
  power: [1e3, null],
  turning: [1, null],
  length: [1e3, 1],
  time: [1e3, 0],
  share: [100, 1],
  voxels: [1, 1],
} as const
export type Quantity = keyof typeof quantities

export function flowWordsOf(language: Language) {
  const { number, date, joined, t: common } = wordsOf(language)
  const t = sayer('flow-report', language)
  // Minus nothing is nothing.
  const plain = (value: number, digits: number): string => number(Number(value.toFixed(digits)) + 0, digits)
  const known = (value: number | null | undefined, write: (value: number) => string): string =>
    value === null || value === undefined || !Number.isFinite(value) ? t('unknown') : write(value)
  /** Without its unit. */
  const figure = (quantity: Quantity, value: number | null | undefined): string => {
    const [factor, digits] = quantities[quantity]
    return known(value, (found) => plain(found * factor, digits ?? counting(found * factor)))
  }
  return {
    language,
    t,
    /** Texts that all reports share. */
    common,
    /** The nine options in words. */
    option: sayer('flow-options', language),
    number: plain,
    date,
    joined,
    figure,
    /** With its unit. */
    said: (quantity: Quantity, value: number | null | undefined): string =>
      known(value, (found) => `${figure(quantity, found)} ${t(`unit.${quantity}`)}`),
    /** Of a head of a table. */
    headed: (name: string, quantity: Quantity): string => `${t(name)} (${t(`unit.${quantity}`)})`,
    /** Three digits that count. */
    short: (value: number | null | undefined): string =>
      known(value, (found) => plain(found, counting(found))),
    listed: (names: readonly string[]): string => names.join(language === 'zh' ? '、' : ', '),
  }
}

/** Digits behind the point with which three count. */
const counting = (value: number): number =>
  value === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))))
