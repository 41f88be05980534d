import { askedFor } from '@neuroloom/contract/claim'
import type { DataFacts } from '@neuroloom/contract/datasets'
import { languages } from '@neuroloom/contract/language'
import { asFound } from '@neuroloom/contract/reading/reading'
import { learnedStatements } from '@neuroloom/contract/statement-names'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { fetchPaper, fetchReport, MOST_PAGES, onPaper, partsOf } from '../../../test/pdf.ts'
import { hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { workbookOf } from '../../../test/workbooks.ts'
import { makeWorker } from '../../../test/worker.ts'
import { users } from '../accounts/tables.ts'
import { look } from '../datasets/jobs.ts'
import { datasets } from '../datasets/tables.ts'
import { type Runner, startRunner } from '../runs/queue/jobs.ts'
import { runs } from '../runs/tables.ts'
import { drawChart } from './charts.ts'

let server: TestServer
let session: Session
let runner: Runner
let trainedId: string
let testId: string
/** What a table beside the images says. */
let people: DataFacts['people']

const cells = (...words: string[]): string =>
  `<row>${words.map((word) => `<c t="inlineStr"><is><t>${word}</t></is></c>`).join('')}</row>`
/** Ages 40 to 69, each second person a woman; two wards. */
const persons = workbookOf({
  sheets: [
    {
      name: 'Persons',
      rows:
        cells('file', 'Age', 'Sex', 'ward') +
        Array.from({ length: 30 }, (_, n) =>
          cells(`${n}.png`, String(40 + n), n % 2 ? 'F' : 'M', n < 15 ? 'north' : 'south'),
        ).join(''),
    },
  ],
})

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  runner = startRunner(makeWorker(server))
  const set = await makeTrainingSet(server, session, {
    ...{ items: 30, name: '细胞 <b>ядра</b>' },
    beside: [{ path: '细胞 <b>ядра</b>/persons.xlsx', bytes: persons }],
  })
  const reading = { ...asFound, people: ['ward'] }
  await server.call('datasets/readAs', { id: set.datasetId, reading }, session)
  const worker = makeWorker(server)
  await look(worker, set.datasetId)
  worker.engine.close()
  const { data: seen } = await server.call('datasets/detail', { id: set.datasetId }, session)
  people = seen.facts?.people
  const parts = seen.parts.map(({ id }) => id)
  trainedId = (await startQuick(server, session, { set: { ...set, parts } })).id
  await until(server, session, { id: trainedId, is: hasEnded })
  const asked = { id: trainedId, datasets: [set.datasetId] }
  testId = (await server.call('runs/test', asked, session)).data.id
  await until(server, session, { id: testId, is: hasEnded })
  // For all tests but one it is as though no table said anything of the persons.
  await tellPeople(set.datasetId, undefined)
})
afterAll(async () => {
  await runner.stop()
  await server.close()
})

const setLevel = (vipLevel: number) =>
  server.ctx.db.update(users).set({ vipLevel }).where(eq(users.id, session.userId))

async function trainedSet() {
  const { db } = server.ctx
  const [run] = await db.select().from(runs).where(eq(runs.id, testId))
  const [set] = await db
    .select()
    .from(datasets)
    .where(eq(datasets.id, run?.datasetId ?? ''))
  if (!set?.facts) throw new Error('the data set has no facts')
  return { ...set, facts: set.facts }
}

async function tellPeople(id: string, told: DataFacts['people']): Promise<void> {
  const { people: _, ...facts } = (await trainedSet()).facts
  await server.ctx.db
    .update(datasets)
    .set({ facts: told ? { ...facts, people: told } : facts })
    .where(eq(datasets.id, id))
}

const show = (language: (typeof languages)[number] = 'en', id = testId) =>
  server.call('reports/show', { id, language }, session)

const fetchPdf = (language: (typeof languages)[number]) =>
  fetchReport(server, session, { id: testId, language })

async function checklist() {
  const { data } = await show()
  const [found] = data.sections.flatMap(({ blocks }) => blocks.filter((one) => one.kind === 'checklist'))
  if (found?.kind !== 'checklist') throw new Error('There is no checklist')
  return found
}

describe('the report of a test', () => {
  it('says what was found, on what, and how it came about', async () => {
    const { data } = await show()
    expect(data.sections.map(({ id }) => id)).toEqual([
      ...['summary', 'data', 'split', 'network', 'methods', 'settings'],
      ...['training', 'results', 'pictures', 'limits', 'origin', 'claim'],
    ])
    const [run] = await server.ctx.db.select().from(runs).where(eq(runs.id, testId))
    const text = JSON.stringify(data)
    expect(text).toContain(`${((run?.metrics.accuracy ?? 0) * 100).toFixed(1)}%`)
    expect(text).toContain('6 images were held out')
    expect(text).toContain('Small ResNet')
    expect(text).toContain(run?.versions?.torch)
    // Six cases, nothing known of patients, all from one source.
    expect(text).toContain('only 6 independent cases')
    expect(text).toContain('No patient was known')
    expect(text).toContain('(EXIF) were turned upright first')
    // The same worst images once more, with where the network looked laid over them.
    const shown = data.sections
      .find(({ id }) => id === 'pictures')
      ?.blocks.filter((one) => one.kind === 'pictures')
    expect(shown?.[0]?.pictures[0]?.caption).toMatch(/^Truth: .+\. Network: .+ \(\d+\.\d%\)$/)
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

  it.each(languages)('has every word in %s', async (language) => {
    const { data } = await show(language)
    // Signatures of addresses are letters by chance, and may spell anything.
    const text = JSON.stringify(data).replaceAll(/mac=[\w-]+/g, '')
    expect(text).not.toMatch(/\{\{|undefined|NaN/)
  })

  it.each(onPaper('zh'))('has every section in %s on paper', async (language) => {
    const { data } = await show(language)
    const { pages, filled, structure } = await fetchPaper(server, session, { id: testId, language })
    expect(pages.length).toBeGreaterThanOrEqual(3)
    expect(pages.length).toBeLessThanOrEqual(MOST_PAGES)
    for (const share of filled.slice(0, -1)) expect(share, filled.join(', ')).toBeGreaterThan(0.75)
    // The first page tells the score, draws it, and shows the three best and the three worst images.
    const [first] = structure
    if (!first) throw new Error('There is no page')
    const figures = partsOf(first, 'Figure').map(({ alt = '' }) => alt)
    expect(figures[0]).toContain('n = 6')
    expect(figures.filter((alt) => /\.png\. /.test(alt))).toHaveLength(6)
    const flat = pages.join('').replace(/\s+/g, '')
    for (const { title } of data.sections) expect(flat).toContain(title.replace(/\s+/g, ''))
    expect(flat).toContain('细胞<b>ядра</b>')
  })

  it('names what nobody has stated, in one place, and asks for it', async () => {
    const { data } = await show()
    // One line of the first page counts them; their names stand before the checklist.
    expect(data.sections.some(({ id }) => id === 'study')).toBe(false)
    const textOf = (section: string) => JSON.stringify(data.sections.find(({ id }) => id === section))
    expect(textOf('summary')).toContain(`0 of ${learnedStatements.length} study questions answered.`)
    expect(textOf('summary')).not.toContain('Not stated')
    expect(textOf('claim')).toContain('Not stated: Background and intended use; Aims; Design;')
    const missing = (await checklist()).items.filter(({ state }) => state === 'notStated')
    expect(missing.map(({ question }) => question)).not.toContain(null)
    const people = Object.keys(askedFor)
    expect(missing.map(({ item }) => item)).toEqual(expect.arrayContaining(['summary', ...people]))
  })

  it('sums up what a workbook says of the persons, part by part, on the page and as PDF', async () => {
    const before = (await checklist()).items.find(({ item }) => item === 'demographics')
    expect(before?.state).toBe('notStated')
    const set = await trainedSet()
    await tellPeople(set.id, people)
    const { data } = await show()
    const table = data.sections
      .find(({ id }) => id === 'data')
      ?.blocks.find((one) => one.kind === 'table' && one.anchor === 'characteristics')
    // Of 30 images six are for the test, and no other part is smaller than five.
    expect(table).toMatchObject({ head: ['Characteristic', 'To learn from', 'To choose the epoch', 'Test'] })
    expect(JSON.stringify(table)).toMatch(/"Persons","\d+","[^"]+","6"/)
    expect(JSON.stringify(table)).toMatch(/"Sex: female".+"ward: north"/)
    const after = (await checklist()).items.find(({ item }) => item === 'demographics')
    expect(after).toMatchObject({ state: 'answered', anchor: 'characteristics' })
    expect(JSON.stringify(data.sections.find(({ id }) => id === 'claim'))).not.toContain(
      'Age, sex and illness',
    )
    const text = (await fetchPdf('en')).join(' ').replace(/\s+/g, ' ')
    expect(text).toContain('Persons of each part, from a table beside the data')
    expect(text).toMatch(/Age in years, median \(quartiles\) \d\d \(\d\d to \d\d\)/)
    expect(text).toMatch(/ward: north.+ward: south/)
    await tellPeople(set.id, undefined)
  })

  it('answers nine of ten items of the checklist once the questions are, each where it says', async () => {
    const { data } = await show()
    const asked = { id: data.projectId, text: 'Со слов 医生, in two lines:\nhere.' }
    for (const name of learnedStatements)
      await server.call('projects/setStatement', { ...asked, name }, session)
    const { items } = await checklist()
    expect(items).toHaveLength(44)
    const apply = items.filter(({ state }) => state !== 'notApplicable')
    const answered = apply.filter(({ state }) => state === 'answered')
    expect(answered.length / items.length).toBeGreaterThanOrEqual(0.9)
    // Sensitivity, specificity and what an answer is worth, each with its interval.
    expect(items.find(({ item }) => item === 'diagnostic')).toMatchObject({ anchor: 'diagnostic' })
    const pages = await fetchPdf('en')
    expect(pages.length).toBeLessThanOrEqual(MOST_PAGES)
    const last = pages.slice(-2).join(' ').replace(/\s+/g, ' ')
    const places = {
      Preprocessing: 'Preprocessing',
      Funding: 'Funding',
      Ensembling: 'Ensemble',
      Limitations: 'What to keep in mind',
      'Analysis of failures': 'Where the network did worst',
    }
    for (const [item, place] of Object.entries(places)) {
      const page = Number(new RegExp(`\\d ${item} page (\\d+)`).exec(last)?.[1])
      expect(pages[page - 1]?.replace(/\s+/g, ' '), `${item} on page ${page}`).toContain(place)
    }
  })

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
  const single = drawChart({ x: 'x', y: 'y', lines: [{ name: 'flat', points: [[3, 3]] }] })
  expect(single).not.toContain('NaN')
  // One check is seen, too.
  expect(single).toContain('<circle')
})

it('a chart of ten parts names each of them once, and both kinds of lines', () => {
  const points = [
    [0, 0],
    [10, 5],
  ] as const
  const parts = Array.from({ length: 10 }, (_, fold) => String(fold + 1))
  const lines = parts.flatMap((name) => [false, true].map((isDashed) => ({ name, points, isDashed })))
  const svg = drawChart({ x: 'x', y: 'y', lines, strokes: { solid: 'training', dashed: 'validation' } })
  expect(svg.match(/<path[^>]*stroke-width="1.6"/g)).toHaveLength(20)
  expect(keysIn(svg)).toEqual([...parts, 'training', 'validation'])
})

it('the key of a chart shows whole names where there is room, and the same length of all where there is not', () => {
  const draw = (names: string[]) => {
    const lines = names.map((name) => ({ name, points: [[0, 0]] as const }))
    return keysIn(drawChart({ x: 'x', y: 'y', lines }))
  }
  const short = ['AbdomenCT 0.991', 'BreastMRI 0.998', 'CXR 0.95']
  expect(draw(short)).toEqual(short)
  const long = Array.from({ length: 8 }, (_, index) => `a class of a very long name, number ${index}`)
  const cut = draw(long)
  expect(cut).toHaveLength(8)
  expect(new Set(cut.map(({ length }) => length)).size).toBe(1)
  expect(cut[0]).toMatch(/^a class.*…$/)
})

/** Keys stand left of their names; names of axes stand elsewhere. */
const keysIn = (svg: string): string[] =>
  [...svg.matchAll(/h12"[^>]*\/><text[^>]*>([^<]+)<\/text>/g)].map(([, text = '']) => text)
