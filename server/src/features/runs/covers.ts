/** One picture of each run, for lists: of what it drew or was tested on, the image it did worst on; of a training, one of its samples. */
import { sql } from 'drizzle-orm'
import type { Context } from '../../infra/context.ts'
import type { Holder } from '../accounts/access.ts'
import { thumbnailUrl } from '../files/service.ts'
import { pictureUrl } from './links.ts'
import { runItems, runPictures, runs } from './tables.ts'

type Found = { id: string; user_id: string; image: string | null; drawn: string | null }

/** Signed addresses by the ids of runs; whoever asks has checked that the holder may see them. Without an image: none. */
export async function coversOf(ctx: Context, holder: Holder, ids: string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {}
  const { rows } = await ctx.db.execute<Found>(sql`
    select distinct on (run.id) run.id, run.user_id, shown.item ->> 'image' as image, picture.sha256 as drawn
    from ${runs} run
    cross join lateral (
      select coalesce(
        (select result from ${runItems} where run_id = run.id order by score, place limit 1),
        run.preview -> 'items' -> 0
      ) as item
    ) shown
    left join ${runPictures} picture on picture.run_id = run.id
      and picture.name in ('test/' || (shown.item ->> 'id'), 'preview/' || (shown.item ->> 'id'))
    where run.id = any(${sql.param(ids)}::text[]) and shown.item is not null
    -- What was tested before what was learned.
    order by run.id, picture.name desc nulls last`)
  return Object.fromEntries(
    rows.flatMap(({ id, user_id: ownerId, image, drawn }) => {
      if (drawn !== null) return [[id, pictureUrl(ctx, holder, { id, sha256: drawn })]]
      const shownBy = ownerId === holder.user.id ? undefined : { as: 'run' as const, id }
      return image === null ? [] : [[id, thumbnailUrl(ctx, holder, image, shownBy)]]
    }),
  )
}
