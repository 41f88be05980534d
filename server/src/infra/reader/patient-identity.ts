/** Whether a value of a DICOM header names somebody, or stands in place of a name. Pure. */

/** What programs and scanners write in place of somebody. */
const nobody = /^(anon|deid|de-id|removed|phantom|unknown|no[ _]?name|none|x+$|0+$)/i

export function isSomebody(value: string): boolean {
  const text = value.replace(/[=^\s]+$/, '').trim()
  return text !== '' && !nobody.test(text)
}
