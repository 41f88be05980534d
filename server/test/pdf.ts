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
  asked: { id: string; language: Language },
): Promise<string[]> {
  return (await fetchPaper(server, session, asked)).pages
}

/** The report as its reader has it. */
export async function fetchPaper(
  server: TestServer,
  session: Session,
  { id, language }: { id: string; language: Language },
): Promise<Paper> {
  const { data } = await server.call('reports/download', { id, language }, session)
  return readPaper(await bytesOf(await fetch(`${server.url}${data.url}`)))
}

/** The words of each page. */
export const readPages = async (response: Response): Promise<string[]> =>
  (await readPaper(await bytesOf(response))).pages

async function bytesOf(response: Response): Promise<Uint8Array> {
  expect(response.headers.get('content-type')).toBe('application/pdf')
  return new Uint8Array(await response.arrayBuffer())
}

/** An element of the structure that screen readers go through, with the words that belong to it. */
export type Part = { role: string; alt?: string; words: string; parts: Part[] }

export type Paper = {
  /** The words of each page. */
  pages: string[]
  /** How far down the lowest line of each page reaches, of the room between the margins; the footer does not count. */
  filled: number[]
  /** How far to the right the words of each page reach, as a share of its width. */
  reached: number[]
  /** The structure of each page. */
  structure: Part[]
  title: unknown
  language: unknown
  isTagged: boolean
}

/** Margins of a page and where the footer begins, in points. */
const TOP = 40
const BOTTOM = 44

export async function readPaper(bytes: Uint8Array): Promise<Paper> {
  const pdf = await getDocument({ data: bytes, verbosity: 0 }).promise
  const { info } = await pdf.getMetadata()
  const pages: string[] = []
  const filled: number[] = []
  const reached: number[] = []
  const structure: Part[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number)
    const [, , wide = 0, height = 0] = page.view
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const words = items.flatMap((item) => ('str' in item ? [item] : []))
    const lines = words.map(({ transform }) => Number(transform[5])).filter((y) => y > BOTTOM)
    pages.push(words.map(({ str }) => str).join(' '))
    filled.push((height - TOP - Math.min(...lines)) / (height - TOP - BOTTOM))
    // Not of a watermark, which is turned.
    const upright = words.filter(({ transform }) => Number(transform[1]) === 0)
    reached.push(Math.max(...upright.map(({ transform, width }) => Number(transform[4]) + width)) / wide)
    structure.push(partOf(await page.getStructTree(), wordsByMark(items)))
  }
  return {
    ...{ pages, filled, reached, structure },
    title: 'Title' in info ? info.Title : undefined,
    language: 'Language' in info ? info.Language : undefined,
    isTagged: isMarked(await pdf.getMarkInfo()),
  }
}

/** Whatever its types say, the reader tells it as a map. */
const isMarked = (info: unknown): boolean => info instanceof Map && info.get('Marked') === true

type Marked = { type: string; id?: string } | { str: string }

function wordsByMark(items: readonly object[]): Map<string, string> {
  const found = new Map<string, string>()
  const open: string[] = []
  // as: words, or where marked content begins and ends.
  for (const item of items as readonly Marked[]) {
    if ('str' in item) {
      const mark = open.findLast((id) => id !== '')
      if (mark !== undefined) found.set(mark, `${found.get(mark) ?? ''}${item.str} `)
    } else if (item.type === 'endMarkedContent') open.pop()
    else open.push(item.id ?? '')
  }
  return found
}

type Tree = { role?: string; alt?: string; type?: string; id?: string; children?: Tree[] } | null

function partOf(tree: Tree, words: Map<string, string>): Part {
  const { role = '', alt, children = [] } = tree ?? {}
  const own = children.flatMap((child) =>
    child?.type === 'content' ? [words.get(child.id ?? '') ?? ''] : [],
  )
  const parts = children.flatMap((child) => (child?.role === undefined ? [] : [partOf(child, words)]))
  return { role, ...(alt === undefined ? {} : { alt }), words: own.join('').trim(), parts }
}

/** All elements of a role, wherever they stand. */
export const partsOf = (part: Part, role: string): Part[] => [
  ...(part.role === role ? [part] : []),
  ...part.parts.flatMap((one) => partsOf(one, role)),
]
