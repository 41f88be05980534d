import { isDeepStrictEqual } from 'node:util'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import type { PatientCounts, PatientOrigin } from '@neuroloom/contract/reading/patient-rule'
import { countPatients, patientReader, patternOf } from '@neuroloom/contract/reading/patient-rule'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Caller } from '../../http/access.ts'
import { fail } from '../../http/fail.ts'
import type { Context } from '../../infra/context.ts'
import { requireDataset } from './access.ts'
import { itemShower } from './show.ts'
import { type DatasetRow, datasetItems } from './tables.ts'

/** What a rule would tell; those that need tables or files were counted when the folder was looked at. */
export async function patients(
  ctx: Context,
  { id, rule }: Parsed<'datasets/patients'>,
  caller: Caller,
): Promise<Answer<'datasets/patients'>> {
  const dataset = await requireDataset(ctx.db, caller.user, id, 'view')
  if (dataset.state !== 'ready') throw fail('dataset_not_ready')
  const counts = countedAs(dataset.facts?.origin, rule) ?? (await countedNow(ctx, dataset, rule))
  const names = counts.samples.map(({ name }) => name)
  const found = await ctx.db
    .select()
    .from(datasetItems)
    .where(and(eq(datasetItems.datasetId, id), inArray(datasetItems.name, names)))
  const images = new Map(found.map(itemShower(ctx, caller, dataset)).map(({ name, image }) => [name, image]))
  return {
    ...counts,
    samples: counts.samples.map((sample) => ({ ...sample, image: images.get(sample.name) ?? null })),
  }
}

async function countedNow(
  ctx: Context,
  { id }: DatasetRow,
  rule: PatientOrigin['rule'],
): Promise<PatientCounts> {
  const items = await ctx.db
    .select({ name: datasetItems.name })
    .from(datasetItems)
    .where(eq(datasetItems.datasetId, id))
    .orderBy(asc(datasetItems.position))
  const read = patientReader(rule)
  return countPatients(
    items.map(({ name }) => ({ name, patient: read(name) })),
    patternOf(rule),
  )
}

function countedAs(origin: PatientOrigin | undefined, rule: PatientOrigin['rule']): PatientCounts | null {
  if (origin === undefined || rule.by === 'name' || rule.by === 'none') return null
  const known = [origin, ...origin.options].find((one) => isDeepStrictEqual(one.rule, rule))
  if (!known) return null
  const { items, patients: count, single, pattern, samples } = known
  return { items, patients: count, single, pattern, samples }
}
