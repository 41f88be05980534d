import { languages } from '@neuroloom/contract/language'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { users } from '../accounts/tables.ts'
import { type Runner, startRunner } from '../runs/queue/jobs.ts'
import { runs } from '../runs/tables.ts'
import { drawChart } from './charts.ts'

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

let server: TestServer
let session: Session
let runner: Runner
let trainedId: string
let testId: string

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  runner = startRunner(makeWorker(server))
  const set = await makeTrainingSet(server, session, { items: 30, name: '细胞 <b>ядра</b>' })
  trainedId = (await startQuick(server, session, { set })).id
  await until(server, session, { id: trainedId, is: hasEnded })
  const asked = { id: trainedId, datasets: [set.datasetId] }
  testId = (await server.call('runs/test', asked, session)).data.id
  await until(server, session, { id: testId, is: hasEnded })
})
afterAll(async () => {
  await runner.stop()
  await server.close()
})

const setLevel = (vipLevel: number) =>
  server.ctx.db.update(users).set({ vipLevel }).where(eq(users.id, session.userId))

const show = (language: (typeof languages)[number] = 'en', id = testId) =>
  server.call('reports/show', { id, language }, session)

async function fetchPdf(language: (typeof languages)[number]): Promise<{ text: string; pages: number }> {
  const { data } = await server.call('reports/download', { id: testId, language }, session)
  const response = await fetch(`${server.url}${data.url}`)
  expect(response.headers.get('content-type')).toBe('application/pdf')
  const pdf = await getDocument({ data: new Uint8Array(await response.arrayBuffer()), verbosity: 0 }).promise
  const parts: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    parts.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  return { text: parts.join('\n'), pages: pdf.numPages }
}

describe('the report of a test', () => {
  it('says what was found, on what, and how it came about', async () => {
    const { data } = await show()
    expect(data.sections.map(({ id }) => id)).toEqual([
      ...['summary', 'data', 'split', 'network', 'settings'],
      ...['training', 'results', 'pictures', 'limits', 'origin'],
    ])
    const [run] = await server.ctx.db.select().from(runs).where(eq(runs.id, testId))
    const text = JSON.stringify(data)
    expect(text).toContain(`${((run?.metrics.accuracy ?? 0) * 100).toFixed(1)} %`)
    expect(text).toContain('6 images were kept aside')
    expect(text).toContain('Small ResNet')
    expect(text).toContain(run?.versions?.torch)
    // Six cases, nothing known of patients, all from one source.
    expect(text).toContain('only 6 independent cases')
    expect(text).toContain('Neither file names nor tables tell')
    // The same worst images once more, with where the network looked laid over them.
    const shown = data.sections
      .find(({ id }) => id === 'pictures')
      ?.blocks.filter((one) => one.kind === 'pictures')
    expect(shown?.[1]?.text).toContain('not why')
    expect(shown?.[1]?.pictures[0]?.heat).toMatch(/^\/AI\/api\/runs\/picture/)
    // The structure is that of the run: its classes and channels, not those that the network was drawn with.
    const [structure = ''] = data.sections.flatMap(({ id, blocks }) =>
      id === 'network'
        ? blocks.flatMap((one) => (one.kind === 'drawings' ? one.drawings.map(({ svg }) => svg) : []))
        : [],
    )
    expect(structure.replaceAll(/[\s,]/g, '')).toContain(`Parameters:${run?.parameters}`)
    // A name is a name, in drawings too.
    expect(
      JSON.stringify(data.sections.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === 'drawings'))),
    ).not.toContain('<b>')
  })

  it.each(languages)(
    'has every word in %s, on the page and on paper',
    { timeout: 240_000 },
    async (language) => {
      const { data } = await show(language)
      expect(JSON.stringify(data)).not.toMatch(/\{\{|undefined|NaN/)
      const { text, pages } = await fetchPdf(language)
      expect(pages).toBeGreaterThanOrEqual(3)
      const flat = text.replace(/\s+/g, '')
      for (const { title } of data.sections) expect(flat).toContain(title.replace(/\s+/g, ''))
      expect(flat).toContain('细胞<b>ядра</b>')
    },
  )

  it('is read by everybody who may see it, and downloaded from bronze on', async () => {
    await setLevel(1)
    expect((await show()).data).toMatchObject({ mayDownload: false })
    const refused = await server.call('reports/download', { id: testId, language: 'en' }, session)
    expect(refused.data).toMatchObject({ error: 'report_level' })
    await setLevel(2)
    expect((await show()).data).toMatchObject({ mayDownload: true, hasWatermark: true })
    await setLevel(4)
    expect((await show()).data).toMatchObject({ mayDownload: true, hasWatermark: false })
  })

  it('ends its link with the level that gave it', async () => {
    const { data } = await server.call('reports/download', { id: testId, language: 'en' }, session)
    await setLevel(1)
    const response = await fetch(`${server.url}${data.url}`)
    expect(await response.json()).toMatchObject({ data: { error: 'report_level' } })
    await setLevel(4)
  })

  it('is of finished tests alone, and hidden from strangers', async () => {
    expect((await show('en', trainedId)).data).toMatchObject({ error: 'report_not_ready' })
    const stranger = await server.signUp({ vipLevel: 4 })
    const hidden = await server.call('reports/show', { id: testId, language: 'en' }, stranger)
    expect(hidden.data).toMatchObject({ error: 'run_missing' })
  })
})

it('a chart draws what it is given, and no name can leave it', () => {
  const svg = drawChart({
    x: 'x',
    y: 'y',
    lines: [
      {
        name: '"><script>alert(1)</script>',
        points: [
          [0, 0],
          [10, 5],
        ],
      },
    ],
  })
  expect(svg).not.toContain('<script')
  expect(svg.match(/<path[^>]*stroke-width="1.6"/g)).toHaveLength(1)
  expect(drawChart({ x: 'x', y: 'y', lines: [{ name: 'flat', points: [[3, 3]] }] })).not.toContain('NaN')
})
