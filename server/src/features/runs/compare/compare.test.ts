import { randomUUID } from 'node:crypto'
import type { ItemResult } from '@neuroloom/contract/engine'
import { slices } from '@neuroloom/contract/limits'
import { compareRight, mcnemarExact } from '@neuroloom/contract/statistics/mcnemar'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { hasEnded, makeTrainingSet, startQuick, type TrainingSet, until } from '../../../../test/training.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { oneAtATime } from '../../../infra/aside/slices.ts'
import { datasetItems } from '../../datasets/tables.ts'
import { type Runner, startRunner } from '../queue/jobs.ts'
import { runs } from '../tables.ts'
import { pairedDifferences, resamplesFor } from './paired.ts'
import { tallyOf } from './tallies.ts'

const classes = ['cat', 'dog']
const item = (truth: number, sure: number): ItemResult => ({
  id: randomUUID(),
  name: 'x.png',
  truth,
  labels: null,
  probabilities: [1 - sure, sure],
  boxes: null,
  score: truth === 1 ? sure : 1 - sure,
  values: {},
  overlay: null,
  heat: null,
  named: null,
  doubt: null,
})

describe('paired differences', () => {
  const tally = tallyOf('classification', classes)
  const pair = (group: string, first: ItemResult, other: ItemResult) => ({
    group,
    first: tally.of(first),
    other: tally.of(other),
  })

  it('are counted as by hand', async () => {
    // Four images; the first test names two rightly, the other three.
    const items = [
      pair('a', item(0, 0.1), item(0, 0.2)),
      pair('b', item(0, 0.9), item(0, 0.4)),
      pair('c', item(1, 0.2), item(1, 0.3)),
      pair('d', item(1, 0.8), item(1, 0.9)),
    ]
    const found = await pairedDifferences(tally, items, 0)
    const of = (metric: string, name: string | null = null) =>
      found.find(({ measure }) => measure.metric === metric && measure.class === name)
    expect(of('accuracy')).toMatchObject({ first: 0.5, other: 0.75, value: 0.25, interval: null })
    expect(of('recall', 'cat')).toMatchObject({ first: 0.5, other: 1 })
    // F1 of cat: 2 hits twice over 2 true and 3 named.
    expect(of('f1', 'cat')?.other).toBeCloseTo(0.8, 12)
    expect(of('macroF1')?.other).toBeCloseTo((0.8 + 2 / 3) / 2, 12)
  })

  it('of shares have the published interval for pairs', async () => {
    const items = Array.from({ length: 200 }, (_, index) =>
      pair(String(index), item(0, index % 5 === 0 ? 0.9 : 0.1), item(0, index % 10 === 0 ? 0.9 : 0.1)),
    )
    const [accuracy] = await pairedDifferences(tally, items, 500)
    // 160 are right in both, 20 in the other test alone, 20 in neither (Newcombe 1998, method 10).
    const { difference } = compareRight({ both: 160, first: 20, second: 0, neither: 20 }) ?? {}
    expect(accuracy).toMatchObject({ cases: 200 })
    expect(accuracy?.value).toBeCloseTo(0.1, 12)
    expect(accuracy?.interval?.[0]).toBeCloseTo(difference?.low ?? Number.NaN, 12)
    expect(accuracy?.interval?.[1]).toBeCloseTo(difference?.high ?? Number.NaN, 12)
  })

  it('of other measures have an interval like that of the normal approximation, the same each time', async () => {
    const restored = tallyOf('denoising', [])
    const score = (value: number) => restored.of({ ...item(0, 0), score: value, values: { ssim: null } })
    // The gain is 1 dB in a tenth of the images, so that its deviation is sqrt(0.1 * 0.9 / 200).
    const items = Array.from({ length: 200 }, (_, index) => ({
      ...{ group: String(index), first: score(30) },
      other: score(index % 10 === 0 ? 31 : 30),
    }))
    const [psnr] = await pairedDifferences(restored, items, 2000)
    const spread = 1.96 * Math.sqrt((0.1 * 0.9) / 200)
    expect(psnr?.value).toBeCloseTo(0.1, 12)
    expect(psnr?.interval?.[0]).toBeCloseTo(0.1 - spread, 2)
    expect(psnr?.interval?.[1]).toBeCloseTo(0.1 + spread, 2)
    expect((await pairedDifferences(restored, items, 2000))[0]?.interval).toEqual(psnr?.interval)
  })

  it('never have an interval without width, nor one of fewer than ten cases of a class', async () => {
    // Five cats that the first test alone names rightly, and ten dogs that both do.
    const items = Array.from({ length: 15 }, (_, index) =>
      index < 5
        ? pair(String(index), item(0, 0.1), item(0, 0.9))
        : pair(String(index), item(1, 0.9), item(1, 0.9)),
    )
    const found = await pairedDifferences(tally, items, 500)
    const of = (metric: string, name: string | null = null) =>
      found.find(({ measure }) => measure.metric === metric && measure.class === name)
    expect(of('recall', 'cat')).toMatchObject({ value: -1, cases: 5, interval: null })
    expect(of('balancedAccuracy')).toMatchObject({ value: -0.5, cases: 5, interval: null })
    const { difference } = compareRight({ both: 10, first: 0, second: 0, neither: 0 }) ?? {}
    expect(of('recall', 'dog')).toMatchObject({ value: 0, cases: 10 })
    expect(of('recall', 'dog')?.interval?.[0]).toBeCloseTo(difference?.low ?? Number.NaN, 12)
    for (const { interval } of found) if (interval) expect(interval[1]).toBeGreaterThan(interval[0])
    const restored = tallyOf('denoising', [])
    const score = (value: number) => restored.of({ ...item(0, 0), score: value, values: { ssim: null } })
    const alike = Array.from({ length: 15 }, (_, index) => ({
      ...{ group: String(index), first: score(30), other: score(31) },
    }))
    const [psnr] = await pairedDifferences(restored, alike, 500)
    expect(psnr).toMatchObject({ value: 1, cases: 15, interval: null })
  })

  it('are less sure where the images come from few patients', async () => {
    const of = async (groups: number) => {
      const items = Array.from({ length: 200 }, (_, index) => {
        const patient = index % groups
        return pair(String(patient), item(0, patient % 5 === 0 ? 0.9 : 0.1), item(0, 0.1))
      })
      const [accuracy] = await pairedDifferences(tally, items, 1000)
      return (accuracy?.interval?.[1] ?? 0) - (accuracy?.interval?.[0] ?? 0)
    }
    expect(await of(20)).toBeGreaterThan(2 * (await of(200)))
  })

  it('are not resampled for fewer than ten patients, and less often for very many sums', () => {
    expect(resamplesFor(tally, 9)).toBe(0)
    expect(resamplesFor(tally, 10)).toBe(2000)
    expect(resamplesFor({ ...tally, size: 300 }, 1_000_000)).toBe(500)
  })

  it('McNemar’s exact test is the sum of the binomial tails', () => {
    // 1 against 9: 2 · (1 + 10) / 2^10.
    expect(mcnemarExact(1, 9)).toBeCloseTo(22 / 1024, 12)
    expect(mcnemarExact(5, 5)).toBe(1)
    expect(mcnemarExact(0, 0)).toBe(1)
    expect(mcnemarExact(0, 2000)).toBeLessThan(1e-300)
  })
})

describe('tests of the same images', () => {
  let server: TestServer
  let session: Session
  let runner: Runner
  let set: TrainingSet
  let tests: string[]

  beforeAll(async () => {
    server = await makeServer()
    session = await server.signUp({ vipLevel: 4, vipSuper: 1 })
    runner = startRunner(makeWorker(server))
    set = await makeTrainingSet(server, session, { items: 60 })
    // Two images of each patient.
    await server.ctx.db.update(datasetItems).set({ patient: sql`'case-' || (position / 2)` })
    tests = []
    for (const epochs of [2, 3]) {
      const { id } = await startQuick(server, session, { set, hyper: { epochs } })
      await until(server, session, { id, is: hasEnded })
      const tested = await server.call('runs/test', { id, datasets: [set.datasetId] }, session)
      await until(server, session, { id: tested.data.id, is: hasEnded })
      tests.push(tested.data.id)
    }
  })
  afterAll(async () => {
    await runner.stop()
    await server.close()
  })

  const compare = (ids: string[], who: Session | null = session) => server.call('runs/compare', { ids }, who)
  const errorOf = async (ids: string[], who?: Session) => (await compare(ids, who)).data.error

  it('stand beside each other with what differs', async () => {
    const { data, code } = await compare(tests)
    expect(code).toBe(10200)
    expect(data.tests.map(({ id }) => id)).toEqual(tests)
    expect(data.settings).toContain('epochs')
    expect(data.tests.map(({ settings }) => settings[data.settings.indexOf('epochs')])).toEqual([2, 3])
    expect(data.groups).toBeLessThan(data.items)
    const [main] = data.pairs[0]?.differences ?? []
    expect(main).toMatchObject({ metric: 'accuracy', class: null })
    expect(main?.first).toBeCloseTo(data.tests[0]?.metrics.accuracy ?? Number.NaN, 9)
    expect(main?.other).toBeCloseTo(data.tests[1]?.metrics.accuracy ?? Number.NaN, 9)
    // Images of one patient are no independent cases, which McNemar's test takes them for.
    expect(data.pairs[0]?.mcnemar).toBeNull()
    for (const { results } of data.disagreements) expect(results).toHaveLength(2)
  })

  it('with nothing between them show no difference', async () => {
    const twin = randomUUID().slice(0, 20)
    await server.ctx.pool.query(
      `insert into runs select (jsonb_populate_record(t, jsonb_build_object('id', $2::text, 'number', 99))).*
       from runs t where id = $1`,
      [tests[0], twin],
    )
    for (const table of ['run_items', 'run_inputs']) {
      await server.ctx.pool.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('run_id', $2::text))).*
         from ${table} t where run_id = $1`,
        [tests[0], twin],
      )
    }
    const { data } = await compare([tests[0] ?? '', twin])
    expect(new Set(data.pairs[0]?.differences.map(({ verdict }) => verdict))).toEqual(new Set(['unshown']))
    expect(data.disagreements).toEqual([])
    await server.ctx.pool.query(
      `update run_items set result = jsonb_set(result, '{truth}', '5') where run_id = $1`,
      [twin],
    )
    expect(await errorOf([tests[0] ?? '', twin])).toBe('compare_other_data')
    await server.ctx.db.update(runs).set({ task: 'multilabel' }).where(eq(runs.id, twin))
    expect(await errorOf([tests[0] ?? '', twin])).toBe('compare_other_task')
    await server.ctx.db.update(runs).set({ state: 'stopped' }).where(eq(runs.id, twin))
    expect(await errorOf([tests[0] ?? '', twin])).toBe('compare_not_done')
  })

  it('are two to four, and nobody else’s', async () => {
    const [first = '', second = ''] = tests
    expect(await errorOf([first])).toBe('compare_count')
    expect(await errorOf([first, first])).toBe('compare_count')
    const stranger = await server.signUp({ vipLevel: 4 })
    expect(await errorOf([first, second], stranger)).toBe('run_missing')
    expect((await compare([first, second], null)).data.error).toBe('not_signed_in')
  })

  it('wait in one line with other long works, and say when it is too much at once', async () => {
    let end = (): void => undefined
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const works = Array.from({ length: slices.waiting + 1 }, () => oneAtATime(session.userId, () => held))
    expect(await errorOf(tests)).toBe('too_much_at_once')
    const groups = await server.call('runs/groups', { id: tests[0] ?? '', order: 'worst' }, session)
    expect(groups.data.error).toBe('too_much_at_once')
    end()
    await Promise.all(works)
    expect((await compare(tests)).code).toBe(10200)
  })

  it('have a table by patient, with the names of the data set, and as a file', async () => {
    const { data } = await server.call('runs/groups', { id: tests[0] ?? '', order: 'name' }, session)
    expect(data).toMatchObject({ metric: 'accuracy', next: null })
    expect(data.total).toBe(data.groups.length)
    expect(data.groups.every(({ name, items }) => /^case-\d+$/.test(name) && items <= 2)).toBe(true)
    expect(data.groups.some(({ items }) => items === 2)).toBe(true)
    const worst = await server.call('runs/groups', { id: tests[0] ?? '', order: 'worst' }, session)
    const means = worst.data.groups.map(({ mean }) => mean ?? 0)
    expect(means).toEqual([...means].sort((a, b) => a - b))
    const table = await server.call('runs/groupTable', { id: tests[0] ?? '' }, session)
    expect(table.data.name).toMatch(/-groups\.csv$/)
    const [head, ...lines] = table.data.text.trim().split('\r\n')
    expect(head).toMatch(
      /group,items,"Accuracy, mean",worst item,"probability of the true class, worst item"$/,
    )
    expect(lines).toHaveLength(data.total)
  })

  it('have heat maps of where the network looked', async () => {
    const { data } = await server.call('runs/items', { id: tests[0] ?? '' }, session)
    const seen = data.items.find(({ heat }) => heat !== null)
    const reply = await fetch(`${server.url}${seen?.heat}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('image/png')
    const proof = await server.call('runs/evidence', { id: tests[0] ?? '' }, session)
    expect(proof.data.evidence?.heat?.items).toBeGreaterThan(0)
  })

  it('of data without patients have no such table', async () => {
    await server.ctx.db.update(datasetItems).set({ patient: null })
    const { id } = await startQuick(server, session, { set, hyper: { epochs: 1 } })
    await until(server, session, { id, is: hasEnded })
    const tested = await server.call('runs/test', { id, datasets: [set.datasetId] }, session)
    await until(server, session, { id: tested.data.id, is: hasEnded })
    const { data } = await server.call('runs/groups', { id: tested.data.id }, session)
    expect(data).toMatchObject({ groups: [], total: 0 })
    const table = await server.call('runs/groupTable', { id: tested.data.id }, session)
    expect(table.data.error).toBe('missing')
    expect(await errorOf([tests[0] ?? '', tested.data.id])).toBe('compare_other_data')
  })
})
