/** The calls: begin to look, go on with what was found, give up. */
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { classColours, classProblem, type LabelClass, sameName } from '@neuroloom/contract/labelling/classes'
import type { Exchange } from '@neuroloom/contract/labelling/exchange'
import { labelling, labelExchange as limits } from '@neuroloom/contract/limits'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../../http/access.ts'
import { fail } from '../../../http/fail.ts'
import type { Context } from '../../../infra/context.ts'
import type { Db, Tx } from '../../../infra/db.ts'
import { newId } from '../../../infra/ids.ts'
import { requireFolder } from '../../files/access.ts'
import { maySeeOthers, requireSet } from '../access.ts'
import { labelSets } from '../tables.ts'
import { type ExchangeRow, labelExchanges } from './tables.ts'

export async function planExport(
  ctx: Context,
  { id, whose }: Parsed<'labelling/exportPlan'>,
  { user }: Caller,
): Promise<Answer<'labelling/exportPlan'>> {
  const set = await requireSet(ctx.db, user, id, 'read')
  if (whose !== 'mine' && !maySeeOthers(set)) throw fail('not_allowed')
  return begin(ctx, { setId: id, memberId: user.id, kind: 'export', whose })
}

export async function planImport(
  ctx: Context,
  { id, folderId }: Parsed<'labelling/importPlan'>,
  { user }: Caller,
): Promise<Answer<'labelling/importPlan'>> {
  await requireSet(ctx.db, user, id, 'read')
  const { name } = await requireFolder(ctx.db, user, folderId, 'view')
  return begin(ctx, { setId: id, memberId: user.id, kind: 'import', folderId, folderName: name })
}

type Begun = Pick<ExchangeRow, 'setId' | 'memberId' | 'kind'> & Partial<ExchangeRow>

async function begin(ctx: Context, begun: Begun): Promise<Exchange> {
  const id = newId()
  return ctx.db.transaction(async (tx) => {
    const open = and(
      eq(labelExchanges.memberId, begun.memberId),
      inArray(labelExchanges.state, ['looking', 'working']),
    )
    if ((await tx.$count(labelExchanges, open)) >= limits.waiting)
      throw fail('exchange_waiting', { limit: limits.waiting })
    // What was looked at before and waits for a word waits no longer.
    await tx
      .update(labelExchanges)
      .set({ state: 'cancelled', endedAt: ctx.now() })
      .where(
        and(
          eq(labelExchanges.memberId, begun.memberId),
          eq(labelExchanges.setId, begun.setId),
          eq(labelExchanges.kind, begun.kind),
          eq(labelExchanges.state, 'planned'),
        ),
      )
    const [row] = await tx
      .insert(labelExchanges)
      .values({ id, state: 'looking', createdAt: ctx.now(), ...begun })
      .returning()
    if (!row) throw fail('exchange_missing')
    await queue(ctx, tx, id)
    return shown(row)
  })
}

const queue = (ctx: Context, tx: Tx, id: string): Promise<void> =>
  ctx.jobs.send(tx, 'labelling.exchange', { exchangeId: id }, { singletonKey: id })

export async function exportNow(
  ctx: Context,
  { exchangeId, format }: Parsed<'labelling/export'>,
  { user }: Caller,
): Promise<Answer<'labelling/export'>> {
  return ctx.db.transaction(async (tx) => {
    const row = await requirePlanned(tx, user.id, exchangeId, 'export')
    const set = await requireSet(tx, user, row.setId, 'read')
    if (row.whose !== 'mine' && !maySeeOthers(set)) throw fail('not_allowed')
    return go(ctx, tx, row, { format })
  })
}

export async function importNow(
  ctx: Context,
  { exchangeId, merge, classes }: Parsed<'labelling/import'>,
  { user }: Caller,
): Promise<Answer<'labelling/import'>> {
  return ctx.db.transaction(async (tx) => {
    const row = await requirePlanned(tx, user.id, exchangeId, 'import')
    const set = await requireSet(tx, user, row.setId, 'read')
    await tx.select({ id: labelSets.id }).from(labelSets).where(eq(labelSets.id, set.id)).for('update')
    const added = newClasses(set.classes, { row, classes })
    if (added.size > 0) {
      if (set.right !== 'own') throw fail('not_allowed')
      const all = [...set.classes, ...new Set(added.values())]
      refuse(all)
      await tx.update(labelSets).set({ classes: all }).where(eq(labelSets.id, set.id))
    }
    const known = new Set(set.classes.map(({ id }) => id))
    const pairs = classes.flatMap(({ name, to }): [string, string][] => {
      if (to === 'new') return [[name, added.get(name)?.id ?? '']]
      return to !== null && known.has(to) ? [[name, to]] : []
    })
    return go(ctx, tx, row, { choices: { merge, classes: Object.fromEntries(pairs) } })
  })
}

function refuse(classes: readonly LabelClass[]): void {
  const problem = classProblem(classes)
  if (classes.length > labelling.classes) throw fail('classes_refused', { name: classes.at(-1)?.name ?? '' })
  if (problem?.rule === 'duplicate') throw fail('tag_duplicate', { name: problem.name })
  if (problem && problem.rule !== 'too_few')
    throw fail('classes_refused', { name: problem.name, rule: problem.rule })
}

type Asked = { row: ExchangeRow; classes: readonly { name: string; to: string | null }[] }

/** By the name in the files; names that differ in case or width alone become one class, as the page says beforehand. */
function newClasses(known: readonly LabelClass[], { row, classes }: Asked): Map<string, LabelClass> {
  const found = new Map(
    row.plan && 'classes' in row.plan ? row.plan.classes.map((one) => [one.name, one]) : [],
  )
  const colours = classColours.filter((colour) => !known.some((one) => one.colour === colour))
  const added = new Map<string, LabelClass>()
  for (const { name, to } of classes) {
    const one = found.get(name)
    if (to !== 'new' || !one) continue
    const alike = [...added.values()].find((other) => sameName(other.name) === sameName(cut(name)))
    if (alike) {
      added.set(name, alike)
      continue
    }
    const count = new Set(added.values()).size
    const next = colours[count % Math.max(colours.length, 1)] ?? classColours[count % classColours.length]
    added.set(name, {
      ...{ id: newId(), name: cut(name), description: '', key: null },
      // The background is no class to mark with.
      use: one.use === 'ignore' ? 'ignore' : 'class',
      ...{ colour: one.colour ?? next ?? '#e69f00', skeleton: one.skeleton },
    })
  }
  return added
}

const cut = (name: string): string => [...name.trim()].slice(0, labelling.classNameLength).join('').trim()

async function go(ctx: Context, tx: Tx, row: ExchangeRow, changes: Partial<ExchangeRow>): Promise<Exchange> {
  const [gone] = await tx
    .update(labelExchanges)
    .set({ ...changes, state: 'working', done: 0, attempts: 0, leaseUntil: null })
    .where(eq(labelExchanges.id, row.id))
    .returning()
  if (!gone) throw fail('exchange_missing')
  await queue(ctx, tx, row.id)
  return shown(gone)
}

async function requirePlanned(
  tx: Tx,
  memberId: string,
  id: string,
  kind: ExchangeRow['kind'],
): Promise<ExchangeRow> {
  const row = await requireOwn(tx, memberId, id)
  if (row.kind !== kind || row.state !== 'planned') throw fail('exchange_state')
  return row
}

async function requireOwn(tx: Tx, memberId: string, id: string): Promise<ExchangeRow> {
  const own = and(eq(labelExchanges.id, id), eq(labelExchanges.memberId, memberId))
  const [row] = await tx.select().from(labelExchanges).where(own).for('update')
  if (!row) throw fail('exchange_missing')
  return row
}

export async function list(
  ctx: Context,
  { id }: Parsed<'labelling/exchanges'>,
  { user }: Caller,
): Promise<Answer<'labelling/exchanges'>> {
  await requireSet(ctx.db, user, id, 'read')
  const rows = await latest(ctx.db, { setId: id, memberId: user.id })
  return { exchanges: rows.map(shown) }
}

const latest = (db: Db, { setId, memberId }: { setId: string; memberId: string }) =>
  db
    .select()
    .from(labelExchanges)
    .where(and(eq(labelExchanges.setId, setId), eq(labelExchanges.memberId, memberId)))
    .orderBy(desc(labelExchanges.createdAt))
    .limit(limits.shown)

export async function cancel(
  ctx: Context,
  { exchangeId }: Parsed<'labelling/cancelExchange'>,
  { user }: Caller,
): Promise<Answer<'labelling/cancelExchange'>> {
  return ctx.db.transaction(async (tx) => {
    const row = await requireOwn(tx, user.id, exchangeId)
    if (!['looking', 'planned', 'working'].includes(row.state)) throw fail('exchange_state')
    const [cancelled] = await tx
      .update(labelExchanges)
      .set({ state: 'cancelled', leaseUntil: null, endedAt: ctx.now() })
      .where(eq(labelExchanges.id, row.id))
      .returning()
    return shown(cancelled ?? row)
  })
}

function shown({ plan, createdAt, ...row }: ExchangeRow): Exchange {
  const { id, setId, kind, state, format, whose, folderId, folderName, done, total, failure } = row
  return {
    ...{ id, setId, kind, state, format, whose, folderId, folderName, done, total, failure },
    exportPlan: plan && 'losses' in plan ? plan : null,
    importPlan: plan && 'classes' in plan ? plan : null,
    createdAt: createdAt.toISOString(),
  }
}
