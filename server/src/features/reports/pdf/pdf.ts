/** Has a report set as PDF by a process of its own: fonts of thirty thousand signs would hold up everybody else. */

import type { Language } from '@neuroloom/contract/language'
import { reports as limits } from '@neuroloom/contract/limits'
import type { Report, ReportBlock } from '@neuroloom/contract/reports'
import { fail } from '../../../http/fail.ts'
import { forkOwn } from '../../../infra/own-script.ts'

export type PdfPicture = { png: Buffer; width: number; height: number }

/** A report, or another paper made of the same blocks. */
export type PdfDocument = Pick<Report, 'title' | 'subtitle' | 'hasWatermark'> & {
  sections: { id: string; title: string; blocks: ReportBlock[] }[]
}

export type PdfTask = {
  report: PdfDocument
  language: Language
  /** By the `url` that the report's blocks name them with. */
  pictures: Record<string, PdfPicture>
  texts: { watermark: string; foot: string; page: string; drawingTooLarge: string }
}

let running = 0

/** The PDF's bytes. Refused as busy while too many are being set; ended when one takes too long. */
export async function makePdf(task: PdfTask): Promise<Buffer> {
  if (running >= limits.atOnce) throw fail('busy')
  running += 1
  try {
    const bytes = await ask(task)
    if (bytes === null) throw fail('busy')
    return bytes
  } finally {
    running -= 1
  }
}

function ask(task: PdfTask): Promise<Buffer | null> {
  const child = forkOwn({ from: import.meta.url, name: 'pdf-process' }, { serialization: 'advanced' })
  const timer = setTimeout(() => child.kill('SIGKILL'), limits.setMs)
  return new Promise<Buffer | null>((resolve) => {
    child.once('message', (bytes) => resolve(bytes instanceof Uint8Array ? Buffer.from(bytes) : null))
    child.once('error', () => resolve(null))
    child.once('exit', () => resolve(null))
    child.send(task)
  }).finally(() => {
    clearTimeout(timer)
    child.kill('SIGKILL')
  })
}
