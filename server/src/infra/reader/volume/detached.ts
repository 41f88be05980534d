/** Headers whose image lies in a second file: which one, and whether it may be looked for at all. */
import { refuse } from '../model.ts'

/** Headers of text end long before this. */
export const HEADER_BYTES = 64 * 1024

const markers = [
  /^NRRD00[\s\S]*?\r?\ndata ?file:[ \t]*([^\r\n]+)/i,
  /^[\s\S]*?(?:^|\n)ElementDataFile\s*=\s*([^\r\n]+)/,
]

/** The name that the header gives; null when the image follows in the same file, or this is no such header. */
export function detachedName(header: Buffer): string | null {
  const text = header.subarray(0, HEADER_BYTES).toString('latin1')
  // What follows an empty line of a NRRD header is data.
  const [head = ''] = text.startsWith('NRRD') ? text.split(/\r?\n\r?\n/, 1) : [text]
  const isMeta = /^\s*(ObjectType|NDims|Comment|ObjectSubType)\s*=/i.test(head)
  const marker = text.startsWith('NRRD') ? markers[0] : isMeta ? markers[1] : undefined
  const raw = marker?.exec(head)?.[1]
  if (raw === undefined) return null
  const name = Buffer.from(raw, 'latin1').toString('utf8').trim()
  return /^local$/i.test(name) ? null : name
}

/** Only a plain name: nothing leads out of the folder in which the header lies. */
export function checkDetachedName(name: string): string {
  const shown = name.slice(0, 80)
  if (/^list\b|%\d*d/i.test(name)) throw refuse('kind_not_yet', { kind: 'NRRD / MHD (many data files)' })
  if (/[/\\:\0]/.test(name) || name === '.' || name === '..')
    throw refuse('data_file_outside', { name: shown })
  return name
}
