/** How much a prediction computes, for its forecast: pictures that are looked at whole count by their size. */
import { type Cost, costOf, workOf } from '@neuroloom/contract/forecast'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import type { Task } from '@neuroloom/contract/task'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { blobs } from '../../../infra/storage/blobs.ts'
import type { LearnedRow } from '../tables.ts'

type Applied = Pick<LearnedRow, 'task' | 'hyper' | 'validation'>

/** The others are brought to the network's own size first. */
const isWhole = {
  classification: false,
  multilabel: false,
  detection: false,
  segmentation: true,
  volume_segmentation: true,
  super_resolution: true,
  denoising: true,
} as const satisfies Record<Task, boolean>

/** What a network computes on images of these hashes. */
export async function predictionWork(
  db: Db,
  { task, hyper, validation }: Applied,
  { plan, images }: { plan: Plan; images: readonly string[] },
): Promise<Cost> {
  const items = isWhole[task] ? await timesOf(db, plan, images) : images.length
  return workOf({ kind: 'predict', task, items, hyper, validation, cost: costOf(plan) })
}

/** In images of the plan's size; those whose size nobody knows yet count as the mean of the others, else as one. */
async function timesOf(db: Db, plan: Plan, images: readonly string[]): Promise<number> {
  const [input] = Object.values(plan.inputs)
  if (input?.k !== 'map' || images.length === 0) return images.length
  const own = input.s.reduce((product, side) => product * side, 1)
  const rows = await db
    .select({
      sha256: blobs.sha256,
      points: sql<number | null>`(${blobs.facts} ->> 'width')::float8 * (${blobs.facts} ->> 'height')::float8
        * coalesce((${blobs.facts} ->> 'depth')::float8, 1)`,
    })
    .from(blobs)
    .where(inArray(blobs.sha256, [...new Set(images)]))
  const points = new Map(rows.map((row) => [row.sha256, row.points]))
  const known = images.flatMap((sha256) => points.get(sha256) ?? [])
  if (known.length === 0) return images.length
  return (known.reduce((sum, each) => sum + each, 0) / known.length / own) * images.length
}
