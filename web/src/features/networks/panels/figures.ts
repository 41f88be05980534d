import { currentTag } from '../../../lib/i18n.ts'

/** 11 689 512 → "11.7M", as the language shortens it. */
export function shortNumber(value: number): string {
  return new Intl.NumberFormat(currentTag(), { notation: 'compact', maximumSignificantDigits: 3 }).format(
    value,
  )
}
