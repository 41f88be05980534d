/** Whether lines of a DICOM header tell who the patient is. Pure. */

/** Name, number, birth date, other names, address, telephone. */
const identity = ['00100010', '00100020', '00100030', '00101001', '00101000', '00101040', '00102154']
/** Patient Identity Removed. */
const REMOVED = '00120062'
/** What programs and scanners write in place of somebody. */
const nobody = /^(anon|deid|de-id|removed|phantom|unknown|no[ _]?name|none|x+$|0+$)/i

/** `textOf`: what stands in a line, by its number; '' where there is none. */
export const tellsWho = (textOf: (tag: string) => string): boolean =>
  textOf(REMOVED).trim().toUpperCase() !== 'YES' && identity.some((tag) => isSomebody(textOf(tag)))

export function isSomebody(value: string): boolean {
  const text = value.replace(/[=^\s]+$/, '').trim()
  return text !== '' && !nobody.test(text)
}
