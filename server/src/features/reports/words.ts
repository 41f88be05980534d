/** Words, numbers and dates of a report in one language. */
import type { Language } from '@neuroloom/contract/language'
import { metricKind } from '@neuroloom/contract/metric'
import { sayer, textsOf } from '../../infra/texts.ts'

export type Words = ReturnType<typeof wordsOf>

const tags = { en: 'en-GB', zh: 'zh-CN', ru: 'ru-RU' } as const satisfies Record<Language, string>

export function wordsOf(language: Language) {
  const texts = textsOf('report', language)
  const tag = tags[language]
  const number = (value: number, digits = 0): string =>
    new Intl.NumberFormat(tag, { minimumFractionDigits: digits, maximumFractionDigits: digits })
      .format(value)
      // A hyphen would be taken for the dash of a range.
      .replace('-', '\u2212')
  /** A share between 0 and 1, as the language writes it and as pages do. */
  const percent = (share: number, digits = 0): string =>
    new Intl.NumberFormat(tag, {
      style: 'percent',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
      .format(share)
      .replace('-', '\u2212')
  const t = sayer('report', language)
  const say = sayer('claim', language)
  return {
    language,
    t,
    /** What journals ask for: a file of its own. */
    say,
    /** What pages of results say in the same words. */
    figure: sayer('figures', language),
    /** Sentences one behind the other. */
    joined: (sentences: readonly string[]): string => sentences.join(language === 'zh' ? '' : ' '),
    /** The text, or the name itself where none was written for it. */
    name: (group: string, name: string): string => texts[`${group}.${name}`] ?? name,
    number,
    percent,
    date: (value: Date | null): string =>
      value === null
        ? '–'
        : `${new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(value)} UTC`,
    /** A figure as its field writes it. */
    metric(name: string, value: number | null | undefined): string {
      if (value === null || value === undefined) return '–'
      switch (metricKind(name)) {
        case 'percent':
          return percent(value, 1)
        case 'decibels':
          return t('unit.decibels', { number: number(value, 2) })
        case 'count':
          return number(value)
        case 'number':
          return number(value, 3)
      }
    },
    duration(ms: number): string {
      const minutes = Math.floor(ms / 60_000)
      const seconds = Math.round((ms % 60_000) / 1000)
      return minutes > 0 ? t('unit.minutes', { minutes, seconds }) : t('unit.seconds', { seconds })
    },
  }
}
