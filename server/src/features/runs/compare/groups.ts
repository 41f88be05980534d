import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { TestGroup } from '@neuroloom/contract/compare'
import type { ItemResult } from '@neuroloom/contract/engine'
import { comparison } from '@neuroloom/contract/limits'
import { asc, eq } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import { oneAtATime } from '../../../infra/aside/slices.ts'
import type { Context } from '../../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../../infra/csv.ts'
import { textsOf } from '../../../infra/texts.ts'
import { requireLearned } from '../access.ts'
import { resultName } from '../links.ts'
import { readStored } from '../manifests.ts'
import { type LearnedRow, runInputs, runItems } from '../tables.ts'
import { itemMetric, itemValue } from './tallies.ts'

type Parted = {
  /** By item: what it belongs to, be it only itself. */
  groupOf: Map<string, string>
  /** Groups that the data set itself names: patients, series. */
  named: Set<string>
}

export async function groups(
  ctx: Context,
  { id, order, after }: Parsed<'runs/groups'>,
  { user }: Caller,
): Promise<Answer<'runs/groups'>> {
  const run = await requireLearned(ctx.db, user, id, 'view')
  const all = (await oneAtATime(user.id, () => testGroups(ctx, run))).sort(orders[order])
  const page = all.slice(after, after + comparison.groupsPage)
  const next = after + page.length
  return {
    metric: itemMetric[run.task],
    groups: page,
    next: page.length > 0 && next < all.length ? next : null,
    total: all.length,
  }
}

export async function groupTable(
  ctx: Context,
  { id }: Parsed<'runs/groupTable'>,
  { user }: Caller,
): Promise<Answer<'runs/groupTable'>> {
  const run = await requireLearned(ctx.db, user, id, 'view')
  const all = (await oneAtATime(user.id, () => testGroups(ctx, run))).sort(orders.name)
  if (all.length === 0) throw fail('missing')
  const figure = textsOf('report', 'en')[`metric.${itemMetric[run.task]}`] ?? itemMetric[run.task]
  // A class is right or wrong: of the worst image its score says more.
  const score = run.task === 'classification' ? 'probability of the true class' : figure
  const head = csvLine(['group', 'items', `${figure}, mean`, 'worst item', `${score}, worst item`])
  const lines = all.map(({ name, items, mean, worst }) =>
    csvLine([name, items, mean, worst.name, worst.score]),
  )
  const name = await resultName(ctx, run, 'predictions_csv')
  return { name: name.replace(/-predictions\.csv$/, '-groups.csv'), text: CSV_MARK + head + lines.join('') }
}

/** What a test gave by patient or series, in the order of the test; empty where the data set names none. */
export async function testGroups(ctx: Context, run: LearnedRow): Promise<TestGroup[]> {
  const { groupOf, named } = await partedOf(ctx, run.id)
  if (named.size === 0) return []
  const rows = await ctx.db
    .select({ result: runItems.result })
    .from(runItems)
    .where(eq(runItems.runId, run.id))
    .orderBy(asc(runItems.place))
  const found = new Map<string, ItemResult[]>()
  for (const { result } of rows) {
    const name = groupOf.get(result.id)
    if (name === undefined || !named.has(name)) continue
    const items = found.get(name) ?? []
    found.set(name, items)
    items.push(result)
  }
  return [...found].map(([name, items]) => summaryOf(run, name, items))
}

/** How a run's manifest parts its items. A group that is called by its image's own hash has no name. */
export async function partedOf(ctx: Context, runId: string): Promise<Parted> {
  const [inputs] = await ctx.db
    .select({ sha256: runInputs.manifestSha256 })
    .from(runInputs)
    .where(eq(runInputs.runId, runId))
  if (!inputs) return { groupOf: new Map(), named: new Set() }
  const { items } = await readStored(ctx, inputs.sha256)
  const images = new Set(items.map(({ image }) => image))
  return {
    groupOf: new Map(items.map(({ id, group }) => [id, group])),
    named: new Set(items.map(({ group }) => group).filter((group) => !images.has(group))),
  }
}

function summaryOf({ task }: LearnedRow, name: string, items: readonly ItemResult[]): TestGroup {
  const values = items.map((item) => itemValue(task, item)).filter((value) => value !== null)
  const rank = ({ score }: ItemResult): number => score ?? Number.POSITIVE_INFINITY
  const worst = items.reduce((least, item) => (rank(item) < rank(least) ? item : least))
  return {
    name,
    items: items.length,
    mean: values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null,
    worst: { name: worst.name, score: worst.score },
  }
}

const byName = new Intl.Collator('en', { numeric: true })
const meanOf = ({ mean }: TestGroup, otherwise: number): number => mean ?? otherwise
const inName = (one: TestGroup, two: TestGroup): number => byName.compare(one.name, two.name)

/** Groups without a figure come last; equals stand by name. */
export const orders = {
  worst: (one, two) =>
    compareNumbers(meanOf(one, Number.MAX_VALUE), meanOf(two, Number.MAX_VALUE)) || inName(one, two),
  best: (one, two) =>
    compareNumbers(meanOf(two, -Number.MAX_VALUE), meanOf(one, -Number.MAX_VALUE)) || inName(one, two),
  name: inName,
  items: (one, two) => two.items - one.items || inName(one, two),
} satisfies Record<Parsed<'runs/groups'>['order'], (one: TestGroup, two: TestGroup) => number>

const compareNumbers = (one: number, two: number): number => (one === two ? 0 : Math.sign(one - two))
