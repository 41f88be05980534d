/** The proof sheet as a table for other programs. */
import type { TextPicture } from '@neuroloom/contract/burned-in'

const columns = [
  'source',
  'source_sha256',
  'copy',
  'copy_sha256',
  'blacked_out',
  'places_x_y_width_height_frames',
  'left_when_read_again',
  'header_names_patient',
  'failure',
]

/** Without the texts that were read. */
export function proofOf(pictures: readonly TextPicture[]): string {
  const rows = pictures.map(({ sourceName, regions, copy, reason }) => [
    sourceName,
    copy?.sourceSha256 ?? '',
    copy?.name ?? '',
    copy?.sha256 ?? '',
    copy ? String(regions.length) : '',
    regions.map(({ x, y, w, h, first, last }) => `${x} ${y} ${w} ${h} ${first}-${last}`).join('; '),
    copy ? String(copy.left) : '',
    copy ? String(copy.namesPatient) : '',
    reason?.name ?? '',
  ])
  // With the mark by which spreadsheets know the encoding.
  return `\uFEFF${[columns, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

/** A sign of a formula at the beginning would be worked out by spreadsheets. */
function cell(text: string): string {
  const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
