/** How readers did over many masks, by what STAPLE expects of each. */
import type { ReaderScore } from '@neuroloom/contract/recipes/algebra'
import type { Reader } from '@neuroloom/contract/recipes/recipe'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db.ts'
import { preparationItems } from '../tables.ts'

type Sum = Reader & { masks: number }

export function scoresOf(lists: readonly (readonly Reader[])[]): ReaderScore[] {
  const sums = new Map<string, Sum>()
  for (const reader of lists.flat()) {
    const key = `${reader.value} ${reader.number}`
    const sum = sums.get(key)
    sums.set(key, sum ? added(sum, reader) : { ...reader, masks: 1 })
  }
  return [...sums.values()]
    .sort((one, other) => one.value - other.value || one.number - other.number)
    .map(scoreOf)
}

const added = (sum: Sum, reader: Reader): Sum => ({
  ...sum,
  masks: sum.masks + 1,
  marked: sum.marked + reader.marked,
  positive: sum.positive + reader.positive,
  spared: sum.spared + reader.spared,
  negative: sum.negative + reader.negative,
})

const scoreOf = ({ number, value, marked, positive, spared, negative, masks }: Sum): ReaderScore => ({
  ...{ number, value, masks, positive, negative },
  sensitivity: positive > 0 ? marked / positive : null,
  specificity: negative > 0 ? spared / negative : null,
})

/** Of a work, over all masks that are done. */
export async function scoresIn(db: Db, preparationId: string): Promise<ReaderScore[]> {
  const own = eq(preparationItems.preparationId, preparationId)
  const { rows } = await db.execute<Sum>(sql`
    select (reader ->> 'number')::int as number, (reader ->> 'value')::int as value, count(*)::int as masks,
      sum((reader ->> 'marked')::float) as marked, sum((reader ->> 'positive')::float) as positive,
      sum((reader ->> 'spared')::float) as spared, sum((reader ->> 'negative')::float) as negative
    from ${preparationItems}, jsonb_array_elements(made) one, jsonb_array_elements(one -> 'readers') reader
    where ${own}
    group by 1, 2
    order by 2, 1`)
  return rows.map(scoreOf)
}
