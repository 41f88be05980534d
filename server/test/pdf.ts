/** Reads a report's PDF as its reader does: page by page, in words. */
import { type Language, languages } from '@neuroloom/contract/language'
import { expect } from 'vitest'
import type { Session, TestServer } from './harness.ts'
import { isLong } from './long-run.ts'

/** Of a small set: as many as a supplement takes. */
export const MOST_PAGES = 6

/** Setting a report takes seconds: in the short run each kind is set in one language, in the long run in all. */
export const onPaper = (language: Language): readonly Language[] => (isLong ? languages : [language])

/** The reader of PDF takes for granted what Node 20 has not yet. */
const noop = (): void => undefined
function withResolvers<T>() {
  let [resolve, reject]: [(value: T | PromiseLike<T>) => void, (reason?: unknown) => void] = [noop, noop]
  const promise = new Promise<T>((...both) => {
    ;[resolve, reject] = both
  })
  return { promise, resolve, reject }
}
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers })
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')

export async function fetchReport(
  server: TestServer,
  session: Session,
  { id, language }: { id: string; language: Language },
): Promise<string[]> {
  const { data } = await server.call('reports/download', { id, language }, session)
  const response = await fetch(`${server.url}${data.url}`)
  return readPages(response)
}

/** The words of each page. */
export async function readPages(response: Response): Promise<string[]> {
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const pdf = await getDocument({ data: new Uint8Array(await response.arrayBuffer()), verbosity: 0 }).promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return pages
}
