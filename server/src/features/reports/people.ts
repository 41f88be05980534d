/** Persons of each part of the data with what tables say of them. Nothing of it leaves but in the sums of `demographics.ts`. */
import type { PeopleFacts } from '@neuroloom/contract/datasets'
import { eq } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Db } from '../../infra/db.ts'
import { type DatasetRow, datasetItems } from '../datasets/tables.ts'
import { type Division, divide, readStored } from '../runs/service.ts'
import { type LearnedRow, runInputs } from '../runs/tables.ts'

export type PersonColumn = PeopleFacts['columns'][number]
/** All that is said of one person, by the name of the column. */
export type Person = Map<string, string[]>
/** `all`: learned from and tested in turn. `other`: a test on other data. */
export type PeoplePart = { part: keyof Division | 'all' | 'other'; persons: Person[] }
export type People = { columns: PersonColumn[]; parts: PeoplePart[] }

type Asked = {
  test: Pick<LearnedRow, 'datasetId'>
  training: LearnedRow | null
  learned: DatasetRow | null
  tested: DatasetRow | null
}

/** Null where no table says anything of persons. */
export async function peopleOf(
  ctx: Context,
  { test, training, learned, tested }: Asked,
): Promise<People | null> {
  if (training === null || learned === null) return null
  const isOther = test.datasetId !== learned.id
  const other = isOther ? tested : null
  const columns = columnsOf([learned, other])
  if (columns.length === 0) return null
  const parts = await learnedParts(ctx, { training, learned })
  const own = isOther ? parts.filter(({ part }) => part !== 'test') : parts
  const beside = other
    ? [{ part: 'other' as const, persons: personsOf(await itemsOf(ctx.db, other.id), other) }]
    : []
  return { columns, parts: [...own, ...beside].filter(({ persons }) => persons.length > 0) }
}

/** Age and sex may be called differently in two data sets. */
function columnsOf(sets: readonly (DatasetRow | null)[]): PersonColumn[] {
  const columns = new Map<string, PersonColumn>()
  for (const set of sets) {
    for (const column of set?.facts?.people?.columns ?? []) {
      const key = keyOf(column)
      if (!columns.has(key)) columns.set(key, column)
    }
  }
  return [...columns.values()]
}

export const keyOf = ({ kind, name }: Pick<PersonColumn, 'kind' | 'name'>): string =>
  kind === 'other' ? `other ${name}` : kind

type ItemRow = Pick<typeof datasetItems.$inferSelect, 'id' | 'patient' | 'about'>

const itemsOf = (db: Db, datasetId: string): Promise<ItemRow[]> =>
  db
    .select({ id: datasetItems.id, patient: datasetItems.patient, about: datasetItems.about })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, datasetId))

/** By the manifest that the training was given: parts may have been changed since. */
async function learnedParts(
  ctx: Context,
  { training, learned }: { training: LearnedRow; learned: DatasetRow },
): Promise<PeoplePart[]> {
  const items = await itemsOf(ctx.db, learned.id)
  const { validation } = training
  if (validation.method === 'kfold') return [{ part: 'all', persons: personsOf(items, learned) }]
  const [inputs] = await ctx.db.select().from(runInputs).where(eq(runInputs.runId, training.id))
  if (!inputs) return []
  const manifest = await readStored(ctx, inputs.manifestSha256)
  const rows = new Map(items.map((item) => [item.id, item]))
  const division = divide(manifest.items, validation)
  return (['train', 'validation', 'test'] as const).map((part) => ({
    part,
    persons: personsOf(
      division[part].flatMap((index) => rows.get(manifest.items[index]?.id ?? '') ?? []),
      learned,
    ),
  }))
}

/** An image that nobody is known of counts as of a person of its own. */
function personsOf(items: readonly ItemRow[], { facts }: DatasetRow): Person[] {
  const persons = new Map<string, Person>()
  for (const { id, patient, about } of items) {
    const key = patient === null ? `image ${id}` : `patient ${patient}`
    const person: Person = persons.get(key) ?? new Map()
    persons.set(key, person)
    for (const column of facts?.people?.columns ?? []) {
      const value = about?.[column.name]
      if (value !== undefined) person.set(keyOf(column), [...(person.get(keyOf(column)) ?? []), value])
    }
  }
  return [...persons.values()]
}
