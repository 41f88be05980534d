import { projects as limits } from '@neuroloom/contract/limits'
import { mainMetric } from '@neuroloom/contract/metric'
import { sql } from 'drizzle-orm'
import type { Db } from '../../infra/db.ts'
import { runCurves, runs } from './tables.ts'

/** How the scores of trainings went from epoch to epoch, evenly thinned: the last epoch is always among them. */
export async function coursesOf(db: Db, ids: string[]): Promise<Record<string, number[]>> {
  if (ids.length === 0) return {}
  const { rows } = await db.execute<{ id: string; course: number[] }>(sql`
    select id, array_agg(score order by at) as course
    from (
      select
        run.id,
        (curve.numbers ->> (${JSON.stringify(mainMetric)}::jsonb ->> run.task))::float8 as score,
        row_number() over (partition by run.id order by curve.epoch) as at,
        count(*) over (partition by run.id) as epochs
      from ${runs} run
      join ${runCurves} curve on curve.run_id = run.id and curve.fold = 0 and curve.split = 'validation'
      where run.id = any(${sql.param(ids)}::text[]) and run.kind = 'train'
    ) validated
    where score is not null and (epochs - at) % ceil(epochs::float8 / ${limits.coursePoints})::int = 0
    group by id`)
  return Object.fromEntries(rows.map(({ id, course }) => [id, course]))
}
