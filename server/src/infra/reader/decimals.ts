/** Decimal fractions in text headers: what is written with a comma, and what is there and cannot be read. Pure. */
import type { ViewNote } from '@neuroloom/contract/viewing'

/** A point is what standards ask for (DICOM PS3.5, 6.2); programs on machines of half the world have written a comma. */
const decimalComma = /^\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*$/

/** NaN where there is no number. */
export function numberOf(text: string): number {
  if (text.trim() === '') return Number.NaN
  return Number(decimalComma.test(text) ? text.replace(',', '.') : text)
}

/** What of these was read in spite of a comma, and what is there and could not be read: that is not absent. */
export function decimalNotes(
  written: readonly (readonly [name: string, texts: readonly string[]])[],
): ViewNote[] {
  const [comma, unreadable] = [new Set<string>(), new Set<string>()]
  for (const [name, texts] of written)
    for (const text of texts) {
      if (decimalComma.test(text)) comma.add(name)
      else if (text.trim() !== '' && Number.isNaN(numberOf(text))) unreadable.add(name)
    }
  const named = (names: Set<string>): Record<string, string> => ({ names: [...names].join(', ') })
  return [
    ...(comma.size > 0 ? [{ name: 'decimal_comma' as const, params: named(comma) }] : []),
    ...(unreadable.size > 0 ? [{ name: 'numbers_unreadable' as const, params: named(unreadable) }] : []),
  ]
}
