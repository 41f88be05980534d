import { failFields } from '../../http/fail.ts'

/** They turn what follows around, so that a text reads otherwise than it is written. */
const BIDI_OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/g
/** All but tab and line feed, and halves of characters. */
const FORBIDDEN = /[^\P{Cc}\t\n]|\p{Surrogate}/u

/**
 * What a member wrote, as it is stored: one spelling of each letter, one kind of line end, nothing that deceives the eye.
 * Refused as `field` where it has other control characters, or where it is empty and may not be.
 */
export function cleanText(text: string, { field = 'text', mayBeEmpty = false } = {}): string {
  const clean = text
    .replaceAll('\0', '')
    .replace(BIDI_OVERRIDES, '')
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')
    .trim()
  if (FORBIDDEN.test(clean)) throw failFields({ [field]: 'form.invalid' })
  if (clean === '' && !mayBeEmpty) throw failFields({ [field]: 'form.required' })
  return clean
}
