import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeSet, nameReader, stepOf } from '../../../test/labels.ts'
import { fetchPaper, MOST_PAGES, onPaper } from '../../../test/pdf.ts'
import { addDataset, hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { datasets } from '../datasets/tables.ts'
import { labelItems } from '../labelling/tables.ts'
import { type Runner, startRunner } from '../runs/queue/jobs.ts'

let server: TestServer
let session: Session
let runner: Runner
/** The same training on what it kept aside, on other pictures, and on those that it learned from under another name. */
const tests = { internal: '', external: '', same: '' }
let learnedFrom: { datasetId: string; projectId: string }

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4, nickName: 'Owner' })
  runner = startRunner(makeWorker(server))
  const set = await makeTrainingSet(server, session, { items: 20, task: 'segmentation', name: 'fields' })
  const { id } = await startQuick(server, session, { set })
  await until(server, session, { id, is: hasEnded })
  learnedFrom = set
  const more = { projectId: set.projectId, task: set.task, size: 32 }
  const other = await addDataset(server, session, { ...more, items: 12, name: 'elsewhere', seed: 7 })
  const same = await addDataset(server, session, { ...more, items: 12, name: 'again', seed: 1 })
  const made = { internal: set.datasetId, external: other.datasetId, same: same.datasetId }
  for (const name of ['internal', 'external', 'same'] as const) {
    const asked = { id, datasets: [made[name]] }
    tests[name] = (await server.call('runs/test', asked, session)).data.id
    await until(server, session, { id: tests[name], is: hasEnded })
  }
  // habit: more than the room's limit: it trains and tests four times
}, 400_000)
afterAll(async () => {
  await runner.stop()
  await server.close()
})

async function reportOf(id: string) {
  const { data } = await server.call('reports/show', { id, language: 'en' }, session)
  const blocks = data.sections.flatMap((section) => section.blocks)
  const [table] = blocks.filter((one) => one.kind === 'table' && one.anchor === 'beside')
  const [list] = blocks.filter((one) => one.kind === 'checklist')
  return {
    text: JSON.stringify(data),
    head: table?.kind === 'table' ? table.head : [],
    rows: table?.kind === 'table' ? table.rows : [],
    items: list?.kind === 'checklist' ? list.items : [],
  }
}

it('shows the test on other data beside the internal one, in the report of either', async () => {
  for (const id of [tests.internal, tests.external]) {
    const { head, rows, items } = await reportOf(id)
    expect(head).toEqual([
      'Measure',
      expect.stringMatching(/^Internal: \d+ images/),
      expect.stringMatching(/^External, elsewhere: 12 images/),
      expect.stringMatching(/^Other data, again: 12 images/),
    ])
    // Figures with their intervals; the internal test has too few images for one.
    expect(rows[0]?.slice(1)).toEqual([
      expect.stringMatching(/^0\.\d+$/),
      expect.stringMatching(/^0\.\d+ \(.+\)$/),
      expect.stringMatching(/^0\.\d+ \(.+\)$/),
    ])
    for (const item of ['internal', 'external'])
      expect(items.find((one) => one.item === item)).toMatchObject({ state: 'answered', anchor: item })
  }
})

it('calls external only what shares nothing with the data learned from', async () => {
  const { text } = await reportOf(tests.same)
  expect(text).toContain('On 12 images of elsewhere, an external data set')
  expect(text).toContain(
    'On 12 images of again. This data set is not independent. The same or almost the same as an image of the data learned from: 12 images',
  )
})

it('says why an item does not apply, and that a drawing network makes no diagnosis', async () => {
  const { items } = await reportOf(tests.internal)
  expect(items.find(({ item }) => item === 'diagnostic')).toMatchObject({
    state: 'notApplicable',
    note: 'does not apply: the network draws or restores; it makes no diagnosis',
  })
})

it.each([
  ['zh', '标注区域'],
  ['ru', 'Отмеченная область'],
] as const)('names the classes of masks in %s wherever they stand', async (language, wanted) => {
  const { data } = await server.call('reports/show', { id: tests.internal, language }, session)
  const blocks = data.sections.flatMap((section) => section.blocks)
  const text = JSON.stringify(blocks.filter(({ kind }) => kind === 'table' || kind === 'facts'))
  // Of the data, as answers of the network, and as rows of results.
  expect(text.split(wanted).length - 1).toBeGreaterThanOrEqual(3)
  expect(text).not.toMatch(/foreground|background/)
})

it.each(onPaper('ru'))('keeps a small set on six pages in %s', async (language) => {
  const { pages, filled } = await fetchPaper(server, session, { id: tests.internal, language })
  expect(pages.length).toBeLessThanOrEqual(MOST_PAGES)
  for (const share of filled.slice(0, -1)) expect(share, filled.join(', ')).toBeGreaterThan(0.75)
})

it('tells who labelled the images here, as far as whoever reads it may know', async () => {
  const [reader, guest] = [await server.signUp({ nickName: 'Second' }), await server.signUp()]
  const set = await makeSet(server, session)
  await nameReader(server, { setId: set.id, reader, permission: 'read' })
  // A busy machine shows no image in time; how large it is, is enough here.
  const size = { width: 32, height: 32, depth: 1 }
  await server.ctx.db.update(labelItems).set(size).where(eq(labelItems.setId, set.id))
  for (const who of [session, reader]) {
    const { data } = await server.call('labelling/open', { itemId: set.items[0]?.id ?? '' }, who)
    const readingId = data.reading?.id ?? ''
    const steps = [stepOf({ do: 'tags', before: [], after: ['cyst'] })]
    await server.call('labelling/save', { readingId, after: 0, steps }, who)
    await server.call('labelling/setState', { readingId, state: 'done' }, who)
  }
  const { datasetId, projectId } = learnedFrom
  const labelled = { setId: set.id, from: 'newest' as const }
  await server.ctx.db.update(datasets).set({ labelled }).where(eq(datasets.id, datasetId))
  for (const { account } of [reader, guest])
    await server.call('projects/share', { id: projectId, account, permission: 'view' }, session)
  const readersFor = async (who: Session) => {
    const { data } = await server.call('reports/show', { id: tests.internal, language: 'en' }, who)
    const tables = data.sections.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === 'table')
    const found = tables.find((one) => one.kind === 'table' && one.caption === 'Who labelled')
    return found?.kind === 'table' ? found.rows.map(([name, finished]) => [name, finished]) : []
  }
  expect((await readersFor(session)).map(([name]) => name).toSorted()).toEqual(['Owner', 'Second'])
  // Who sees the project alone is told of no names, and who reads blind of nobody else.
  expect(await readersFor(guest)).toEqual([
    ['Reader 1', '1'],
    ['Reader 2', '1'],
  ])
  expect((await readersFor(reader)).length).toBeLessThan(2)
  await server.ctx.db.update(datasets).set({ labelled: null }).where(eq(datasets.id, datasetId))
})
