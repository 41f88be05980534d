/** The images of a set after a look at its folder: which of them were there before, which are new and which are gone. */
import { sql } from 'drizzle-orm'
import { freeNames } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import type { Tx } from '../../infra/db.ts'
import { newId } from '../../infra/ids.ts'
import type { FileBelow } from '../files/service.ts'
import { type LabelItemRow, labelItems, labelSources } from './tables.ts'

export type FoundImage = {
  name: string
  kind: LabelItemRow['kind']
  files: FileBelow[]
  siblings: FileBelow[]
}

/** An image is known by its bytes: moved or renamed it keeps its labels, and other bytes under its name are another image. */
export async function keepImages(
  ctx: Context,
  tx: Tx,
  setId: string,
  images: readonly FoundImage[],
): Promise<void> {
  // Two at once would number images twice.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`label items ${setId}`}, 0))`)
  const found = namedOnce(images)
  const known = await knownItems(tx, setId)
  const before = matched(known, found)
  const stays = new Set(before)
  const freeName = freeNames()
  for (const { name } of found) freeName(name)
  const gone = known.filter((one) => !stays.has(one))
  await place(tx, [
    ...gone.map((one) => ({ ...one, name: freeName(one.name), isGone: true })),
    ...found.flatMap(({ name }, position) => {
      const one = before[position]
      return one ? [{ id: one.id, name, position, isGone: false }] : []
    }),
  ])
  await add(
    tx,
    found.flatMap((image, position) =>
      before[position] ? [] : [{ ...image, id: newId(), setId, position }],
    ),
  )
  if (gone.length > 0) ctx.log.info({ setId, gone: gone.length }, 'images to label are not in their folder')
}

/** Two series of one folder may have one description. */
function namedOnce(images: readonly FoundImage[]): FoundImage[] {
  const seen = new Map<string, number>()
  return images.map((image) => {
    const count = (seen.get(image.name) ?? 0) + 1
    seen.set(image.name, count)
    return count === 1 ? image : { ...image, name: `${image.name} (${count})` }
  })
}

type Known = { id: string; name: string; position: number; digest: string }

async function knownItems(tx: Tx, setId: string): Promise<Known[]> {
  const { rows } = await tx.execute<Known>(sql`
    select i.id, i.name, i.position,
      coalesce(string_agg(s.role || s.sha256, ' ' order by s.role, s.place), '') as digest
    from ${labelItems} i
    left join ${labelSources} s on s.item_id = i.id
    where i.set_id = ${setId}
    group by i.id
    order by i.position, i.id`)
  return rows
}

const digestOf = ({ files, siblings }: FoundImage): string =>
  [...files.map(({ sha256 }) => `file${sha256}`), ...siblings.map(({ sha256 }) => `sibling${sha256}`)].join(
    ' ',
  )

/** For each image the item that it was; of several with the same bytes the one of that name first. */
function matched(known: readonly Known[], found: readonly FoundImage[]): (Known | null)[] {
  const byBoth = grouped(known, ({ digest, name }) => `${digest} ${name}`)
  const byDigest = grouped(known, ({ digest }) => digest)
  const taken = new Set<Known>()
  const take = (same: Known[] = []): Known | null => {
    const one = same.find((each) => !taken.has(each)) ?? null
    if (one) taken.add(one)
    return one
  }
  const asBefore = found.map((image) => take(byBoth.get(`${digestOf(image)} ${image.name}`)))
  return found.map((image, index) => asBefore[index] ?? take(byDigest.get(digestOf(image))))
}

function grouped(items: readonly Known[], keyOf: (one: Known) => string): Map<string, Known[]> {
  const groups = new Map<string, Known[]>()
  for (const one of items) {
    const group = groups.get(keyOf(one))
    if (group) group.push(one)
    else groups.set(keyOf(one), [one])
  }
  return groups
}

type Placed = { id: string; name: string; position: number; isGone: boolean }

/** Two may have changed their names with each other: all of them let go of theirs first. */
async function place(tx: Tx, items: readonly Placed[]): Promise<void> {
  const ids = sql.param(items.map(({ id }) => id))
  await tx.execute(sql`update ${labelItems} set name = id where id = any(${ids}::text[])`)
  await tx.execute(sql`
    update ${labelItems} i
    set name = placed.name, position = placed.position, is_gone = placed.is_gone
    from unnest(
      ${ids}::text[],
      ${sql.param(items.map(({ name }) => name))}::text[],
      ${sql.param(items.map(({ position }) => position))}::integer[],
      ${sql.param(items.map(({ isGone }) => isGone))}::boolean[]
    ) as placed (id, name, position, is_gone)
    where i.id = placed.id`)
}

async function add(
  tx: Tx,
  items: readonly (FoundImage & { id: string; setId: string; position: number })[],
): Promise<void> {
  for (const some of inBatches(items))
    await tx
      .insert(labelItems)
      .values(some.map(({ id, setId, position, name, kind }) => ({ id, setId, position, name, kind })))
  const sources = items.flatMap(({ id, files, siblings }) => [
    ...files.map((file, index) => sourceRow(id, 'file', index, file)),
    ...siblings.map((file, index) => sourceRow(id, 'sibling', index, file)),
  ])
  for (const some of inBatches(sources)) await tx.insert(labelSources).values(some)
}

const sourceRow = (
  itemId: string,
  role: 'file' | 'sibling',
  index: number,
  { path, sha256, sizeBytes }: FileBelow,
) => ({ itemId, role, place: index, name: path.slice(path.lastIndexOf('/') + 1), sha256, sizeBytes })

/** A statement takes 65,535 parameters. */
const BATCH = 2000

function* inBatches<T>(rows: readonly T[]): Generator<T[]> {
  for (let start = 0; start < rows.length; start += BATCH) yield rows.slice(start, start + BATCH)
}
