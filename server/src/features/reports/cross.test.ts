import type { languages } from '@neuroloom/contract/language'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { fetchPaper, MOST_PAGES, onPaper } from '../../../test/pdf.ts'
import { addDataset, hasEnded, makeTrainingSet, startQuick, until } from '../../../test/training.ts'
import { makeWorker } from '../../../test/worker.ts'
import { datasetItems } from '../datasets/tables.ts'
import { type Runner, startRunner } from '../runs/queue/jobs.ts'
import { runEvidence, runItems, runs } from '../runs/tables.ts'

const ITEMS = 30
let server: TestServer
let session: Session
let runner: Runner
let crossId: string
/** The network of the cross-validation on the part that it had not seen, and on other pictures. */
const tests = { part: '', external: '' }

beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  runner = startRunner(makeWorker(server))
  const set = await makeTrainingSet(server, session, { items: ITEMS, name: 'cells' })
  // Two images of each patient.
  await server.ctx.db.update(datasetItems).set({ patient: sql`'case-' || ((position - 1) / 2)` })
  const more = { projectId: set.projectId, task: set.task, size: 32 }
  const other = await addDataset(server, session, { ...more, items: 9, name: 'elsewhere', seed: 7 })
  const validation = { method: 'kfold', splits: 5, seed: 3 } as const
  crossId = (await startQuick(server, session, { set, hyper: { epochs: 1 }, validation })).id
  await until(server, session, { id: crossId, is: hasEnded })
  for (const [name, datasetId] of [
    ['part', set.datasetId],
    ['external', other.datasetId],
  ] as const) {
    const asked = { id: crossId, datasets: [datasetId] }
    tests[name] = (await server.call('runs/test', asked, session)).data.id
    await until(server, session, { id: tests[name], is: hasEnded })
  }
})
afterAll(async () => {
  await runner.stop()
  await server.close()
})

async function reportOf(id: string, language: (typeof languages)[number] = 'en') {
  const { data } = await server.call('reports/show', { id, language }, session)
  const blocks = data.sections.flatMap((section) => section.blocks)
  const tables = blocks.filter((one) => one.kind === 'table')
  const tableOf = (caption: string) => tables.find((one) => one.caption.startsWith(caption))
  const [list] = blocks.filter((one) => one.kind === 'checklist')
  return { data, text: JSON.stringify(data), tableOf, checklist: list?.items ?? [] }
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

describe('the report of a cross-validation', () => {
  it('has the figures of all held-out answers together, as counted by hand', async () => {
    const rows = await server.ctx.db.select().from(runItems).where(eq(runItems.runId, crossId))
    const results = rows.map(({ result }) => result)
    expect(new Set(results.map(({ id }) => id)).size).toBe(ITEMS)
    const right = results.filter(({ named, truth }) => named?.[0] === truth).length
    const { data, text, tableOf } = await reportOf(crossId)
    expect(data).toMatchObject({
      isCross: true,
      title: expect.stringContaining('report of a cross-validation'),
    })
    const [main] = tableOf('Figures of the cross-validation')?.rows ?? []
    expect(main).toEqual(['Accuracy', percent(right / ITEMS), expect.stringMatching(/% – .*%$/)])
    expect(text).toContain(`each of ${ITEMS} images was tested once, by a network that had not seen it`)
    // Row by row of the confusion matrix, and the recall that follows from it.
    const classes = ['clustered', 'elongated', 'round']
    const counts = classes.map((_, truth) =>
      classes.map(
        (__, named) => results.filter((one) => one.truth === truth && one.named?.[0] === named).length,
      ),
    )
    expect(tableOf('True class')?.rows).toEqual(
      classes.map((name, index) => [name, ...(counts[index] ?? []).map(String)]),
    )
    const decisions = tableOf('What the answers are worth')
    const recall = decisions?.head.indexOf('Found (sensitivity, recall)') ?? -1
    expect(decisions?.rows.map((row) => row[recall]?.split(' (')[0])).toEqual(
      counts.map((row, index) => (row[index] ?? 0) / 10).map(plain),
    )
    // The same figure stands in no second table.
    expect(tableOf('Class by class')?.head).not.toContain('Recall')
    // Each part by itself: their images are all images.
    const parts = tableOf('Part by part')?.rows ?? []
    expect(parts).toHaveLength(5)
    expect(parts.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(ITEMS)
    const rightInParts = parts.reduce((sum, row) => sum + Number.parseFloat(row[3] ?? '') * Number(row[1]), 0)
    expect(rightInParts / 100).toBeCloseTo(right, 1)
  })

  it('counts patients as cases, and tells patient by patient', async () => {
    const { text, tableOf } = await reportOf(crossId)
    expect(text).toContain('15 independent cases')
    expect(tableOf('The 10 patients or series with the lowest mean, of 15')?.rows).toHaveLength(10)
  })

  it.each([
    [
      'en',
      'by a network that had not seen it: neither while it learned',
      'No network was trained on all images',
    ],
    ['zh', '由未曾见过它的网络作答：学习时没有见过', '没有网络用全部图像训练'],
    [
      'ru',
      'проверен один раз сетью, которая его не видела: ни при обучении',
      'На всех снимках не обучалась ни одна сеть',
    ],
  ] as const)('says in %s that each image was tested once, and what is handed out', async (...said) => {
    const [language, once, handedOut] = said
    const { data, text } = await reportOf(crossId, language)
    expect(text).not.toMatch(/\{\{|undefined|NaN/)
    const [split] = data.sections.find(({ id }) => id === 'split')?.blocks ?? []
    expect(split).toMatchObject({ kind: 'text', text: expect.stringContaining(once) })
    expect(split).toMatchObject({ text: expect.stringContaining(handedOut) })
    if (!onPaper('ru').includes(language)) return
    const { pages, filled } = await fetchPaper(server, session, { id: crossId, language })
    expect(pages.length).toBeLessThanOrEqual(MOST_PAGES)
    for (const share of filled.slice(0, -1)) expect(share, filled.join(', ')).toBeGreaterThan(0.75)
    const flat = pages.join('').replace(/\s+/g, '')
    expect(flat).toContain(once.replace(/\s+/g, ''))
    expect(flat).toContain(data.title.replace(/\s+/g, ''))
  })

  it('names the part whose network is handed out', async () => {
    const [row] = await server.ctx.db.select().from(runEvidence).where(eq(runEvidence.runId, crossId))
    const { text } = await reportOf(crossId)
    expect(text).toContain(`is that of part ${(row?.evidence.cross?.kept ?? -1) + 1} of 5`)
  })

  it('puts tests on other data beside it, and leaves out the part that it holds already', async () => {
    const { tableOf, checklist } = await reportOf(crossId)
    expect(tableOf('Internal test and tests on other data')?.head).toEqual([
      'Measure',
      `Cross-validation: ${ITEMS} images, 15 independent cases`,
      'External, elsewhere: 9 images',
    ])
    const stateOf = (item: string) => checklist.find((one) => one.item === item)
    for (const item of [
      'internal',
      'external',
      'partitions',
      'disjoint',
      'performance',
      'diagnostic',
      'failures',
    ])
      expect(stateOf(item), item).toMatchObject({ state: 'answered' })
    expect(stateOf('explainability')?.note).toContain('heat maps are drawn in tests')
  })

  it('stands beside the tests of its network in their reports', async () => {
    const external = await reportOf(tests.external)
    expect(external.data.isCross).toBe(false)
    expect(external.tableOf('Internal test and tests on other data')?.head[1]).toContain('Cross-validation')
    const part = await reportOf(tests.part)
    expect(part.tableOf('Internal test and tests on other data')?.head.slice(1, 3)).toEqual([
      expect.stringContaining('Cross-validation'),
      expect.stringMatching(/^Internal: \d+ images/),
    ])
    expect(part.text).toContain('this test is on one of its 5 parts alone')
  })

  it('is counted among the reports of its project', async () => {
    const [run] = await server.ctx.db.select().from(runs).where(eq(runs.id, crossId))
    const { data } = await server.call('projects/detail', { id: run?.projectId ?? '' }, session)
    expect(data.counts.reports).toBe(3)
  })

  it('is not there while there is no result of all images', async () => {
    await server.ctx.db.update(runs).set({ state: 'stopped' }).where(eq(runs.id, crossId))
    const { data } = await server.call('reports/show', { id: crossId, language: 'en' }, session)
    expect(data).toMatchObject({ error: 'report_not_ready' })
    // Nor does a test of its network say that all parts had their turn.
    const { text } = await reportOf(tests.part)
    expect(text).toContain('was stopped before all had been')
    expect(text).toContain('None: one network answers alone.')
    expect(text).not.toContain('each of which was held out once')
    await server.ctx.db.update(runs).set({ state: 'done' }).where(eq(runs.id, crossId))
  })
})

/** As the report writes a share between 0 and 1. */
const plain = (share: number): string => share.toFixed(3)
