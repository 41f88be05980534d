import { languages } from '@neuroloom/contract/language'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { fetchReport, MOST_PAGES } from '../../../test/pdf.ts'
import { addDataset, hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { type Runner, startRunner } from '../runs/queue/jobs.ts'

let server: TestServer
let session: Session
let runner: Runner
/** The same training on what it kept aside, on other pictures, and on those that it learned from under another name. */
const tests = { internal: '', external: '', same: '' }

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  runner = startRunner(makeWorker(server))
  const set = await makeTrainingSet(server, session, { items: 20, task: 'segmentation', name: 'fields' })
  const { id } = await startQuick(server, session, { set })
  await until(server, session, { id, is: hasEnded })
  const more = { projectId: set.projectId, task: set.task, size: 32 }
  const other = await addDataset(server, session, { ...more, items: 8, name: 'elsewhere', seed: 7 })
  const same = await addDataset(server, session, { ...more, items: 8, name: 'again', seed: 1 })
  const made = { internal: set.datasetId, external: other.datasetId, same: same.datasetId }
  for (const name of ['internal', 'external', 'same'] as const) {
    const asked = { id, datasets: [made[name]] }
    tests[name] = (await server.call('runs/test', asked, session)).data.id
    await until(server, session, { id: tests[name], is: hasEnded })
  }
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
      expect.stringMatching(/^External, elsewhere: 8 images/),
      expect.stringMatching(/^Other data, again: 8 images/),
    ])
    // Figures with their intervals.
    expect(rows[0]?.slice(1)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^0\.\d+ \(.+\)$/)),
    )
    for (const item of ['internal', 'external'])
      expect(items.find((one) => one.item === item)).toMatchObject({ state: 'answered', anchor: item })
  }
})

it('calls external only what shares nothing with the data learned from', async () => {
  const { text } = await reportOf(tests.same)
  expect(text).toContain('On 8 images of elsewhere, an external data set')
  expect(text).toContain('On 8 images of again. This data set is not independent: 8 of its images')
})

it('says why an item does not apply, and that a drawing network makes no diagnosis', async () => {
  const { items } = await reportOf(tests.internal)
  expect(items.find(({ item }) => item === 'diagnostic')).toMatchObject({
    state: 'notApplicable',
    note: 'does not apply: the network draws or restores; it makes no diagnosis',
  })
})

it.each(languages)('keeps a small set on six pages in %s', async (language) => {
  const pages = await fetchReport(server, session, { id: tests.internal, language })
  expect(pages.length).toBeLessThanOrEqual(MOST_PAGES)
})
