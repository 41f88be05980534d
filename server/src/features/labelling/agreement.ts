import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { FoundAgreement } from '@neuroloom/contract/labelling/agreed'
import { labelling as limits } from '@neuroloom/contract/limits'
import { clamp, meanOf } from '@neuroloom/contract/statistics/interval'
import { cohenKappa } from '@neuroloom/contract/statistics/kappa'
import { meanEstimate } from '@neuroloom/contract/statistics/means'
import { and, eq, inArray } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Caller } from '../../http/access.ts'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { users } from '../accounts/tables.ts'
import { requireSet } from './access.ts'
import { pairsOf } from './agree.ts'
import { labelAgreements, labelItems, labelReadings } from './tables.ts'

type Told = Answer<'labelling/agreement'>

/** What is known; what is not is worked out beside the call. */
export async function agreement(
  ctx: Context,
  { id }: Parsed<'labelling/agreement'>,
  { user }: Caller,
): Promise<Told> {
  await requireSet(ctx.db, user, id, 'review')
  const isKnown = (await pairsOf(ctx.db, id)).every((pair) => pair.isKnown)
  if (!isKnown)
    await ctx.jobs.send(null, 'labelling.agree', { setId: id, userId: user.id }, { singletonKey: id })
  const rows = await foundIn(ctx.db, id)
  const nameOf = await namesOf(ctx.db, user, rows)
  return {
    state: isKnown ? 'ready' : 'working',
    pairs: pairsIn(rows, nameOf),
    images: imagesOf(rows, nameOf),
  }
}

/** What is known of each two readers of a set. */
export const knownPairs = async (db: Db, setId: string, nameOf: NameOf): Promise<Told['pairs']> =>
  pairsIn(await foundIn(db, setId), nameOf)

function pairsIn(rows: readonly Row[], nameOf: NameOf): Told['pairs'] {
  const byPair = new Map<string, Row[]>()
  for (const row of rows) {
    const key = `${row.one} ${row.other}`
    byPair.set(key, [...(byPair.get(key) ?? []), row])
  }
  return [...byPair.values()].map((own) => summed(own, nameOf))
}

type Row = { itemId: string; name: string; one: string; other: string; found: FoundAgreement }

async function foundIn(db: Db, setId: string): Promise<Row[]> {
  const [one, other] = [alias(labelReadings, 'one'), alias(labelReadings, 'other')]
  const rows = await db
    .select({
      ...{ itemId: labelItems.id, name: labelItems.name, found: labelAgreements.found },
      ...{ one: one.readerId, other: other.readerId },
    })
    .from(labelAgreements)
    .innerJoin(one, and(eq(one.id, labelAgreements.oneId), eq(one.seq, labelAgreements.oneSeq)))
    .innerJoin(other, and(eq(other.id, labelAgreements.otherId), eq(other.seq, labelAgreements.otherSeq)))
    .innerJoin(labelItems, eq(labelItems.id, one.itemId))
    .where(eq(labelItems.setId, setId))
    .orderBy(labelItems.position, one.readerId, other.readerId)
  return rows.flatMap(({ one: first, other: second, ...row }) =>
    first === null || second === null ? [] : [{ ...row, one: first, other: second }],
  )
}

async function namesOf(db: Db, user: Caller['user'], rows: readonly Row[]): Promise<(id: string) => string> {
  const ids = [...new Set(rows.flatMap(({ one, other }) => [one, other]))]
  const named = await db
    .select({ id: users.id, name: users.nickName })
    .from(users)
    .where(inArray(users.id, ids))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return (id) => (id === user.id ? '' : (names.get(id) ?? '—'))
}

type NameOf = (id: string) => string

/** Of one pair of readers over all images that both have finished. */
function summed(rows: readonly Row[], nameOf: NameOf): Told['pairs'][number] {
  const found = rows.map((row) => row.found)
  const units = new Set(found.filter(({ classes }) => classes.length > 0).map(({ unit }) => unit))
  const [unit = 'pixels'] = units
  const sum = (of: keyof FoundAgreement['boxes']) => found.reduce((all, { boxes }) => all + boxes[of], 0)
  return {
    ...{ one: nameOf(rows[0]?.one ?? ''), other: nameOf(rows[0]?.other ?? ''), images: rows.length },
    kappa: kappaOf(found.map(({ tags }) => tags).filter(isTagged)),
    boxes: { one: sum('one'), other: sum('other'), matched: sum('matched') },
    classes: classesOf(found),
    unit: units.size > 1 ? 'mixed' : unit,
  }
}

type Tags = FoundAgreement['tags']
const isTagged = ({ one, other }: Tags): boolean => one.length > 0 || other.length > 0

function kappaOf(tagged: readonly Tags[]): Told['pairs'][number]['kappa'] {
  const pairs = tagged.map(({ one, other }) => [one.join('\n'), other.join('\n')] as const)
  const categories = [...new Set(pairs.flat())]
  const kappa = cohenKappa(pairs, { categories, weights: 'none' })?.kappa
  if (!kappa) return null
  // Where readers agree everywhere, or one of them says the same of all images, there is no spread to tell a range by.
  const range = kappa.low === kappa.high ? null : { low: kappa.low, high: kappa.high }
  return { value: kappa.value, range, images: pairs.length }
}

function classesOf(found: readonly FoundAgreement[]): Told['pairs'][number]['classes'] {
  const byClass = new Map<string, FoundAgreement['classes']>()
  for (const one of found.flatMap(({ classes }) => classes))
    byClass.set(one.class, [...(byClass.get(one.class) ?? []), one])
  return [...byClass].map(([id, all]) => {
    const dices = all.map(({ dice }) => dice)
    const about = meanEstimate(dices)
    return {
      ...{ class: id, images: all.length, dice: mean(dices) ?? 0 },
      range: about && { low: clamp(about.low, 0, 1), high: clamp(about.high, 0, 1) },
      hausdorff95: mean(all.flatMap(({ hausdorff95 }) => hausdorff95 ?? [])),
      meanDistance: mean(all.flatMap(({ meanDistance }) => meanDistance ?? [])),
    }
  })
}

const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOf(values))

/** Those with the least mean Dice first, then those whose labels differ; a page of them. */
function imagesOf(rows: readonly Row[], nameOf: NameOf): Told['images'] {
  const byItem = new Map<string, Row[]>()
  for (const row of rows) byItem.set(row.itemId, [...(byItem.get(row.itemId) ?? []), row])
  const images = [...byItem].map(([itemId, own]) => ({
    ...{ itemId, name: own[0]?.name ?? '' },
    dice: mean(own.flatMap(({ found }) => found.classes.map(({ dice }) => dice))),
    pairs: own.map(({ one, other, found: { tags, ...found } }) => ({
      ...{ one: nameOf(one), other: nameOf(other), ...found },
      isSameTags: isTagged(tags) ? tags.one.join('\n') === tags.other.join('\n') : null,
    })),
  }))
  return images.sort((a, b) => worst(a) - worst(b)).slice(0, limits.itemsPage)
}

const worst = ({ dice, pairs }: Told['images'][number]): number =>
  Math.min(dice ?? 1, pairs.some(({ isSameTags }) => isSameTags === false) ? 0.5 : 1)
