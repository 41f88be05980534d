import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type {
  ComparedTest,
  Comparison,
  Difference,
  Pair,
  SettingValue,
  Verdict,
} from '@neuroloom/contract/compare'
import { comparison as limits } from '@neuroloom/contract/limits'
import { mcnemarExact } from '@neuroloom/contract/statistics/mcnemar'
import { asc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { oneAtATime } from '../../../infra/aside/slices.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db } from '../../../infra/db.ts'
import { requireLearned, type SeenLearned } from '../access.ts'
import { withPictures } from '../show.ts'
import { type LearnedRow, runItems, runs, type StoredResult } from '../tables.ts'
import { evidenceOf } from './evidence.ts'
import { partedOf } from './groups.ts'
import { type Interval, pairedDifferences, resamplesFor } from './paired.ts'
import { boxDifferences } from './paired-boxes.ts'
import { isRight, tallyOf } from './tallies.ts'

/** A test with its results by item, told in the classes of the first test. */
type Test = { run: SeenLearned; results: Map<string, StoredResult> }

/** Grows with the images and boxes of the tests: in turn with other such works. */
export const compare = (
  ctx: Context,
  { ids }: Parsed<'runs/compare'>,
  caller: Caller,
): Promise<Answer<'runs/compare'>> => oneAtATime(caller.user.id, () => compareNow(ctx, ids, caller))

async function compareNow(ctx: Context, ids: string[], caller: Caller): Promise<Answer<'runs/compare'>> {
  const tests = await comparable(ctx, ids, caller)
  const [first, ...others] = tests
  if (!first) throw fail('compare_count', { ...limits.tests })
  const { task, classes, projectId, datasetName } = first.run
  const { groupOf } = await partedOf(ctx, first.run.id)
  const itemIds = [...first.results.keys()]
  const groups = new Set(itemIds.map((id) => groupOf.get(id) ?? id)).size
  const resamples = resamplesFor(tallyOf(task, classes), groups, boxesIn(tests))
  const pairs: Pair[] = []
  for (const other of others) pairs.push(await pairOf(first, other, { groupOf, groups, resamples }))
  const settings = differing(tests)
  return {
    ...{ projectId, task, classes, datasetName, groups, resamples, settings },
    items: itemIds.length,
    tests: await Promise.all(tests.map(({ run }) => describe(ctx.db, run, settings))),
    pairs,
    disagreements: await disagreements(ctx, caller, tests),
  }
}

/** The tests in the order asked for, if the caller may see all and they were made on the same images. */
async function comparable(ctx: Context, ids: string[], caller: Caller): Promise<Test[]> {
  const asked = [...new Set(ids)]
  const seen = []
  for (const id of asked) seen.push(await requireLearned(ctx.db, caller.user, id, 'view'))
  const [first, ...others] = seen
  if (!first || seen.length < limits.tests.min || seen.length > limits.tests.max) {
    throw fail('compare_count', { ...limits.tests })
  }
  if (seen.some(({ kind, state }) => kind !== 'test' || state !== 'done')) throw fail('compare_not_done')
  if (others.some(({ projectId }) => projectId !== first.projectId)) throw fail('compare_other_project')
  if (others.some(({ task }) => task !== first.task)) throw fail('compare_other_task')
  if (others.some(({ classes }) => !hasSame(classes, first.classes))) throw fail('compare_other_data')
  const tests: Test[] = []
  for (const run of seen) tests.push({ run, results: await resultsOf(ctx.db, run, first.classes) })
  const [one, ...rest] = tests
  if (!one || rest.some((other) => !isOnSameImages(one, other))) throw fail('compare_other_data')
  return tests
}

const hasSame = (one: readonly string[], two: readonly string[]): boolean =>
  one.length === two.length && one.every((name) => two.includes(name))

async function resultsOf(db: Db, run: LearnedRow, classes: readonly string[]): Promise<Test['results']> {
  const rows = await db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, run.id))
    .orderBy(asc(runItems.place))
  return new Map(rows.map(({ result }) => [result.id, inClasses(result, run.classes, classes)]))
}

/** Two trainings may count the same classes in another order. */
function inClasses(result: StoredResult, from: readonly string[], to: readonly string[]): StoredResult {
  if (from.every((name, index) => to[index] === name)) return result
  const moved = (index: number): number => to.indexOf(from[index] ?? '')
  const box = <B extends { class: number }>(one: B): B => ({ ...one, class: moved(one.class) })
  return {
    ...result,
    truth: result.truth === null ? null : moved(result.truth),
    labels: result.labels?.map(moved).sort((a, b) => a - b) ?? null,
    named: result.named?.map(moved).sort((a, b) => a - b) ?? null,
    probabilities:
      result.probabilities.length === 0
        ? []
        : to.map((name) => result.probabilities[from.indexOf(name)] ?? 0),
    boxes: result.boxes && { truth: result.boxes.truth.map(box), found: result.boxes.found.map(box) },
  }
}

function isOnSameImages(one: Test, two: Test): boolean {
  if (one.results.size === 0 || one.results.size !== two.results.size) return false
  return [...one.results].every(([id, result]) => {
    const other = two.results.get(id)
    return (
      other !== undefined &&
      other.image === result.image &&
      other.truth === result.truth &&
      other.labels?.join() === result.labels?.join()
    )
  })
}

async function pairOf(
  first: Test,
  other: Test,
  { groupOf, groups, resamples }: { groupOf: Map<string, string>; groups: number; resamples: number },
): Promise<Pair> {
  const { task, classes } = first.run
  const tally = tallyOf(task, classes)
  const both = [...first.results].flatMap(([id, one]) => {
    const two = other.results.get(id)
    return two ? [{ id, one, two }] : []
  })
  const items = both.map(({ id, one, two }) => ({
    group: groupOf.get(id) ?? id,
    first: tally.of(one),
    other: tally.of(two),
  }))
  const found = await pairedDifferences(tally, items, resamples)
  const boxes = both.flatMap(({ id, one, two }) =>
    one.boxes && two.boxes ? [{ group: groupOf.get(id) ?? id, first: one.boxes, other: two.boxes }] : [],
  )
  // What detectors are cited by comes first, and decides.
  if (task === 'detection') found.unshift(...(await boxDifferences(classes, boxes, resamples)))
  const only = (right: StoredResult, wrong: StoredResult): boolean => isRight(right) && !isRight(wrong)
  const onlyFirst = both.filter(({ one, two }) => only(one, two)).length
  const onlyOther = both.filter(({ one, two }) => only(two, one)).length
  const isIndependent = groups === both.length
  return {
    id: other.run.id,
    differences: found.map(
      ({ measure, ...figures }): Difference => ({
        metric: measure.metric,
        class: measure.class,
        ...figures,
        verdict: verdictOf(figures.interval),
      }),
    ),
    mcnemar:
      task === 'classification' && isIndependent
        ? { onlyFirst, onlyOther, p: mcnemarExact(onlyFirst, onlyOther) }
        : null,
  }
}

/** Found boxes of the two tests that have most. */
function boxesIn(tests: readonly Test[]): number {
  const counts = tests.map(({ results }) =>
    [...results.values()].reduce((sum, { boxes }) => sum + (boxes?.found.length ?? 0), 0),
  )
  const [most = 0, next = 0] = counts.sort((one, two) => two - one)
  return most + next
}

/** More is better in every figure that is compared. */
function verdictOf(interval: Interval): Verdict {
  if (interval === null) return 'unshown'
  if (interval[0] > 0) return 'better'
  return interval[1] < 0 ? 'worse' : 'unshown'
}

type Settings = Record<string, SettingValue>

/** The network stands above the settings, with its name. */
function settingsOf({ hyper, validation }: LearnedRow): Settings {
  const parts = {
    holdout: () => (validation.method === 'holdout' ? [validation.train, validation.test] : null),
    kfold: () => (validation.method === 'kfold' ? validation.splits : null),
    given: () => 'given',
  }
  return {
    ...hyper,
    mixedPrecision: hyper.mixedPrecision ?? null,
    labelSmoothing: hyper.labelSmoothing ?? null,
    validation: parts[validation.method](),
  }
}

/** Names of the settings that are not the same in all tests. */
function differing(tests: readonly Test[]): string[] {
  const all = tests.map(({ run }) => settingsOf(run))
  const names = [...new Set(all.flatMap((settings) => Object.keys(settings)))]
  return names.filter((name) => new Set(all.map((one) => JSON.stringify(one[name] ?? null))).size > 1)
}

async function describe(db: Db, run: LearnedRow, settings: readonly string[]): Promise<ComparedTest> {
  const [training] = run.parentId
    ? await db.select({ number: runs.number }).from(runs).where(eq(runs.id, run.parentId))
    : []
  const own = settingsOf(run)
  const { ownNetworkName: name, ownNetworkVersion: version } = run
  return {
    id: run.id,
    number: run.number,
    trainingNumber: training?.number ?? null,
    network: run.network,
    ownNetwork: name === null || version === null ? null : { name, version },
    parameters: run.parameters,
    endedAt: run.endedAt?.toISOString() ?? null,
    metrics: run.metrics,
    perClass: run.perClass,
    intervals: (await evidenceOf(db, run.id))?.intervals ?? {},
    settings: settings.map((one) => own[one] ?? null),
  }
}

/** Images whose scores lie furthest apart, with each test's own pictures. */
async function disagreements(
  ctx: Context,
  caller: Caller,
  tests: readonly Test[],
): Promise<Comparison['disagreements']> {
  const [first] = tests
  if (!first) return []
  const spread = (id: string): number => {
    const scores = tests.flatMap(({ results }) => results.get(id)?.score ?? [])
    return scores.length < 2 ? 0 : Math.max(...scores) - Math.min(...scores)
  }
  const ids = [...first.results.keys()]
    .map((id) => ({ id, apart: spread(id) }))
    .filter(({ apart }) => apart > 0)
    .sort((one, two) => two.apart - one.apart)
    .slice(0, limits.disagreements)
    .map(({ id }) => id)
  const shown = await Promise.all(
    tests.map(({ run, results }) =>
      withPictures(ctx, caller, {
        run,
        kind: 'test',
        items: ids.flatMap((id) => results.get(id) ?? []),
      }),
    ),
  )
  return ids.map((id, place) => ({
    name: first.results.get(id)?.name ?? '',
    results: shown.flatMap((items) => items[place] ?? []),
  }))
}
